// Large files that the person wants: their chunks are asked for a few at a time, so that no mailbox fills with them and nothing that the other
// side sends beside them waits. What is asked for follows from what is in the store, so a restart continues.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change, DOWNLOADS_KEY } from "../../changes/change.ts";
import { isLarge, isOnRequest } from "../../changes/files/files.ts";
import { hasItsBoxes } from "../../changes/files/stored-files.ts";
import type { MessageKey, StoredAttachment } from "../../model/message.ts";
import { problemOf } from "../../model/problem.ts";
import { authorOf, type MessageRecord } from "../../model/records.ts";
import { messageThere } from "../../sending/compose-message.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { holdsKey } from "../../state/key-directory.ts";
import { AskedChunks, FIRST_RETRY_MS } from "./asked-chunks.ts";
import { StoredReads } from "./stored-reads.ts";

/** Files that are downloaded, or wait for it. */
export const MAX_DOWNLOADS = 16;

/** A message whose file is wanted. */
type WantedRecord = MessageRecord & { readonly body: StoredAttachment; readonly holder: X25519KeyHex };

/** Downloads of one run. */
export class Downloads {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;
  readonly #asked = new Map<MessageKey, AskedChunks>();
  /** Files that are stored once. */
  readonly #stored: StoredReads;
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;
  /** Files that have become whole. */
  readonly #whole: MessageKey[] = [];

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
    this.#stored = new StoredReads(context, () => this.check());
  }

  /** The person wants a file. @throws CodedError BAD_REQUEST for one that cannot be asked for, and for more than {@link MAX_DOWNLOADS}. */
  async begin(key: MessageKey): Promise<void> {
    const isHolderThere = await this.#isHolderThere(key);
    await this.#write(async (change) => {
      const record = await messageThere(change, key);
      const wanted = await keysOf(change);
      if (wanted.includes(key) || (record.transfer !== undefined && record.transfer.done >= record.transfer.total)) return;
      if (record.transfer === undefined || !canAsk(record) || change.isStranger(record.conversation))
        throw new CodedError("BAD_REQUEST", "This file cannot be downloaded", { details: { field: "file" } });
      if (!isHolderThere) {
        change.updateMessage(key, { ...record, transfer: { done: record.transfer.done, total: record.transfer.total, from: "gone" } });
        await change.commit();
        return;
      }
      if ((await this.#downloading(change, wanted)) >= MAX_DOWNLOADS)
        throw new CodedError("BAD_REQUEST", `At most ${MAX_DOWNLOADS} files are downloaded at once`, { details: { count: MAX_DOWNLOADS } });
      change.batch.putMeta(DOWNLOADS_KEY, [...wanted, key]);
      change.updateMessage(key, { ...record, transfer: { ...record.transfer, from: "sender", isAsked: true } });
      await change.commit();
    });
    this.check();
  }

  /** The person does not want it now; what is here stays. */
  async end(key: MessageKey): Promise<void> {
    await this.#write(async (change) => {
      change.batch.putMeta(
        DOWNLOADS_KEY,
        (await keysOf(change)).filter((other) => other !== key),
      );
      this.#asked.delete(key);
      const record = await change.batch.message(key);
      if (record?.transfer?.isAsked === true) {
        const { isAsked: _, ...transfer } = record.transfer;
        change.updateMessage(key, { ...record, transfer });
      }
      await change.commit();
    });
    // What is known of how far its mailboxes were read goes: they are read again at once when the person wants it again.
    this.check();
  }

  /** Asks for what is missing. */
  check(): void {
    if (this.#isStopped) return;
    this.#isAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#cancelTimer?.();
    void this.#run();
  }

  /** The node is there again, and may be another one. */
  retryNow(): void {
    this.#stored.retryNow();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#stored.stop();
  }

  /** Large files among those that are wanted: small ones that are stored once are fetched unasked. */
  async #downloading(change: Change, wanted: readonly MessageKey[]): Promise<number> {
    const records = await Promise.all(wanted.map((key) => change.batch.message(key)));
    return records.filter((record) => record?.body.kind === "attachment" && isLarge(record.body)).length;
  }

  async #run(): Promise<void> {
    let isWaiting = true;
    try {
      while (this.#isAgain && !this.#isStopped) {
        this.#isAgain = false;
        isWaiting = await this.#write((change) => this.#ask(change));
        for (const key of this.#whole.splice(0)) if (await this.#stored.settle(key)) this.#onQueued();
      }
    } catch (error) {
      if (!this.#isStopped) this.#context.report(problemOf(error));
    }
    this.#isRunning = false;
    if (isWaiting && !this.#isStopped) this.#cancelTimer = this.#context.timers.setTimer(FIRST_RETRY_MS, () => this.check());
  }

  /** Queues requests; true while some download is under way. */
  async #ask(change: Change): Promise<boolean> {
    const wanted = await keysOf(change);
    const left: MessageKey[] = [];
    const busy = new Set<X25519KeyHex>();
    let hasQueued = false;
    for (const key of wanted) {
      const record = await this.#stillWanted(change, key);
      if (record === undefined) continue;
      left.push(key);
      if (record !== "whole") hasQueued = (await this.#askOnce(change, { key, record, busy })) || hasQueued;
    }
    this.#stored.follow(left);
    if (left.length !== wanted.length) change.batch.putMeta(DOWNLOADS_KEY, left);
    if (!hasQueued && left.length === wanted.length) return left.length > 0;
    await change.commit();
    if (hasQueued) this.#onQueued();
    return left.length > 0;
  }

  /** The message of a file that is wanted; `whole` where its sender is to learn that it is here. */
  async #stillWanted(change: Change, key: MessageKey): Promise<WantedRecord | "whole" | undefined> {
    const record = await change.batch.message(key);
    const { transfer } = record ?? {};
    if (record !== undefined && isWanted(record) && transfer !== undefined && transfer.done < transfer.total) return record;
    this.#asked.delete(key);
    if (record === undefined || !isWholeStored(record)) return undefined;
    this.#whole.push(key);
    return "whole";
  }

  /** Asks for chunks of one file of a device at a time: it sends so many at once and no more. */
  async #askOnce(
    change: Change,
    { key, record, busy }: { readonly key: MessageKey; readonly record: WantedRecord; readonly busy: Set<X25519KeyHex> },
  ): Promise<boolean> {
    const way = busy.has(record.holder) ? undefined : this.#stored.wayToAsk(key, record);
    if (way === undefined) return false;
    busy.add(record.holder);
    return this.#askFor(change, { key, record, ...way });
  }

  /** Queues a request for chunks of one file, where there is one to make. */
  async #askFor(
    change: Change,
    { key, record, stored }: { readonly key: MessageKey; readonly record: WantedRecord; readonly stored: boolean },
  ): Promise<boolean> {
    const { account, clock } = this.#context;
    const asked = this.#asked.get(key) ?? new AskedChunks();
    this.#asked.set(key, asked);
    const author = authorOf(record, account.masterPub);
    const chunks = await asked.take({
      total: record.transfer?.total ?? 0,
      isHere: (index) => change.batch.hasChunk({ author, id: record.id, index }),
      nowMs: clock.monotonicMs(),
    });
    if (chunks.length === 0) return false;
    change.queue(author, { kind: "fileAsk", device: record.holder, id: record.id, chunks, ...(stored && { stored }) });
    return true;
  }

  /** False where the chain lists the device that has the file no more: nothing it says counts. */
  async #isHolderThere(key: MessageKey): Promise<boolean> {
    const { store, account, directory } = this.#context;
    const record = await store.readMessage(key);
    if (record === undefined || !canAsk(record)) return true;
    const author = authorOf(record, account.masterPub);
    const keys = await directory.get(author).catch(() => undefined);
    return keys === undefined || holdsKey(keys, record.holder);
  }

  #write<T>(task: (change: Change) => Promise<T>): Promise<T> {
    return this.#context.writer.run(() => task(new Change(this.#context)));
  }
}

async function keysOf(change: Change): Promise<readonly MessageKey[]> {
  return (await change.batch.meta<readonly MessageKey[]>(DOWNLOADS_KEY)) ?? [];
}

function canAsk(record: MessageRecord): record is WantedRecord {
  return record.body.kind === "attachment" && isOnRequest(record.body) && record.holder !== undefined;
}

/** A file that is stored once has become whole here. */
function isWholeStored(record: MessageRecord): boolean {
  const { transfer } = record;
  return hasItsBoxes(record) && transfer !== undefined && transfer.done >= transfer.total;
}

function isWanted(record: MessageRecord): record is WantedRecord {
  return record.transfer?.isAsked === true && canAsk(record);
}
