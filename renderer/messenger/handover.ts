// Hands notes, conversations and messages over to a device that was just linked, or takes them. The new device asks for part after part,
// so both may end and begin again; keys and place are kept in the store until it is done.
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { sessionMailboxes } from "#shared/linking/link-keys.ts";
import { type LinkMessage, type LinkPart, SESSION_KINDS } from "#shared/linking/link-message.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { EngineContext } from "./engine-context.ts";
import { decodePart, type HandoverScope, partAfter } from "./handover-parts.ts";
import { addPart } from "./history-backup.ts";
import type { HandoverView } from "./messenger.ts";
import { problemOf } from "./problem.ts";
import { HANDOVER_KEY } from "./records.ts";

/** Pause between two looks into the mailbox. */
const LOOK_MS = 500;
/** Parts that are asked for at a time. */
const WINDOW = 4;
/** Parts that were asked for and do not come are asked for again. */
const ASK_AGAIN_MS = 6_000;
/** A device that has asked for nothing for so long has given up. */
const GIVE_UP_MS = 86_400_000;

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** As kept in the store. */
type HandoverRecord = Progress & { readonly session: string } & (
    | ({ readonly role: "sending"; readonly deviceName: string; readonly heardAt: number } & HandoverScope)
    | { readonly role: "receiving"; readonly after: string }
  );

type Sending = Extract<HandoverRecord, { readonly role: "sending" }>;
type Receiving = Extract<HandoverRecord, { readonly role: "receiving" }>;

/** What the old device hands over, and under which key. */
export interface HandoverInput extends HandoverScope {
  /** 32 bytes of the linking. */
  readonly session: Uint8Array;
  readonly deviceName: string;
}

/** One transfer at a time. */
export class Handover {
  readonly #context: EngineContext;
  #record: HandoverRecord | undefined;
  #view: HandoverView | null = null;
  #channel: LinkChannel | undefined;
  #timer: unknown;
  #awaited = 0;
  #askedAtMs = 0;
  #isLooking = false;
  #isStopped = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  get view(): HandoverView | null {
    return this.#view;
  }

  /** Goes on with what was under way. */
  async resume(): Promise<void> {
    const record = await this.#context.store.readMeta<HandoverRecord | null>(HANDOVER_KEY);
    if (record !== undefined && record !== null) this.#begin(record);
  }

  async send({ session, keepsakes, sinceMs, deviceName }: HandoverInput): Promise<void> {
    const { store } = this.#context;
    const total = sinceMs === null ? 0 : (await store.countMessages()) + (await store.countChunks());
    const heardAt = this.#context.clock.nowMs();
    await this.#keep({ role: "sending", session: toHex(session), keepsakes, sinceMs, deviceName, heardAt, done: 0, total });
  }

  async receive(session: Uint8Array): Promise<void> {
    await this.#keep({ role: "receiving", session: toHex(session), after: "", done: 0, total: 0 });
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
    this.#context.timers.clear(this.#timer);
  }

  async #keep(record: HandoverRecord): Promise<void> {
    await this.#store(record);
    this.#begin(record);
  }

  #begin(record: HandoverRecord): void {
    const { linkNode: node, clock, random } = this.#context;
    const mailboxes = sessionMailboxes(fromHex(record.session));
    this.#channel = new LinkChannel(
      { node, clock, random },
      { mailboxes, side: record.role === "sending" ? "old" : "fresh", kinds: SESSION_KINDS },
    );
    this.#record = record;
    this.#awaited = 0;
    this.#showProgress(record);
    void this.#look();
  }

  async #look(): Promise<void> {
    const channel = this.#channel;
    if (channel === undefined || this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    this.#context.timers.clear(this.#timer);
    let isBusy = false;
    try {
      const messages = await channel.receive();
      isBusy = messages.length > 0;
      for (const message of messages) await this.#handle(channel, message);
      await this.#attend(channel);
    } catch (error) {
      if (this.#view !== null && this.#record !== undefined) this.#show({ ...this.#view, problem: problemOf(error) });
    }
    this.#isLooking = false;
    if (this.#record === undefined || this.#isStopped) return;
    this.#timer = this.#context.timers.set(() => void this.#look(), isBusy ? 0 : LOOK_MS);
  }

  async #handle(channel: LinkChannel, message: LinkMessage): Promise<void> {
    const record = this.#record;
    if (message.kind === "end") await this.#end(message.reason === "done" ? "done" : "cancelled");
    else if (message.kind === "want" && record?.role === "sending") await this.#answer(channel, record, message);
    else if (message.kind === "part" && record?.role === "receiving") await this.#take(channel, record, message);
  }

  async #answer(channel: LinkChannel, record: Sending, { after, window }: Extract<LinkMessage, { readonly kind: "want" }>): Promise<void> {
    let mark = after;
    let { done } = record;
    for (let sent = 0; sent < window; sent += 1) {
      const { data, next, isLast, done: behind } = await partAfter(this.#context, record, mark);
      await channel.send({ kind: "part", from: mark, next, isLast, done: behind, total: record.total, data });
      mark = next;
      done = behind;
      if (isLast) break;
    }
    this.#record = { ...record, done, heardAt: this.#context.clock.nowMs() };
    this.#showProgress(this.#record);
  }

  async #take(channel: LinkChannel, record: Receiving, { from, next, isLast, done, total, data }: LinkPart): Promise<void> {
    if (from !== record.after) return;
    const part = decodePart(data);
    if ("keepsakes" in part) await this.#context.keepKeepsakes(part.keepsakes);
    else await this.#context.writer.run(() => addPart(this.#context, part, { messages: 0, chunks: 0, app: undefined }));
    this.#awaited -= 1;
    const after: Receiving = { ...record, after: next, done, total };
    await this.#store(after);
    this.#record = after;
    this.#showProgress(after);
    if (!isLast) return;
    await channel.send({ kind: "end", reason: "done" });
    await this.#end("done");
  }

  /** What is due without anything having come. */
  async #attend(channel: LinkChannel): Promise<void> {
    const record = this.#record;
    const nowMs = this.#context.clock.nowMs();
    if (record?.role === "sending" && nowMs - record.heardAt > GIVE_UP_MS) await this.#end("cancelled");
    if (record?.role !== "receiving" || (this.#awaited > 0 && nowMs - this.#askedAtMs < ASK_AGAIN_MS)) return;
    await channel.send({ kind: "want", after: record.after, window: WINDOW });
    this.#awaited = WINDOW;
    this.#askedAtMs = nowMs;
  }

  async #end(phase: "done" | "cancelled"): Promise<void> {
    const view = this.#view;
    this.#record = undefined;
    this.#channel = undefined;
    await this.#store(null);
    if (view !== null) this.#show({ ...view, done: phase === "done" ? view.total : view.done, phase, problem: null });
  }

  async #store(record: HandoverRecord | null): Promise<void> {
    await this.#context.writer.run(async () => {
      const batch = this.#context.store.begin();
      batch.putMeta(HANDOVER_KEY, record);
      await batch.commit();
    });
  }

  #showProgress({ role, done, total, ...rest }: HandoverRecord): void {
    this.#show({ role, phase: "running", deviceName: "deviceName" in rest ? rest.deviceName : null, done, total, problem: null });
  }

  #show(view: HandoverView | null): void {
    this.#view = view;
    this.#context.changed();
  }
}
