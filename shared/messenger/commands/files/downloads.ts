// Large files that the person wants: their chunks are asked for a few at a time, so that no mailbox fills with them and nothing that the other
// side sends beside them waits. What is asked for follows from what is in the store, so a restart continues.
import { MAX_ASKED_CHUNKS } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change, DOWNLOADS_KEY } from "../../changes/change.ts";
import { isLarge } from "../../changes/files/files.ts";
import type { MessageKey, StoredAttachment } from "../../model/message.ts";
import { problemOf } from "../../model/problem.ts";
import { authorOf, type MessageRecord } from "../../model/records.ts";
import { messageThere } from "../../sending/compose-message.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { holdsKey } from "../../state/key-directory.ts";

/** Files that are downloaded, or wait for it. */
export const MAX_DOWNLOADS = 16;
/** Further chunks are asked for when so few of those before are missing. */
const ASK_BELOW = MAX_ASKED_CHUNKS / 2;
/** What was asked for and did not come is asked for again after this, twice as long each time up to {@link LAST_RETRY_MS}. */
const FIRST_RETRY_MS = 600_000;
const LAST_RETRY_MS = 86_400_000;

interface Asked {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly tries: number;
}

/** What this run knows of a download. */
interface Progress {
  /** Chunks before this one were looked for, and are here or asked for. */
  next: number;
  readonly asked: Map<number, Asked>;
}

/** A message whose file is wanted. */
type WantedRecord = MessageRecord & { readonly body: StoredAttachment; readonly holder: X25519KeyHex };

/** Downloads of one run. */
export class Downloads {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;
  readonly #progress = new Map<MessageKey, Progress>();
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
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
      if (wanted.length >= MAX_DOWNLOADS)
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
      this.#progress.delete(key);
      const record = await change.batch.message(key);
      if (record?.transfer?.isAsked === true) {
        const { isAsked: _, ...transfer } = record.transfer;
        change.updateMessage(key, { ...record, transfer });
      }
      await change.commit();
    });
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

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    let isWaiting = true;
    try {
      while (this.#isAgain && !this.#isStopped) {
        this.#isAgain = false;
        isWaiting = await this.#write((change) => this.#ask(change));
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
      const record = await change.batch.message(key);
      const { transfer } = record ?? {};
      if (record === undefined || !isWanted(record) || transfer === undefined || transfer.done >= transfer.total) {
        this.#progress.delete(key);
        continue;
      }
      left.push(key);
      // One file of a device at a time: it sends so many chunks at once and no more.
      if (busy.has(record.holder)) continue;
      busy.add(record.holder);
      hasQueued = (await this.#askFor(change, key, record)) || hasQueued;
    }
    if (left.length !== wanted.length) change.batch.putMeta(DOWNLOADS_KEY, left);
    if (!hasQueued && left.length === wanted.length) return left.length > 0;
    await change.commit();
    if (hasQueued) this.#onQueued();
    return left.length > 0;
  }

  /** Queues a request for chunks of one file, where there is one to make. */
  async #askFor(change: Change, key: MessageKey, record: WantedRecord): Promise<boolean> {
    const { account, clock } = this.#context;
    const progress = this.#progress.get(key) ?? { next: 0, asked: new Map() };
    this.#progress.set(key, progress);
    const author = authorOf(record, account.masterPub);
    const total = record.transfer?.total ?? 0;
    const nowMs = clock.monotonicMs();
    const isHere = (index: number): Promise<boolean> => change.batch.hasChunk({ author, id: record.id, index });
    for (const index of progress.asked.keys()) if (await isHere(index)) progress.asked.delete(index);
    const late = [...progress.asked].filter(([, asked]) => nowMs - asked.atMs >= retryAfterMs(asked)).map(([index]) => index);
    const more: number[] = [];
    if (progress.asked.size <= ASK_BELOW)
      for (; progress.asked.size + more.length < MAX_ASKED_CHUNKS && progress.next < total; progress.next += 1)
        if (!(await isHere(progress.next))) more.push(progress.next);
    const chunks = [...late, ...more].slice(0, MAX_ASKED_CHUNKS);
    if (chunks.length === 0) return false;
    for (const index of chunks) progress.asked.set(index, { atMs: nowMs, tries: (progress.asked.get(index)?.tries ?? 0) + 1 });
    change.queue(author, { kind: "fileAsk", device: record.holder, id: record.id, chunks });
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
  return record.body.kind === "attachment" && isLarge(record.body) && record.holder !== undefined;
}

function isWanted(record: MessageRecord): record is WantedRecord {
  return record.transfer?.isAsked === true && canAsk(record);
}

function retryAfterMs({ tries }: Asked): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
}
