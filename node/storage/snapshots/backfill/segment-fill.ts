// A segment of blocks below all that are here, as they come from other nodes: its files are written beside those of the folder and get their
// names once all of them are durable; then one transaction names them, with everything that tables have of the blocks. What is written
// before that is seen by no read: a crash leaves files that no table names, lines of contracts and numbers of histories that the next
// attempt writes again.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { BlockSummary } from "../../explorer/block-summary.ts";
import type { BlockIndex } from "../../explorer/explorer-writer.ts";
import type { FileLayer } from "../../history/files/file-layer.ts";
import { AccountRunBuilder, accountName } from "../../history/runs/account-run.ts";
import { IdRunBuilder, idKey } from "../../history/runs/id-run.ts";
import { RunFile, runName, type WrittenRun } from "../../history/runs/run-format.ts";
import { RUN_KIND_NAMES, RUN_KINDS, type RunKindName, type StoredRun } from "../../history/sealing/sealed-runs.ts";
import { type KnownBlocks, setAside } from "../../history/sealing/unnamed-files.ts";
import type { SealableBlock } from "../../history/segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "../../history/segments/segment-file.ts";
import { type SegmentRange, segmentName } from "../../history/segments/segment-format.ts";
import { SegmentWriter, type WrittenFile } from "../../history/segments/segment-writer.ts";
import { inImmediateTransaction } from "../../sqlite-database.ts";
import { BelowTotals } from "./below-totals.ts";
import type { FillTables } from "./fill-tables.ts";

/** A proven block, as it goes into the files and the index. */
export interface FilledBlock {
  readonly sealable: SealableBlock;
  readonly summary: BlockSummary;
  readonly index: BlockIndex;
  /** Contracts in the order of their deployment. */
  readonly deployed: readonly string[];
}

/** What is filled. */
export interface FillPlan {
  readonly first: Height;
  /** The block below the lowest one that is here. */
  readonly last: Height;
  /** Time of the block below `first`; undefined where that is genesis. */
  readonly timeBelowMs: number | undefined;
  /** Sets by the first height of the range that they vote on. */
  readonly sets: readonly { readonly fromHeight: Height; readonly validators: ValidatorSet }[];
  /** True when the set of `last` votes on the block above as well. */
  readonly isSameSetAbove: boolean;
}

/** Accounts whose numbers one transaction writes at most: others write blocks meanwhile. */
export const FILLED_ROWS_AT_ONCE = 256;

const TEMPORARY = ".fill.tmp";

/** One segment, from its lowest block to its highest one. */
export class SegmentFill {
  readonly #tables: FillTables;
  readonly #plan: FillPlan;
  readonly #range: SegmentRange;
  readonly #writer: SegmentWriter;
  readonly #totals: BelowTotals;
  readonly #ids = new IdRunBuilder();
  /** Places of the entries of each account, ascending. */
  readonly #places = new Map<string, number[]>();
  readonly #summaries: BlockSummary[] = [];
  readonly #runs = new Map<RunKindName, WrittenRun>();
  #segment: WrittenFile | undefined;
  #isOpen = true;
  /** Names that its files got: what had them before was not of this filling. */
  readonly #renamed: string[] = [];

  /** @throws CodedError of the storage */
  constructor(tables: FillTables, plan: FillPlan) {
    const { history } = tables;
    this.#tables = tables;
    this.#plan = plan;
    this.#range = { first: plan.first, last: plan.last, genesisHash: history.genesisHash };
    this.#totals = new BelowTotals(plan.timeBelowMs);
    this.#writer = new SegmentWriter(this.#files, this.#segmentName + TEMPORARY, this.#range);
  }

  /** Takes the blocks that follow those before. @throws CodedError of the storage */
  add(blocks: readonly FilledBlock[]): void {
    const { database, explorer } = this.#tables;
    for (const { sealable, summary, index, deployed } of blocks) {
      this.#writer.add(sealable);
      this.#summaries.push(summary);
      this.#totals.add(index, deployed);
      const base = index.height * SEQ_PER_BLOCK;
      for (const [position, id] of index.ids.entries()) this.#ids.add(idKey(id), base + position);
      for (const { position, accounts } of index.entries) for (const account of accounts) this.#note(account, base + position);
    }
    if (blocks.every(({ index }) => index.logs.length === 0)) return;
    inImmediateTransaction(database, () => {
      for (const { index } of blocks) explorer.contractLogs.insertAhead(index.height, index.logs);
    });
  }

  /** Makes the files durable, but for their names, and writes what is needed before they have them. @throws CodedError of the storage */
  finish(): void {
    this.#segment = this.#writer.finish();
    this.#isOpen = false;
    this.#runs.set("ids", this.#ids.write(this.#files, runName(this.#range, RUN_KINDS.ids) + TEMPORARY, this.#range));
    const { history: histories } = this.#tables.explorer;
    const builder = new AccountRunBuilder();
    const newest: { readonly publicKey: string; readonly number: number; readonly seq: number }[] = [];
    for (const [publicKey, seqs] of this.#places) {
      const last = histories.newestBelow(publicKey);
      const name = accountName(publicKey);
      // Numbers below 1 have only accounts that were made to share their names: who made them lacks these entries.
      for (const [index, seq] of seqs.entries()) {
        const number = last - seqs.length + 1 + index;
        if (number > 0) builder.add(name, number, seq);
      }
      if (last > 0) newest.push({ publicKey, number: last, seq: seqs.at(-1) ?? 0 });
    }
    this.#runs.set("acc", builder.write(this.#files, runName(this.#range, RUN_KINDS.acc) + TEMPORARY, this.#range));
    const { database, history } = this.#tables;
    for (let from = 0; from < newest.length; from += FILLED_ROWS_AT_ONCE)
      inImmediateTransaction(database, () => {
        const end = (Math.max(history.lastHeight(), this.#range.last) + 1) * SEQ_PER_BLOCK;
        for (const entry of newest.slice(from, from + FILLED_ROWS_AT_ONCE)) histories.insertNewest({ ...entry, end });
      });
  }

  /**
   * Gives the files their names, reads them once more and names them. A segment of other blocks that has the name gets another one.
   * Call it while no other thread tidies the folder.
   * @param also goes with them, in the same transaction @returns false where other blocks are the lowest by now @throws CodedError of the storage
   */
  publish(also: () => void = () => undefined): boolean {
    const { database, blocks, history } = this.#tables;
    const [segment, runs] = this.#named();
    setAside(this.#files, this.#filled(), this.#range);
    for (const name of this.#names) {
      this.#files.rename(name + TEMPORARY, name);
      this.#renamed.push(name);
    }
    this.#files.syncFolder();
    verifyFiles(this.#files, segment, runs);
    return inImmediateTransaction(database, () => {
      if (blocks.firstHeight() !== segment.last + 1 || history.droppedTo() !== undefined) return false;
      this.#writeRows();
      also();
      history.name(segment);
      history.runs.nameRuns(runs, []);
      return true;
    });
  }

  /** Removes what was written of the files; does nothing once they are named. */
  abandon(): void {
    if (this.#isOpen) this.#writer.abandon();
    this.#isOpen = false;
    const named = new Set(this.#tables.history.all().map(({ first }) => first));
    if (named.has(this.#range.first)) return;
    for (const name of [...this.#names.map((each) => each + TEMPORARY), ...this.#renamed])
      if (this.#files.stat(name) !== undefined) this.#files.unlink(name);
  }

  get #files(): FileLayer {
    return this.#tables.history.files;
  }

  get #segmentName(): string {
    return segmentName(this.#range);
  }

  get #names(): readonly string[] {
    return [this.#segmentName, ...RUN_KIND_NAMES.map((kind) => runName(this.#range, RUN_KINDS[kind]))];
  }

  /** What is filled, as that which is here already. */
  #filled(): KnownBlocks {
    const { first, genesisHash } = this.#range;
    const hashOf = (height: Height): HashHex | undefined => this.#summaries[height - first]?.hash;
    return { genesisHash, holds: (): boolean => true, hashOf };
  }

  #note(account: string, seq: number): void {
    const seqs = this.#places.get(account);
    if (seqs === undefined) this.#places.set(account, [seq]);
    else seqs.push(seq);
  }

  #named(): readonly [NamedSegment, readonly StoredRun[]] {
    assertInvariant(this.#segment !== undefined, "A segment is named once it is whole");
    const runs = [...this.#runs].map(
      ([kind, { bytes, sha256 }]): StoredRun => ({ ...this.#range, kind, level: 0, bytes, sha256: sha256 satisfies HashHex }),
    );
    return [{ ...this.#range, ...this.#segment }, runs];
  }

  #writeRows(): void {
    const { blocks, explorer, validatorSets } = this.#tables;
    const { first, last, sets, isSameSetAbove } = this.#plan;
    // Transactions of the chain are counted back from the row above.
    for (const summary of this.#summaries.toReversed()) blocks.insertBelow(summary);
    explorer.insertBelow(this.#totals);
    validatorSets.removeBetween(first, isSameSetAbove ? last + 1 : last);
    for (const { fromHeight, validators } of sets) validatorSets.insert(fromHeight, validators);
  }
}

function verifyFiles(files: FileLayer, segment: NamedSegment, runs: readonly StoredRun[]): void {
  verify(new SegmentFile(files, segment));
  for (const run of runs) verify(new RunFile(files, RUN_KINDS[run.kind], run));
}

function verify(file: { verify(): void; close(): void }): void {
  try {
    file.verify();
  } finally {
    file.close();
  }
}
