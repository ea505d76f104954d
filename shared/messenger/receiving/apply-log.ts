// What comes for the log of a group: entries, requests for them, and what authors of messages know of it. Loaded with the first group.
import type { GroupBody } from "#shared/content/content.ts";
import type { GroupId } from "#shared/content/group-content.ts";
import { MAX_LOG_ENTRIES } from "#shared/protocol/groups/group-log.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import type { Change } from "../changes/change.ts";
import { takeAnswer } from "../changes/chats/group-answers.ts";
import { pictureToSend, takePicture } from "../changes/chats/group-pictures.ts";
import { unawareOf, withAsked } from "../changes/group-log/log-heads.ts";
import { linesOfLog } from "../changes/group-log/log-lines.ts";
import { partsOfLog } from "../changes/group-log/log-parts.ts";
import { joinEntries, joinTransfer, openLog, recordOf, storedEntryOf, withUnsignedDeparture } from "../changes/group-log/log-record.ts";
import { shownTo } from "../changes/group-log/shown-log.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { lineOfDeparture, unawareLine } from "../model/group-lines.ts";
import { type GroupLogRecord, type GroupRecord, stateOf } from "../model/group-state.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { GroupEvent } from "./interpret-envelope.ts";
import { confirmed, storeGroup } from "./store-group.ts";

type LogContext = Pick<EngineContext, "account" | "store" | "clock" | "random">;

/** People who are asked for the bytes of one picture, each once: programs that know no pictures answer without it. */
const MAX_PICTURE_ASKS = 8;

type LogPart = GroupEvent & { readonly inner: GroupBody };

/** What one person has sent of a log, the last part of it with the others that wait; undefined where there are none, or too many entries. */
export function joinParts(waiting: readonly GroupEvent[], last: LogPart): LogPart | undefined {
  const parts = [...waiting.filter((item): item is LogPart => item.from === last.from && "log" in item.inner), last];
  const log = new Set(parts.flatMap(({ inner }) => inner.log ?? []));
  if (parts.length === 1 || log.size > MAX_LOG_ENTRIES) return undefined;
  const [base] = parts.flatMap(({ inner }) => ("base" in inner ? (inner.base ?? []) : []));
  const unlisted = [...new Set(parts.flatMap((part) => part.unlisted ?? []))];
  // Of one chain, in its order; what is there twice counts once.
  const transfers = parts.flatMap((part) => part.transfers ?? []).sort((a, b) => a.height - b.height);
  const pictures = parts.flatMap(({ inner }) => ("picture" in inner ? (inner.picture ?? []) : []));
  const [picture] = pictures;
  const inner = { ...last.inner, log: [...log], ...(base && { base }), ...(picture !== undefined && { picture }) };
  return { ...last, inner, unlisted, transfers };
}

/** Takes entries; undefined when they have to wait: they begin no group that one is in. */
export async function applyEntries(context: LogContext, change: Change, item: LogPart): Promise<readonly [] | undefined> {
  const { group, from, at, inner, unlisted = [], transfers = [] } = item;
  const me = context.account.masterPub;
  const conversation = groupConversation(group.id);
  const known = change.conversation(conversation).group;
  // Who lets one into a group, and an own device, is believed what was before.
  const isBelieved = known === undefined || from === me;
  const isListed = (hash: EntryHash): boolean => isBelieved || !unlisted.includes(hash);
  const incoming = (inner.log ?? []).map((text) => storedEntryOf(text, isListed));
  const sent = inner.kind === "group.state" ? inner.base : undefined;
  const base = sent && { kept: sent.kept.map((text) => storedEntryOf(text, isListed)), state: fromBase64(sent.state) };
  const joined = joinEntries({ known, group: group.id, transfers, base }, incoming, me);
  if (joined === undefined) {
    if (known?.log !== undefined) return [];
    askForEntries(context, change, item);
    return undefined;
  }
  const { record, log, before, isMissing, isMoved } = joined;
  if (known === undefined && record.entries[me]?.standing !== "in") return undefined;
  const data = inner.kind === "group.state" ? inner.picture : undefined;
  const next = takePicture(change, conversation, { before: known, group: confirmed(record, { from, at, me }), data });
  if (next !== known)
    await storeGroup(context, change, { conversation, group: next, lines: linesOfLog(group.id, { log, before, me, isMoved }) });
  if (inner.kind === "group.leave" && log.root !== undefined && record.entries[from]?.standing === "in") {
    // Too old for the log: the box proves who has left.
    await applyUnsignedDeparture(context, change, { item, known: change.conversation(conversation).group ?? record, clock: inner.clock });
  }
  if (isMissing) askForEntries(context, change, item);
  askForPicture(context, change, item);
  return [];
}

/** Takes what the chain says of the owner of a group; false where that changes nothing. */
export async function applyTransfer(
  context: LogContext,
  change: Change,
  { group: id, transfer }: { readonly group: GroupId; readonly transfer: OwnerTransfer },
): Promise<boolean> {
  const me = context.account.masterPub;
  const conversation = groupConversation(id);
  const known = change.conversation(conversation).group;
  const joined = known && joinTransfer(known, transfer, me);
  if (joined === undefined) return false;
  const { record, log, before } = joined;
  await storeGroup(context, change, { conversation, group: record, lines: linesOfLog(id, { log, before, me }) });
  return true;
}

/** A departure without an entry, from an older program; undefined when it has to wait for the entry by which its author came in. */
export async function applyUnsignedDeparture(
  context: LogContext,
  change: Change,
  { item: { group, from, at }, known, clock }: { readonly item: GroupEvent; readonly known: GroupRecord; readonly clock: number },
): Promise<readonly [] | undefined> {
  const { [from]: membership } = known.entries;
  if (membership === undefined) return undefined;
  if (clock < membership.clock) return [];
  if (membership.standing !== "in") return clock === membership.clock ? [] : undefined;
  const entry = { clock, at };
  await storeGroup(context, change, {
    conversation: groupConversation(group.id),
    group: withUnsignedDeparture(known, from, entry),
    lines: [lineOfDeparture(group.id, from, entry)],
  });
  return [];
}

/** Compares what the author of something knows of the log: asks for what is missing here, and says who did not know of a removal. */
export async function noteHeads(context: LogContext, change: Change, item: GroupEvent): Promise<void> {
  const { group, from, heads = [] } = item;
  const conversation = groupConversation(group.id);
  askForPicture(context, change, item);
  const known = change.conversation(conversation).group;
  if (known === undefined || heads.length === 0 || heads.join() === known.log?.heads.join()) return;
  if (known.log === undefined) return askForEntries(context, change, item);
  const log = openLog(known.log);
  const unaware = unawareOf(log, heads, from);
  if (unaware === undefined) return askForEntries(context, change, item);
  if (log.fold.group.picture !== (known.picture?.hash ?? "")) {
    // Of an entry that a program from before there were pictures has stored.
    change.updateConversation(conversation, { group: recordOf(log, known, context.account.masterPub) });
    askForPicture(context, change, item);
  }
  if (item.inner.kind !== "message") return;
  const lines = unaware.map((hash) => unawareLine(group.id, hash, { at: item.at, person: from }));
  if (lines.length > 0) await storeGroup(context, change, { conversation, group: known, lines });
}

/** Sends the log to a person who asks for it: to who is no longer in the group no more than they knew, and that they are not. */
export function sendLog(
  { account, clock, random }: LogContext,
  change: Change,
  { group: { id }, from }: { readonly group: Pick<GroupEvent["group"], "id">; readonly from: PublicKeyHex },
  known: GroupRecord & { readonly log: GroupLogRecord },
): void {
  const nowMs = clock.nowMs();
  const { record, log: shown } = from === account.masterPub ? { record: known, log: openLog(known.log) } : shownTo(known, from);
  const { keeper } = known;
  if (shown === undefined || !takeAnswer(change, { conversation: groupConversation(id), group: known, person: from, nowMs })) return;
  for (const [index, part] of partsOfLog(shown).entries()) {
    const body = { ...stateOf(record), ...part };
    const picture = index === 0 ? pictureToSend(record) : {};
    change.queue(from, { kind: "group", id: newId(random), at: nowMs, body, group: { id, keeper }, ...picture });
  }
}

/** Asks who sent something for the picture that the log names, where its bytes did not come. */
function askForPicture(context: LogContext, change: Change, item: GroupEvent): void {
  const conversation = groupConversation(item.group.id);
  const { picture, entries } = change.conversation(conversation).group ?? {};
  const isMember = entries?.[context.account.masterPub]?.standing === "in";
  if (picture === undefined || picture.isHere || !isMember || change.isStranger(conversation)) return;
  if (picture.askedOf.length >= MAX_PICTURE_ASKS || picture.askedOf.includes(item.from)) return;
  askForEntries(context, change, item);
  const { group } = change.conversation(conversation);
  if (group?.asked?.[item.from] === undefined) return;
  change.updateConversation(conversation, { group: { ...group, picture: { ...picture, askedOf: [...picture.askedOf, item.from] } } });
}

/** Asks who sent something for the entries that they know, where they are in the group as far as is known here. */
function askForEntries({ account, clock, random }: LogContext, change: Change, { group: { id }, from }: GroupEvent): void {
  const conversation = groupConversation(id);
  const { group } = change.conversation(conversation);
  const nowMs = clock.nowMs();
  const asking = group && withAsked(group, from, { me: account.masterPub, nowMs });
  if (asking === undefined) return;
  change.updateConversation(conversation, { group: asking });
  change.queue(from, { kind: "group", id: newId(random), at: nowMs, body: { kind: "group.ask" }, group: { id, keeper: asking.keeper } });
}
