// Shortens the logs of groups that this person owns: writes a base once there are enough entries since the last one, and every device of
// every member reads bases. Loaded with the first log that is long enough.
import { BASE_LOG_VERSION, LINK_LOG_VERSION, LITTLE_ROOM_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import { isBaseDue } from "#shared/protocol/groups/group-log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { openLog } from "../changes/group-log/log-record.ts";
import { notReadingLogs } from "../changes/pairs/log-readers.ts";
import { writeBase } from "../commands/change-group.ts";
import { type GroupLogRecord, type GroupRecord, isUnconfirmed, membersOf } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A group is looked at again after this time: what was missing may be there. */
export const AGAIN_MS = 60_000;

/** After this time a payment that passes a group on is in a block, or blocks do not take it any more. */
const SETTLED_MS = 7_200_000;

interface Look {
  readonly entries: readonly string[];
  /** By the monotonic clock. */
  readonly atMs: number;
  /** Whether a base is due with these entries. */
  readonly isDue: boolean;
}

/** The bases of one run. */
export class BaseWriter {
  readonly #context: EngineContext;
  /** Something waits in the outbox. */
  readonly #onQueued: () => void;
  readonly #looks = new Map<ConversationId, Look>();
  #isRunning = false;
  #isStopped = false;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Writes what is due. */
  check(): void {
    if (this.#isStopped || this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** The connection to the node is there again. */
  retryNow(): void {
    this.#looks.clear();
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    const { registry, account, writer } = this.#context;
    const groups = registry.longGroups(account.masterPub);
    for (const id of this.#looks.keys()) if (!groups.includes(id)) this.#looks.delete(id);
    for (const id of groups) {
      if (!this.#isWanted(id)) continue;
      // What a locked wallet, or a node that is away, keeps from being done is tried again later.
      await this.#write(id, (step) => writer.run(step)).catch(() => undefined);
    }
  }

  /** Once for the same entries where nothing is due, else, and where there is little room, once a minute. */
  #isWanted(id: ConversationId): boolean {
    const look = this.#looks.get(id);
    if (look === undefined || look.entries !== this.#context.registry.get(id).group?.log?.entries) return true;
    return (look.isDue || look.entries.length >= LITTLE_ROOM_ENTRIES) && this.#context.clock.monotonicMs() - look.atMs >= AGAIN_MS;
  }

  async #write(id: ConversationId, run: (step: () => Promise<void>) => Promise<void>): Promise<void> {
    const { registry, account, clock } = this.#context;
    const { group } = registry.get(id);
    if (group?.log === undefined) return;
    const { devices } = await this.#context.directory.get(account.masterPub);
    const rank = Math.max(0, [...devices].sort().indexOf(account.devicePub));
    const isDue = isBaseDue(openLog(group.log), rank, clock.nowMs());
    this.#looks.set(id, { entries: group.log.entries, atMs: clock.monotonicMs(), isDue });
    if (
      !isDue ||
      !isSettled(group, account.masterPub, clock.nowMs()) ||
      (await notReadingLogs(this.#context, membersOf(group), neededFor(group.log))) !== undefined
    )
      return;
    await run(async () => {
      const now = registry.get(id).group;
      if (!this.#isStopped && now?.log?.entries === group.log?.entries && now !== undefined) await writeBase(this.#context, id, now);
    });
    this.#onQueued();
  }
}

/** Nothing is under way that a base would come beside: another owner, or what a backup did not know. */
function isSettled(group: GroupRecord, me: PublicKeyHex, nowMs: number): boolean {
  const isPassedOn = group.successor !== undefined && Math.abs(nowMs - group.successor.at) < SETTLED_MS;
  return !isPassedOn && !isUnconfirmed(group, me);
}

/** Version of logs in which a base of this one would be true: who came by a link that did not hold is in the group for who knows no links. */
function neededFor(log: GroupLogRecord): number {
  const { entries, fold } = openLog(log);
  const isByLink = entries.some(({ entry: { change } }) => change.op === "invite" || change.op === "admit");
  return isByLink || fold.group.links.length > 0 ? LINK_LOG_VERSION : BASE_LOG_VERSION;
}
