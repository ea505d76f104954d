// What a linking runs on in the interface.
import type { LinkHost } from "#shared/linking/link-channel.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import type { Timers } from "#shared/util/clock.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import type { NodeAccess } from "../node/access/node-access.ts";

/** Surroundings of a linking over a connection. */
export function createLinkHost(node: NodeAccess, chainId: string): LinkHost & { readonly timers: Timers } {
  return {
    node: createLinkNode(node, chainId),
    clock: hostClock,
    timers: hostTimers,
    random: hostRandom,
  };
}
