// What becomes of invite links by which this person has asked to be let into groups: a log comes, a refusal, or another own device has asked.
// Loaded with the first of them.
import type { BodyOf } from "#shared/content/content.ts";
import type { GroupId } from "#shared/content/group-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Change } from "../../changes/change.ts";
import { isLetIn } from "../../changes/group-log/log-record.ts";
import { isAsking, withAsked, withoutAsked, withRefusal } from "../../model/asked-links.ts";
import { groupConversation } from "../../model/conversation-id.ts";
import { claimedNameLine } from "../../model/group-lines.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { storeGroup } from "../store-group.ts";

type AskedContext = Pick<EngineContext, "account" | "store" | "clock" | "outbox">;

/** A time that another own device can not have meant. */
const LEAD_MS = 600_000;

/** Another own device asks by a link: this one takes the group without another question, and never sees the secret. */
export async function noteAsked(context: AskedContext, change: Change, { group, key, at, asked: admins }: BodyOf<"join">): Promise<void> {
  const { account, clock } = context;
  const nowMs = clock.nowMs();
  const known = change.askedLinks.find((link) => link.group === group);
  if (at > nowMs + LEAD_MS || (known !== undefined && (at <= known.askedAt || (known.key === key && isAsking(known, nowMs))))) return;
  const conversation = groupConversation(group);
  if (isLetIn(change.conversation(conversation).group, group, account.masterPub)) {
    // It has let one in before this device has heard that it was asked.
    change.updateConversation(conversation, { hasSent: true });
    return;
  }
  const link = { group, key, secret: "", name: "", admins, askedAt: at, sentAt: at, times: 1 };
  change.putAskedLinks(withAsked(change.askedLinks, link, nowMs) ?? change.askedLinks);
}

/** One of those who were asked says that the link lets no one in any more. */
export function takeRefusal(
  { outbox }: Pick<EngineContext, "outbox">,
  change: Change,
  { from, refusal: { group, key, reason } }: { readonly from: PublicKeyHex; readonly refusal: BodyOf<"refusal"> },
): void {
  const after = withRefusal(change.askedLinks, { group, key, from, reason });
  if (after === change.askedLinks) return;
  change.putAskedLinks(after);
  dropRequests(outbox, change, group);
}

/** Another own device ended the asking: this one asks no more, and takes no group without a question that comes then. */
export function endAsked(
  { outbox }: Pick<EngineContext, "outbox">,
  change: Change,
  { ended: { group, key }, at }: { readonly ended: BodyOf<"refusal">; readonly at: number },
): void {
  const isMeant = change.askedLinks.some((link) => link.group === group && link.key === key && link.askedAt <= at);
  if (!isMeant) return;
  change.putAskedLinks(withoutAsked(change.askedLinks, group));
  dropRequests(outbox, change, group);
}

/** A group that has let one in and was asked for stands among the chats; it says by which name the link called it, where that is another one. */
export async function settleAsked(context: AskedContext, change: Change, group: GroupId): Promise<void> {
  const conversation = groupConversation(group);
  const link = change.askedLinks.find((other) => other.group === group);
  const record = change.conversation(conversation).group;
  if (link === undefined || record === undefined || !isLetIn(record, group, context.account.masterPub)) return;
  change.updateConversation(conversation, { hasSent: true });
  change.putAskedLinks(withoutAsked(change.askedLinks, group));
  dropRequests(context.outbox, change, group);
  if (link.name === "" || link.name === record.name.text) return;
  const at = Math.max(context.clock.nowMs(), change.conversation(conversation).lastMessage?.at ?? 0) + 1;
  const line = claimedNameLine(group, link.key, { at, name: link.name });
  await storeGroup(context, change, { conversation, group: record, lines: [line] });
}

/** Requests that wait and have no place in any chain yet are not sent any more. */
export function dropRequests(outbox: EngineContext["outbox"], change: Change, group: GroupId): void {
  for (const { record } of outbox.waiting) {
    const { seq, task, places, given } = record;
    const isRequest = task.kind === "join" && task.body.kind === "group.join" && task.body.group === group;
    if (isRequest && places === undefined && given === undefined) change.deleteOutbox(seq);
  }
}
