// The snapshots of a data folder: makes one at each height that all nodes agree on, keeps the newest two, removes what a crash left, and
// what is damaged. Files of other names are none of its own.
// Whatever goes wrong costs the snapshot and a line of the log, never the node.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#node/observability/log.ts";
import { UNDO_HEIGHTS } from "#node/storage/chain/undo-repository.ts";
import { heightOfSnapshot, isNameOfSnapshot, openSnapshot, snapshotName } from "#node/storage/snapshots/snapshot-file.ts";
import type { SnapshotMaking } from "#node/storage/snapshots/snapshot-thread.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";
import { isSnapshotHeight, SNAPSHOT_RULE, type SnapshotRule } from "./snapshot-heights.ts";

/** Snapshots that are kept. */
export const SNAPSHOTS_KEPT = 2;

export interface SnapshotKeeperDependencies {
  /** Folder of the snapshots; made when the first one is. */
  readonly folder: string;
  readonly headerAt: (height: Height) => Pick<BlockHeader, "timeMs" | "stateRoot"> | undefined;
  /** Begins a snapshot, which is to have a name in the end. */
  readonly make: (height: Height, file: string) => SnapshotMaking;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "info" | "warn">;
  /** Tests have small chains. */
  readonly rule?: SnapshotRule;
}

/** How many there are, for metrics. */
export interface SnapshotFigures {
  readonly height: Height;
  readonly made: number;
  readonly failed: number;
  /** How long the last one took, ms. */
  readonly lastMs: number;
}

/** Makes and keeps them. */
export class SnapshotKeeper {
  readonly #dependencies: SnapshotKeeperDependencies;
  #heights: readonly Height[] = [];
  #making: SnapshotMaking | undefined;
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The newest block that it was given. */
  #tip: Height = 0;
  /** The last one that was damaged: it is made once more, and then no more. */
  #damaged: Height | undefined;
  #figures: Omit<SnapshotFigures, "height"> = { made: 0, failed: 0, lastMs: 0 };

  constructor(dependencies: SnapshotKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  /** Heights whose snapshot is whole, the newest first. */
  heights(): readonly Height[] {
    return this.#heights;
  }

  figures(): SnapshotFigures {
    return { height: this.#heights[0] ?? 0, ...this.#figures };
  }

  /** Looks at what there is, and makes up for the height that was missed last. */
  start(tip: Height): void {
    this.#tip = tip;
    this.#heights = this.#tidied();
    const { every } = this.#dependencies.rule ?? SNAPSHOT_RULE;
    const last = tip - (tip % every);
    if (tip - last < UNDO_HEIGHTS) this.#makeDue(last);
  }

  /** A block is durable. */
  onDurable(height: Height): void {
    this.#tip = Math.max(this.#tip, height);
    this.#makeDue(height);
  }

  /** A snapshot is not the state of its block: it is removed, and made again while the chain can be taken back to its height. */
  damaged(height: Height, reason: string): void {
    if (!this.#heights.includes(height)) return;
    this.#heights = this.#heights.filter((each) => each !== height);
    this.#remove(snapshotName(height));
    const isMadeAgain = this.#damaged !== height && this.#making === undefined && this.#tip - height < UNDO_HEIGHTS;
    const next = isMadeAgain ? "it is made again" : "the next one comes at its height";
    this.#dependencies.log.warn({ height, reason }, `A snapshot of the state was damaged and is removed; ${next}`);
    this.#damaged = height;
    if (isMadeAgain) this.#makeDue(height);
  }

  #makeDue(height: Height): void {
    const { headerAt, rule } = this.#dependencies;
    if (this.#isStopped || this.#making !== undefined || this.#heights.includes(height)) return;
    if (isSnapshotHeight(height, (at) => headerAt(at)?.timeMs, rule)) this.#working = this.#make(height);
  }

  /** Ends what is being made. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#making?.stop();
    await this.#working;
  }

  async #make(height: Height): Promise<void> {
    const { folder, make, clock, log } = this.#dependencies;
    const startedMs = clock.monotonicMs();
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#making = make(height, join(folder, snapshotName(height)));
      const { records, bytes } = await this.#making.done;
      const lastMs = clock.monotonicMs() - startedMs;
      this.#figures = { ...this.#figures, made: this.#figures.made + 1, lastMs };
      this.#heights = this.#tidied();
      log.info({ height, records, bytes, ms: Math.round(lastMs) }, "Made a snapshot of the state");
    } catch (error) {
      if (this.#isStopped) return;
      this.#figures = { ...this.#figures, failed: this.#figures.failed + 1 };
      const reason = isCodedError(error) ? { reason: error.message } : { err: error };
      log.warn({ height, ...reason }, "No snapshot of the state was made: nodes that join get the one before it");
    } finally {
      this.#making = undefined;
    }
  }

  /** Removes all snapshots but the newest whole ones of this chain, and what is left of unfinished ones. */
  #tidied(): readonly Height[] {
    const { folder } = this.#dependencies;
    const heights = namesIn(folder).flatMap((name) => heightOfSnapshot(name) ?? []);
    const kept = heights.toSorted((a, b) => b - a).filter((height) => this.#isOfChain(height));
    const names = new Set(kept.slice(0, SNAPSHOTS_KEPT).map(snapshotName));
    for (const name of namesIn(folder)) if (isNameOfSnapshot(name) && !names.has(name)) this.#remove(name);
    return kept.slice(0, SNAPSHOTS_KEPT);
  }

  /** After a rollback the chain may have another block there. */
  #isOfChain(height: Height): boolean {
    if (this.#heights.includes(height)) return true;
    try {
      const { stateRoot, close } = openSnapshot(join(this.#dependencies.folder, snapshotName(height)));
      close();
      return this.#dependencies.headerAt(height)?.stateRoot === stateRoot;
    } catch (error) {
      const name = snapshotName(height);
      this.#dependencies.log.warn({ err: error, name }, "A snapshot of the state cannot be opened, and is removed");
      return false;
    }
  }

  /** One that is read at the moment may stay on some systems, until the next time. */
  #remove(name: string): void {
    try {
      rmSync(join(this.#dependencies.folder, name), { force: true });
    } catch (error) {
      this.#dependencies.log.warn({ err: error, name }, "An old snapshot could not be removed");
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
