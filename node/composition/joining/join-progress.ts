// How far a node is that fetches a state, in the words of /api/status.
import type { DownloadProgress } from "#node/sync/snapshots/joining/state-download.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

type SnapshotStatus = NonNullable<NodeStatus["sync"]["snapshot"]>;

/** Where the speed is measured from: a state that was begun before counts from where this run found it. */
interface Start {
  readonly atMs: number;
  readonly height: Height;
  readonly share: number;
}

/** Follows one joining node. */
export class JoinProgress {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #start: Start | undefined;
  #state: (DownloadProgress & { readonly height: Height }) | undefined;
  #hasGivenUp = false;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** True when no state could be had, and is not waited for. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** Looks for a state. */
  begin(): void {
    this.#start = undefined;
    this.#state = undefined;
  }

  giveUpIf(isOver: boolean): boolean {
    this.#hasGivenUp = isOver;
    return isOver;
  }

  onState(height: Height, progress: DownloadProgress): void {
    this.#state = { height, ...progress };
    if (this.#start?.height !== height) this.#start = { atMs: this.#clock.monotonicMs(), height, share: progress.share };
  }

  describe(): SnapshotStatus {
    const state = this.#state;
    if (state === undefined) return { stage: "headers", bytes: 0, share: 0 };
    const { height, bytes, share } = state;
    if (share >= 1) return { stage: "history", height, bytes, share: 1 };
    const leftSeconds = this.#leftSeconds(share);
    return { stage: "state", height, bytes, share, ...(leftSeconds === undefined ? {} : { eta_seconds: leftSeconds }) };
  }

  #leftSeconds(share: number): number | undefined {
    if (this.#start === undefined || share <= this.#start.share) return undefined;
    const elapsedMs = this.#clock.monotonicMs() - this.#start.atMs;
    return Math.ceil((elapsedMs * (1 - share)) / (share - this.#start.share) / 1_000);
  }
}
