// Asks to be let into groups by invite links, with growing pauses, until there is an answer or seven days are over. Loaded with the first one.
import type { GroupId, GroupJoinBody } from "#shared/content/group-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type GroupLink, linkKey, readGroupLink, signJoinRequest } from "#shared/protocol/groups/group-link.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { type Change, writeChange } from "../changes/change.ts";
import { isLetIn } from "../changes/group-log/log-record.ts";
import {
  ASKING_MS,
  type AskedLink,
  isAsking,
  MAX_ASKED_LINKS,
  nextRequestAt,
  withAsked,
  withoutAsked,
  withoutOldSecrets,
  withRequestSent,
} from "../model/asked-links.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { newId } from "../model/records.ts";
import { dropRequests } from "../receiving/joining/asked-groups.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** It is looked at least so often. */
const LAST_LOOK_MS = 21_600_000;

/** The requests of one run. */
export class Joining {
  readonly #context: EngineContext;
  /** Something waits in the outbox. */
  readonly #onQueued: () => void;
  #isRunning = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /**
   * Asks the admins whom a link names to be let into its group, and again for seven days. Nothing happens where that is done already.
   * @throws CodedError BAD_REQUEST for a text that is no link of this network, a group that one is in, and too many links at once.
   */
  async askToJoin(text: string): Promise<void> {
    const { node, clock, account } = this.#context;
    const read = readGroupLink(text, node.chainId);
    if (read.kind === "none") throw refusal("This is no invite link of a group");
    if (read.kind === "otherNetwork") throw refusal("This invite link is for another network");
    const { group, secret, name } = read.link;
    const key = linkKey(read.link, node.chainId);
    await writeChange(this.#context, async (change) => {
      const nowMs = clock.nowMs();
      if (isLetIn(change.conversation(groupConversation(group)).group, group, account.masterPub))
        throw refusal("You are in this group already");
      const known = change.askedLinks.find((link) => link.group === group);
      if (known?.key === key && known.secret !== "" && isAsking(known, nowMs)) return;
      const others = othersOf(read.link, account.masterPub);
      if (others.length === 0) throw refusal("This invite link names no one else who could answer");
      const link = { group, key, secret: toHex(secret), name, admins: others, askedAt: nowMs, sentAt: 0, times: 0 };
      const after = withAsked(change.askedLinks, link, nowMs);
      if (after === undefined)
        throw new CodedError("BAD_REQUEST", `At most ${MAX_ASKED_LINKS} groups can be asked at once`, {
          details: { count: MAX_ASKED_LINKS },
        });
      change.putAskedLinks(after);
    });
    this.check();
  }

  /** Asks no more, on all own devices; forgets the link, or its refusal. An answer that comes afterwards is a request like others. */
  async endAsking(group: GroupId): Promise<void> {
    const { account, random, clock, outbox } = this.#context;
    await writeChange(this.#context, async (change) => {
      const link = change.askedLinks.find((other) => other.group === group);
      change.putAskedLinks(withoutAsked(change.askedLinks, group));
      dropRequests(outbox, change, group);
      if (link === undefined) return;
      // Programs that do not know it of an own device take it for nothing. Whatever the clock says it is later than the asking.
      const body = { kind: "group.refused", group, key: link.key, reason: "withdrawn" } as const;
      change.queue(account.masterPub, { kind: "join", id: newId(random), at: Math.max(clock.nowMs(), link.askedAt + 1), body });
    });
    this.#onQueued();
  }

  /** Sends what is due, and later again. */
  check(): void {
    if (this.#isStopped || this.#isRunning) return;
    this.#cancelTimer?.();
    this.#isRunning = true;
    void this.#run()
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
        this.#later();
      });
  }

  /** The connection to the node is there again. */
  retryNow(): void {
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    const nowMs = this.#context.clock.nowMs();
    if (!this.#context.registry.askedLinks.some((link) => link.secret !== "" && dueAt(link, nowMs) <= nowMs)) return;
    await writeChange(this.#context, async (change) => {
      for (const link of change.askedLinks) {
        if (link.secret === "" || dueAt(link, nowMs) > nowMs) continue;
        if (nextRequestAt(link, nowMs) === undefined) dropRequests(this.#context.outbox, change, link.group);
        else this.#send(change, link, nowMs);
      }
      change.putAskedLinks(withoutOldSecrets(change.askedLinks, nowMs));
    });
    this.#onQueued();
  }

  /** To the admins, and to own devices, which then take the group. Where the one before is still under way there is no second one. */
  #send(change: Change, link: AskedLink, nowMs: number): void {
    const { account, random, outbox } = this.#context;
    const body = this.#request(link, nowMs);
    const isUnderWay = (person: PublicKeyHex): boolean =>
      outbox.waiting.some(
        ({ record: { peer, task } }) =>
          peer === person && task.kind === "join" && task.body.kind === "group.join" && task.body.key === link.key,
      );
    for (const person of [...link.admins, account.masterPub])
      if (!isUnderWay(person)) change.queue(person, { kind: "join", id: newId(random), at: nowMs, body });
    change.putAskedLinks(withRequestSent(change.askedLinks, link.group, nowMs));
  }

  #request({ group, secret, admins }: AskedLink, at: number): GroupJoinBody {
    const { account, node } = this.#context;
    const link = { group, secret: fromHex(secret) };
    const key = linkKey(link, node.chainId);
    const signature = signJoinRequest(link, { group, key, person: account.masterPub, at }, node.chainId);
    return { kind: "group.join", group, key, at, asked: admins, signature };
  }

  #later(): void {
    const { registry, clock, timers } = this.#context;
    const links = registry.askedLinks.filter(({ secret }) => secret !== "");
    if (this.#isStopped || links.length === 0) return;
    const nowMs = clock.nowMs();
    const dueMs = Math.min(LAST_LOOK_MS, ...links.map((link) => dueAt(link, nowMs) - nowMs));
    this.#cancelTimer = timers.setTimer(Math.max(1_000, dueMs), () => this.check());
  }
}

/** When something is to be done about a link: its next request, or that it is over. */
function dueAt(link: AskedLink, nowMs: number): number {
  const overAt = link.askedAt + ASKING_MS;
  return Math.min(nextRequestAt(link, nowMs) ?? overAt, overAt);
}

/** A former admin who opens their own link asks the others. */
function othersOf({ admins }: GroupLink, me: string): GroupLink["admins"] {
  return admins.filter((admin) => admin !== me);
}

function refusal(message: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field: "link" } });
}
