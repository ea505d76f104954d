// Sends what waits in the outbox, one entry after another, until the node has taken it or the person must decide.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import { Change } from "../changes/change.ts";
import { beginTimes } from "../changes/chats/begin-time.ts";
import { countChunk } from "../changes/files/files.ts";
import { withheld, wordless } from "../changes/pairs/whole-sent.ts";
import { forgetUnsentProfile } from "../changes/profiles.ts";
import type { MessageKey, MessengerProblem, OutgoingState } from "../model/message.ts";
import { isFinal, problemOf } from "../model/problem.ts";
import { withoutRecipient, withReached, withState } from "../model/progress/outgoing-state.ts";
import type { OutboxRecord } from "../model/records.ts";
import { heldChunks } from "../pairs/held-chunks.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { holdsKey } from "../state/key-directory.ts";
import type { IsHeld } from "../state/outbox/outbox-queue.ts";
import { RETENTION_MS } from "../store/store-bounds.ts";
import type { Delivery, DeliveryResult, HeldDevice, SendSealed } from "./delivery.ts";

/** A message that could not be relayed for so long is shown as failed. */
const EXPIRY_MS = 86_400_000;
/** Chunks of files that a node takes no more of now are tried again after this at the latest: it may be another node by then. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Loaded with the first chunk that a device asked for. */
const served = loadedLate(() => import("../changes/files/served-chunks.ts"));

/** Loaded with the first content for a device without a card. */
const open = loadedLate(() => import("../changes/chats/open-to-theft.ts"));

const SILENT = new CodedError("DEVICE_SILENT", "Their device has not been seen for five weeks: it gets this once it is back");
const WITHOUT_CARD = new CodedError("DEVICE_WITHOUT_CARD", "Their device began a new chain: it gets this once it has shown a card");

/** When the program ends, what waits at random has so long to leave. */
const LEAVING_MS = 1_000;

type ChunkTask = Extract<OutboxRecord["task"], { readonly kind: "chunk" }>;
type DeliverySteps = Pick<typeof import("./delivery.ts"), "deliver" | "sealAhead"> &
  Pick<typeof import("./assign-entries.ts"), "assignEntries">;

/** Entries that are stored, and what sends them. */
interface SealedAhead {
  readonly records: readonly OutboxRecord[];
  readonly send: SendSealed;
}

/** The sending half of a running messenger. */
export class Outbox {
  readonly #context: EngineContext;
  readonly #waitsForMail: () => boolean;
  #isRunning = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;
  #isDevicePublished: boolean | null = null;
  #retries = 0;
  /** No chunk of a file leaves before, monotonic milliseconds: the node has taken as much of files as it takes for now. */
  #chunksFromMs = 0;
  #steps: DeliverySteps | undefined;
  #run: Promise<void> = Promise.resolve();

  /** `waitsForMail`: mailboxes are to be read before anything leaves; then {@link retryNow} is called. */
  constructor(context: EngineContext, waitsForMail: () => boolean) {
    this.#context = context;
    this.#waitsForMail = waitsForMail;
  }

  /** Nothing leaves now. */
  get #isHeld(): boolean {
    return this.#isStopped || this.#waitsForMail();
  }

  get isDevicePublished(): boolean | null {
    return this.#isDevicePublished;
  }

  /** Sends due entries now. */
  flush(): void {
    if (this.#isRunning || this.#isHeld) return;
    this.#isRunning = true;
    this.#run = this.#sendRounds();
  }

  /** Before the end: what only waits at random leaves now, where it can and as far as that takes a moment. */
  async leaveEarly(): Promise<void> {
    const { outbox, node, keyring, timers } = this.#context;
    if (this.#isStopped || !outbox.endCover() || !node.isOnline()) return;
    const isOpen = await keyring.status().then(
      ({ account }) => account !== null,
      () => false,
    );
    if (!isOpen) return;
    this.flush();
    let cancel: CancelTimer | undefined;
    const isOver = new Promise<void>((resolve) => {
      cancel = timers.setTimer(LEAVING_MS, resolve);
    });
    await Promise.race([this.#run, isOver]);
    cancel?.();
  }

  /**
   * Stores a change of which something is to leave; call it as the writer's task. Where nothing waits before it, but at random, and nothing
   * has to be asked for, it is sealed meanwhile, and leaves once it is stored. Otherwise it waits for {@link flush}.
   * @throws CodedError LOCAL_STORE_FAILED, and then nothing of it leaves.
   */
  async storeAndSend(change: Change): Promise<void> {
    const send = await this.#sealAhead(change);
    const { leaving } = change;
    try {
      await change.commit();
    } catch (error) {
      if (send !== undefined) this.#isRunning = false;
      this.flush();
      throw error;
    }
    if (send !== undefined) this.#run = this.#sendRounds({ records: leaving, send });
  }

  /** Takes the turn of a round, so that none begins before what is sealed here has left. */
  async #sealAhead(change: Change): Promise<SendSealed | undefined> {
    const { outbox, node, clock } = this.#context;
    if (this.#steps === undefined || this.#isRunning || this.#isHeld) return undefined;
    if (!node.isOnline() || !outbox.isAtRest(clock.monotonicMs())) return undefined;
    this.#isRunning = true;
    // What cannot be sealed is not the store's concern: the next round notes why.
    const send = await this.#steps.sealAhead(this.#context, change).catch(() => undefined);
    if (send === undefined) this.#isRunning = false;
    return send;
  }

  /** Tries everything that waits at once: the node has come back. */
  retryNow(): void {
    this.#retries += 1;
    this.#chunksFromMs = 0;
    this.#context.outbox.retryNow();
    this.flush();
  }

  /** Asks the node whether the chain lists this device; when it newly does, what has waited for that goes out. */
  async checkPublished(): Promise<void> {
    const { account, directory } = this.#context;
    const isPublished = holdsKey(await directory.fetch(account.masterPub), account.devicePub);
    const isNewlyPublished = isPublished && this.#isDevicePublished !== true;
    this.#setPublished(isPublished);
    if (isNewlyPublished) this.retryNow();
  }

  /** An attempt under way ends by itself and finds the writer closed: it is made again at the next start. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  /** Round after round; `ahead`: what is sent first. */
  async #sendRounds(ahead?: SealedAhead): Promise<void> {
    const { outbox, clock, timers } = this.#context;
    this.#cancelTimer?.();
    if (ahead !== undefined && !this.#isStopped) await this.#attempt(ahead.records, ahead.send);
    for (;;) {
      const round = this.#isHeld ? [] : outbox.nextRound(clock.monotonicMs(), this.#heldNow());
      if (round.length === 0) break;
      await this.#attempt(round.map(({ record }) => record));
    }
    this.#isRunning = false;
    const delayMs = this.#isHeld ? undefined : this.#delayMs();
    if (delayMs !== undefined) this.#cancelTimer = timers.setTimer(delayMs, () => this.flush());
  }

  /** Which chunks of files stay here: those that would fill a mailbox, and all while the node takes none. */
  #heldNow(): IsHeld {
    const isFull = heldChunks(this.#context);
    const isPaused = this.#pauseMs() > 0;
    return (record): boolean => (isPaused && record.task.kind === "chunk") || isFull(record);
  }

  #pauseMs(): number {
    return Math.max(0, this.#chunksFromMs - this.#context.clock.monotonicMs());
  }

  /** Milliseconds until the next attempt; undefined when there is none to make. */
  #delayMs(): number | undefined {
    const { outbox, clock } = this.#context;
    const delayMs = outbox.delayMs(clock.monotonicMs(), this.#heldNow());
    const pauseMs = this.#pauseMs();
    const isPaused = pauseMs > 0 && outbox.waiting.some(({ record }) => record.task.kind === "chunk");
    return isPaused ? Math.min(pauseMs, delayMs ?? pauseMs) : delayMs;
  }

  /** One attempt. What fails is put off, unless the node came back meanwhile: then it is tried again at once. */
  async #attempt(records: readonly OutboxRecord[], send = (): Promise<readonly Delivery[]> => this.#send(records)): Promise<void> {
    const { outbox } = this.#context;
    const retries = this.#retries;
    const waiting = await this.#deliver(records, send);
    if (retries === this.#retries) this.#postpone(waiting);
    if (records.some(({ seq }) => outbox.get(seq) !== undefined) && !this.#isStopped) this.#context.changed();
  }

  /** What an attempt is made of, loaded with the first one: the first screen does without it. */
  async #loadSteps(): Promise<DeliverySteps> {
    const [{ deliver, sealAhead }, { assignEntries }] = await Promise.all([import("./delivery.ts"), import("./assign-entries.ts")]);
    this.#steps = { deliver, sealAhead, assignEntries };
    return this.#steps;
  }

  async #send(records: readonly OutboxRecord[]): Promise<readonly Delivery[]> {
    const { writer } = this.#context;
    const { deliver, assignEntries } = this.#steps ?? (await this.#loadSteps());
    return deliver(this.#context, records, (entries, cards) => writer.run(() => assignEntries(this.#context, entries, cards)));
  }

  /** Delivers entries and notes what became of them; gives those that are to be tried again. */
  async #deliver(records: readonly OutboxRecord[], send: SendSealed): Promise<readonly number[]> {
    const { writer } = this.#context;
    try {
      const deliveries = await send();
      this.#notePublished(deliveries);
      return await writer.run(() => this.#recordResults(deliveries));
    } catch (error) {
      const failed = records.map(({ seq }) => ({ seq, error }));
      return await writer
        .run(() => this.#recordResults(failed))
        .catch((failure: unknown) => {
          this.#context.report(problemOf(failure));
          return records.map(({ seq }) => seq);
        });
    }
  }

  /** Notes what became of entries, all at once; gives those that are to be tried again. One may have been deleted meanwhile. */
  async #recordResults(deliveries: readonly Delivery[]): Promise<readonly number[]> {
    const change = new Change(this.#context);
    const waiting: number[] = [];
    const ofMessages = new Set<MessageKey>();
    for (const delivery of deliveries) {
      const record = this.#context.outbox.get(delivery.seq)?.record;
      if ("result" in delivery) await noteHanded(this.#context, change, delivery.result);
      if (record === undefined) continue;
      const isWaiting =
        "result" in delivery
          ? await this.#recordResult(change, record, delivery.result)
          : await this.#giveUp(change, record, delivery.error);
      if (isWaiting) waiting.push(delivery.seq);
      if (record.task.kind === "message" || record.task.kind === "chunk") ofMessages.add(record.task.key);
    }
    await beginTimes(this.#context, change, ofMessages);
    await change.commit();
    return waiting;
  }

  /** Notes what was reached; true when more is to be tried. */
  async #recordResult(change: Change, record: OutboxRecord, result: DeliveryResult): Promise<boolean> {
    const next: OutboxRecord = {
      ...record,
      done: [...record.done, ...result.resolved],
      isRelayed: record.isRelayed || result.reached.length > 0,
      ...unreachedAfter(record, result),
    };
    if (result.hasLeft) {
      await this.#withdraw(change, record);
      return false;
    }
    const isCovered = result.isCovered && result.waitingFor === undefined;
    // A random wait ends by itself, also after hours for which nothing could be sent, or when the clock is set.
    const isWaiting = result.isCovered || (result.waitingFor !== undefined && !this.#isExpired(record));
    if (record.task.kind === "chunk") await this.#notePause(change, record.task, result.waitingFor);
    if (isWaiting) change.putOutbox(next);
    else await this.#endEntry(change, next, this.#hasFailed(next, result));
    const [state, problem] = this.#stateAfter(next, result, isWaiting);
    await setState(change, record, { state, problem, nowMs: this.#context.clock.nowMs() });
    if (result.isOpenToTheft) await (await open()).noteOpenToTheft(this.#context, change, record.task);
    // What only waits for its random time is due then, however often it failed before.
    if (isCovered) this.#context.outbox.retryNow(record.seq);
    return isWaiting && !isCovered;
  }

  /** The node takes no more of files for now: all chunks wait as long, so that they are not tried in vain. */
  async #notePause(change: Change, { key, device }: ChunkTask, error: unknown): Promise<void> {
    const { retryAfterS } = isCodedError(error, "RATE_LIMITED") ? error.details : {};
    if (typeof retryAfterS !== "number") return;
    const pauseMs = Math.min(retryAfterS * 1_000, LONGEST_PAUSE_MS);
    this.#chunksFromMs = this.#context.clock.monotonicMs() + pauseMs;
    const message = device === undefined ? undefined : await change.batch.message(key);
    if (message !== undefined && pauseMs === LONGEST_PAUSE_MS) (await served()).noteHeldUp(change, key, message);
  }

  #stateAfter(record: OutboxRecord, result: DeliveryResult, isWaiting: boolean): readonly [OutgoingState, MessengerProblem | null] {
    const isToSelf = record.peer === this.#context.account.masterPub;
    const { problem = null } = record.unreached ?? {};
    if (record.isRelayed && !isToSelf) return ["relayed", null];
    // One own device has it, and the others are only waiting for their turn.
    if (isToSelf && result.isCovered && result.waitingFor === undefined && result.resolved.length > 0) return ["delivered", null];
    if (isWaiting) return ["queued", result.waitingFor === undefined ? problem : problemOf(result.waitingFor)];
    if (this.#hasFailed(record, result)) return ["failed", result.waitingFor === undefined ? problem : problemOf(result.waitingFor)];
    if (problem !== null && !isToSelf) return ["queued", problem];
    return [isToSelf ? "delivered" : "relayed", null];
  }

  /** True when no device of the peer has it and none will get it. */
  #hasFailed({ isRelayed, unreached, peer }: OutboxRecord, { waitingFor }: DeliveryResult): boolean {
    if (isRelayed) return false;
    return waitingFor !== undefined || (unreached?.isRefused === true && peer !== this.#context.account.masterPub);
  }

  /** After a failed attempt: shows why, and ends what cannot succeed or has waited too long; true when it is to be tried again. */
  async #giveUp(change: Change, record: OutboxRecord, error: unknown): Promise<boolean> {
    const isOver = isFinal(error) || this.#isExpired(record);
    if (isOver) await this.#endEntry(change, record, !record.isRelayed);
    const state = isOver ? "failed" : "queued";
    if (!record.isRelayed) await setState(change, record, { state, problem: problemOf(error), nowMs: this.#context.clock.nowMs() });
    return !isOver;
  }

  /** Takes an entry out of the queue; a message that failed stays there for the person, with every device to be served again. */
  async #endEntry(change: Change, record: OutboxRecord, hasFailed: boolean): Promise<void> {
    if (hasFailed && record.task.kind === "message") {
      const { later: _, unreached: __, ...again } = record;
      change.putOutbox({ ...again, done: [], isFailed: true });
      return;
    }
    change.deleteOutbox(record.seq);
    if (hasFailed || this.#context.registry.isBlocked(record.peer)) forgetUnsentProfile(change, record);
    if (record.task.kind === "chunk" && !hasFailed) await this.#countSent(change, record.peer, record.task);
    await rememberSent(change, record, this.#context.clock.nowMs());
  }

  /** Who it was written for is no longer in the group: devices that have not got it never will. */
  async #withdraw(change: Change, record: OutboxRecord): Promise<void> {
    const { task, peer, places = {}, given = {}, done, isRelayed } = record;
    const nowMs = this.#context.clock.nowMs();
    const of = <T>(positions: Readonly<Record<string, T>>, isDone: boolean): Readonly<Record<string, T>> =>
      Object.fromEntries(Object.entries(positions).filter(([device]) => done.includes(device) === isDone));
    change.deleteOutbox(record.seq);
    await rememberSent(change, { ...record, places: of(places, true) }, nowMs);
    await rememberWithheld(change, { ...record, places: of(places, false), given: of(given, false) }, nowMs);
    if (task.kind === "chunk" && task.device === undefined) await this.#countSent(change, peer, task);
    const message = task.kind === "message" && !isRelayed ? await change.batch.message(task.key) : undefined;
    if (task.kind === "message" && message !== undefined) change.updateMessage(task.key, withoutRecipient(message, peer));
  }

  /** One more chunk is out; what own devices asked for is no progress of the message. */
  async #countSent(change: Change, peer: string, { key, index, device }: ChunkTask): Promise<void> {
    const message = await change.batch.message(key);
    if (message === undefined) return;
    if (device === undefined) countChunk(change, key, message);
    else if (peer !== this.#context.account.masterPub) (await served()).countServed(change, key, message, index);
  }

  /**
   * A chunk that waited for acknowledgements of others, or for the node, has as long as these: no one would ask for it again. The slower clock
   * counts: one that is wrong once gives nothing up.
   */
  #isExpired({ queuedAt, task }: OutboxRecord): boolean {
    const isUnasked = task.kind === "chunk" && task.device === undefined;
    return this.#context.slower.nowMs() - queuedAt > (isUnasked ? RETENTION_MS : EXPIRY_MS);
  }

  /** What was tried together is due together: in the same order. */
  #postpone(seqs: readonly number[]): void {
    const { outbox, clock, random } = this.#context;
    if (seqs.length === 0) return;
    const spread = (random(1)[0] ?? 0) / 256;
    for (const seq of seqs) outbox.postpone(seq, clock.monotonicMs(), spread);
  }

  #notePublished(deliveries: readonly Delivery[]): void {
    if (deliveries.some((delivery) => "result" in delivery && !delivery.result.hasLeft)) this.#setPublished(true);
    if (deliveries.some((delivery) => "error" in delivery && isCodedError(delivery.error, "DEVICE_NOT_PUBLISHED")))
      this.#setPublished(false);
  }

  #setPublished(isPublished: boolean): void {
    if (this.#isDevicePublished === isPublished) return;
    this.#isDevicePublished = isPublished;
    this.#context.changed();
  }
}

/** Why no device of the peer has it yet, where an attempt told: what waits weighs more than what was refused. */
function unreachedAfter({ unreached, peer }: OutboxRecord, { held, refusal }: DeliveryResult): Pick<OutboxRecord, "unreached"> {
  if (held !== undefined) return { unreached: { isRefused: false, problem: heldProblem(peer, held) } };
  if (refusal === undefined || unreached?.isRefused === false) return {};
  return { unreached: { isRefused: true, problem: problemOf(refusal) } };
}

function heldProblem(person: string, { device, lacks }: HeldDevice): MessengerProblem {
  return lacks === "key" ? problemOf(SILENT) : { ...problemOf(WITHOUT_CARD), device: { person, device } };
}

/** Stores the content of an entry by sequence number, for devices that ask for it again. In chains of pairs it is stored already. */
export async function rememberSent(
  { batch }: Change,
  { peer, task, places: sequenceNumbers = {} }: OutboxRecord,
  nowMs: number,
): Promise<void> {
  if (task.kind === "again" || task.kind === "ask" || task.kind === "gone") return;
  for (const [device, position] of Object.entries(sequenceNumbers)) await batch.putSent(device, position, wordless(peer, task), nowMs);
}

/** Stores that the content of an entry was taken back: a device that asks for it, or does not acknowledge it, gets that instead. */
export async function rememberWithheld(change: Change, queued: OutboxRecord, nowMs: number): Promise<void> {
  const { task, peer, given = {} } = queued;
  if (task.kind === "again" || task.kind === "ask" || task.kind === "gone") return;
  const sent = withheld(peer, task, nowMs);
  if (sent === undefined) return;
  await rememberSent(change, { ...queued, task: sent.task }, nowMs);
  if (Object.keys(given).length === 0) return;
  const { replaceSent } = await import("../changes/pairs/leave-contents.ts");
  await replaceSent(change, given, sent, nowMs);
}

async function noteHanded(context: EngineContext, change: Change, { handed }: DeliveryResult): Promise<void> {
  if (handed.length === 0) return;
  const contents = await import("../changes/pairs/leave-contents.ts");
  contents.noteHanded(context, change, handed);
}

async function setState(
  change: Change,
  { task, peer }: OutboxRecord,
  { state, problem, nowMs }: { readonly state: OutgoingState; readonly problem: MessengerProblem | null; readonly nowMs: number },
): Promise<void> {
  const message = task.kind === "message" ? await change.batch.message(task.key) : undefined;
  if (task.kind !== "message" || message === undefined) return;
  const known = message.deliveries === undefined ? message.state : message.deliveries[peer];
  const isUndecided = known === "queued" || known === "failed";
  if (!isUndecided || (known === state && message.problem?.message === problem?.message)) return;
  change.updateMessage(task.key, withReached(withState(message, peer, { state, problem }), state, nowMs));
}
