// How far a node is that fetches a state, in the words of /api/status.
import type { JoinStep, JoinStepName } from "#node/sync/snapshots/joining/join-steps.ts";
import type { DownloadProgress } from "#node/sync/snapshots/joining/state-download.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";
import { LeftEstimate } from "#shared/util/left-estimate.ts";

type SnapshotStatus = NonNullable<NodeStatus["sync"]["snapshot"]>;

/** The stage that a step belongs to, and whether its amounts grow at a speed. */
const STEPS: Readonly<Record<JoinStepName, { readonly stage: SnapshotStatus["stage"]; readonly hasSpeed: boolean }>> = {
  peers: { stage: "headers", hasSpeed: false },
  header: { stage: "headers", hasSpeed: false },
  records: { stage: "state", hasSpeed: true },
  sort: { stage: "state", hasSpeed: true },
  headers: { stage: "history", hasSpeed: true },
  receipts: { stage: "history", hasSpeed: true },
  block: { stage: "history", hasSpeed: false },
  validators: { stage: "history", hasSpeed: true },
  store: { stage: "history", hasSpeed: false },
};

/** Follows one joining node. */
export class JoinProgress {
  readonly #estimate: LeftEstimate;
  #step: JoinStep = { name: "peers" };
  #height: Height | undefined;
  #records: DownloadProgress = { bytes: 0, share: 0 };
  #hasGivenUp = false;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#estimate = new LeftEstimate(clock);
  }

  /** True when no state could be had, and is not waited for. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** Looks for a state. */
  begin(): void {
    this.onStep({ name: "peers" });
  }

  giveUpIf(isOver: boolean): boolean {
    this.#hasGivenUp = isOver;
    return isOver;
  }

  onStep(step: JoinStep): void {
    const isOther = step.name !== this.#step.name;
    const isOtherHeight = step.height !== undefined && step.height !== this.#height;
    if (isOther || isOtherHeight) this.#estimate.begin();
    // While nodes are looked for, no state is chosen: one that was is given up.
    if (isOtherHeight || step.name === "peers") [this.#height, this.#records] = [step.height, { bytes: 0, share: 0 }];
    this.#step = step;
    if (STEPS[step.name].hasSpeed && step.done !== undefined) this.#estimate.mark(step.done, step.total);
  }

  onState(height: Height, progress: DownloadProgress): void {
    this.onStep({ name: "records", height, bytes: progress.bytes });
    this.#records = progress;
    this.#estimate.mark(progress.share, 1);
  }

  describe(): SnapshotStatus {
    const { name, done, total, bytes } = this.#step;
    const { stage, hasSpeed } = STEPS[name];
    const leftMs = hasSpeed ? this.#estimate.leftMs() : undefined;
    const left = leftMs === undefined ? {} : { eta_seconds: Math.round(leftMs / 1_000) };
    const height = this.#height === undefined ? {} : { height: this.#height };
    const amounts = { ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }) };
    const step = { name, ...amounts, ...(bytes === undefined ? {} : { bytes }), ...left };
    return { stage, ...height, ...this.#records, ...(name === "records" ? left : {}), step };
  }
}
