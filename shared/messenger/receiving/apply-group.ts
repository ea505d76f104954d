// What comes for a group: its state, departures, and what its members write. What cannot be judged yet, because the group or its
// author is not known here, waits until a state comes that says more.

import type { BodyOf, GroupBody, KindRole } from "#shared/content/content.ts";
import type { GroupStateBody } from "#shared/content/group-content.ts";
import type { Change } from "../changes/change.ts";
import { takeAnswer } from "../changes/chats/group-answers.ts";
import { storeChatFlags } from "../changes/chats/store-chat-flags.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { lineOfDeparture, linesOfState } from "../model/group-lines.ts";
import { isBegun, isClockPlausible, mayWrite, stateOf, withDeparture, withState } from "../model/group-state.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { addIncoming, applyAmendment, applySent } from "./apply-message.ts";
import type { GroupEvent, IncomingMessage } from "./interpret-envelope.ts";
import { confirmed, storeGroup } from "./store-group.ts";

type GroupContext = Pick<
  EngineContext,
  "account" | "store" | "clock" | "random" | "outbox" | "mailboxTime" | "node" | "slower" | "undoable"
>;

/** Contents that wait for the state of one group. */
const MAX_WAITING = 128;
/** An admin that does not respond is asked again after this time. */
const ASK_AGAIN_MS = 3_600_000;

interface Waiting {
  readonly askedAt: number;
  readonly items: readonly GroupEvent[];
}

/** Applies something that belongs to a group; returns the messages of others that were added. */
export async function applyGroup(context: GroupContext, change: Change, item: GroupEvent): Promise<readonly IncomingMessage[]> {
  const { inner } = item;
  const conversation = groupConversation(item.group.id);
  const before = change.conversation(conversation).group;
  if (inner.kind === "group.ask") return sendState(context, change, item);
  if (inner.kind === "sync.link") {
    if (before === undefined) await wait(context, change, item);
    else await (await import("./joining/apply-join.ts")).takeLink(context, change, { group: item.group.id, text: inner.text });
    return [];
  }
  if (inner.kind === "chat") {
    storeChatFlags(change, conversation, { flags: inner.chat, at: item.at });
    return [];
  }
  if (inner.kind === "star") {
    await applyAmendment(context, change, { conversation, amendment: inner.star });
    return [];
  }
  const isUpdate = inner.kind === "group.state" || inner.kind === "group.leave";
  const arrived = isUpdate
    ? ((await applyGroupUpdate(context, change, { ...item, inner })) ?? (await applyParts(context, change, { ...item, inner })))
    : await applyContent(context, change, { ...item, inner });
  if (arrived === undefined) await wait(context, change, item);
  const isChanged = change.conversation(conversation).group !== before;
  if (isChanged && change.askedLinks.some(({ group }) => group === item.group.id))
    await (await import("./joining/asked-groups.ts")).settleAsked(context, change, item.group.id);
  return [...(arrived ?? []), ...(isChanged ? await release(context, change, item) : [])];
}

/** Takes a state or a departure, or undefined when it has to wait. */
async function applyGroupUpdate(
  context: GroupContext,
  change: Change,
  item: GroupEvent & { readonly inner: GroupBody },
): Promise<readonly [] | undefined> {
  const { group, from, at, inner } = item;
  const me = context.account.masterPub;
  const conversation = groupConversation(group.id);
  const known = change.conversation(conversation).group;
  if (inner.log !== undefined) return (await import("./apply-log.ts")).applyEntries(context, change, item);
  if (known !== undefined && !isClockPlausible(known, inner)) return [];
  if (known?.log !== undefined) {
    // A state proves nothing where there is a log; a departure needs no right.
    const { applyUnsignedDeparture } = await import("./apply-log.ts");
    return inner.kind === "group.leave" ? applyUnsignedDeparture(context, change, { item, known, clock: inner.clock }) : [];
  }
  if (inner.kind === "group.state") {
    if (!isBegun(inner, context.clock.nowMs())) return undefined;
    const taken = withState(known, inner, { author: from, me, isOwn: from === me });
    if (taken === undefined) return undefined;
    const next = confirmed(taken, { from, at, me });
    await storeGroup(context, change, { conversation, group: next, lines: linesOfState(group.id, inner, { me, joined: next.joined }) });
    return [];
  }
  if (known?.entries[from] === undefined) return undefined;
  const entry = { clock: inner.clock, at };
  await storeGroup(context, change, {
    conversation,
    group: withDeparture(known, from, entry),
    lines: [lineOfDeparture(group.id, from, entry)],
  });
  return [];
}

/**
 * The log of a group that is not known yet may come in several contents, in any order: all that one person has sent is taken together.
 * Undefined where that is not enough, or there is nothing to join.
 */
async function applyParts(
  context: GroupContext,
  change: Change,
  item: GroupEvent & { readonly inner: GroupBody },
): Promise<readonly [] | undefined> {
  const key = ["group", item.group.id];
  if (item.inner.log === undefined || change.conversation(groupConversation(item.group.id)).group !== undefined) return undefined;
  const known = (await change.batch.takeWaiting(key)) as Waiting | undefined;
  if (known === undefined) return undefined;
  await change.batch.putWaiting(key, known, { nowMs: context.clock.nowMs(), isFading: true });
  const { applyEntries, joinParts } = await import("./apply-log.ts");
  const whole = joinParts(known.items, item);
  return whole && applyEntries(context, change, whole);
}

/** Takes what a member wrote, or undefined when it has to wait. */
async function applyContent(
  context: GroupContext,
  change: Change,
  item: GroupEvent & { readonly inner: Exclude<GroupEvent["inner"], BodyOf<KindRole> | { readonly kind: "chat" | "star" }> },
): Promise<readonly IncomingMessage[] | undefined> {
  const { group, from, at, heads, inner } = item;
  const conversation = groupConversation(group.id);
  const known = change.conversation(conversation).group;
  const me = context.account.masterPub;
  const nowMs = context.clock.nowMs();
  if (known === undefined) return undefined;
  if (inner.kind === "sent") {
    await applySent(context, change, { ...inner, conversation });
    return [];
  }
  if (!mayWrite(known, from, { at, nowMs }) || !mayWrite(known, me, { at, nowMs })) return undefined;
  if (heads !== undefined && from !== me) await (await import("./apply-log.ts")).noteHeads(context, change, item);
  if (inner.kind === "message") return (await addIncoming(context, change, inner)) ? [inner] : [];
  await applyAmendment(context, change, { conversation, amendment: inner.amendment });
  return [];
}

/** Stores what cannot be judged yet, and asks the admin of a group that is not known. */
async function wait(context: GroupContext, change: Change, item: GroupEvent): Promise<void> {
  const { clock } = context;
  const { group, from } = item;
  const nowMs = clock.nowMs();
  const known = (await change.batch.takeWaiting(["group", group.id])) as Waiting | undefined;
  const items = known?.items ?? [];
  const isForgotten = change.conversation(groupConversation(group.id)).group === undefined;
  const mayAsk =
    isForgotten && Math.abs(nowMs - (known?.askedAt ?? 0)) > ASK_AGAIN_MS && (change.isKnown(from) || change.isKnown(group.keeper));
  if (mayAsk) change.queue(group.keeper, { kind: "group", id: newId(context.random), at: nowMs, body: { kind: "group.ask" }, group });
  const next: Waiting = {
    askedAt: mayAsk ? nowMs : (known?.askedAt ?? 0),
    items: items.length < MAX_WAITING ? [...items, item] : items,
  };
  await change.batch.putWaiting(["group", group.id], next, { nowMs, isFading: true });
}

/** Applies what has waited, as far as it can be judged now; returns the messages of others that were added. */
export async function release(
  context: GroupContext,
  change: Change,
  { group }: { readonly group: Pick<GroupEvent["group"], "id"> },
): Promise<readonly IncomingMessage[]> {
  const known = (await change.batch.takeWaiting(["group", group.id])) as Waiting | undefined;
  const arrived: IncomingMessage[] = [];
  for (const item of known?.items ?? []) arrived.push(...(await applyGroup(context, change, item)));
  return arrived;
}

/** Sends the state to a person it is about who asks its admin, and to one's own other devices; a log to anyone whom it names. */
async function sendState(context: GroupContext, change: Change, item: GroupEvent): Promise<readonly IncomingMessage[]> {
  const { account, clock, random } = context;
  const { group, from } = item;
  const known = change.conversation(groupConversation(group.id)).group;
  if (known === undefined) return [];
  const { log } = known;
  if (log !== undefined) {
    (await import("./apply-log.ts")).sendLog(context, change, item, { ...known, log });
    return [];
  }
  const mayKnow = from === account.masterPub || (known.keeper === account.masterPub && known.entries[from] !== undefined);
  const body: GroupStateBody = stateOf(known);
  const nowMs = clock.nowMs();
  if (mayKnow && takeAnswer(change, { conversation: groupConversation(group.id), group: known, person: from, nowMs }))
    change.queue(from, {
      kind: "group",
      id: newId(random),
      at: nowMs,
      body,
      group: { id: group.id, keeper: known.keeper },
    });
  return [];
}
