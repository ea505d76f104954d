// How the body of each kind is written and read: one definition a kind. Fields of later versions inside a body are ignored.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, mapped, refined } from "#shared/codec/composites.ts";
import { absentAs, defaultsTo, keyed, map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytesUpTo, encoded, hex, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import { shortenText } from "#shared/util/shorten-text.ts";
import { MAX_PROFILE_PICTURE_BYTES } from "./chat/picture-content.ts";
import { callAnswer, callEnd, callOffer } from "./codecs/call-codecs.ts";
import {
  folderIds,
  folders,
  notes,
  ownSticker,
  pin,
  poll,
  pollClose,
  pollVote,
  star,
  sticker,
  stickered,
  voice,
  written,
  writtenFields,
} from "./codecs/chat-codecs.ts";
import { groupJoin, groupLeave, groupRefused, groupState, ownLink } from "./codecs/group-codecs.ts";
import { payClose, payReceipt, payRequest, payShare, paySplit } from "./codecs/pay-codecs.ts";
import {
  CHUNK_BYTES,
  CHUNK_OVERHEAD_BYTES,
  isSentBody,
  type Kind,
  type KnownBody,
  MAX_ASKED_CHUNKS,
  MAX_CHUNKS,
  MAX_EMOJI_BYTES,
  MAX_EXPIRY_S,
  MAX_FALLBACK_BYTES,
  MAX_FILE_BOXES,
  MAX_FILE_BYTES,
  MAX_FILE_NAME_BYTES,
  MAX_IMAGE_SIDE,
  MAX_KIND_CHARS,
  MAX_MEDIA_TYPE_BYTES,
  MAX_PREVIEW_BYTES,
  MAX_PUSHED_FILE_BYTES,
  MAX_QUOTE_BYTES,
  MAX_RECEIPT_IDS,
  MAX_RESEND_POSITIONS,
  MAX_REVISIONS,
  MAX_TEXT_BYTES,
  type SyncSentBody,
  type UnknownBody,
} from "./content.ts";
import { id, key, reference, stream, typedText } from "./content-fields.ts";
import { isProfileName, MAX_PROFILE_NAME_CHARS } from "./profile-name.ts";

/** The bytes of a body: the kind is beside it. */
type Fields<Body extends KnownBody> = Omit<Body, "kind">;

const KIND_PATTERN = /^[a-z][a-z0-9.]*$/;
const MAX_CODE_POINT_BYTES = 4;

/** A kind, which may be one of a later version. */
export const kindName = textUpTo(MAX_KIND_CHARS, 1);

const text = typedText(MAX_TEXT_BYTES, 1);
const ids = list(id, MAX_RECEIPT_IDS, 1);
const streamPositions = { stream, positions: list(integer(1), MAX_RESEND_POSITIONS, 1) };
const image = map({
  width: integer(1, MAX_IMAGE_SIDE),
  height: integer(1, MAX_IMAGE_SIDE),
  preview: bytesUpTo(MAX_PREVIEW_BYTES),
});
/** Mailboxes in which a file is stored once. */
const fileBoxes = omissible(list(hex(32), MAX_FILE_BOXES, 1));
const nothing = map({});

/** What another own device sent: it may be newer than this one. */
const sent = mapped(
  map({ peer: key, id, at: integer(), kind: kindName, body: encoded }),
  ({ kind, body, ...rest }): Fields<SyncSentBody> => {
    const known = decodeBody(kind, body);
    if (known.kind !== "unknown" && !isSentBody(known)) throw new TypeError("nothing that people send each other");
    return { ...rest, body: known };
  },
  ({ body, ...rest }) => {
    if (body.kind === "unknown") throw new RangeError("A device only tells what it knows");
    return { ...rest, kind: body.kind, body: encodeBody(body) };
  },
);

const BODIES: { readonly [K in Kind]: Codec<Fields<Extract<KnownBody, { readonly kind: K }>>> } = {
  text: written(map({ text, ...writtenFields })),
  reply: written(map({ text, to: reference, quote: defaultsTo(typedText(MAX_QUOTE_BYTES), ""), ...writtenFields })),
  reaction: map({ to: reference, emoji: defaultsTo(typedText(MAX_EMOJI_BYTES), "") }),
  edit: written(map({ id, text, revision: keyed("rev", integer(1, MAX_REVISIONS)), ...writtenFields })),
  delete: map({ id }),
  timer: map({ seconds: integer(0, MAX_EXPIRY_S) }),
  "pay.request": payRequest,
  "pay.receipt": payReceipt,
  "pay.split": paySplit,
  "pay.share": payShare,
  "pay.close": payClose,
  poll,
  "poll.vote": pollVote,
  "poll.close": pollClose,
  pin,
  "call.offer": callOffer,
  "call.answer": callAnswer,
  "call.end": callEnd,
  "contact.accept": nothing,
  profile: map({
    name: mapped(textUpTo(MAX_CODE_POINT_BYTES * MAX_PROFILE_NAME_CHARS), checkedName, checkedName),
    picture: omissible(map({ at: integer(), data: omissible(bytesUpTo(MAX_PROFILE_PICTURE_BYTES)) })),
  }),
  attachment: stickered(
    map({
      name: typedText(MAX_FILE_NAME_BYTES, 1),
      mediaType: keyed("type", typedText(MAX_MEDIA_TYPE_BYTES, 1)),
      size: integer(1, MAX_PUSHED_FILE_BYTES),
      key: hex(32),
      digest: hex(32),
      caption: defaultsTo(typedText(MAX_TEXT_BYTES), ""),
      image: absentAs(image, null),
      voice: omissible(voice),
      sticker: omissible(sticker),
      boxes: fileBoxes,
    }),
  ),
  file: map({
    name: typedText(MAX_FILE_NAME_BYTES, 1),
    mediaType: keyed("type", typedText(MAX_MEDIA_TYPE_BYTES, 1)),
    size: integer(MAX_PUSHED_FILE_BYTES + 1, MAX_FILE_BYTES),
    key: hex(32),
    digest: hex(32),
    caption: defaultsTo(typedText(MAX_TEXT_BYTES), ""),
    boxes: fileBoxes,
  }),
  "attachment.chunk": map({ id, index: integer(0, MAX_CHUNKS - 1), data: bytesUpTo(CHUNK_BYTES + CHUNK_OVERHEAD_BYTES, 1) }),
  "file.ask": map({ id, chunks: list(integer(0, MAX_CHUNKS - 1), MAX_ASKED_CHUNKS, 1), stored: omissible(boolean) }),
  "file.got": map({ id }),
  "file.gone": map({ id }),
  receipt: map({ status: word(["delivered", "read"], "status"), ids }),
  resend: map(streamPositions),
  "resend.gone": refined(
    map({ ...streamPositions, ids: omissible(list(id, MAX_RESEND_POSITIONS, 1)) }),
    ({ positions, ids }) => ids === undefined || ids.length === positions.length,
    "as many ids as positions, where there are ids",
  ),
  knock: map({ stream, upTo: keyed("up", integer(1)) }),
  mark: nothing,
  "sync.sent": sent,
  "sync.read": map({ peer: key, ids }),
  "sync.chat": map({
    peer: key,
    isPinned: keyed("pinned", boolean),
    isArchived: keyed("archived", boolean),
    mutedUntil: keyed("muted", integer()),
    mutesMentions: keyed("quiet", omissible(boolean)),
    isMarkedUnread: keyed("unread", omissible(boolean)),
    folders: omissible(folderIds),
  }),
  "sync.star": star,
  "sync.folders": folders,
  "sync.notes": notes,
  "sync.sticker": ownSticker,
  "group.state": groupState,
  "group.leave": groupLeave,
  "group.ask": nothing,
  "group.join": groupJoin,
  "group.refused": groupRefused,
  "sync.link": ownLink,
};

/** What programs show that do not know a kind which came after the first version. */
const FALLBACKS: { readonly [K in Kind]?: string | ((body: Extract<KnownBody, { readonly kind: K }>) => string) } = {
  "pay.close": "A payment request was cancelled or declined.",
  "pay.split": "A bill was split.",
  "pay.share": "A share of a bill was paid.",
  poll: ({ question, answers }) => [question, ...answers.map((answer) => `– ${answer}`)].join("\n"),
  "poll.vote": "A vote in a poll.",
  "poll.close": "A poll was closed.",
  pin: "A message was pinned or unpinned.",
  file: ({ name, size, caption }) =>
    [`${name} (${Math.round(size / 1_000_000)} MB): a newer Parley is needed to get this file.`, ...(caption === "" ? [] : [caption])].join(
      "\n",
    ),
  "call.offer": "A call, which this version cannot take.",
  "call.answer": "A call was answered.",
  "call.end": "A call has ended.",
  "group.join": "A request to be let into a group by a link, which this version cannot answer.",
  "group.refused": "A group cannot be joined by that link any more.",
};

/** Encoded text to show where the kind is not known; undefined for the kinds of the first version. */
export function encodedFallback(body: KnownBody): Uint8Array | undefined {
  const known = FALLBACKS[body.kind] as string | ((body: KnownBody) => string) | undefined;
  if (known === undefined) return undefined;
  const shown = typeof known === "string" ? known : shortenText(known(body), MAX_FALLBACK_BYTES);
  return encode(textUpTo(MAX_FALLBACK_BYTES), shown);
}

/** Encoded body. @throws RangeError when a limit is exceeded. */
export function encodeBody(body: KnownBody): Uint8Array {
  return encode(BODIES[body.kind] as Codec<unknown>, body);
}

/** The body of a kind, of its bytes and those of the plain text to show where the kind is not known. @throws TypeError or RangeError. */
export function decodeBody(name: string, bytes: Uint8Array, fallback?: Uint8Array): KnownBody | UnknownBody {
  if (Object.hasOwn(BODIES, name)) return { kind: name, ...decode(BODIES[name as Kind] as Codec<object>, bytes) } as KnownBody;
  if (!KIND_PATTERN.test(name)) throw new TypeError("not the name of a kind");
  decode(nothing, bytes);
  const shown = fallback === undefined ? "" : decode(textUpTo(MAX_FALLBACK_BYTES), fallback);
  return { kind: "unknown", name, fallback: shown, raw: bytes.slice() };
}

function checkedName(name: string): string {
  if (!isProfileName(name)) throw new RangeError("Not a name that a person may choose");
  return name;
}
