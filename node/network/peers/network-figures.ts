// What metrics say of a network.
import type { Admission } from "../admission/admission.ts";
import type { ResponseBudget } from "../flow/response-budget.ts";
import type { NetworkFigures } from "../peer-network.ts";
import type { PeerConnections } from "./peer-connections.ts";
import type { PeerMemory } from "./peer-memory.ts";

/** Where the figures come from. */
export interface FigureSources {
  readonly admission: Admission;
  readonly memory: PeerMemory;
  readonly budget: ResponseBudget;
}

/** The figures of now. */
export function networkFigures({ admission, memory, budget }: FigureSources, connections: PeerConnections): NetworkFigures {
  const { evicted, refused, displaced, bannedPeers, bannedHosts, bannedSubnets } = admission.figures;
  return {
    connections: connections.counts(),
    bans: { peer: bannedPeers, address: bannedHosts, subnet: bannedSubnets },
    offences: admission.scores.offences,
    turnedAway: { evicted, refused, displaced },
    addresses: memory.book.sizes,
    waitingBytes: { responses: budget.bytes, backlog: connections.backlogBytes },
  };
}
