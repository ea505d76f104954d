// One's own messages and changes of messages: checked, put into a change, and queued for the devices of both sides.
import { withoutSdp } from "#shared/content/chat/call-content.ts";
import { type LinkPreview, type WrittenText, writtenText } from "#shared/content/chat/link-preview.ts";
import { MAX_MENTIONS, type Mention } from "#shared/content/chat/mention-content.ts";
import { latestVoteAt } from "#shared/content/chat/poll-content.ts";
import {
  type AmendmentBody,
  MAX_EMOJI_BYTES,
  MAX_EXPIRY_S,
  MAX_QUOTE_BYTES,
  MAX_REVISIONS,
  MAX_TEXT_BYTES,
  type MessageId,
} from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8, utf8Length } from "#shared/util/bytes.ts";
import { shortenText } from "#shared/util/shorten-text.ts";
import type { Change } from "../changes/change.ts";
import { tied, untieAnswers } from "../changes/chats/answers.ts";
import { queueWithheldReceipts } from "../changes/chats/receipts.ts";
import { storeTimer } from "../changes/chats/store-timer.ts";
import { dropFile } from "../changes/files/files.ts";
import { indexPayment } from "../changes/payment-index.ts";
import { queueOwnProfile } from "../changes/profiles.ts";
import { amendMessage, CHANGE_MS, MAX_LEAD_MS } from "../model/amend-message.ts";
import { groupOf, requireConversation } from "../model/conversation-id.ts";
import { membersOf, othersIn } from "../model/group-state.ts";
import type { ConversationId, HeldPayment, MessageKey } from "../model/message.ts";
import { stateOfAll } from "../model/progress/outgoing-state.ts";
import { authorOf, ID_BYTES, type MessageContent, type MessageRecord, newId, orderedAt } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

type ComposeContext = Pick<
  EngineContext,
  "account" | "store" | "clock" | "random" | "registry" | "settings" | "outbox" | "cover" | "undoable"
>;

/** Adds a message to a conversation and queues it, unless it is the receipt of a payment that is held. Returns its key. */
export async function addOwnMessage(
  context: ComposeContext,
  change: Change,
  {
    conversation,
    body,
    id = newId(context.random),
    held,
    sentAt,
  }: {
    readonly conversation: ConversationId;
    readonly body: MessageContent;
    readonly id?: MessageId;
    readonly held?: HeldPayment;
    /** When copies of it have left already, milliseconds since 1970. */
    readonly sentAt?: number | undefined;
  },
): Promise<MessageKey> {
  const { account, store, clock } = context;
  const key = await store.messageKey(account.masterPub, id);
  const { lastMessage, timer } = change.conversation(conversation);
  const at = sentAt ?? Math.max(clock.nowMs(), Math.floor(lastMessage?.at ?? 0) + 1);
  const seconds = body.kind === "timer" ? 0 : (timer?.seconds ?? 0);
  const written: MessageRecord = {
    conversation,
    id,
    direction: "out",
    at: orderedAt(at, id),
    body: withoutSdp(body),
    ...firstState(change, conversation, account.masterPub),
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
    ...(seconds === 0 ? {} : { expiry: { seconds, startedAt: null } }),
    ...(held && { held }),
  };
  const record = await tied(context, change, { key, record: written });
  if (change.isStranger(conversation)) await queueWithheldReceipts(context, change, conversation);
  change.addMessage(key, record);
  storeTimer(change, record);
  await indexPayment(store, change, key, record);
  if (held !== undefined) return key;
  const said = record.body.kind === "reply" ? record.body : body;
  change.queueFor(conversation, { kind: "message", key, id, at, body: said, ...(seconds === 0 ? {} : { expiresInS: seconds }) });
  queueOwnProfile(context, change, conversation);
  return key;
}

/** @throws CodedError BAD_REQUEST for a group one is not in. */
export function requireMembership(change: Change, conversation: ConversationId, me: PublicKeyHex): void {
  if (groupOf(conversation) === undefined) return;
  const { group } = change.conversation(conversation);
  if (group === undefined || !membersOf(group).includes(me))
    throw new CodedError("BAD_REQUEST", "You are not in this group", { details: { field: "id" } });
}

/** @throws CodedError BAD_REQUEST for a group one is not in. */
function firstState(change: Change, conversation: ConversationId, me: PublicKeyHex): Pick<MessageRecord, "state" | "deliveries"> {
  requireMembership(change, conversation, me);
  const { group } = change.conversation(conversation);
  if (group === undefined) return { state: "queued" };
  const deliveries = Object.fromEntries(othersIn(group, me).map((member) => [member, "queued" as const]));
  return { state: stateOfAll(deliveries), deliveries };
}

/** Notifies a person that their request was accepted; once, whichever of one's devices does it. */
export async function addAcceptance(context: ComposeContext, change: Change, peer: PublicKeyHex): Promise<void> {
  const { account, store } = context;
  const id = toHex(sha256(utf8(`parley contact.accept ${account.masterPub} ${peer}`)).subarray(0, ID_BYTES));
  if (await change.batch.hasSeen(await store.messageKey(account.masterPub, id))) return;
  await addOwnMessage(context, change, { conversation: peer, body: { kind: "contact.accept" }, id });
}

/** Changes that say nothing new to one who has made them before. */
const SILENT: readonly AmendmentBody["kind"][] = ["reaction", "pay.close", "pay.share", "poll.vote", "poll.close", "pin"];

/** Changes a message and notifies all who have it. @throws CodedError BAD_REQUEST when the change is not possible. */
export async function amendOwn(
  context: ComposeContext,
  change: Change,
  { key, body }: { readonly key: MessageKey; readonly body: (record: MessageRecord, author: string) => AmendmentBody },
): Promise<void> {
  const { account, clock, random } = context;
  const record = await messageThere(change, key);
  if (record.held !== undefined) throw new CodedError("BAD_REQUEST", "This payment was not sent yet");
  const conversation = requireConversation(record.conversation);
  const author = authorOf(record, account.masterPub);
  const amended = body(record, author);
  const amendment = {
    from: account.masterPub,
    at: Math.max(clock.nowMs(), earliestFor(record, amended, { me: account.masterPub, nowMs: clock.nowMs() })),
    body: amended,
  };
  const next = amendMessage(record, author, amendment);
  if (next === undefined) {
    if (SILENT.includes(amendment.body.kind)) return;
    throw new CodedError("BAD_REQUEST", "Only your own messages can be edited or deleted for everyone, for 24 hours after sending", {
      details: { hours: CHANGE_MS / 3_600_000 },
    });
  }
  if (next.body.kind === "deleted") await dropFile(change, record, author);
  change.rewordMessage(key, next);
  if (next.body.kind === "deleted") await untieAnswers(context, change, { author, id: record.id });
  const { deliveries } = record;
  // Who came later may have answers that repeat its words.
  const hasIt = (member: PublicKeyHex): boolean =>
    amended.kind === "delete" || deliveries === undefined || deliveries[member] !== undefined;
  const fading = record.expiry === undefined ? {} : { isFading: true as const };
  change.queueFor(conversation, { kind: "amendment", id: newId(random), at: amendment.at, body: amendment.body, ...fading }, hasIt);
}

/** After what it takes the place of, whatever the clocks say: the end of a poll after the votes that its author saw. */
function earliestFor(
  { pin, poll }: MessageRecord,
  { kind }: AmendmentBody,
  { me, nowMs }: { readonly me: PublicKeyHex; readonly nowMs: number },
): number {
  if (kind === "pin") return (pin?.at ?? 0) + 1;
  if (kind === "poll.close") return Math.min(latestVoteAt(poll), nowMs + MAX_LEAD_MS);
  return kind === "poll.vote" ? (poll?.votes[me]?.at(-1)?.at ?? 0) + 1 : 0;
}

/** The message of a key. @throws CodedError NOT_FOUND. */
export async function messageThere(change: Change, key: MessageKey): Promise<MessageRecord> {
  const record = await change.batch.message(key);
  if (record === undefined) throw new CodedError("NOT_FOUND", "This message is no longer here");
  return record;
}

/** A text as it is sent. @throws CodedError BAD_REQUEST when it is empty or too long. */
export function checkedMessageText(text: string): string {
  const bytes = utf8Length(text);
  if (text.trim() === "" || bytes > MAX_TEXT_BYTES)
    throw new CodedError("BAD_REQUEST", `A message has 1 to ${MAX_TEXT_BYTES} bytes of text`, { details: { field: "text", bytes } });
  return text.toWellFormed();
}

/**
 * The same with the people whom it names and what is said of its first link. @throws CodedError BAD_REQUEST also for mentions that lie on no
 * names of it, or too many, and for a preview of another link.
 */
export function checkedWrittenText(text: string, mentions: readonly Mention[] = [], preview?: LinkPreview): WrittenText {
  const checked = writtenText({ text: checkedMessageText(text), mentions, ...(preview && { preview }) });
  if ((checked.mentions ?? []).length !== mentions.length)
    throw new CodedError("BAD_REQUEST", `A text has at most ${MAX_MENTIONS} mentions, each on an @name of it`, {
      details: { field: "mentions" },
    });
  if (preview !== undefined && checked.preview === undefined)
    throw new CodedError("BAD_REQUEST", "A preview belongs to the first link of its text", { details: { field: "preview" } });
  return checked;
}

/** The answer to a message. */
export function replyTo(record: MessageRecord, author: string, text: WrittenText): MessageContent {
  if (record.id === "" || !record.hasReceipts) return { kind: "text", ...text };
  return { kind: "reply", ...text, to: { author, id: record.id }, quote: shortenText(quotedOf(record.body), MAX_QUOTE_BYTES) };
}

/** What an answer repeats of a message. */
function quotedOf(body: MessageRecord["body"]): string {
  if (body.kind === "pay.request") return body.note === "" ? formatAmount(body.amountUt) : `${formatAmount(body.amountUt)} · ${body.note}`;
  if (body.kind === "poll") return body.question;
  return "text" in body ? body.text : "";
}

/** A reaction. @throws CodedError BAD_REQUEST for something long. */
export function checkedEmoji(emoji: string): string {
  if (utf8Length(emoji) > MAX_EMOJI_BYTES) throw new CodedError("BAD_REQUEST", "A reaction is one emoji", { details: { field: "emoji" } });
  return emoji.toWellFormed();
}

/** Seconds of a timer. @throws CodedError BAD_REQUEST. */
export function checkedTimer(seconds: number): number {
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > MAX_EXPIRY_S)
    throw new CodedError("BAD_REQUEST", "The time is from 0 seconds to a year", { details: { field: "seconds" } });
  return seconds;
}

/** The next wording of a message. @throws CodedError BAD_REQUEST when it has had too many. */
export function editOf(record: MessageRecord, text: WrittenText): AmendmentBody {
  const revision = (record.revision ?? 0) + 1;
  if (revision > MAX_REVISIONS) throw new CodedError("BAD_REQUEST", `A message can be changed ${MAX_REVISIONS} times`);
  return { kind: "edit", id: record.id, ...text, revision };
}
