// Puts interpreted envelopes into the store. Every step is idempotent and no order is assumed: a receipt may come before its
// message, a message twice.
import type { MessageId, SyncChatBody, SyncReadBody, SyncSentBody } from "#shared/content/content.ts";
import { MAX_RECEIPT_IDS } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { type Amendment, amendMessage } from "./amend-message.ts";
import { answerResend, noteOrigin } from "./apply-streams.ts";
import { type Change, isWithPerson } from "./change.ts";
import type { EngineContext } from "./engine-context.ts";
import { applyChunk, dropFile, withTransfer } from "./files.ts";
import { type IncomingMessage, type Interpretation, isAmendment, type Meaning, shownBody } from "./interpret-envelope.ts";
import { keepTimer } from "./keep-timer.ts";
import type { MessageBody, OutgoingState } from "./messenger.ts";
import { advanceState } from "./outbox.ts";
import { type MessageRecord, placedAt } from "./records.ts";

type IncomingContext = Pick<EngineContext, "account" | "store" | "clock" | "outbox" | "streams">;

/** Applies everything of one page and queues the delivery receipts that it calls for. */
export async function applyIncoming(context: IncomingContext, change: Change, items: readonly Interpretation[]): Promise<void> {
  const arrived = new Map<PublicKeyHex, MessageId[]>();
  for (const { meaning, origin } of items) {
    if (origin !== undefined) await noteOrigin(context, change, origin);
    if (meaning.kind === "resend") await answerResend(context, change, { resend: meaning.resend, origin });
    else if (meaning.kind !== "message") await applySignal(context, change, meaning);
    else if (await addIncoming(context, change, meaning)) arrived.set(meaning.author, [...(arrived.get(meaning.author) ?? []), meaning.id]);
  }
  for (const [peer, ids] of arrived) {
    if (change.isStranger(peer)) continue;
    for (const some of chunks(ids)) change.queue(peer, { kind: "receipt", status: "delivered", ids: some });
  }
}

/** Ids in groups that fit in one receipt. */
export function chunks(ids: readonly MessageId[]): readonly (readonly MessageId[])[] {
  const groups: MessageId[][] = [];
  for (let start = 0; start < ids.length; start += MAX_RECEIPT_IDS) groups.push(ids.slice(start, start + MAX_RECEIPT_IDS));
  return groups;
}

async function applySignal(
  context: IncomingContext,
  change: Change,
  item: Exclude<Meaning, IncomingMessage | { readonly kind: "resend" }>,
): Promise<void> {
  switch (item.kind) {
    case "receipt":
      for (const id of item.receipt.ids) await applyReceipt(context, change, { from: item.from, id, status: item.receipt.status });
      return;
    case "amendment":
      return applyAmendment(context, change, item);
    case "chunk":
      return applyChunk(context, change, item);
    case "sent":
      return applySent(context, change, item);
    case "read":
      return markReadElsewhere(context, change, item);
    case "chat":
      return keepChat(change, item.chat, item.at);
    case "blocked":
    case "dropped":
      return;
    default:
      assertNever(item);
  }
}

/** Adds a message of somebody else; true when it is new and its author gets a receipt. */
async function addIncoming(context: IncomingContext, change: Change, item: IncomingMessage): Promise<boolean> {
  const { account, store, clock } = context;
  const key = await store.messageKey(item.author, item.id);
  if (await change.batch.hasSeen(key)) return false;
  const isOwn = item.author === account.masterPub;
  const readEarly = (await change.batch.takeEarly(["mark", item.author, item.id])) === "read";
  const nowMs = clock.nowMs();
  const record: MessageRecord = {
    conversation: item.conversation,
    id: item.id,
    direction: isOwn ? "out" : "in",
    at: arrivalTime(item, nowMs, change.conversation(item.conversation).lastMessage?.at ?? 0),
    body: item.body,
    state: isOwn ? "delivered" : null,
    problem: null,
    isUnread: !isOwn && !readEarly && !isNote(item.body),
    hasReceipts: item.hasReceipts,
    raw: item.raw,
    ...expiryOf(item.expiresInS, isOwn || readEarly ? nowMs : null),
  };
  change.addMessage(key, await amended(change, await withTransfer(change, record, item.author), item.author));
  keepTimer(change, record);
  if (record.isUnread) bringBack(change, item.conversation, nowMs);
  return item.hasReceipts && isWithPerson(item.conversation, account.masterPub);
}

/** True for what is only told, and does not want to be read. */
function isNote({ kind }: MessageBody): boolean {
  return kind === "timer" || kind === "contact.accept";
}

/** An archived conversation returns with a new message, unless it is muted. Every own device does so by itself. */
function bringBack(change: Change, conversation: string, nowMs: number): void {
  const { flags } = change.conversation(conversation);
  if (flags?.isArchived === true && flags.mutedUntil <= nowMs)
    change.updateConversation(conversation, { flags: { ...flags, isArchived: false } });
}

/** The message with the changes that came before it. */
async function amended(change: Change, record: MessageRecord, author: string): Promise<MessageRecord> {
  const waiting = await change.batch.takeAmendments([record.conversation, author, record.id]);
  return waiting.reduce((current, amendment) => amendMessage(current, author, amendment) ?? current, record);
}

function expiryOf(seconds: number | undefined, startedAt: number | null): Pick<MessageRecord, "expiry"> {
  return seconds === undefined ? {} : { expiry: { seconds, startedAt } };
}

/** Clocks may differ by so much: the order of a conversation is the same on all devices as long as they do not differ by more. */
const SKEW_MS = 600_000;

/**
 * The sender's time, unless there is none or it lies far in the future: then the moment of arrival, after what is there already.
 * Other programs state whole seconds: within one second the order of arrival holds.
 */
function arrivalTime(
  { at: claimedMs, id, hasReceipts }: Pick<IncomingMessage, "at" | "id" | "hasReceipts">,
  nowMs: number,
  lastMs: number,
): number {
  if (claimedMs <= 0 || claimedMs > nowMs + SKEW_MS) return Math.max(nowMs, lastMs + 1);
  if (hasReceipts) return placedAt(claimedMs, id);
  return claimedMs % 1000 === 0 && lastMs - (lastMs % 1000) === claimedMs ? lastMs + 1 : claimedMs;
}

interface SingleReceipt {
  readonly from: PublicKeyHex;
  readonly id: MessageId;
  readonly status: "delivered" | "read";
}

/** Only the person a message was sent to can say what became of it. */
async function applyReceipt(
  { account, store, clock }: IncomingContext,
  change: Change,
  { from, id, status }: SingleReceipt,
): Promise<void> {
  const key = await store.messageKey(account.masterPub, id);
  const message = await change.batch.message(key);
  if (message === undefined) {
    if (!change.isStranger(from) && !(await change.batch.hasSeen(key)))
      await change.batch.putEarly(["receipt", from, id], { at: clock.nowMs(), state: status });
    return;
  }
  const advanced = message.conversation === from ? advanceState(message, status) : undefined;
  if (advanced !== undefined) change.updateMessage(key, advanced);
}

/** A change of a message in the conversation with `peer`; kept when the message is not here yet. */
export async function applyAmendment(
  { account, store, clock }: Pick<EngineContext, "account" | "store" | "clock">,
  change: Change,
  { peer, amendment }: { readonly peer: PublicKeyHex; readonly amendment: Amendment },
): Promise<void> {
  const { body, from } = amendment;
  const { author, id } = body.kind === "reaction" ? body.to : { author: from, id: body.id };
  if (author !== peer && author !== account.masterPub) return;
  const key = await store.messageKey(author, id);
  const message = await change.batch.message(key);
  if (message === undefined) {
    if (!change.isStranger(peer) && !(await change.batch.hasSeen(key)))
      await change.batch.putAmendment([peer, author, id], amendment, clock.nowMs());
    return;
  }
  const next = message.conversation === peer ? amendMessage(message, author, amendment) : undefined;
  if (next === undefined || message === undefined) return;
  if (next.body.kind === "deleted") await dropFile(change, message, author);
  change.rewordMessage(key, next);
}

/** What another own device sent. */
async function applySent(
  context: IncomingContext,
  change: Change,
  { sent, expiresInS }: { readonly sent: SyncSentBody; readonly expiresInS: number | undefined },
): Promise<void> {
  const { account, store, clock } = context;
  const { peer, id, at, body } = sent;
  if (isAmendment(body)) return applyAmendment(context, change, { peer, amendment: { from: account.masterPub, at, body } });
  const key = await store.messageKey(account.masterPub, id);
  if (await change.batch.hasSeen(key)) return;
  const early: OutgoingState | undefined = await change.batch.takeEarly(["receipt", peer, id]);
  const record: MessageRecord = {
    conversation: peer,
    id,
    direction: "out",
    at: arrivalTime({ at, id, hasReceipts: true }, clock.nowMs(), change.conversation(peer).lastMessage?.at ?? 0),
    ...shownBody(body),
    state: early ?? (peer === account.masterPub ? "delivered" : "relayed"),
    problem: null,
    isUnread: false,
    hasReceipts: true,
    ...expiryOf(expiresInS, Math.min(at, clock.nowMs())),
  };
  change.addMessage(key, await amended(change, await withTransfer(change, record, account.masterPub), account.masterPub));
  keepTimer(change, record);
}

async function markReadElsewhere(
  { store, clock }: IncomingContext,
  change: Change,
  { read: { peer, ids }, at }: { readonly read: SyncReadBody; readonly at: number },
): Promise<void> {
  for (const id of ids) {
    const key = await store.messageKey(peer, id);
    const message = await change.batch.message(key);
    if (message?.isUnread === true) markRead(change, { key, record: message }, Math.min(at, clock.nowMs()));
    else if (message === undefined && !(await change.batch.hasSeen(key)))
      await change.batch.putEarly(["mark", peer, id], { at: clock.nowMs(), state: "read" });
  }
}

/** Another own device pinned, archived or muted a conversation; the latest holds. */
function keepChat(change: Change, { peer, isPinned, isArchived, mutedUntil }: SyncChatBody, at: number): void {
  const known = change.conversation(peer).flags;
  if (known === undefined || at > known.at) change.updateConversation(peer, { flags: { isPinned, isArchived, mutedUntil, at } });
}

/** Makes an unread message a read one; the time until it disappears begins. */
export function markRead(change: Change, { key, record }: { readonly key: string; readonly record: MessageRecord }, readAt: number): void {
  const { expiry } = record;
  const started = expiry === undefined ? {} : { expiry: { ...expiry, startedAt: expiry.startedAt ?? readAt } };
  change.updateMessage(key, { ...record, isUnread: false, ...started });
  const { unread } = change.conversation(record.conversation);
  change.updateConversation(record.conversation, { unread: Math.max(0, unread - 1) });
}
