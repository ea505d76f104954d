// Files of one's own that are stored once: their chunks are put into mailboxes of the file, one after another, and deleted there when every
// device that was to read them has them, when their message is gone, or when their time is over. What is done follows from the store.
import { CHUNKS_A_BOX } from "#shared/content/content.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../../changes/change.ts";
import { beginTimes } from "../../changes/chats/begin-time.ts";
import { sealStoredChunk, signFileDeletion, signFileOpening } from "../../changes/files/box-cipher.ts";
import { boxKeysAt, type FileBoxRecord, fileBoxAt, fileBoxOf, fileBoxPlaces, putFileBox } from "../../changes/files/file-box-record.ts";
import { countChunk, isLarge } from "../../changes/files/files.ts";
import { countServed, noteHeldUp } from "../../changes/files/served-chunks.ts";
import { problemOf } from "../../model/problem.ts";
import { openingTerms } from "../../pairs/own-boxes.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { RETENTION_MS } from "../../store/store-bounds.ts";

/** The node does not store this file once, now or later: each device is sent its own. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "FORBIDDEN",
  "NOT_FOUND",
  "MAILBOX_FULL",
  "RELAY_FULL",
  "ENVELOPE_INVALID",
  "BAD_REQUEST",
]);
/** Pauses after a failure: doubled each time. */
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 300_000;
/** Longest pause when the node takes no more of files today: it may be another node by then. */
const LONGEST_PAUSE_MS = 3_600_000;
/** What is over is looked for so often. */
const LOOK_MS = 3_600_000;

/** Files of one run that are stored once. */
export class FileBoxes {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;
  /** Mailboxes that the node was told of in this run. */
  readonly #opened = new Set<string>();
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #failures = 0;
  #fromMs = 0;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Does what is due. */
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
    this.#opened.clear();
    this.#fromMs = 0;
    this.#failures = 0;
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    let hasAny = true;
    while (this.#isAgain && !this.#isStopped && this.#pauseMs() === 0) {
      this.#isAgain = false;
      try {
        hasAny = await this.#step();
      } catch (error) {
        this.#noteFailure(error);
      }
    }
    this.#isRunning = false;
    if (hasAny && !this.#isStopped) this.#cancelTimer = this.#context.timers.setTimer(this.#pauseMs() || LOOK_MS, () => this.check());
  }

  #pauseMs(): number {
    return Math.max(0, this.#fromMs - this.#context.clock.monotonicMs());
  }

  #noteFailure(error: unknown): void {
    if (this.#isStopped) return;
    const { retryAfterS } = isCodedError(error, "RATE_LIMITED") ? error.details : {};
    const usualMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    const pauseMs = typeof retryAfterS === "number" ? Math.min(retryAfterS * 1_000, LONGEST_PAUSE_MS) : usualMs;
    this.#failures += 1;
    this.#fromMs = this.#context.clock.monotonicMs() + pauseMs;
    const problem = problemOf(error);
    if (problem.code === "LOCAL_STORE_FAILED" || problem.code === "INTERNAL") this.#context.report(problem);
  }

  /** One step of one file, those that are to be deleted first; true while there is any file. */
  async #step(): Promise<boolean> {
    const batch = this.#context.store.begin();
    const places = await fileBoxPlaces(batch);
    let next: FileBoxRecord | undefined;
    for (const place of places) {
      const record = await fileBoxAt(batch, place);
      if (record === undefined) continue;
      if (this.#isOver(record)) return this.#forget(record);
      if (record.phase === "closing") return this.#empty(record);
      if (this.#isToClose(record)) return this.#write(record, async (now) => ({ ...now, phase: "closing" }));
      if (record.phase === "storing") next ??= record;
    }
    return next === undefined ? places.length > 0 : this.#storeNext(next);
  }

  /** What lay in its mailboxes has been removed by nodes, or is as old as what they still take. */
  #isOver({ sentAtS }: FileBoxRecord): boolean {
    return this.#context.slower.nowMs() - sentAtS * 1000 > RETENTION_MS;
  }

  /** Everyone has it, or its message, which was removed here alone, has disappeared for the others. */
  #isToClose({ phase, readers, untilMs }: FileBoxRecord): boolean {
    return (phase === "stored" && readers.length === 0) || (untilMs !== undefined && this.#context.slower.nowMs() >= untilMs);
  }

  #forget(record: FileBoxRecord): Promise<boolean> {
    return this.#write(record, async () => undefined);
  }

  async #empty(record: FileBoxRecord): Promise<boolean> {
    const { node, newestBlock, random } = this.#context;
    await newestBlock.refresh();
    const height = newestBlock.known?.height ?? 0;
    for (let number = 0; number * CHUNKS_A_BOX < record.ids.length; number += 1) {
      const ids = record.ids.slice(number * CHUNKS_A_BOX, (number + 1) * CHUNKS_A_BOX);
      try {
        await node.deleteSigned(signFileDeletion(node.chainId, boxKeysAt(record, number), { ids, height }, random));
      } catch (error) {
        // What the node does not delete goes with its time.
        if (!isCodedError(error) || !REFUSALS.has(error.code)) throw error;
      }
    }
    return this.#forget(record);
  }

  async #storeNext(record: FileBoxRecord): Promise<boolean> {
    const { account, store, node } = this.#context;
    const { id, fileKey, sentAtS, stored: index } = record;
    if (index >= record.total) return this.#noteStored(record, { phase: "stored", fileKey: "" });
    const data = await store.readChunk({ author: account.masterPub, id, index });
    if (data === undefined) return this.#write(record, async (now) => ({ ...now, phase: "closing" }));
    const keys = boxKeysAt(record, Math.floor(index / CHUNKS_A_BOX));
    const envelope = await sealStoredChunk(node.chainId, keys, { fileKey, index, data, sentAtS });
    // The id is noted before it leaves: what a crash leaves behind can be deleted.
    if (record.ids[index] !== envelope.id)
      return this.#write(record, async (now) => ({ ...now, ids: [...now.ids.slice(0, index), envelope.id] }));
    try {
      await this.#handIn(keys, envelope);
    } catch (error) {
      if (isCodedError(error) && REFUSALS.has(error.code)) return this.#sendToEach(record);
      if (isCodedError(error, "RATE_LIMITED")) await this.#noteHeldUp(record);
      throw error;
    }
    this.#failures = 0;
    return this.#noteStored(record, { stored: index + 1 });
  }

  async #handIn(keys: ReturnType<typeof boxKeysAt>, envelope: SealedEnvelope): Promise<void> {
    const { node, newestBlock, days, random } = this.#context;
    if (!this.#opened.has(keys.mailbox)) {
      await newestBlock.refresh();
      const terms = openingTerms(days.now().ownMs, newestBlock.known?.height ?? 0, false);
      await node.openBox(signFileOpening(node.chainId, keys, terms, random));
      this.#opened.add(keys.mailbox);
    }
    await node.broadcast(envelope);
  }

  /** Notes how far it is, in the message too. */
  #noteStored(record: FileBoxRecord, fields: Partial<FileBoxRecord>): Promise<boolean> {
    return this.#write(record, async (now, change) => {
      const message = await change.batch.message(record.key);
      if (message?.body.kind === "attachment" && fields.stored !== undefined) {
        if (isLarge(message.body)) countServed(change, record.key, message, fields.stored - 1);
        else countChunk(change, record.key, message);
      }
      return { ...now, ...fields };
    });
  }

  #noteHeldUp(record: FileBoxRecord): Promise<boolean> {
    return this.#write(record, async (now, change) => {
      const message = await change.batch.message(record.key);
      if (message?.body.kind === "attachment" && isLarge(message.body)) noteHeldUp(change, record.key, message);
      return now;
    });
  }

  /** The node stores no such mailbox: small files go to each device, as before; of large ones devices ask for each chunk. */
  async #sendToEach(record: FileBoxRecord): Promise<boolean> {
    await this.#write(record, async (now, change) => {
      const message = await change.batch.message(record.key);
      if (message?.body.kind !== "attachment" || isLarge(message.body) || message.transfer === undefined)
        return { ...now, phase: "closing" };
      const { id, key, total, people, stored } = now;
      // Who has left the group meanwhile gets none, and none is waited for.
      let left = 0;
      for (let index = 0; index < total; index += 1)
        left = change.queueForSome(message.conversation, { kind: "chunk", key, id, index }, (person) => people.includes(person));
      const { transfer } = message;
      const all = transfer.total + total * (left - 1);
      const progress = all === 0 ? { done: total, total } : { ...transfer, done: Math.max(0, transfer.done - stored), total: all };
      change.updateMessage(key, { ...message, transfer: progress });
      return { ...now, phase: "closing" };
    });
    this.#onQueued();
    return true;
  }

  /**
   * Changes what is noted of a file, as it is by now: its message may have been deleted meanwhile, or a device may have it. True, as there is
   * more to do.
   */
  async #write({ id }: FileBoxRecord, step: (now: FileBoxRecord, change: Change) => Promise<FileBoxRecord | undefined>): Promise<boolean> {
    const { writer } = this.#context;
    await writer.run(async () => {
      const change = new Change(this.#context);
      const now = await fileBoxOf(change.batch, id);
      if (now === undefined) return;
      const next = await step(now, change);
      await putFileBox(
        change.batch,
        id,
        next && (now.phase === "closing" ? { ...next, phase: "closing" } : { ...next, readers: now.readers }),
      );
      await beginTimes(this.#context, change, [now.key]);
      await change.commit();
    });
    this.#isAgain = true;
    return true;
  }
}
