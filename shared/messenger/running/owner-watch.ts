// Looks on the chain whether owners have passed their groups on. Every device looks for itself, and takes no one's word for it. Loaded with
// the first group whose owner names another one.
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { openLog } from "../changes/group-log/log-record.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { heightBefore } from "../node/transfers-of-log.ts";
import { applyOwner } from "../receiving/apply-incoming.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A group is looked for again after this time, after twice as long each time. */
export const FIRST_LOOK_MS = 5_000;
/** It is looked for at least so often. */
const LAST_LOOK_MS = 21_600_000;
/** Groups that are looked for at the same moment; the others follow. */
const MAX_LOOKS = 4;

interface Look {
  /** Entries for which it is: with others, it begins again. */
  readonly entries: readonly string[];
  readonly owner: string;
  /** Nothing is there up to this height. */
  readonly seen: number;
  readonly waitMs: number;
  /** When it is due, by the monotonic clock. */
  readonly dueMs: number;
}

/** The looks of one run. */
export class OwnerWatch {
  readonly #context: EngineContext;
  /** Something waits in the outbox. */
  readonly #onQueued: () => void;
  readonly #looks = new Map<ConversationId, Look>();
  #isRunning = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Looks where it is due, and later again. */
  check(): void {
    if (this.#isStopped || this.#isRunning) return;
    this.#cancelTimer?.();
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
      this.#later();
    });
  }

  /** The connection to the node is there again. */
  retryNow(): void {
    for (const [id, look] of this.#looks) this.#looks.set(id, { ...look, dueMs: Number.NEGATIVE_INFINITY, waitMs: FIRST_LOOK_MS });
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    const { registry, clock } = this.#context;
    const passed = registry.passedGroups;
    for (const id of this.#looks.keys()) if (!passed.includes(id)) this.#looks.delete(id);
    const due = passed.filter((id) => this.#lookAt(id) !== undefined && (this.#lookAt(id)?.dueMs ?? 0) <= clock.monotonicMs());
    await Promise.all(due.slice(0, MAX_LOOKS).map((id) => this.#look(id).catch(() => undefined)));
  }

  /** What is known of a group's look; a new one where its entries or its owner are others. */
  #lookAt(id: ConversationId): Look | undefined {
    const record = this.#context.registry.get(id).group?.log;
    if (record === undefined) return undefined;
    const known = this.#looks.get(id);
    if (known?.entries === record.entries) return known;
    const log = openLog(record);
    const { owner } = log.fold.terms;
    // Who owns it again, after another one, does so from a later block on.
    const before = heightBefore(log, this.#context.node);
    const seen = known?.owner === owner ? Math.max(known.seen, before) : before;
    const look = { entries: record.entries, owner, seen, waitMs: FIRST_LOOK_MS, dueMs: Number.NEGATIVE_INFINITY };
    this.#looks.set(id, look);
    return look;
  }

  async #look(id: ConversationId): Promise<void> {
    const { node, clock, writer } = this.#context;
    const look = this.#lookAt(id);
    const record = this.#context.registry.get(id).group?.log;
    const group = groupOf(id);
    if (look === undefined || record === undefined || group === undefined) return;
    const logId = openLog(record).id;
    this.#looks.set(id, { ...look, waitMs: Math.min(2 * look.waitMs, LAST_LOOK_MS), dueMs: clock.monotonicMs() + look.waitMs });
    // An older group has no log that is its own: two of them could continue it.
    if (logId !== group) return;
    const { found, seen, hasMore } = await node.ownerTransfer({ owner: look.owner, logId, after: look.seen });
    const now = this.#looks.get(id);
    if (now?.owner !== look.owner || this.#isStopped) return;
    this.#looks.set(id, { ...now, seen, ...(hasMore && { waitMs: FIRST_LOOK_MS, dueMs: clock.monotonicMs() + FIRST_LOOK_MS }) });
    if (found === undefined) return;
    await writer.run(async () => {
      const change = new Change(this.#context);
      await applyOwner(this.#context, change, { group, transfer: { owner: look.owner, chainId: node.chainId, ...found } });
      await change.commit();
    });
    this.#onQueued();
  }

  #later(): void {
    if (this.#isStopped || this.#looks.size === 0) return;
    const { clock, timers } = this.#context;
    const dueMs = Math.min(...[...this.#looks.values()].map((look) => look.dueMs));
    this.#cancelTimer = timers.setTimer(Math.max(FIRST_LOOK_MS / 5, dueMs - clock.monotonicMs()), () => this.check());
  }
}
