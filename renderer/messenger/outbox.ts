// Sends what waits in the outbox, one entry after another, until the node has taken it or the person must decide.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import { Change } from "./change.ts";
import { type DeliveryResult, deliver } from "./delivery.ts";
import type { EngineContext } from "./engine-context.ts";
import { countChunk } from "./files.ts";
import { holdsKey } from "./key-directory.ts";
import type { MessengerProblem, OutgoingState } from "./messenger.ts";
import { withoutRecipient, withState } from "./outgoing-state.ts";
import { isFinal, problemOf } from "./problem.ts";
import { forgetUntold } from "./profiles.ts";
import type { OutboxRecord } from "./records.ts";

/** A message that could not be relayed for so long is shown as failed. */
const EXPIRY_MS = 86_400_000;

const SILENT = new CodedError("DEVICE_SILENT", "Nothing was heard of their device for five weeks: it gets this as soon as it is back");

/** The sending half of a running messenger. */
export class Outbox {
  readonly #context: EngineContext;
  #isRunning = false;
  #isStopped = false;
  #timer: unknown;
  #isDevicePublished: boolean | null = null;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  get isDevicePublished(): boolean | null {
    return this.#isDevicePublished;
  }

  /** Looks for due entries now. */
  kick(): void {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Tries everything that waits at once: the node has come back. */
  hasten(): void {
    this.#context.outbox.hasten();
    this.kick();
  }

  /** Asks the node whether the chain lists this device; when it newly does, what has waited for that goes out. */
  async checkPublished(): Promise<void> {
    const { account, directory } = this.#context;
    const isPublished = holdsKey(await directory.fetch(account.masterPub), account.devicePub);
    const isNews = isPublished && this.#isDevicePublished !== true;
    this.#setPublished(isPublished);
    if (isNews) this.hasten();
  }

  /** An attempt under way ends by itself and finds the writer closed: it is made again at the next start. */
  stop(): void {
    this.#isStopped = true;
    this.#context.timers.clear(this.#timer);
  }

  async #run(): Promise<void> {
    const { outbox, clock, timers } = this.#context;
    timers.clear(this.#timer);
    for (;;) {
      const entry = this.#isStopped ? undefined : outbox.nextDue(clock.monotonicMs());
      if (entry === undefined) break;
      await this.#attempt(entry.record);
    }
    this.#isRunning = false;
    const delayMs = this.#isStopped ? undefined : outbox.delayMs(clock.monotonicMs());
    if (delayMs !== undefined) this.#timer = timers.set(() => this.kick(), delayMs);
  }

  async #attempt(record: OutboxRecord): Promise<void> {
    const { outbox, writer } = this.#context;
    try {
      const result = await deliver(this.#context, record, (devices) => writer.run(() => this.#takePlaces(record.seq, devices)));
      this.#setPublished(true);
      await writer.run(() => this.#settle(record.seq, result));
    } catch (error) {
      if (isCodedError(error, "DEVICE_NOT_PUBLISHED")) this.#setPublished(false);
      this.#postpone(record.seq);
      await writer.run(() => this.#giveUp(record.seq, error)).catch((failure: unknown) => this.#context.report(problemOf(failure)));
    }
    if (outbox.get(record.seq) !== undefined && !this.#isStopped) this.#context.changed();
  }

  /** Gives the devices that have none their places, durably. */
  async #takePlaces(seq: number, devices: readonly X25519KeyHex[]): Promise<OutboxRecord | undefined> {
    const { outbox, streams } = this.#context;
    const record = outbox.get(seq)?.record;
    const without = devices.filter((device) => record?.places?.[device] === undefined);
    if (record === undefined || without.length === 0) return record;
    const sending = streams.advance(without);
    const given = Object.fromEntries(without.map((device) => [device, sending.last[device] ?? 0]));
    const placed: OutboxRecord = { ...record, places: { ...record.places, ...given } };
    const change = new Change(this.#context);
    change.putSending(sending);
    change.putOutbox(placed);
    await change.commit();
    return placed;
  }

  /** Notes what was reached. The entry may have been deleted meanwhile. */
  async #settle(seq: number, result: DeliveryResult): Promise<void> {
    const record = this.#context.outbox.get(seq)?.record;
    if (record === undefined) return;
    const next: OutboxRecord = {
      ...record,
      done: [...record.done, ...result.settled],
      isRelayed: record.isRelayed || result.reached.length > 0,
    };
    const change = new Change(this.#context);
    if (result.hasLeft) {
      await this.#withdraw(change, record);
      await change.commit();
      return;
    }
    const isWaiting = result.waitingFor !== undefined && !this.#isExpired(record);
    if (isWaiting) change.putOutbox(next);
    else await this.#endEntry(change, next, this.#hasFailed(next, result));
    const [state, problem] = this.#stateAfter(next, result, isWaiting);
    await setState(change, record, state, problem);
    await change.commit();
    if (isWaiting) this.#postpone(seq);
  }

  #stateAfter(record: OutboxRecord, result: DeliveryResult, isWaiting: boolean): readonly [OutgoingState, MessengerProblem | null] {
    const isToSelf = record.peer === this.#context.account.masterPub;
    if (record.isRelayed && !isToSelf) return ["relayed", null];
    if (isWaiting) return ["queued", problemOf(result.waitingFor)];
    if (this.#hasFailed(record, result)) return ["failed", problemOf(result.refusal ?? result.waitingFor)];
    if (result.isHeld && !isToSelf) return ["queued", problemOf(SILENT)];
    return [isToSelf ? "delivered" : "relayed", null];
  }

  /** True when no device of the peer has it and none will get it. */
  #hasFailed(record: OutboxRecord, { refusal, waitingFor }: DeliveryResult): boolean {
    if (record.isRelayed) return false;
    return waitingFor !== undefined || (refusal !== undefined && record.peer !== this.#context.account.masterPub);
  }

  /** After a failed attempt: shows why, and ends what cannot succeed or has waited too long. */
  async #giveUp(seq: number, error: unknown): Promise<void> {
    const record = this.#context.outbox.get(seq)?.record;
    if (record === undefined) return;
    const isOver = isFinal(error) || this.#isExpired(record);
    const change = new Change(this.#context);
    if (isOver) await this.#endEntry(change, record, !record.isRelayed);
    if (!record.isRelayed) await setState(change, record, isOver ? "failed" : "queued", problemOf(error));
    await change.commit();
  }

  /** Takes an entry out of the queue; a message that failed stays there for the person, with every device to be served again. */
  async #endEntry(change: Change, record: OutboxRecord, hasFailed: boolean): Promise<void> {
    if (hasFailed && record.task.kind === "message") {
      change.putOutbox({ ...record, done: [], isFailed: true });
      return;
    }
    change.deleteOutbox(record.seq);
    if (hasFailed || this.#context.book.isBlocked(record.peer)) forgetUntold(change, record);
    if (record.task.kind === "chunk" && !hasFailed) await countSent(change, record.task.key);
    await rememberSent(change, record, this.#context.clock.nowMs());
  }

  /** Who it was written for is no longer in the group: devices that have not got it never will. */
  async #withdraw(change: Change, record: OutboxRecord): Promise<void> {
    const { task, peer, places = {}, done, isRelayed } = record;
    const nowMs = this.#context.clock.nowMs();
    const placesOf = (isDone: boolean): OutboxRecord["places"] & {} =>
      Object.fromEntries(Object.entries(places).filter(([device]) => done.includes(device) === isDone));
    change.deleteOutbox(record.seq);
    await rememberSent(change, { ...record, places: placesOf(true) }, nowMs);
    await rememberWithheld(change, { ...record, places: placesOf(false) }, nowMs);
    if (task.kind === "chunk") await countSent(change, task.key);
    const message = task.kind === "message" && !isRelayed ? await change.batch.message(task.key) : undefined;
    if (task.kind === "message" && message !== undefined) change.updateMessage(task.key, withoutRecipient(message, peer));
  }

  #isExpired({ queuedAt }: OutboxRecord): boolean {
    return this.#context.clock.nowMs() - queuedAt > EXPIRY_MS;
  }

  #postpone(seq: number): void {
    const { outbox, clock, random } = this.#context;
    outbox.postpone(seq, clock.monotonicMs(), (random(1)[0] ?? 0) / 256);
  }

  #setPublished(isPublished: boolean): void {
    if (this.#isDevicePublished === isPublished) return;
    this.#isDevicePublished = isPublished;
    this.#context.changed();
  }
}

/** Keeps what stands at the places of an entry, for devices that ask for it again. */
export async function rememberSent({ batch }: Change, { peer, task, places = {} }: OutboxRecord, nowMs: number): Promise<void> {
  if (task.kind === "again" || task.kind === "ask" || task.kind === "gone") return;
  for (const [device, position] of Object.entries(places)) await batch.putSent(device, position, { peer, task }, nowMs);
}

/** Keeps at the places of an entry that its content was taken back: a device that asks for it gets that instead. */
export async function rememberWithheld(change: Change, queued: OutboxRecord, nowMs: number): Promise<void> {
  const { task } = queued;
  if (task.kind !== "message" && task.kind !== "chunk" && task.kind !== "amendment") return;
  const body = { kind: "delete", id: task.id } as const;
  const group = task.group === undefined ? {} : { group: task.group };
  await rememberSent(change, { ...queued, task: { kind: "amendment", id: task.id, at: nowMs, body, ...group } }, nowMs);
}

async function countSent(change: Change, key: string): Promise<void> {
  const message = await change.batch.message(key);
  if (message !== undefined) countChunk(change, key, message);
}

async function setState(
  change: Change,
  { task, peer }: OutboxRecord,
  state: OutgoingState,
  problem: MessengerProblem | null,
): Promise<void> {
  const message = task.kind === "message" ? await change.batch.message(task.key) : undefined;
  if (task.kind !== "message" || message === undefined) return;
  const known = message.deliveries === undefined ? message.state : message.deliveries[peer];
  const isUndecided = known === "queued" || known === "failed";
  if (!isUndecided || (known === state && message.problem?.message === problem?.message)) return;
  change.updateMessage(task.key, withState(message, peer, { state, problem }));
}
