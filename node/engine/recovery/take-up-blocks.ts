// Blocks in files of old blocks that the chain does not know, as after an older chain.db was put back, or was lost: those that follow the newest
// block are held to their commits and executed, as blocks of other nodes are. The files stay as they are: once their blocks are here they are
// copies, and go as all copies do.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { joinBlock } from "#node/storage/history/records/block-parts.ts";
import type { SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { readSegmentFrame, segmentName } from "#node/storage/history/segments/segment-format.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Block, blockTailCodec, decodeBlock } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import type { BlockExecutor } from "../execution/block-executor.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";

/** Blocks that become durable together, and their transactions at most, about: a stop waits for one such batch. */
const BATCH = { blocks: 200, transactions: 4_000 };
const SEGMENT_NAME = /^(\d{1,15})-(\d{1,15})\.seg$/;

/** The chain, and who watches. */
export interface TakeUp {
  readonly history: Pick<SealedHistory, "files" | "genesisHash" | "all">;
  readonly executor: Pick<BlockExecutor, "tip" | "executeSpeculatively" | "apply">;
  readonly takenBack: ChainDatabase["takenBack"];
  /** Waits until there is room for more blocks in rows. */
  readonly room?: () => Promise<void> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** So far the blocks are here. */
  readonly onProgress?: (height: Height) => void;
  /** A file that could not be taken up, or not all of it, and why; once for each. */
  readonly onProblem?: ((name: string, reason: string) => void) | undefined;
}

interface Found {
  readonly name: string;
  readonly first: Height;
  readonly last: Height;
}

/**
 * Takes up what there is. What is wrong with a file ends that file alone, what fails at the chain ends all of it.
 * @returns how many blocks
 * @throws CodedError of the storage of the chain
 */
export async function takeUpBlocks(given: TakeUp): Promise<number> {
  const named = new Set<string>();
  const onProblem: NonNullable<TakeUp["onProblem"]> = (name, reason) => {
    if (!named.has(name)) given.onProblem?.(name, reason);
    named.add(name);
  };
  const work: TakeUp = { ...given, onProblem };
  const { executor, history, signal } = work;
  const begun = executor.tip().height;
  if (areTakenBack(work)) return 0;
  const done = new Set<string>();
  while (signal?.aborted !== true) {
    const found = unnamedAt(history, executor.tip().height + 1, done);
    if (found === undefined) break;
    done.add(found.name);
    const reason = await takeUpFile(work, found);
    if (reason !== undefined) onProblem(found.name, reason);
  }
  return executor.tip().height - begun;
}

/** Blocks that a rollback took back come from other nodes, which may have others. Once the chain is beyond all files the mark has no use. */
function areTakenBack({ history, executor, takenBack, onProblem }: TakeUp): boolean {
  const to = takenBack.to();
  if (to === undefined) return false;
  const [first, ...others] = unnamed(history).filter(({ last }) => last > executor.tip().height);
  if (first === undefined) takenBack.clear();
  else onProblem?.(first.name, `the blocks above ${to} were taken back by a rollback; files like it: ${others.length}`);
  return first !== undefined;
}

/** Files that no table names. */
function unnamed(history: TakeUp["history"]): readonly Found[] {
  const named = new Set(history.all().map(segmentName));
  return history.files.list().flatMap((name): Found[] => {
    const [, first, last] = SEGMENT_NAME.exec(name) ?? [];
    return first === undefined || named.has(name) ? [] : [{ name, first: Number(first), last: Number(last) }];
  });
}

/** A file with a block that no table names; the one that reaches furthest. */
function unnamedAt(history: TakeUp["history"], height: Height, done: ReadonlySet<string>): Found | undefined {
  const found = unnamed(history).filter(({ name, first, last }) => first <= height && height <= last && !done.has(name));
  return found.sort((a, b) => b.last - a.last)[0];
}

/** Says why the file gave not all of it, where something is wrong with it. @throws CodedError of the storage of the chain */
async function takeUpFile({ executor, history, room, signal, onProgress, onProblem }: TakeUp, found: Found): Promise<string | undefined> {
  const file = unlessDamaged(() => openUnnamed(history, found));
  if (typeof file === "string") return file;
  try {
    for (let next = executor.tip().height + 1; next <= found.last && signal?.aborted !== true; next = executor.tip().height + 1) {
      await room?.();
      // Small batches wait for no disk: without it no signal would come through.
      await nextTurn();
      const batch = readBatch({ history, onProblem }, file, { ...found, next });
      if (typeof batch === "string") return batch;
      // The commit of the last block is in a file that is not here.
      if (batch.length === 0) return undefined;
      const length = provenOf(executor, batch);
      if (typeof length === "string") return length;
      if (length > 0) await executor.apply(batch.slice(0, length));
      onProgress?.(executor.tip().height);
      if (length < batch.length) return `block ${next + length} does not follow this chain's, or nothing here proves that it was decided`;
    }
    return undefined;
  } finally {
    file.close();
  }
}

/** What reading a file gives, or what is wrong with it. */
function unlessDamaged<T extends object | null>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return error.message;
  }
}

/** How many blocks follow; a reason for one that was decided, and is none by the rules of this program. */
function provenOf(executor: TakeUp["executor"], batch: readonly DecidedBlock[]): number | string {
  try {
    return executor.executeSpeculatively(batch).length;
  } catch (error) {
    if (!isCodedError(error, "INVARIANT")) throw error;
    return error.message;
  }
}

/** The next blocks, those before the first damaged one; where that is the first of them, what is wrong with it. */
function readBatch(
  work: Pick<TakeUp, "history" | "onProblem">,
  file: SegmentFile,
  { last, next }: Found & { readonly next: Height },
): readonly DecidedBlock[] | string {
  const batch: DecidedBlock[] = [];
  let transactions = 0;
  for (let height = next; height <= last && batch.length < BATCH.blocks && transactions < BATCH.transactions; height += 1) {
    const commit = height < last ? unlessDamaged(() => lastCommit(file, height + 1)) : commitElsewhere(work, height);
    if (commit === null) break;
    const block = unlessDamaged(() => blockOf(file, height));
    if (typeof block === "string" || typeof commit === "string") {
      if (batch.length > 0) break;
      return typeof block === "string" ? block : `${commit}`;
    }
    batch.push({ block, commit });
    transactions += block.transactions.length;
  }
  return batch;
}

function blockOf(file: SegmentFile, height: Height): Block {
  const sealed = file.block(height);
  return decodeBlock(
    joinBlock(
      sealed,
      sealed.records.map(({ transaction }) => transaction),
    ),
  );
}

function lastCommit(file: SegmentFile, height: Height): Commit | null {
  return decode(blockTailCodec, file.front(height).tail).lastCommit;
}

/** The commit of a file's last block, in the file behind it. */
function commitElsewhere({ history, onProblem }: Pick<TakeUp, "history" | "onProblem">, height: Height): Commit | null {
  const behind = unnamedAt(history, height + 1, new Set());
  if (behind === undefined) return null;
  const commit = unlessDamaged(() => {
    const file = openUnnamed(history, behind);
    try {
      return lastCommit(file, height + 1);
    } finally {
      file.close();
    }
  });
  if (typeof commit !== "string") return commit;
  onProblem?.(behind.name, commit);
  return null;
}

/** Bytes and hash are those that the file has itself: what is in it is proven block by block. */
function openUnnamed({ files, genesisHash }: TakeUp["history"], { name, first, last }: Found): SegmentFile {
  const file = files.open(name);
  if (file === undefined) throw new CodedError("STORAGE_CORRUPT", `${files.path(name)} is missing`);
  try {
    const range = { first, last, genesisHash };
    const { sha256 } = readSegmentFrame(file, files.path(name), range);
    return new SegmentFile(files, { ...range, bytes: file.size, sha256 });
  } finally {
    file.close();
  }
}
