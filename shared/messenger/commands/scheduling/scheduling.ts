// Messages that leave at a time: what the person does with them, and what becomes of them at that time. Each leaves by the ordinary way, in the
// one change that takes it from the list. Until then the own node may have sealed copies of it, for when no program of the person runs.
import { type WrittenText, writtenText } from "#shared/content/chat/link-preview.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { type Change, writeChange } from "../../changes/change.ts";
import { noteOpenMessage } from "../../changes/chats/open-to-theft.ts";
import { groupOf, requireConversation } from "../../model/conversation-id.ts";
import type { ConversationId, MessageKey, ScheduledMessage, TakenBack } from "../../model/message.ts";
import { MAX_HELD_MS } from "../../model/node-port.ts";
import { problemOf } from "../../model/problem.ts";
import { newId } from "../../model/records.ts";
import { addOwnMessage, checkedWrittenText, requireMembership } from "../../sending/compose-message.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { peopleOf } from "../../state/recipients.ts";
import { SerialQueue } from "../../store/serial-queue.ts";
import { bodyOf, HELD_AFTER_S, planCopies } from "./held-copies.ts";
import { checkedTime, movedMentions, withoutScheduled, withScheduled } from "./scheduled-list.ts";

/** Clocks are set and machines sleep: while something waits, the time is looked at this often, ms. */
const LOOK_MS = 30_000;
const NAME_BYTES = 32;

/** A message to be sent later. */
export interface LaterMessage extends WrittenText {
  readonly replyTo?: MessageKey;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** What others have to know. */
export interface SchedulingEvents {
  /** Something waits in the outbox. */
  onQueued(): void;
  /** What was typed is taken; its draft is gone. */
  onTaken(conversation: ConversationId): void;
}

/** Scheduled messages of one run. */
export class Scheduling {
  readonly #context: EngineContext;
  readonly #events: SchedulingEvents;
  /** Whatever asks the node about copies: one step after another, so that nothing is held again while it is taken back. */
  readonly #steps = new SerialQueue();
  /** Marks of the copies that the node has, of this run. */
  readonly #marks = new Map<string, string>();
  /** When these were looked at, by the monotonic clock. */
  readonly #looks = new Map<string, number>();
  /** The node holds nothing for this program. */
  #isRefused = false;
  #isLooking = false;
  /** Something was scheduled while it looked. */
  #looksAgain = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, events: SchedulingEvents) {
    this.#context = context;
    this.#events = events;
  }

  /**
   * Has a text, or an answer, sent at a time; resolves with the id of the message. Clears the draft.
   * @throws CodedError BAD_REQUEST for a text or time that cannot be, too many of them, and a group that one is not in.
   */
  async scheduleMessage(id: ConversationId, { text, mentions, preview, replyTo, dueAt }: LaterMessage): Promise<string> {
    const { clock, random, account } = this.#context;
    const conversation = requireConversation(id);
    const said = checkedWrittenText(text, mentions, preview);
    const nowMs = clock.nowMs();
    const message: ScheduledMessage = {
      ...{ ...said, id: newId(random), conversation, dueAt: checkedTime(dueAt, nowMs), writtenAt: nowMs, problem: null },
      ...(replyTo !== undefined && { replyTo }),
    };
    await writeChange(this.#context, async (change) => {
      requireMembership(change, conversation, account.masterPub);
      change.putScheduled(withScheduled(change.scheduled, message));
      change.updateConversation(conversation, { draft: "" });
    });
    this.#events.onTaken(conversation);
    this.check();
    return message.id;
  }

  /**
   * Changes words or time of a message that waits. `left`: it had left, and is in its chat now.
   * @throws CodedError BAD_REQUEST as {@link scheduleMessage}, NOT_FOUND for one that waits no more, UNAVAILABLE where the node that has copies
   * cannot be asked: nothing was changed then.
   */
  changeScheduled(id: string, wanted: { readonly text?: string; readonly dueAt?: number }): Promise<"changed" | "left"> {
    return this.#step(id, async (message) => {
      const text = wanted.text === undefined ? message.text : checkedWrittenText(wanted.text).text;
      const dueAt = wanted.dueAt === undefined ? message.dueAt : checkedTime(wanted.dueAt, this.#context.clock.nowMs());
      const taken = await this.#takeBack(message);
      if (taken === "unsure")
        throw new CodedError("UNAVAILABLE", "The node that is to send this message cannot be reached: nothing was changed");
      if (taken === "left") {
        await this.#send(message, message.dueAt);
        return "left";
      }
      const { mentions, preview, held: _held, isTakenBack: _isTakenBack, ...kept } = message;
      const named = wanted.text === undefined ? mentions : movedMentions(message, text);
      const said = writtenText({ text, ...(named && { mentions: named }), ...(preview && { preview }) });
      const next = { ...kept, ...said, dueAt, problem: null };
      await this.#put((list) => {
        const waiting = list.find((other) => other.id === id);
        // Its chat may have been deleted while the node was asked.
        if (waiting === undefined || (waiting.isTakenBack === true && message.isTakenBack !== true)) throw waitsNoMore();
        return withScheduled(list, next);
      });
      return "changed";
    });
  }

  /** Sends a message that waits now. @throws CodedError BAD_REQUEST in a group that one is not in, NOT_FOUND for one that waits no more. */
  async sendScheduled(id: string): Promise<void> {
    await this.#step(id, async (message) => {
      const sentAt = (await this.#takeBack(message)) === "left" ? message.dueAt : undefined;
      await this.#send(message, sentAt);
    });
  }

  /**
   * Deletes a message that waits. `left`: it had left, and is in its chat now. `unsure`: the node that has copies cannot be asked; this device
   * does not send it any more, and takes the copies back once it can. Deleted again after its time, it is forgotten all the same.
   * @throws CodedError NOT_FOUND for one that waits no more.
   */
  deleteScheduled(id: string): Promise<TakenBack> {
    return this.#step(id, async (message) => {
      if (message.held !== undefined && message.isTakenBack !== true)
        await this.#put((list) => withScheduled(list, { ...message, isTakenBack: true }));
      const taken = await this.#takeBack(message);
      const isOver = message.isTakenBack === true && message.dueAt <= this.#context.clock.nowMs();
      await this.#finish(message, taken === "unsure" && isOver ? "gone" : taken);
      return taken;
    });
  }

  /** Sends what is due, and brings the node's copies up to date. */
  check(): void {
    this.#looksAgain = this.#isLooking;
    if (this.#isStopped || this.#isLooking) return;
    this.#cancelTimer?.();
    if (this.#context.registry.scheduled.length === 0) return;
    this.#isLooking = true;
    void this.#steps
      .run(() => this.#look())
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#context.report(problemOf(error));
      })
      .finally(() => {
        this.#isLooking = false;
        if (this.#looksAgain) this.check();
        else this.#later();
      });
  }

  /** The connection to the node is there again: it may be another node. */
  retryNow(): void {
    this.#isRefused = false;
    this.#marks.clear();
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  #later(): void {
    const { registry, clock, timers } = this.#context;
    this.#cancelTimer?.();
    if (this.#isStopped || registry.scheduled.length === 0) return;
    const nowMs = clock.nowMs();
    const waits = registry.scheduled.filter(isWaiting).map(({ dueAt }) => Math.max(0, dueAt - nowMs));
    this.#cancelTimer = timers.setTimer(Math.min(LOOK_MS, ...waits), () => this.check());
  }

  async #look(): Promise<void> {
    const { registry, clock } = this.#context;
    for (const message of registry.scheduled) {
      if (this.#isStopped) return;
      if (message.isTakenBack === true) await this.#finish(message, await this.#takeBack(message));
      else if (isWaiting(message) && message.dueAt <= clock.nowMs()) await this.#sendDue(message);
    }
    for (const message of registry.scheduled) {
      if (this.#isStopped || this.#isRefused) return;
      if (isWaiting(message) && !(await this.#keepHeld(message))) return;
    }
  }

  /** At its time, or as soon as this program runs after it. What may not be sent stays with the reason. */
  async #sendDue(message: ScheduledMessage): Promise<void> {
    const taken = await this.#takeBack(message);
    const refusal = taken === "left" ? undefined : this.#refusalOf(message);
    try {
      if (refusal !== undefined) throw refusal;
      // Where copies may have left, the message has their time: all sides show it at the same place.
      await this.#send(message, taken === "gone" ? undefined : message.dueAt);
    } catch (error) {
      if (!isCodedError(error, "BAD_REQUEST")) throw error;
      await this.#putOne(message.id, (other) => ({ ...other, problem: problemOf(error) }));
    }
  }

  #refusalOf({ conversation }: ScheduledMessage): CodedError | undefined {
    const { registry } = this.#context;
    const isBlocked = groupOf(conversation) === undefined && registry.isBlocked(conversation);
    return isBlocked ? new CodedError("BAD_REQUEST", "You have blocked this person") : undefined;
  }

  /** The message leaves by the ordinary way: the list and the outbox change together. */
  async #send(message: ScheduledMessage, sentAt: number | undefined): Promise<void> {
    const { conversation, id } = message;
    const body = await bodyOf(this.#context, message);
    await writeChange(this.#context, async (change) => {
      const waiting = change.scheduled.find((other) => other.id === id);
      // Its chat may have been deleted meanwhile.
      if (waiting === undefined || (waiting.isTakenBack === true && message.isTakenBack !== true)) return;
      const key = await this.#context.store.messageKey(this.#context.account.masterPub, id);
      if (!(await change.batch.hasSeen(key))) await addOwnMessage(this.#context, change, { conversation, body, id, sentAt });
      if (sentAt !== undefined && waiting.held?.isOpenToTheft === true) await noteOpenMessage(change, key);
      change.putScheduled(withoutScheduled(change.scheduled, id));
    });
    this.#forget(id);
    this.#events.onQueued();
  }

  /** What a deletion comes to once it is known. */
  async #finish(message: ScheduledMessage, taken: TakenBack): Promise<void> {
    if (taken === "unsure") return;
    if (taken === "left") {
      try {
        return await this.#send({ ...message, isTakenBack: true }, message.dueAt);
      } catch (error) {
        // One is no longer in the group that it was for: there is no chat to show it in.
        if (!isCodedError(error, "BAD_REQUEST")) throw error;
      }
    }
    await this.#put((list) => {
      const isBack = message.isTakenBack === true && list.some(({ id, isTakenBack }) => id === message.id && isTakenBack !== true);
      // The deletion of its chat was undone while the node was asked: it waits on, and of its copies there are none.
      return isBack ? list.map((other) => (other.id === message.id ? withoutHeld(other) : other)) : withoutScheduled(list, message.id);
    });
    this.#forget(message.id);
  }

  #forget(id: string): void {
    this.#marks.delete(id);
    this.#looks.delete(id);
  }

  /** Takes copies back. What no node may have is gone. */
  async #takeBack({ id, held }: ScheduledMessage): Promise<TakenBack> {
    if (held === undefined) return "gone";
    this.#marks.delete(id);
    try {
      const { status, relayPub } = await this.#context.node.withdraw(held.name);
      if (status === "left") return "left";
      return status === "unknown" && held.relayPub !== "" && held.relayPub !== relayPub ? "unsure" : "gone";
    } catch (error) {
      // A node that never confirmed them, and holds nothing for this program, has none.
      return isRefusal(error) && held.relayPub === "" ? "gone" : "unsure";
    }
  }

  /** Has the node hold copies as they would leave now; false where it cannot be asked now. */
  async #keepHeld(message: ScheduledMessage): Promise<boolean> {
    if (message.dueAt - this.#context.clock.nowMs() > MAX_HELD_MS) return true;
    if (this.#isUnwanted(message)) return this.#dropHeld(message);
    if (this.#isRecent(message)) return true;
    try {
      await this.#hold(message);
      return true;
    } catch (error) {
      this.#isRefused = isRefusal(error);
      if (this.#isRefused && message.held === undefined) await this.#putOne(message.id, withoutHeld);
      return false;
    }
  }

  /** @throws CodedError of the node, or of the keyring */
  async #hold(message: ScheduledMessage): Promise<void> {
    const { node, clock, registry, random } = this.#context;
    const { id, dueAt } = message;
    const { mark, isOpenToTheft, seal } = await planCopies(this.#context, message);
    this.#looks.set(id, clock.monotonicMs());
    if (this.#marks.get(id) === mark) return;
    const envelopes = await seal();
    if (envelopes === undefined) return void this.#marks.set(id, mark);
    const before = message.held ?? { name: toHex(random(NAME_BYTES)), relayPub: "" };
    const held = { ...before, ...(isOpenToTheft && { isOpenToTheft }) };
    // Before the node gets them: what it may have is taken back, whatever happens in between. Its chat may have been deleted meanwhile.
    if (message.held === undefined || held.isOpenToTheft !== before.isOpenToTheft) await this.#putOne(id, (other) => ({ ...other, held }));
    if (registry.scheduled.find((other) => other.id === id)?.held === undefined) return;
    const { status, relayPub } = await node.hold({ name: held.name, notBefore: Math.ceil(dueAt / 1000) + HELD_AFTER_S, envelopes });
    if (status === "left") return this.#send(message, dueAt);
    this.#marks.set(id, mark);
    if (held.relayPub !== relayPub) await this.#putOne(id, (other) => ({ ...other, held: { ...held, relayPub } }));
  }

  /** Its copies were looked at lately: each look reads the device lists of everyone in its chat. */
  #isRecent({ id, conversation }: ScheduledMessage): boolean {
    const { registry, account, clock } = this.#context;
    const people = peopleOf(registry.get(conversation), account.masterPub).length;
    return this.#marks.has(id) && clock.monotonicMs() - (this.#looks.get(id) ?? 0) < LOOK_MS * people;
  }

  /** It would not be sent as things are now. */
  #isUnwanted({ conversation }: ScheduledMessage): boolean {
    const { registry, account } = this.#context;
    if (groupOf(conversation) === undefined) return registry.isBlocked(conversation);
    return registry.get(conversation).group?.entries[account.masterPub]?.standing !== "in";
  }

  async #dropHeld(message: ScheduledMessage): Promise<boolean> {
    if (message.held === undefined) return true;
    const taken = await this.#takeBack(message);
    if (taken === "left") await this.#finish(message, taken);
    if (taken === "gone") await this.#putOne(message.id, withoutHeld);
    return taken !== "unsure";
  }

  async #step<T>(id: string, task: (message: ScheduledMessage) => Promise<T>): Promise<T> {
    const done = await this.#steps.run(() => {
      const message = this.#context.registry.scheduled.find((other) => other.id === id);
      if (message === undefined) throw waitsNoMore();
      return task(message);
    });
    this.check();
    return done;
  }

  #putOne(id: string, next: (message: ScheduledMessage) => ScheduledMessage): Promise<void> {
    return this.#put((list) => list.map((other) => (other.id === id ? next(other) : other)));
  }

  #put(next: (list: Change["scheduled"]) => Change["scheduled"]): Promise<void> {
    return writeChange(this.#context, async (change) => change.putScheduled(next(change.scheduled)));
  }
}

function waitsNoMore(): CodedError {
  return new CodedError("NOT_FOUND", "This message waits no more: it has left, or was deleted");
}

function isWaiting({ isTakenBack, problem }: ScheduledMessage): boolean {
  return isTakenBack !== true && problem === null;
}

function withoutHeld({ held: _held, ...message }: ScheduledMessage): ScheduledMessage {
  return message;
}

/** The node holds nothing for this program, or not this. */
function isRefusal(error: unknown): boolean {
  return isCodedError(error, "NOT_FOUND", "FORBIDDEN", "UNAUTHORIZED");
}
