// gossipsub's own scores of peers, beside the node's.
import { createPeerScoreParams, createTopicScoreParams, type PeerScoreParams } from "@libp2p/gossipsub/score";
import { parseIp, rangeOf } from "../addresses/ip-address.ts";
import type { PeerName } from "../peer-network.ts";

/** What the scores are made of. */
export interface GossipScoreOptions {
  /** Names of topics on the wire. */
  readonly topics: readonly string[];
  /** The node's own score of a peer, at most 0. */
  readonly scoreOf: (peer: PeerName) => number;
  /** Whether limits by address apply to addresses that are not public. */
  readonly limitsLocal: boolean;
}

/** Broken promises and early grafts, lately, that cost nothing: a machine under load makes some. */
const TOLERATED_MISBEHAVIOURS = 6;

/** Nodes of one address beyond which they count as one party; an office may run many. */
const NODES_PER_ADDRESS = 16;

/** The parameters. */
export function createGossipScores({ topics, scoreOf, limitsLocal }: GossipScoreOptions): PeerScoreParams {
  return createPeerScoreParams({
    topics: Object.fromEntries(topics.map((topic) => [topic, topicScore()])),
    appSpecificScore: scoreOf,
    appSpecificWeight: 1,
    behaviourPenaltyThreshold: TOLERATED_MISBEHAVIOURS,
    IPColocationFactorWeight: -5,
    IPColocationFactorThreshold: NODES_PER_ADDRESS,
    IPColocationFactorWhitelist: limitsLocal ? new Set() : new LocalAddresses(),
  });
}

/** Every address that is not public: behind one of them the whole world may stand. */
class LocalAddresses extends Set<string> {
  override has(address: string): boolean {
    const ip = parseIp(address);
    return ip !== undefined && rangeOf(ip) !== "public";
  }
}

/** Deliveries are not demanded: with an idle topic every peer would seem lazy. Invalid messages count, squared. */
function topicScore(): ReturnType<typeof createTopicScoreParams> {
  return createTopicScoreParams({
    topicWeight: 1,
    timeInMeshWeight: 0.01,
    timeInMeshQuantum: 1_000,
    timeInMeshCap: 100,
    firstMessageDeliveriesWeight: 0.05,
    firstMessageDeliveriesDecay: 0.9,
    firstMessageDeliveriesCap: 100,
    meshMessageDeliveriesWeight: 0,
    meshFailurePenaltyWeight: 0,
    invalidMessageDeliveriesWeight: -10,
    invalidMessageDeliveriesDecay: 0.99,
  });
}
