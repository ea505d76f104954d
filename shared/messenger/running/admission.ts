// Lets in who asks by invite links of groups that this person may change, without asking them. Loaded with the first request that waits.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { openLog } from "../changes/group-log/log-record.ts";
import { lastingRequests, nextGuests } from "../changes/join-requests.ts";
import { letIn } from "../commands/change-group.ts";
import { type GroupRecord, isPassing, isUnconfirmed, mayChange, type WaitingRequest } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A device waits so long for each one that comes before it. */
export const RANK_MS = 15_000;
/** Requests name whom they ask, and nothing proves it: they make no device wait for more than so many others. */
export const MAX_RANK = 16;
/** People are let into a group once in this time at most, with all who wait at that moment. */
export const PAUSE_MS = 10_000;
/** What could not be done, as with a locked wallet, is tried again after this time. */
const AGAIN_MS = 60_000;

interface Look {
  readonly waiting: readonly WaitingRequest[];
  /** By the monotonic clock. */
  readonly dueMs: number;
}

/** Admissions of one run. */
export class Admission {
  readonly #context: EngineContext;
  /** Something waits in the outbox. */
  readonly #onQueued: () => void;
  readonly #looks = new Map<ConversationId, Look>();
  /** When people were let in, or that was tried, by the monotonic clock. */
  readonly #triedMs = new Map<ConversationId, number>();
  readonly #stopListening: () => void;
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
    // The wallet may be unlocked now.
    this.#stopListening = context.keyring.onStatus(() => this.retryNow());
  }

  /** Lets in who may come in by now, and others later. */
  check(): void {
    if (this.#isStopped) return;
    this.#isAgain = this.#isRunning;
    if (this.#isRunning) return;
    this.#cancelTimer?.();
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
      if (this.#isAgain) this.check();
      else this.#later();
    });
  }

  /** The connection to the node is there again, or the wallet is unlocked. */
  retryNow(): void {
    this.#looks.clear();
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#stopListening();
  }

  async #run(): Promise<void> {
    const { registry, clock } = this.#context;
    const asked = registry.askedGroups;
    for (const id of this.#looks.keys()) if (!asked.includes(id)) this.#looks.delete(id);
    for (const id of asked) {
      const waiting = registry.get(id).group?.waiting ?? [];
      const look = this.#looks.get(id);
      if (look?.waiting === waiting && clock.monotonicMs() < look.dueMs) continue;
      // What a locked wallet, or a node that is away, keeps from being done is tried again later.
      const waitMs = await this.#look(id).catch(() => AGAIN_MS);
      this.#looks.set(id, { waiting: registry.get(id).group?.waiting ?? [], dueMs: clock.monotonicMs() + waitMs });
    }
  }

  /** Lets in who is due; resolves with the time until the next look, milliseconds. */
  async #look(id: ConversationId): Promise<number> {
    const { registry, account, clock, writer } = this.#context;
    await writer.run(() => this.#forget(id));
    const { group } = registry.get(id);
    if (group?.waiting === undefined) return AGAIN_MS;
    const waits = await Promise.all(group.waiting.map((one) => this.#waitOf(group, one)));
    const due = new Set(group.waiting.filter((_, index) => (waits[index] ?? 0) <= 0).map(({ person }) => person));
    if (due.size === 0) return Math.min(AGAIN_MS, ...waits);
    const pauseMs = (this.#triedMs.get(id) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - clock.monotonicMs();
    if (pauseMs > 0) return pauseMs;
    await writer.run(async () => {
      const now = registry.get(id).group;
      if (this.#isStopped || now?.log === undefined || !isSettled(now, account.masterPub, clock.nowMs())) return;
      const waiting = (now.waiting ?? []).filter(({ person }) => due.has(person));
      const guests = nextGuests(waiting, { log: openLog(now.log), record: now, nowMs: clock.nowMs() });
      if (guests === undefined) return;
      this.#triedMs.set(id, clock.monotonicMs());
      await letIn(this.#context, id, { before: now, ...guests });
    });
    this.#onQueued();
    const isLeft = registry.get(id).group?.waiting?.some(({ person }) => due.has(person)) === true;
    return isLeft ? AGAIN_MS : Math.min(AGAIN_MS, ...waits.filter((wait) => wait > 0));
  }

  /** Requests that nothing follows from any more go. */
  async #forget(id: ConversationId): Promise<void> {
    const { registry, account, clock } = this.#context;
    const { group } = registry.get(id);
    if (group?.waiting === undefined) return;
    const mayLetIn = group.log !== undefined && group.entries[account.masterPub]?.standing === "in" && mayChange(group, account.masterPub);
    const known = group.log && { log: openLog(group.log), record: group, nowMs: clock.nowMs() };
    const lasting = mayLetIn && known ? lastingRequests(group.waiting, known, (person) => registry.isBlocked(person)) : [];
    if (lasting.length === group.waiting.length) return;
    const { waiting: _, ...rest } = group;
    const change = new Change(this.#context);
    change.updateConversation(id, { group: lasting.length > 0 ? { ...rest, waiting: lasting } : rest });
    await change.commit();
  }

  /** Milliseconds until a request is for this device: others come before it. */
  async #waitOf(group: GroupRecord, { asked, cameAt }: WaitingRequest): Promise<number> {
    const { account, clock } = this.#context;
    const me = account.masterPub;
    const index = asked.indexOf(me);
    const isBefore = (person: PublicKeyHex): boolean =>
      person !== me && mayChange(group, person) && group.entries[person]?.standing === "in";
    const before = asked.slice(0, index < 0 ? asked.length : index).filter(isBefore);
    const counts = await Promise.all(before.map(async (person) => (await this.#devicesOf(person)).length));
    const own = Math.max(0, (await this.#devicesOf(me)).indexOf(account.devicePub));
    const rank = Math.min(
      MAX_RANK,
      counts.reduce((sum, count) => sum + Math.max(1, count), own),
    );
    // A clock that was set back makes no one wait longer.
    return rank * RANK_MS - Math.max(0, clock.nowMs() - cameAt);
  }

  /** Devices of a person, as their order is everywhere; none where that is not known. */
  async #devicesOf(person: PublicKeyHex): Promise<readonly string[]> {
    const { devices } = await this.#context.directory.get(person).catch(() => ({ devices: [] }));
    return [...devices].sort();
  }

  #later(): void {
    if (this.#isStopped || this.#looks.size === 0) return;
    const { clock, timers } = this.#context;
    const dueMs = Math.min(...[...this.#looks.values()].map((look) => look.dueMs));
    this.#cancelTimer = timers.setTimer(Math.max(PAUSE_MS / 10, dueMs - clock.monotonicMs()), () => this.check());
  }
}

/** Nothing is under way that an addition would not count after: another owner, or what a backup did not know. */
function isSettled(group: GroupRecord, me: PublicKeyHex, nowMs: number): boolean {
  return !isUnconfirmed(group, me) && !isPassing(group, me, nowMs);
}
