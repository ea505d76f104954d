// Whether old blocks may go: while a connected node has shown that it has them, and does not say that it drops them too. What is fetched from
// nowhere is not dropped, however large the folder grows.
import type { ChainStatus, PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { BlockRange, HolderProofs } from "./holder-proofs.ts";

/** How often it is looked for such a node while blocks wait, ms. */
const LOOK_MS = 1_000;
/** So long they wait before the log says so, ms: after a start no one is connected yet. */
const QUIET_MS = 60_000;

export interface BlockHoldersDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
  readonly proofs: Pick<HolderProofs, "heldTo" | "isAsking" | "stop">;
  /** Called while blocks wait. */
  readonly onLook: () => void;
}

/** Which blocks are to go. */
export interface DueBlocks extends BlockRange {
  /** Whether something goes once blocks up to a height may. */
  readonly goesUpTo: (to: Height) => boolean;
}

/** A connected node. */
export interface PossibleHolder {
  readonly name: PeerName;
  readonly status: ChainStatus | null;
}

/** Waits for nodes that hold what is to go. */
export class BlockHolders {
  readonly #dependencies: BlockHoldersDependencies;
  #waitingSinceMs: number | undefined;
  #isSaid = false;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(dependencies: BlockHoldersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Blocks would go, and wait; not while a node is just asked whether it has them. */
  get isWaiting(): boolean {
    return this.#waitingSinceMs !== undefined && !this.#dependencies.proofs.isAsking;
  }

  /** Up to which of these blocks a connected node has them all; undefined where none has, and then it is looked again soon. */
  heldTo(peers: readonly PossibleHolder[], { first, last, goesUpTo }: DueBlocks): Height | undefined {
    const names = peers.filter(({ status }) => status !== null && claims(status, { first, last })).map(({ name }) => name);
    const to = this.#dependencies.proofs.heldTo(names, { first, last }, goesUpTo);
    if (to === undefined) this.#wait(first);
    else this.#resume(first);
    return to;
  }

  /** Nothing is to go. */
  rest(): void {
    this.#waitingSinceMs = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#dependencies.proofs.stop();
    this.rest();
  }

  #resume(first: Height): void {
    if (this.#isSaid) this.#dependencies.log.info({ from_height: first }, "A connected node has the oldest blocks: they are dropped here");
    this.#isSaid = false;
    this.rest();
  }

  #wait(first: Height): void {
    const { clock, timers, log, onLook } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    this.#waitingSinceMs ??= nowMs;
    if (!this.#isSaid && nowMs - this.#waitingSinceMs >= QUIET_MS) {
      this.#isSaid = true;
      log.warn({ from_height: first }, "Old blocks are not dropped: no connected node has them, and they could not be fetched again");
    }
    if (this.#isStopped) return;
    this.#cancel ??= timers.setTimer(LOOK_MS, () => {
      this.#cancel = undefined;
      onLook();
    });
  }
}

/** A node that drops the first of them too may do so at the same moment: each would rely on the other one. */
function claims({ firstHeight, keepsFrom = 0, height }: ChainStatus, { first, last }: BlockRange): boolean {
  return Math.max(firstHeight, keepsFrom) <= Math.max(1, first) && height >= last;
}
