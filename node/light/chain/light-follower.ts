// Follows the chain of headers: headers that peers claim to have are fetched and proposed to the verified chain, one of a peer at a time.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { LightPeers } from "../light-peers.ts";
import type { TrustedChain } from "./trusted-chain.ts";

/** How often peers that say that they are ahead are asked again, ms: what failed once may succeed later. */
export const RETRY_MS = 5_000;

export interface LightFollowerDependencies {
  readonly chain: Pick<TrustedChain, "tip" | "accept">;
  readonly peers: Pick<LightPeers, "peers" | "lightBlock">;
  readonly timers: Timers;
  readonly log: Pick<Log, "debug" | "error">;
}

/** Asks those who are ahead. */
export class LightFollower {
  readonly #dependencies: LightFollowerDependencies;
  readonly #stopping = new AbortController();
  /** Peers whose block is on its way. */
  readonly #asking = new Set<PeerName>();
  #cancel: () => void = () => undefined;

  constructor(dependencies: LightFollowerDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#cancel = this.#dependencies.timers.setTimer(RETRY_MS, () => {
      for (const { name } of this.#dependencies.peers.peers()) this.poll(name);
      this.start();
    });
  }

  /** A peer may be ahead: asks it, unless it is being asked. */
  poll(peer: PeerName): void {
    if (!this.#asking.has(peer)) void this.#follow(peer);
  }

  stop(): void {
    this.#cancel();
    this.#stopping.abort();
  }

  async #follow(peer: PeerName): Promise<void> {
    const { chain, peers, log } = this.#dependencies;
    const { signal } = this.#stopping;
    this.#asking.add(peer);
    try {
      let outcome = "advanced";
      // Meanwhile the peer may have announced further blocks.
      for (let height = this.#aheadOf(peer); height !== undefined && outcome === "advanced"; height = this.#aheadOf(peer)) {
        const block = signal.aborted ? undefined : await peers.lightBlock(peer, height, signal);
        if (block === undefined || signal.aborted) break;
        outcome = await chain.accept(block, peer);
      }
    } catch (error) {
      log.debug({ err: error, peer }, "A peer that is ahead did not serve its newest block");
    } finally {
      this.#asking.delete(peer);
    }
  }

  /** What a peer says that its height is, when that is above the tip. */
  #aheadOf(peer: PeerName): Height | undefined {
    const height = this.#dependencies.peers.peers().find(({ name }) => name === peer)?.height;
    return height !== undefined && height > this.#dependencies.chain.tip().header.height ? height : undefined;
  }
}
