// Compares the blocks that contacts' nodes know with those of the own node. A person whose node is shown a false chain learns of it from
// their mail, which other relays carry; and a light node that was away for too long gets checkpoints from people it knows. Loaded with the
// first report.
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { BLOCK_REPORTS_KEY, type BlockReport, isContradiction } from "../model/conversation.ts";
import { problemOf } from "../model/problem.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** People whose reports are kept: those whose reports came last. */
export const MAX_REPORTERS = 256;
/** Pause between two rounds of comparing. */
const ROUND_MS = 10_000;
/** Blocks that the node is asked for in one round. */
export const BLOCKS_A_ROUND = 8;
/** A block that the own node has not got by then is not asked for again: it may exist on no chain. */
const PATIENCE_MS = 3_600_000;
/** A report that changes nothing is stored so often: after a restart an older one does as well. */
const STORE_MS = 600_000;

type ReportsContext = Pick<EngineContext, "node" | "registry" | "store" | "writer" | "clock" | "timers" | "changed" | "report">;

/** The reports of one run. */
export class BlockReports {
  readonly #context: ReportsContext;
  /** The last arrived at the end. */
  readonly #reports = new Map<PublicKeyHex, BlockReport>();
  /** Not compared yet, by person; what waits longest first. */
  readonly #waiting = new Map<PublicKeyHex, BlockReport>();
  #all: readonly BlockReport[] = [];
  #storedMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: CancelTimer | undefined;
  #isStopped = false;

  constructor(context: ReportsContext) {
    this.#context = context;
  }

  /** The newest report of each contact; the same list while none changes. */
  get all(): readonly BlockReport[] {
    return this.#all;
  }

  /** Takes up what was stored; what it could not compare waits again. @throws CodedError LOCAL_STORE_FAILED. */
  async load(): Promise<void> {
    for (const report of (await this.#context.store.readMeta<readonly BlockReport[]>(BLOCK_REPORTS_KEY)) ?? []) {
      if (this.#reports.has(report.person)) continue;
      this.#reports.set(report.person, report);
      if (report.ownHash === null) this.#waiting.set(report.person, report);
    }
    this.#show();
    this.#later();
  }

  /** A device of a person reports a block. Strangers choose too easily what one is warned of. */
  receive(person: PublicKeyHex, { height, hash }: Checkpoint): void {
    const { registry, clock } = this.#context;
    if (this.#isStopped || !registry.isContact(person)) return;
    const known = this.#reports.get(person);
    const isSame = known?.height === height && known.hash === hash;
    if (known !== undefined && known.ownHash !== null && (isSame || height < known.height)) return;
    const report: BlockReport = { person, height, hash, at: clock.nowMs(), ownHash: null };
    // A contradiction stays until a later block is known to be alike.
    if (known === undefined || !isContradiction(known)) this.#put(report);
    this.#waiting.delete(person);
    this.#waiting.set(person, report);
    this.#show();
    this.#later();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  #put(report: BlockReport): void {
    this.#reports.delete(report.person);
    this.#reports.set(report.person, report);
    for (const [person] of this.#reports) {
      if (this.#reports.size <= MAX_REPORTERS) break;
      this.#reports.delete(person);
      this.#waiting.delete(person);
    }
  }

  #show(): void {
    this.#all = [...this.#reports.values()];
    this.#context.changed();
  }

  #later(): void {
    if (this.#isStopped || this.#cancelTimer !== undefined || this.#waiting.size === 0) return;
    this.#cancelTimer = this.#context.timers.setTimer(ROUND_MS, () => {
      void this.#compare().finally(() => {
        this.#cancelTimer = undefined;
        this.#later();
      });
    });
  }

  async #compare(): Promise<void> {
    const { node, clock } = this.#context;
    let hasNewContradiction = false;
    for (const [person, report] of [...this.#waiting].slice(0, BLOCKS_A_ROUND)) {
      const ownHash = await node.blockHash(report.height).catch(() => undefined);
      if (this.#waiting.get(person) !== report) continue;
      this.#waiting.delete(person);
      if (ownHash !== undefined) {
        const compared: BlockReport = { ...report, ownHash };
        hasNewContradiction ||= isContradiction(compared);
        this.#put(compared);
      } else if (clock.nowMs() - report.at < PATIENCE_MS) this.#waiting.set(person, report);
    }
    if (this.#isStopped) return;
    this.#show();
    const isDue = clock.monotonicMs() - this.#storedMs >= STORE_MS;
    if (hasNewContradiction || isDue) await this.#save().catch((error: unknown) => this.#context.report(problemOf(error)));
  }

  async #save(): Promise<void> {
    const { store, writer, clock } = this.#context;
    this.#storedMs = clock.monotonicMs();
    const reports = this.#all;
    await writer.run(async () => {
      const batch = store.begin();
      batch.putMeta(BLOCK_REPORTS_KEY, reports);
      await batch.commit();
    });
  }
}
