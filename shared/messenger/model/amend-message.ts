// What reactions, edits, deletions and closing a request make of a message. Pure, idempotent, and the same in any order of arrival.
import { type CallAnswerBody, type CallEndBody, withAnswer, withEnd } from "#shared/content/chat/call-content.ts";
import { orderOfPreview, type WrittenText, writtenText } from "#shared/content/chat/link-preview.ts";
import { mentioningText, orderOfMentions } from "#shared/content/chat/mention-content.ts";
import { laterPin, type PinState } from "#shared/content/chat/pin-content.ts";
import { type PollCloseBody, type PollVoteBody, withClosing, withVote } from "#shared/content/chat/poll-content.ts";
import { laterStar, type StarState, type SyncStarBody } from "#shared/content/chat/star-content.ts";
import { type AmendmentBody, MAX_REVISIONS } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { hasTrait } from "./body-traits.ts";
import type { MessageWording } from "./message.ts";
import { closedRequest, withShareClaim } from "./payments.ts";
import type { MessageRecord } from "./records.ts";

/** An author can change or take back a message this long. */
export const CHANGE_MS = 86_400_000;
/** Clocks may differ by so much. */
export const MAX_LEAD_MS = 600_000;
/** Earlier wordings that a message holds: its first, and the latest of the others. */
const MAX_WORDINGS = 16;
/** Most people whose reactions one message holds: more than a group has. */
const MAX_REACTIONS = 128;

/** A change of a message, and its author. */
export interface Amendment {
  readonly from: PublicKeyHex;
  readonly at: number;
  /** A star is one's own. */
  readonly body: AmendmentBody | SyncStarBody;
  /** When it came from another person. What an own device writes is believed. */
  readonly arrival?: Arrival;
  /** When it came out of the mailbox, where it could not be judged then; milliseconds since 1970. */
  readonly cameAt?: number;
}

/** When something came out of the mailbox, milliseconds since 1970. */
export interface Arrival {
  /** The mailbox held none of it before. */
  readonly earliestMs: number;
  readonly nowMs: number;
}

/** The message after the change, or undefined when nothing changes. `author` is who wrote the message. */
export function amendMessage(record: MessageRecord, author: string, { from, at, body, arrival }: Amendment): MessageRecord | undefined {
  if (hasTrait(record.body, "isFixed")) return undefined;
  if (body.kind === "reaction") return withReaction(record, from, { emoji: body.emoji, at });
  if (body.kind === "sync.star") return starred(record, { isStarred: body.isStarred, at });
  if (body.kind === "pay.close") return closedRequest(record, from);
  if (body.kind === "pay.share") return withShareClaim(record, from, { txId: body.txId, at });
  if (body.kind === "pin") return pinned(record, { isPinned: body.isPinned, at: Math.min(at, latestAt(arrival)) });
  if (body.kind === "poll.vote" || body.kind === "poll.close") return polled(record, author, { from, at, body });
  if (body.kind === "call.answer" || body.kind === "call.end") return called(record, { at, body, isAuthor: from === author });
  if (from !== author || at - record.at > CHANGE_MS || cameTooLate(record, arrival)) return undefined;
  if (body.kind === "delete") return deleted(record);
  if (body.revision > MAX_REVISIONS) return undefined;
  return reworded(record, { ...writtenText(body), revision: body.revision, at: arrival?.nowMs ?? at });
}

/** A claim of a later time would hold for ever. */
function latestAt(arrival: Arrival | undefined): number {
  return arrival === undefined ? Number.MAX_SAFE_INTEGER - 1 : arrival.nowMs + MAX_LEAD_MS;
}

function pinned(record: MessageRecord, state: PinState): MessageRecord | undefined {
  const pin = hasTrait(record.body, "isNote") ? undefined : laterPin(record.pin, state);
  return pin && { ...record, pin };
}

function starred(record: MessageRecord, state: StarState): MessageRecord | undefined {
  const star = hasTrait(record.body, "isNote") ? undefined : laterStar(record.star, state);
  return star && { ...record, star };
}

/** A poll with a vote of anyone, or closed by its author. */
function polled(
  record: MessageRecord,
  author: string,
  { from, at, body }: Pick<Amendment, "from" | "at"> & { readonly body: PollVoteBody | PollCloseBody },
): MessageRecord | undefined {
  if (record.body.kind !== "poll") return undefined;
  if (body.kind === "poll.close" && from !== author) return undefined;
  const poll =
    body.kind === "poll.close" ? withClosing(record.poll, at) : withVote(record.body, record.poll, from, { choices: body.choices, at });
  return poll && { ...record, poll };
}

/** A call that the one who was called has answered, or that either of the two has ended. */
function called(
  record: MessageRecord,
  { at, body, isAuthor }: { readonly at: number; readonly body: CallAnswerBody | CallEndBody; readonly isAuthor: boolean },
): MessageRecord | undefined {
  if (record.body.kind !== "call.offer" || (body.kind === "call.answer" && isAuthor)) return undefined;
  const call = body.kind === "call.answer" ? withAnswer(record.call, at) : withEnd(record.call, body, isAuthor);
  return call && { ...record, call };
}

/** Its author's clock can say anything: the time also counts from the arrival of the message to the earliest one of the change. */
function cameTooLate({ arrivedAt, at }: MessageRecord, arrival: Arrival | undefined): boolean {
  return arrival !== undefined && arrival.earliestMs - (arrivedAt ?? at) > CHANGE_MS;
}

/** The message with another wording, shown when it is the latest. Earlier ones are kept without the previews of their links. */
function reworded(record: MessageRecord, { preview, ...wording }: MessageWording & WrittenText): MessageRecord | undefined {
  const { body, revision = 0, revisedAt, earlier = [] } = record;
  if (!hasTrait(body, "isEditable")) return undefined;
  const shown = { ...mentioningText(body.text, body.mentions), revision, at: revisedAt ?? record.arrivedAt ?? record.at };
  const order = compareWordings(wording, shown);
  if (order === 0) return withPreview(record, wording, preview);
  const kept = withWording(earlier, order > 0 ? shown : wording);
  if (order < 0) return kept === earlier ? undefined : { ...record, earlier: kept };
  const { mentions: _mentions, preview: _preview, ...rest } = body;
  const worded = { ...rest, ...writtenText({ ...wording, ...(preview && { preview }) }) };
  return { ...record, body: worded, revision: wording.revision, revisedAt: wording.at, earlier: kept };
}

/** Two devices of the author said the same at once, and other things of its link: the greater holds everywhere. */
function withPreview(record: MessageRecord, { revision }: MessageWording, preview: WrittenText["preview"]): MessageRecord | undefined {
  const { body } = record;
  if (revision === 0 || preview === undefined || !hasTrait(body, "isEditable")) return undefined;
  return orderOfPreview(preview) > orderOfPreview(body.preview) ? { ...record, body: { ...body, preview } } : undefined;
}

function withReaction(
  record: MessageRecord,
  from: PublicKeyHex,
  reaction: { readonly emoji: string; readonly at: number },
): MessageRecord | undefined {
  const known = record.reactions?.[from];
  const isLater = known === undefined || reaction.at > known.at || (reaction.at === known.at && reaction.emoji > known.emoji);
  const hasRoom = known !== undefined || Object.keys(record.reactions ?? {}).length < MAX_REACTIONS;
  return isLater && hasRoom ? { ...record, reactions: { ...record.reactions, [from]: reaction } } : undefined;
}

function deleted(message: MessageRecord): MessageRecord {
  const {
    closedBy: _closedBy,
    ownPayment: _ownPayment,
    shareClaims: _shareClaims,
    reactions: _reactions,
    revision: _revision,
    revisedAt: _revisedAt,
    earlier: _earlier,
    transfer: _transfer,
    isQuoteApart: _isQuoteApart,
    poll: _poll,
    pin: _pin,
    star: _star,
    call: _call,
    ...record
  } = message;
  return { ...record, body: { kind: "deleted" }, raw: null, problem: null };
}

/** The wordings with another one; the same list when it is there, or has no room. */
function withWording(known: readonly MessageWording[], wording: MessageWording): readonly MessageWording[] {
  if (known.some((other) => compareWordings(other, wording) === 0)) return known;
  const all = [...known, wording].sort(compareWordings);
  if (all.length <= MAX_WORDINGS) return all;
  const kept = all.filter((_, index) => index !== 1);
  return kept.includes(wording) ? kept : known;
}

type Worded = Pick<MessageWording, "revision" | "text" | "mentions">;

/** Negative when `a` was written before `b`; of one number the greater text counts as the later. */
function compareWordings(a: Worded, b: Worded): number {
  if (a.revision !== b.revision) return a.revision - b.revision;
  if (a.text !== b.text) return a.text < b.text ? -1 : 1;
  const [one, other] = [orderOfMentions(a.mentions), orderOfMentions(b.mentions)];
  return one < other ? -1 : Number(one > other);
}
