// Copies a file into the store, encrypted, before its message exists: a few chunks at a time, so that its size says nothing of the memory it
// takes. What a run leaves unfinished is removed by the next one: without its message nothing of it is sent.
import type { MessageId } from "#shared/content/content.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { COPIES_KEY } from "../../changes/change.ts";
import { chunkCount } from "../../changes/files/chunk-sizes.ts";
import { type FileSeal, type SealedChunk, sealChunks } from "../../changes/files/file-cipher.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { LocalStore } from "../../store/local-store.ts";
import type { StoreBatch } from "../../store/store-batch.ts";

/** Chunks that are encrypted and written together: what of a file is in memory. */
export const CHUNKS_A_WRITE = 4;

/** A copy under way. */
export interface FileCopy {
  /** Of the message that the file is for. */
  readonly id: MessageId;
  /** Chunks that it has at most. */
  readonly total: number;
}

/** Who follows a copy. */
export interface CopyWatch {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** So many chunks are in the store. */
  readonly onCopied: (chunks: number) => void;
}

type CopyContext = Pick<EngineContext, "account" | "store" | "writer">;

/**
 * Copies a file for the message of an id.
 * @throws CodedError of the source or the store, Error where the signal ended it; then nothing is left.
 */
export async function copyFile(
  context: CopyContext,
  { id, source }: { readonly id: MessageId; readonly source: ByteSource },
  watch: CopyWatch,
): Promise<FileSeal> {
  await writeBatch(context, async (batch) => putCopies(batch, [...(await copiesOf(batch)), { id, total: chunkCount(source.size) }]));
  try {
    const sealing = sealChunks(source);
    let sealed: SealedChunk[] = [];
    const write = async (): Promise<void> => {
      const chunks = sealed;
      sealed = [];
      requireGoing(watch);
      await writeBatch(context, async (batch) => {
        for (const { index, data } of chunks) await batch.putChunk({ author: context.account.masterPub, id, index }, data, null);
      });
      watch.onCopied((chunks.at(-1)?.index ?? -1) + 1);
    };
    for (;;) {
      const step = await sealing.next();
      if (step.done !== true) sealed.push(step.value);
      if (sealed.length >= CHUNKS_A_WRITE || (step.done === true && sealed.length > 0)) await write();
      if (step.done === true) return step.value;
    }
  } catch (error) {
    await writeBatch(context, (batch) => dropCopy(batch, context.account.masterPub, id)).catch(() => undefined);
    throw error;
  }
}

/** @throws Error when the copy was ended. */
export function requireGoing({ signal }: CopyWatch): void {
  if (signal.aborted) throw new Error("The copy was ended");
}

/** The message of a copy is there: its chunks stay. */
export async function endCopy(batch: StoreBatch, id: MessageId): Promise<void> {
  putCopies(
    batch,
    (await copiesOf(batch)).filter((copy) => copy.id !== id),
  );
}

/** Removes what earlier runs did not finish. */
export async function dropUnfinishedCopies(store: LocalStore, author: string): Promise<void> {
  const batch = store.begin();
  for (const { id } of await copiesOf(batch)) await dropCopy(batch, author, id);
  await batch.commit();
}

async function dropCopy(batch: StoreBatch, author: string, id: MessageId): Promise<void> {
  const copy = (await copiesOf(batch)).find((other) => other.id === id);
  if (copy === undefined) return;
  await batch.deleteChunks({ author, id }, copy.total);
  await endCopy(batch, id);
}

async function copiesOf(batch: StoreBatch): Promise<readonly FileCopy[]> {
  return (await batch.meta<readonly FileCopy[]>(COPIES_KEY)) ?? [];
}

function putCopies(batch: StoreBatch, copies: readonly FileCopy[]): void {
  batch.putMeta(COPIES_KEY, copies);
}

function writeBatch({ writer, store }: CopyContext, task: (batch: StoreBatch) => Promise<void>): Promise<void> {
  return writer.run(async () => {
    const batch = store.begin();
    await task(batch);
    await batch.commit();
  });
}
