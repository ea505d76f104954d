// Words for the operator about a peer of another chain: after a chain was continued under a new name, both may be running.
import type { Log } from "#node/observability/log.ts";
import { isChainId } from "#shared/protocol/chain/genesis.ts";
import type { PeerName } from "../peer-network.ts";

/** Logs which chain a peer is on. The peer is disconnected and stays away for a while, so this is no way to fill the log. */
export function warnOfForeignPeer(
  log: Pick<Log, "warn">,
  { peer, chainId, foreign }: { readonly peer: PeerName; readonly chainId: string; readonly foreign: string },
): void {
  const where =
    foreign === chainId
      ? `a chain of the same name with another genesis`
      : `the chain ${isChainId(foreign) ? foreign : "of an unusual name"}`;
  log.warn({ peer }, `A peer is on ${where}, not on this node's ${chainId}: it was disconnected`);
}
