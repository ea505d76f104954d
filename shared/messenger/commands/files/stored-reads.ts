// Fetches the chunks of files that are stored once from the mailboxes of these files. What lies there is taken only where it opens with the
// file's key, so whoever keeps it, or lists it, can leave something out and nothing else. Where nothing comes for long, the device that sent
// the file is asked for its chunks itself.
import { CHUNKS_A_BOX } from "#shared/content/content.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change, DOWNLOADS_KEY } from "../../changes/change.ts";
import { type StoredChunk, StoredChunkOpener } from "../../changes/files/box-cipher.ts";
import { chunkBytes, chunkCount } from "../../changes/files/chunk-sizes.ts";
import { openChunks } from "../../changes/files/file-cipher.ts";
import { countChunk, isLarge } from "../../changes/files/files.ts";
import { hasItsBoxes } from "../../changes/files/stored-files.ts";
import type { MessageKey, StoredAttachment } from "../../model/message.ts";
import type { InboxEntry } from "../../model/node-port.ts";
import { problemOf } from "../../model/problem.ts";
import { authorOf, type MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";

/** Envelopes of one list: 2 MB, of which one list is in memory. */
const PAGE = 8;
/** Mailboxes are looked at again after this, twice as long each time that nothing is new. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 300_000;
/** Where a mailbox had nothing new for so long, the device that sent the file is asked, as for one that is not stored once. */
export const STALLED_MS = 1_800_000;
/** Entries of the mailboxes of one file that are listed with one node: three times what belongs there. What is beyond that was put there to be read. */
const MAX_LISTED = 2_000;

type StoredRecord = MessageRecord & { readonly body: StoredAttachment & { readonly boxes: readonly string[] } };

/** What is known of one file in this run. */
class Reading {
  /** Where each mailbox was listed to. */
  readonly after = new Map<number, number>();
  listed = 0;
  lookAtMs = 0;
  pauseMs = FIRST_LOOK_MS;
  /** Since when nothing was new, while the node listed; monotonic milliseconds. */
  emptySinceMs: number | undefined;
  /** The device that sent it was asked to store it. */
  hasAsked = false;
  /** Its mailboxes are not waited for any more. */
  isDirect = false;
}

/** Files of one run that are fetched. */
export class StoredReads {
  readonly #context: EngineContext;
  readonly #onProgress: () => void;
  readonly #readings = new Map<MessageKey, Reading>();
  #keys: readonly MessageKey[] = [];
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  /** `onProgress`: a file is whole, or its sender is to be asked. */
  constructor(context: EngineContext, onProgress: () => void) {
    this.#context = context;
    this.#onProgress = onProgress;
  }

  /** Fetches these files, those that were first before others. */
  follow(keys: readonly MessageKey[]): void {
    this.#keys = keys;
    for (const key of this.#readings.keys())
      if (!keys.includes(key) && this.#readings.get(key)?.isDirect !== true) this.#readings.delete(key);
    if (keys.length > 0) this.check();
  }

  /** How the device that sent a file is asked for it now; undefined while its mailboxes are read. */
  wayToAsk(key: MessageKey, record: MessageRecord): { readonly stored: boolean } | undefined {
    if (!isStored(record)) return { stored: false };
    const reading = this.#readingOf(key);
    if (reading.isDirect) return { stored: false };
    if (reading.hasAsked || !isLarge(record.body) || reading.emptySinceMs === undefined) return undefined;
    reading.hasAsked = true;
    return { stored: true };
  }

  check(): void {
    if (this.#isStopped) return;
    this.#isAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#cancelTimer?.();
    void this.#run();
  }

  /** The node is there again, and may be another one, which counts by itself. */
  retryNow(): void {
    for (const reading of this.#readings.values()) {
      reading.after.clear();
      reading.listed = 0;
      reading.lookAtMs = 0;
      reading.pauseMs = FIRST_LOOK_MS;
    }
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  #readingOf(key: MessageKey): Reading {
    const reading = this.#readings.get(key) ?? new Reading();
    this.#readings.set(key, reading);
    return reading;
  }

  async #run(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      for (const key of this.#keys) {
        try {
          await this.#look(key);
        } catch (error) {
          this.#putOff(this.#readingOf(key));
          const problem = problemOf(error);
          if (!this.#isStopped && problem.code === "LOCAL_STORE_FAILED") this.#context.report(problem);
        }
      }
    }
    this.#isRunning = false;
    const waiting = this.#keys.map((key) => this.#readingOf(key).lookAtMs);
    if (waiting.length === 0 || this.#isStopped) return;
    const delayMs = Math.max(0, Math.min(...waiting) - this.#context.clock.monotonicMs());
    this.#cancelTimer = this.#context.timers.setTimer(delayMs, () => this.check());
  }

  /** Reads the first mailbox that lacks something, part by part, for as long as it has more. */
  async #look(key: MessageKey): Promise<void> {
    const { clock, store } = this.#context;
    const reading = this.#readingOf(key);
    if (this.#isStopped || clock.monotonicMs() < reading.lookAtMs) return;
    const record = await store.readMessage(key);
    // What has nothing to be read now is looked at again as late as anything: what changes that calls for it.
    if (record === undefined || !isStored(record) || !isMissing(record) || !this.#context.node.isOnline()) {
      reading.lookAtMs = clock.monotonicMs() + LAST_LOOK_MS;
      return;
    }
    const number = await this.#firstMissing(record);
    if (number === undefined) return this.#finish(key, record);
    const isNew = await this.#readBox(key, record, number);
    if (isNew) {
      reading.emptySinceMs = undefined;
      reading.pauseMs = FIRST_LOOK_MS;
      this.#isAgain = true;
      const now = await store.readMessage(key);
      if (now !== undefined && !isMissing(now)) this.#onProgress();
      return;
    }
    reading.emptySinceMs ??= clock.monotonicMs();
    this.#putOff(reading);
    if (clock.monotonicMs() - reading.emptySinceMs >= STALLED_MS || reading.listed >= MAX_LISTED) reading.isDirect = true;
    if (reading.isDirect || (isLarge(record.body) && !reading.hasAsked)) this.#onProgress();
  }

  #putOff(reading: Reading): void {
    reading.lookAtMs = this.#context.clock.monotonicMs() + reading.pauseMs;
    reading.pauseMs = Math.min(LAST_LOOK_MS, reading.pauseMs * 2);
  }

  /** Number of the first mailbox of which chunks are missing. */
  async #firstMissing({ body, id, ...record }: StoredRecord): Promise<number | undefined> {
    const batch = this.#context.store.begin();
    const author = authorOf(record, this.#context.account.masterPub);
    for (let index = 0; index < chunkCount(body.size); index += 1)
      if (!(await batch.hasChunk({ author, id, index }))) return Math.floor(index / CHUNKS_A_BOX);
    return undefined;
  }

  /** True when something was new. */
  async #readBox(key: MessageKey, { body }: StoredRecord, number: number): Promise<boolean> {
    const reading = this.#readingOf(key);
    const opener = await StoredChunkOpener.of(body, number);
    const mailbox = body.boxes[number] ?? "";
    let isNew = false;
    for (;;) {
      const after = reading.after.get(number) ?? 0;
      if (reading.listed >= MAX_LISTED || this.#isStopped) return isNew;
      const page = await this.#context.node.listBoxes([{ mailbox, after }], PAGE);
      const { items = [], hasMore = false } = page.boxes.find((box) => box.mailbox === mailbox) ?? {};
      const last = Math.max(0, ...items.map(({ seq }) => seq));
      reading.listed += items.length;
      isNew = (await this.#take(key, opener, items)) || isNew;
      // A node that lists the same again would be asked for ever.
      if (last <= after) return isNew;
      reading.after.set(number, last);
      if (!hasMore) return isNew;
    }
  }

  /** Stores what opens and is missing; true when something was. */
  async #take(key: MessageKey, opener: StoredChunkOpener, items: readonly InboxEntry[]): Promise<boolean> {
    const opened = (await Promise.all(items.slice(0, PAGE).map((item) => opener.open(item)))).filter((chunk) => chunk !== undefined);
    if (opened.length === 0) return false;
    return this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      let isNew = false;
      for (const chunk of opened) isNew = (await this.#takeChunk(change, key, chunk)) || isNew;
      if (isNew) await change.commit();
      return isNew;
    });
  }

  async #takeChunk(change: Change, key: MessageKey, { index, data }: StoredChunk): Promise<boolean> {
    const record = await change.batch.message(key);
    if (record === undefined || !isStored(record) || record.transfer?.isAsked !== true) return false;
    const reference = { author: authorOf(record, this.#context.account.masterPub), id: record.id, index };
    if (data.length !== chunkBytes(record.body.size, index) || (await change.batch.hasChunk(reference))) return false;
    await change.batch.putChunk(reference, data, null);
    countChunk(change, key, record);
    return true;
  }

  /** All chunks are here though the message does not say so: what was counted twice or never is counted now. */
  async #finish(key: MessageKey, { body }: StoredRecord): Promise<void> {
    const total = chunkCount(body.size);
    await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      const record = await change.batch.message(key);
      if (record !== undefined) change.updateMessage(key, { ...record, transfer: { done: total, total } });
      await change.commit();
    });
    this.#onProgress();
  }

  /**
   * A file is whole: its sender learns that this device needs the mailboxes no more. One that is not what its message says is taken away, as
   * others who know the key may have written there.
   */
  async settle(key: MessageKey): Promise<boolean> {
    const { store, account, writer } = this.#context;
    const record = await store.readMessage(key);
    if (record === undefined || !isStored(record)) return false;
    const author = authorOf(record, account.masterPub);
    const { id, body, holder } = record;
    const isGenuine = await isWhole(body, (index) => store.readChunk({ author, id, index }));
    await writer.run(async () => {
      const change = new Change(this.#context);
      const wanted = (await change.batch.meta<readonly MessageKey[]>(DOWNLOADS_KEY)) ?? [];
      change.batch.putMeta(
        DOWNLOADS_KEY,
        wanted.filter((other) => other !== key),
      );
      const now = await change.batch.message(key);
      if (now?.transfer === undefined) return change.commit();
      if (isGenuine && holder !== undefined) change.queue(author, { kind: "fileGot", device: holder, id });
      if (!isGenuine) {
        await change.batch.deleteChunks({ author, id }, now.transfer.total);
        change.updateMessage(key, { ...now, transfer: { done: 0, total: now.transfer.total, from: "sender" } });
      }
      await change.commit();
    });
    if (isGenuine) this.#readings.delete(key);
    else this.#readingOf(key).isDirect = true;
    return true;
  }
}

function isStored(record: MessageRecord): record is StoredRecord {
  return hasItsBoxes(record);
}

function isMissing({ transfer }: MessageRecord): boolean {
  return transfer?.isAsked === true && transfer.done < transfer.total;
}

/** Reads a file part by part; true when it is what its message says. */
async function isWhole(body: StoredAttachment, readChunk: (index: number) => Promise<Uint8Array | undefined>): Promise<boolean> {
  try {
    for await (const part of openChunks(body, readChunk)) if (part.length === 0) return false;
    return true;
  } catch {
    return false;
  }
}
