// Puts single messages and changes of messages into the store, of people and of one's own other devices. Idempotent, in any order.
import { hasRole, type MessageId, type MessageReference, type SyncSentBody } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Change, isWithPerson } from "../changes/change.ts";
import { followAnswers, tied, untieAnswers } from "../changes/chats/answers.ts";
import { beginTimes } from "../changes/chats/begin-time.ts";
import { storeTimer } from "../changes/chats/store-timer.ts";
import { dropFile, withTransfer } from "../changes/files/files.ts";
import { isHeld, shownBody } from "../changes/files/shown-body.ts";
import { claimPayment, indexPayment } from "../changes/payment-index.ts";
import { storeOwnName } from "../changes/profiles.ts";
import { asSentByOtherDevice } from "../changes/sent-by-other-device.ts";
import { type Amendment, amendMessage } from "../model/amend-message.ts";
import { hasTrait } from "../model/body-traits.ts";
import { groupOf } from "../model/conversation-id.ts";
import { mayChange, othersIn, withKnownMentions } from "../model/group-state.ts";
import type { ConversationId, MessageKey, OutgoingState } from "../model/message.ts";
import { type OwnPayment, withOwnPayment } from "../model/payments.ts";
import { begunAt } from "../model/progress/message-time.ts";
import { stateOfAll } from "../model/progress/outgoing-state.ts";
import { type MessageRecord, namesPerson, orderedAt } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { IncomingMessage } from "./interpret-envelope.ts";

type MessageContext = Pick<EngineContext, "account" | "store" | "clock" | "mailboxTime" | "outbox" | "slower" | "undoable">;

/** Something that another own device sent. */
export interface SentMessage {
  readonly conversation: ConversationId;
  readonly sent: Pick<SyncSentBody, "id" | "at" | "body">;
  readonly expiresInS: number | undefined;
  /** The device, where it is known. */
  readonly device?: X25519KeyHex;
}

/** Adds a message of another person; true when it is new and its author gets a receipt. */
export async function addIncoming(context: MessageContext, change: Change, item: IncomingMessage): Promise<boolean> {
  const { account, store, clock } = context;
  const key = await store.messageKey(item.author, item.id);
  if (await change.batch.hasSeen(key)) {
    await noteGoneAgain(change, key, item);
    await noteArrived(change, key, clock.nowMs());
    return false;
  }
  const isOwn = item.author === account.masterPub;
  const lastAt = change.conversation(item.conversation).lastMessage?.at ?? 0;
  const readEarly = (await change.batch.takeEarly(["mark", item.author, item.id])) === "read";
  const nowMs = clock.nowMs();
  const lateMs = isOwn ? 0 : latenessMs(context, item, nowMs);
  const record: MessageRecord = {
    conversation: item.conversation,
    id: item.id,
    direction: isOwn ? "out" : "in",
    ...(isOwn || groupOf(item.conversation) === undefined ? {} : { author: item.author }),
    at: arrivalTime(lateMs > MAX_LATE_MS ? { ...item, at: 0 } : item, nowMs, lastAt),
    body: withKnownMentions(change.conversation(item.conversation).group, await countedReceipt(context, change, item)),
    state: isOwn ? "delivered" : null,
    problem: null,
    isUnread: !isOwn && !readEarly && !hasTrait(item.body, "isNote"),
    hasReceipts: item.hasReceipts,
    raw: item.raw,
    ...holderOf(item),
    ...expiryOf(context, item.expiresInS, isOwn || readEarly),
    ...(isOwn ? {} : arrivalOf(nowMs, lateMs)),
  };
  if (!isOwn) change.batch.addArrival(key, item.conversation, nowMs);
  const complete = await withWaitingPayment(change, key, await withTransfer(change, record, { author: item.author, key }));
  await addWhole(context, change, { key, record: complete, author: item.author });
  await indexPayment(store, change, key, record);
  storeTimer(change, record);
  if (record.isUnread) bringBack(change, record, { me: account.masterPub, nowMs });
  return item.hasReceipts && !isOwn && isWithOthers(item.conversation, account.masterPub);
}

/** Of a large file the device that sent it. */
function holderOf({ holder }: Pick<IncomingMessage, "holder">): Pick<MessageRecord, "holder"> {
  return holder === undefined ? {} : { holder };
}

/**
 * An own device was faster than the author: it transferred a message that had come there already. Programs hear of it now, as of all that
 * comes.
 */
async function noteArrived(change: Change, key: MessageKey, nowMs: number): Promise<void> {
  const known = await change.batch.message(key);
  if (known?.isRestored !== true) return;
  const { isRestored: _, ...record } = known;
  change.updateMessage(key, record);
  if (record.body.kind !== "deleted") change.batch.addArrival(key, record.conversation, nowMs);
}

/** A copy came of what is gone here: nothing may open that one either. */
async function noteGoneAgain(change: Change, key: MessageKey, { author, id }: Pick<IncomingMessage, "author" | "id">): Promise<void> {
  const known = await change.batch.message(key);
  if (known === undefined || known.body.kind === "deleted") change.noteGone(author, id);
}

/** So it is with the words of an edit. */
async function noteEditOfGone(
  change: Change,
  key: MessageKey,
  { body, ...message }: Pick<IncomingMessage, "author" | "id"> & Pick<Amendment, "body">,
): Promise<void> {
  if (body.kind === "edit" && (await change.batch.hasSeen(key))) await noteGoneAgain(change, key, message);
}

function arrivalOf(arrivedAt: number, lateMs: number): Pick<MessageRecord, "arrivedAt" | "isLate"> {
  return lateMs > SKEW_MS ? { arrivedAt, isLate: true } : { arrivedAt };
}

/** How much later than it claims a message can have come at the earliest. */
function latenessMs({ mailboxTime }: MessageContext, { at }: IncomingMessage, nowMs: number): number {
  return at <= 0 ? 0 : mailboxTime.earliestMs(nowMs) - at;
}

/** The conversation has another person whose identity is proven. */
function isWithOthers(id: ConversationId, me: PublicKeyHex): boolean {
  return groupOf(id) !== undefined || isWithPerson(id, me);
}

/**
 * An archived conversation returns with a new message, unless it rings no bell, or is of strangers: those were declined. Every own device does
 * so by itself.
 */
function bringBack(change: Change, record: MessageRecord, { me, nowMs }: { readonly me: PublicKeyHex; readonly nowMs: number }): void {
  const { flags } = change.conversation(record.conversation);
  if (flags?.isArchived !== true || change.isStranger(record.conversation)) return;
  const rings = flags.mutedUntil <= nowMs || (flags.mutesMentions !== true && namesPerson(record, me));
  if (rings) change.updateConversation(record.conversation, { flags: { ...flags, isArchived: false } });
}

/** Adds a message as it is by what came before it. */
async function addWhole(
  context: Pick<MessageContext, "account" | "store" | "outbox" | "undoable">,
  change: Change,
  message: { readonly key: MessageKey; readonly record: MessageRecord; readonly author: string },
): Promise<void> {
  const { key, author } = message;
  const record = await tied(context, change, { key, record: await amended(context, change, message) });
  change.addMessage(key, record);
  await followAnswers(context, change, { author, record });
}

/** The message with the changes that came before it. */
export async function amended(
  context: Pick<MessageContext, "account" | "store">,
  change: Change,
  { key, record, author }: { readonly key: MessageKey; readonly record: MessageRecord; readonly author: string },
): Promise<MessageRecord> {
  const waiting = await change.batch.takeAmendments([record.conversation, author, record.id]);
  const counted = await Promise.all(waiting.map((amendment) => countsHere(context, change, { amendment, key })));
  return waiting
    .filter((_, index) => counted[index])
    .reduce((current, amendment) => amendMessage(current, author, amendment) ?? current, record);
}

/** `isBegun`: its time begins now. */
function expiryOf(
  { slower }: Pick<MessageContext, "slower">,
  seconds: number | undefined,
  isBegun: boolean,
): Pick<MessageRecord, "expiry"> {
  return seconds === undefined ? {} : { expiry: { seconds, ...(isBegun ? begunAt(slower.now()) : { startedAt: null }) } };
}

/** Clocks may differ by so much: the order of a conversation is the same on all devices as long as they do not differ by more. */
const SKEW_MS = 600_000;
/** A message that came later than this after it claims to be written is placed where it came: nothing is put above an old answer. */
const MAX_LATE_MS = 86_400_000;

/**
 * The sender's time, unless there is none or it lies far in the future: then the moment of arrival, after what is there already.
 * Other programs state whole seconds: within one second the order of arrival holds.
 */
export function arrivalTime(
  { at: claimedMs, id, hasReceipts }: Pick<IncomingMessage, "at" | "id" | "hasReceipts">,
  nowMs: number,
  lastMs: number,
): number {
  if (claimedMs <= 0 || claimedMs > nowMs + SKEW_MS) return Math.max(nowMs, lastMs + 1);
  if (hasReceipts) return orderedAt(claimedMs, id);
  return claimedMs % 1000 === 0 && lastMs - (lastMs % 1000) === claimedMs ? lastMs + 1 : claimedMs;
}

/** A change of a message in a conversation; stored when the message is not here yet. */
export async function applyAmendment(
  context: MessageContext,
  change: Change,
  { conversation, amendment: claimed }: { readonly conversation: ConversationId; readonly amendment: Amendment },
): Promise<void> {
  const { account, store, clock, mailboxTime } = context;
  const { from } = claimed;
  const body = withKnownMentions(change.conversation(conversation).group, claimed.body);
  const nowMs = clock.nowMs();
  const arrival =
    from === account.masterPub ? {} : { arrival: { earliestMs: mailboxTime.earliestMs(Math.min(claimed.cameAt ?? nowMs, nowMs)), nowMs } };
  const amendment = { ...claimed, body, ...arrival };
  const { author, id } = "to" in body ? body.to : { author: from, id: body.id };
  if (!concerns(change, conversation, { author, me: account.masterPub, claimed })) return;
  const key = await store.messageKey(author, id);
  const message = await change.batch.message(key);
  await noteEditOfGone(change, key, { author, id, body });
  if (message === undefined) return keepForMessage(context, change, { conversation, key, to: { author, id }, amendment });
  const isCounted = await countsHere({ account, store }, change, { amendment, key });
  const next = isCounted && message.conversation === conversation ? amendMessage(message, author, amendment) : undefined;
  if (next === undefined || message === undefined) return;
  if (next.body.kind === "deleted") await dropFile(change, message, author);
  if (next.body === message.body) change.updateMessage(key, next);
  else change.rewordMessage(key, next);
  await followAnswers(context, change, { author, record: next });
}

/** A change of a message that is not here. Answers may have come to one who never gets it: they lose what its author takes back. */
async function keepForMessage(
  context: Pick<MessageContext, "clock" | "outbox">,
  change: Change,
  waiting: {
    readonly conversation: ConversationId;
    readonly key: MessageKey;
    readonly to: MessageReference;
    readonly amendment: Amendment;
  },
): Promise<void> {
  const { conversation, key, to, amendment } = waiting;
  if (amendment.body.kind === "delete" && amendment.from === to.author) await untieAnswers(context, change, to);
  if (!change.isStranger(conversation) && !(await change.isGone(key)))
    await change.batch.putAmendment([conversation, to.author, to.id], amendment, context.clock.nowMs());
}

/** True for a change of a message of this conversation by one who may make it: pins of a group are up to those who may change it. */
function concerns(
  change: Change,
  conversation: ConversationId,
  { author, me, claimed }: { readonly author: string; readonly me: PublicKeyHex; readonly claimed: Amendment },
): boolean {
  if (groupOf(conversation) === undefined) return author === conversation || author === me;
  const { group } = change.conversation(conversation);
  return claimed.body.kind !== "pin" || (group !== undefined && mayChange(group, claimed.from));
}

/** False for a payment that its payer has named for something else before. */
async function countsHere(
  { account, store }: Pick<MessageContext, "account" | "store">,
  change: Change,
  { amendment: { body, from }, key }: { readonly amendment: Amendment; readonly key: MessageKey },
): Promise<boolean> {
  if (body.kind !== "pay.share" || from === account.masterPub) return true;
  return claimPayment(store, change, { payer: from, txId: body.txId, key });
}

/** A receipt of another person; it answers no request where its payment was named for something else before. */
async function countedReceipt(
  { account, store }: Pick<MessageContext, "account" | "store">,
  change: Change,
  { author, body }: Pick<IncomingMessage, "author" | "body">,
): Promise<IncomingMessage["body"]> {
  if (body.kind !== "pay.receipt" || body.request === null || author === account.masterPub) return body;
  const key = await store.messageKey(account.masterPub, body.request);
  return (await claimPayment(store, change, { payer: author, txId: body.txId, key })) ? body : { ...body, request: null };
}

/** What another own device sent into a conversation. */
export async function applySent(
  context: MessageContext,
  change: Change,
  { conversation, sent, expiresInS, device }: SentMessage,
): Promise<void> {
  const { account, store, clock } = context;
  const { id, at, body } = sent;
  if (hasRole(body, "group")) return;
  if (body.kind === "profile") {
    const { name, picture } = body;
    const me = account.masterPub;
    storeOwnName(change, conversation, { me, chosen: { name, at }, pictureAt: picture?.at });
    if (picture !== undefined && conversation === me)
      await (await import("../changes/chats/profile-pictures.ts")).storeOwnPicture(change, me, picture);
    return;
  }
  if (hasRole(body, "amendment"))
    return applyAmendment(context, change, { conversation, amendment: { from: account.masterPub, at, body } });
  const key = await store.messageKey(account.masterPub, id);
  if (await change.batch.hasSeen(key)) {
    const known = await change.batch.message(key);
    if (known?.isElsewhere === true) {
      change.updateMessage(key, asSentByOtherDevice(known));
      await beginTimes(context, change, [key]);
    }
    await noteGoneAgain(change, key, { author: account.masterPub, id });
    return;
  }
  const record: MessageRecord = {
    conversation,
    id,
    direction: "out",
    at: arrivalTime({ at, id, hasReceipts: true }, clock.nowMs(), change.conversation(conversation).lastMessage?.at ?? 0),
    ...shownBody(body),
    ...(await sentState(context, change, { conversation, id })),
    problem: null,
    isUnread: false,
    hasReceipts: true,
    ...(device !== undefined && { sentBy: device, ...(isHeld(body) && { holder: device }) }),
    // It may have waited for days where it was written.
    ...expiryOf(context, expiresInS, true),
  };
  const complete = await withTransfer(change, record, { author: account.masterPub, key });
  await addWhole(context, change, { key, record: complete, author: account.masterPub });
  storeTimer(change, record);
  await indexPayment(store, change, key, record);
  if (body.kind === "pay.receipt" && body.request !== null) {
    const request = await store.messageKey(conversation, body.request);
    await noteOwnPayment(change, request, { txId: body.txId, at: record.at }, clock.nowMs());
  }
}

/** Another own device has paid: the request says so, now or when it comes. */
async function noteOwnPayment(change: Change, request: MessageKey, payment: OwnPayment, nowMs: number): Promise<void> {
  const asked = await change.batch.message(request);
  if (asked === undefined) {
    if (!(await change.batch.hasSeen(request))) await change.batch.putWaiting(["payment", request], payment, { nowMs, isFading: false });
    return;
  }
  const marked = withOwnPayment(asked, payment);
  if (marked !== undefined) change.updateMessage(request, marked);
}

/** A request with the payment of another own device that came before it. */
async function withWaitingPayment(change: Change, key: MessageKey, record: MessageRecord): Promise<MessageRecord> {
  if (record.body.kind !== "pay.request") return record;
  const waiting = (await change.batch.takeWaiting(["payment", key])) as OwnPayment | undefined;
  return (waiting && withOwnPayment(record, waiting)) ?? record;
}

/** How far a message is that another own device has sent, with the receipts that came before it. */
async function sentState(
  { account }: MessageContext,
  change: Change,
  { conversation, id }: { readonly conversation: ConversationId; readonly id: MessageId },
): Promise<Pick<MessageRecord, "state" | "deliveries">> {
  const early = (peer: PublicKeyHex): Promise<OutgoingState | undefined> => change.batch.takeEarly(["receipt", peer, id]);
  if (conversation === account.masterPub) return { state: "delivered" };
  const { group } = change.conversation(conversation);
  if (group === undefined) return { state: (await early(conversation)) ?? "relayed" };
  const deliveries: Record<PublicKeyHex, OutgoingState> = {};
  for (const member of othersIn(group, account.masterPub)) deliveries[member] = (await early(member)) ?? "relayed";
  return { state: stateOfAll(deliveries), deliveries };
}
