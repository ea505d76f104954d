// Transfers notes, conversations and messages to a device that was just linked, or receives them. The new device asks for part after part,
// so both may end and begin again; keys and position are stored until it is done.
import { CodedError } from "#shared/errors/coded-error.ts";
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { sessionMailboxes } from "#shared/linking/link-keys.ts";
import { type LinkEnd, type LinkMessage, type LinkPart, SESSION_KINDS } from "#shared/linking/link-message.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import type { DeviceTransferInput, DeviceTransferScope, DeviceTransferView } from "../model/device-transfer.ts";
import { problemOf } from "../model/problem.ts";
import { DEVICE_TRANSFER_KEY } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { isStoreFull } from "../store/store-call.ts";
import { checkFile } from "./device-transfer-files.ts";
import { decodePart, partAfter } from "./device-transfer-parts.ts";
import { addPart } from "./history-backup.ts";
import { TransferSpeed } from "./transfer-speed.ts";
import type { UnfinishedLinks } from "./unfinished-links.ts";

/** Pause between two polls of the mailbox; a shorter one for a while after something came. */
const POLL_MS = 500;
const BUSY_POLL_MS = 50;
const BUSY_MS = 2_000;
/** Parts that are asked for at a time: 1.4 MB. */
const WINDOW = 8;
/** Parts that were asked for and do not come are asked for again, after twice as long each time: the way may be full of them. */
const ASK_AGAIN_MS = 6_000;
const LAST_ASK_AGAIN_MS = 300_000;
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
  #awaited = 0;
  #askedAtMs = 0;
  #asks = 0;
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
    this.#awaited = 0;
    this.#asks = 0;
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
      await this.#maintain(channel);
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
    else if (message.kind === "part" && record?.role === "receiving") await this.#take(channel, record, message);
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

  async #sendParts(
    channel: LinkChannel,
    record: Sending,
    { after, window, large = false }: Extract<LinkMessage, { readonly kind: "want" }>,
  ): Promise<void> {
    let mark = after;
    let { done } = record;
    for (let sent = 0; sent < window; sent += 1) {
      const { data, next, isLast, done: behind } = await partAfter(this.#context, { ...record, large }, mark);
      await channel.send({ kind: "part", from: mark, next, isLast, done: behind, total: record.total, data });
      mark = next;
      done = behind;
      if (isLast) break;
    }
    const requested: Sending = { ...record, done, heardAt: this.#context.clock.nowMs(), hasAsked: true };
    this.#record = requested;
    this.#showProgress(requested);
    if (record.hasAsked && requested.heardAt - this.#notedHeardAtMs < NOTE_HEARD_MS) return;
    this.#notedHeardAtMs = requested.heardAt;
    await this.#store(requested);
    if (!record.hasAsked) await this.#links.forgetUnfinishedLink(record.devicePub);
  }

  async #take(channel: LinkChannel, record: Receiving, { from, next, isLast, done, total, data }: LinkPart): Promise<void> {
    if (from !== record.after) return;
    const part = decodePart(data);
    const after: Receiving = { ...record, after: next, done, total };
    try {
      if ("keepsakes" in part) await this.#context.restoreSavedNotes(part.keepsakes);
      else await this.#context.writer.run(() => addPart(this.#context, part, { messages: 0, chunks: 0, app: undefined }));
      await this.#store(after);
      if ("chunk" in part) await checkFile(this.#context, part.chunk);
    } catch (error) {
      if (!isStoreFull(error)) throw error;
      this.#noteNoRoom();
      return;
    }
    this.#awaited -= 1;
    this.#asks = 0;
    this.#record = after;
    this.#showProgress(after);
    if (!isLast) return;
    await channel.send({ kind: "end", reason: "done" });
    await this.#end("done");
  }

  /** What is due without anything having come. */
  async #maintain(channel: LinkChannel): Promise<void> {
    const record = this.#record;
    const nowMs = this.#context.clock.nowMs();
    if (record?.role === "sending" && nowMs - record.startedAt > ASK_WITHIN_MS) await this.#noteUnlessRequested();
    // What came while this device was off is read first.
    const heardAt = Math.max(record?.role === "sending" ? record.heardAt : 0, this.#beganAtMs - GIVE_UP_MS + NOTE_HEARD_MS);
    if (record?.role === "sending" && nowMs - heardAt > GIVE_UP_MS) await this.#end("cancelled");
    const againMs = Math.min(LAST_ASK_AGAIN_MS, ASK_AGAIN_MS * 2 ** Math.max(0, this.#asks - 1));
    if (record?.role !== "receiving" || (this.#awaited > 0 && nowMs - this.#askedAtMs < againMs)) return;
    if (!(await this.#hasRoom())) return;
    await channel.send({ kind: "want", after: record.after, window: WINDOW, large: true });
    this.#asks += 1;
    this.#awaited = WINDOW;
    this.#askedAtMs = nowMs;
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
    this.#awaited = 0;
    this.#asks = 0;
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
