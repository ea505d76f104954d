// Transfers notes, conversations and messages to a device that was just linked, or receives them. The new device asks for part after part,
// so both may end and begin again; keys and position are stored until it is done.
import { CodedError } from "#shared/errors/coded-error.ts";
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { sessionMailboxes } from "#shared/linking/link-keys.ts";
import { type LinkEnd, type LinkMessage, type LinkPart, type LinkWant, SESSION_KINDS } from "#shared/linking/link-message.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import type { DeviceTransferInput, DeviceTransferScope, DeviceTransferView } from "../model/device-transfer.ts";
import { problemOf } from "../model/problem.ts";
import { DEVICE_TRANSFER_KEY } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { isStoreFull } from "../store/store-call.ts";
import { checkFile, decodeFilePart, type FilePart } from "./device-transfer-files.ts";
import { decodePart, isFilePart, partAfter } from "./device-transfer-parts.ts";
import { addChunks, addPart } from "./history-backup.ts";
import { AskingPace, FIRST_AHEAD, MOST_AHEAD, ReceivedParts, SentParts } from "./parts-under-way.ts";
import { TransferSpeed } from "./transfer-speed.ts";
import type { UnfinishedLinks } from "./unfinished-links.ts";

/** Pause between two polls of the mailbox; a shorter one for a while after something came. */
const POLL_MS = 500;
const BUSY_POLL_MS = 50;
const BUSY_MS = 2_000;
/** Parts that the node gets together. */
const SENT_TOGETHER = 4;
/** Parts of files that are stored together. */
const STORED_AT_ONCE = 8;
/** How often it is noted that the other device asks. */
const NOTE_HEARD_MS = 600_000;
/** Bytes that are left free: a store without room could write no message either. */
const RESERVE_BYTES = 67_108_864;
/** The room is looked at again after so long. */
const ROOM_PAUSE_MS = 60_000;
/** A device that has asked for nothing for so long has given up. */
const GIVE_UP_MS = 86_400_000;
/** A device that was let in has a password and asks within this time; else its linking was probably left. */
const ASK_WITHIN_MS = 300_000;

const NO_ROOM = new CodedError("STORAGE_FULL", "This device has no room for more of the history: free some space, and it continues");

interface Progress {
  readonly done: number;
  readonly total: number;
}

interface Sending extends Progress, DeviceTransferScope {
  readonly role: "sending";
  readonly session: string;
  readonly deviceName: string;
  readonly devicePub: X25519KeyHex;
  readonly startedAt: number;
  /** When it asked last, or when it was let in. */
  readonly heardAt: number;
  readonly hasAsked: boolean;
  /** The person was notified that it has not. */
  readonly isNoted: boolean;
}

/** What a linked device takes over. */
export interface Receiving extends Progress {
  readonly role: "receiving";
  readonly session: string;
  readonly after: string;
}

/** As stored. */
type DeviceTransferRecord = Sending | Receiving;

/** One transfer at a time. */
export class DeviceTransfer {
  readonly #context: EngineContext;
  readonly #links: UnfinishedLinks;
  #record: DeviceTransferRecord | undefined;
  #view: DeviceTransferView | null = null;
  #channel: LinkChannel | undefined;
  #cancelTimer: CancelTimer | undefined;
  readonly #sent = new SentParts();
  readonly #received = new ReceivedParts(MOST_AHEAD);
  #pace = new AskingPace();
  #busyUntilMs = 0;
  /** Nothing is asked for before, as there was no room. */
  #roomFromMs = 0;
  #beganAtMs = 0;
  #notedHeardAtMs = 0;
  #speed = new TransferSpeed();
  #isPolling = false;
  #isStopped = false;

  constructor(context: EngineContext, links: UnfinishedLinks) {
    this.#context = context;
    this.#links = links;
  }

  get view(): DeviceTransferView | null {
    return this.#view;
  }

  /** Continues what was under way. */
  async resume(): Promise<void> {
    const record = await this.#context.store.readMeta<DeviceTransferRecord | null>(DEVICE_TRANSFER_KEY);
    if (record !== undefined && record !== null) this.#begin(record);
  }

  async send({ session, keepsakes: notes, sinceMs, deviceName, devicePub }: DeviceTransferInput): Promise<void> {
    await this.#noteUnlessRequested();
    await this.#links.forgetUnfinishedLink(devicePub);
    const { store } = this.#context;
    const total = sinceMs === null ? 0 : (await store.countMessages()) + (await store.countChunks());
    const startedAt = this.#context.clock.nowMs();
    const record: Sending = {
      role: "sending",
      session: toHex(session),
      keepsakes: notes,
      sinceMs,
      deviceName,
      devicePub,
      startedAt,
      heardAt: startedAt,
      hasAsked: false,
      isNoted: false,
      done: 0,
      total,
    };
    await this.#store(record);
    this.#begin(record);
  }

  /** Ends it, on the other device too. What has arrived stays. When it is over, takes the note of it away. */
  async cancel(): Promise<void> {
    if (this.#record === undefined) this.#show(null);
    else {
      await this.#channel?.send({ kind: "end", reason: "cancelled" }).catch(() => undefined);
      await this.#end("cancelled");
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  #begin(record: DeviceTransferRecord): void {
    const { linkNode: node, clock, random } = this.#context;
    const mailboxes = sessionMailboxes(fromHex(record.session));
    this.#channel = new LinkChannel(
      { node, clock, random },
      { mailboxes, side: record.role === "sending" ? "old" : "fresh", kinds: SESSION_KINDS },
    );
    this.#record = record;
    this.#sent.forget();
    this.#received.clear();
    this.#pace = new AskingPace();
    this.#beganAtMs = clock.nowMs();
    this.#speed = new TransferSpeed();
    // The browser is asked not to clear it away when room runs out.
    if (record.role === "receiving") void this.#context.room?.keep().catch(() => undefined);
    this.#showProgress(record);
    void this.#poll();
  }

  async #poll(): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined || this.#isPolling || this.#isStopped) return;
    this.#isPolling = true;
    this.#cancelTimer?.();
    let isBusy = false;
    try {
      const messages = await channel.receive();
      isBusy = messages.length > 0;
      for (const message of messages) await this.#handle(channel, message);
      await this.#takeReceived(channel);
      await this.#maintain(channel, !isBusy);
    } catch (error) {
      if (this.#view !== null && this.#record !== undefined) this.#show({ ...this.#view, problem: problemOf(error) });
    }
    this.#isPolling = false;
    if (this.#record === undefined || this.#isStopped) return;
    const nowMs = this.#context.clock.monotonicMs();
    if (isBusy) this.#busyUntilMs = nowMs + BUSY_MS;
    const pauseMs = isBusy ? 0 : nowMs < this.#busyUntilMs ? BUSY_POLL_MS : POLL_MS;
    this.#cancelTimer = this.#context.timers.setTimer(pauseMs, () => void this.#poll());
  }

  async #handle(channel: LinkChannel, message: LinkMessage): Promise<void> {
    const record = this.#record;
    if (message.kind === "end") await this.#handleEnd(message.reason);
    else if (message.kind === "want" && record?.role === "sending") await this.#sendParts(channel, record, message);
    else if (message.kind === "part" && record?.role === "receiving") this.#received.add(message, record.done);
  }

  /** A device that left before asking for anything has no keys: another notice says so, with a way to unlink it. */
  async #handleEnd(reason: LinkEnd): Promise<void> {
    const isLeft = await this.#noteUnlessRequested();
    await this.#end(reason === "done" ? "done" : "cancelled");
    if (isLeft) this.#show(null);
  }

  /** True when this sends, and the other device has not asked for anything. */
  async #noteUnlessRequested(): Promise<boolean> {
    const record = this.#record;
    if (record?.role !== "sending" || record.hasAsked) return false;
    if (record.isNoted) return true;
    await this.#links.noteUnfinishedLink({ devicePub: record.devicePub, name: record.deviceName });
    this.#record = { ...record, isNoted: true };
    await this.#store(this.#record);
    return true;
  }

  async #sendParts(channel: LinkChannel, record: Sending, want: LinkWant): Promise<void> {
    const { after, window, large = false, ahead, again = false } = want;
    let { mark, count } = ahead === undefined ? { mark: after, count: window } : this.#sent.next({ after, ahead, again });
    let { done } = record;
    // Who does not know `ahead` takes parts in their order alone.
    const most = ahead === undefined ? 1 : SENT_TOGETHER;
    let before: Promise<unknown> = Promise.resolve();
    try {
      for (let isLast = false; count > 0 && !isLast; count -= most) {
        const parts = await this.#partsAfter({ ...record, large }, mark, Math.min(count, most));
        ({ next: mark, done, isLast } = parts.at(-1) ?? { next: mark, done, isLast: true });
        // Some are read while others are sent.
        await before;
        before = Promise.all(parts.map((part) => channel.send(ahead === undefined ? part : { ...part, steady: true })));
        before.catch(() => undefined);
        if (ahead !== undefined) for (const part of parts) this.#sent.note(part);
      }
      await before;
    } catch (error) {
      this.#sent.forget();
      throw error;
    }
    const requested: Sending = { ...record, done, heardAt: this.#context.clock.nowMs(), hasAsked: true };
    this.#record = requested;
    this.#showProgress(requested);
    if (record.hasAsked && requested.heardAt - this.#notedHeardAtMs < NOTE_HEARD_MS) return;
    this.#notedHeardAtMs = requested.heardAt;
    await this.#store(requested);
    if (!record.hasAsked) await this.#links.forgetUnfinishedLink(record.devicePub);
  }

  /** So many parts after a mark, fewer at the end. */
  async #partsAfter(scope: Sending & { readonly large: boolean }, after: string, most: number): Promise<readonly LinkPart[]> {
    const parts: LinkPart[] = [];
    for (let from = after; parts.length < most && parts.at(-1)?.isLast !== true; ) {
      const { data, next, isLast, done } = await partAfter(this.#context, scope, from);
      parts.push({ kind: "part", from, next, isLast, done, total: scope.total, data });
      from = next;
    }
    return parts;
  }

  /** Stores what has come without a gap. */
  async #takeReceived(channel: LinkChannel): Promise<void> {
    for (;;) {
      const record = this.#record;
      if (record?.role !== "receiving" || this.#isStopped) return;
      const parts = this.#received.take(record.after, STORED_AT_ONCE);
      if (parts.length === 0 || !(await this.#take(channel, record, parts))) return;
    }
  }

  /** Parts of files are stored together, with the position behind them. False when nothing more is to be stored now. */
  async #take(channel: LinkChannel, record: Receiving, parts: readonly LinkPart[]): Promise<boolean> {
    let before = record;
    try {
      for (let at = 0; at < parts.length; ) {
        const files = filesFrom(parts, at);
        const last = parts[at + Math.max(0, files.length - 1)] as LinkPart;
        const after: Receiving = { ...before, after: last.next, done: last.done, total: last.total };
        if (files.length > 0) await this.#storeFiles(files, after);
        else await this.#storePart(last, after);
        // It may have been cancelled meanwhile.
        if (this.#record !== before) return false;
        this.#record = before = after;
        this.#pace.note(Math.max(1, files.length), last.steady === true, this.#context.clock.monotonicMs());
        at += Math.max(1, files.length);
      }
    } catch (error) {
      if (!isStoreFull(error)) throw error;
      this.#noteNoRoom();
      return false;
    }
    this.#showProgress(before);
    if (parts.at(-1)?.isLast !== true) return true;
    await channel.send({ kind: "end", reason: "done" });
    await this.#end("done");
    return false;
  }

  async #storePart({ data }: LinkPart, after: Receiving): Promise<void> {
    const part = decodePart(data);
    if ("keepsakes" in part) await this.#context.restoreSavedNotes(part.keepsakes);
    else await this.#context.writer.run(() => addPart(this.#context, part, { messages: 0, chunks: 0, app: undefined }));
    await this.#store(after);
  }

  async #storeFiles(files: readonly FilePart[], after: Receiving): Promise<void> {
    await this.#context.writer.run(() => addChunks(this.#context, files, (batch) => batch.putMeta(DEVICE_TRANSFER_KEY, after)));
    for (const { chunk } of files) await checkFile(this.#context, chunk);
  }

  /** What is due. `isQuiet`: nothing has come. */
  async #maintain(channel: LinkChannel, isQuiet: boolean): Promise<void> {
    const record = this.#record;
    const nowMs = this.#context.clock.nowMs();
    if (record?.role === "sending" && nowMs - record.startedAt > ASK_WITHIN_MS) await this.#noteUnlessRequested();
    // What came while this device was off is read first.
    const heardAt = Math.max(record?.role === "sending" ? record.heardAt : 0, this.#beganAtMs - GIVE_UP_MS + NOTE_HEARD_MS);
    if (record?.role === "sending" && nowMs - heardAt > GIVE_UP_MS) await this.#end("cancelled");
    const due = record?.role === "receiving" ? this.#pace.due(isQuiet, this.#context.clock.monotonicMs()) : undefined;
    if (record?.role !== "receiving" || due === undefined) return;
    if (!(await this.#hasRoom())) {
      this.#pace.reset();
      return;
    }
    const { ahead, again } = due;
    await channel.send({ kind: "want", after: record.after, window: FIRST_AHEAD, large: true, ahead, ...(again && { again }) });
  }

  /** False while the store has not enough room for more, which the view says. */
  async #hasRoom(): Promise<boolean> {
    const { clock, room } = this.#context;
    if (clock.monotonicMs() < this.#roomFromMs) return false;
    const free = await room?.freeBytes().catch(() => undefined);
    if (free === undefined || free >= RESERVE_BYTES) return true;
    this.#noteNoRoom();
    return false;
  }

  #noteNoRoom(): void {
    this.#roomFromMs = this.#context.clock.monotonicMs() + ROOM_PAUSE_MS;
    this.#received.clear();
    this.#pace.reset();
    if (this.#view !== null) this.#show({ ...this.#view, leftMs: null, problem: problemOf(NO_ROOM) });
  }

  async #end(phase: "done" | "cancelled"): Promise<void> {
    const view = this.#view;
    this.#record = undefined;
    this.#channel = undefined;
    await this.#store(null);
    if (view !== null) this.#show({ ...view, done: phase === "done" ? view.total : view.done, leftMs: null, phase, problem: null });
  }

  async #store(record: DeviceTransferRecord | null): Promise<void> {
    await this.#context.writer.run(async () => {
      const batch = this.#context.store.begin();
      batch.putMeta(DEVICE_TRANSFER_KEY, record);
      await batch.commit();
    });
  }

  #showProgress({ role, done, total, ...rest }: DeviceTransferRecord): void {
    const leftMs = this.#speed.leftMs({ done, total }, this.#context.clock.monotonicMs());
    const deviceName = "deviceName" in rest ? rest.deviceName : null;
    this.#show({ role, phase: "running", deviceName, done, total, leftMs, problem: null });
  }

  #show(view: DeviceTransferView | null): void {
    this.#view = view;
    this.#context.changed();
  }
}

/** The parts of files that follow one another from a place on; none where another part is there. */
function filesFrom(parts: readonly LinkPart[], start: number): readonly FilePart[] {
  const files: FilePart[] = [];
  for (const { data } of parts.slice(start)) {
    if (!isFilePart(data)) break;
    files.push(decodeFilePart(data));
  }
  return files;
}
