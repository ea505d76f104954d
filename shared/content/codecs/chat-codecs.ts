// How what chats hold beside texts and money is written and read.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, mapped, refined } from "#shared/codec/composites.ts";
import { absentAs, defaultsTo, keyed, map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytesUpTo, encoded, hex, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import { shownPreview } from "#shared/media/shown-image.ts";
import { concatBytes, fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { type ChatFolder, FOLDER_ID_BYTES, MAX_FOLDER_NAME_BYTES, MAX_FOLDERS, type SyncFoldersBody } from "../chat/folder-content.ts";
import {
  type LinkPreview,
  MAX_LINK_BYTES,
  MAX_PREVIEW_DESCRIPTION_CHARS,
  MAX_PREVIEW_TITLE_CHARS,
  orderOfPreview,
  type WrittenText,
  writtenText,
} from "../chat/link-preview.ts";
import { areSameMentions, MAX_MENTIONS, type Mention } from "../chat/mention-content.ts";
import {
  isNote,
  MAX_NOTE_NAME_BYTES,
  MAX_NOTE_TEXT_BYTES,
  MAX_NOTES_A_CONTENT,
  type Note,
  type SyncNotesBody,
} from "../chat/note-content.ts";
import { isOneEmoji } from "../chat/one-emoji.ts";
import type { PinBody } from "../chat/pin-content.ts";
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWERS,
  MAX_QUESTION_BYTES,
  MIN_ANSWERS,
  type PollBody,
  type PollCloseBody,
  type PollVoteBody,
} from "../chat/poll-content.ts";
import type { SyncStarBody } from "../chat/star-content.ts";
import { type AnnouncedPicture, MAX_STICKER_BYTES, mayBeSticker, STICKER_ID_BYTES, type SyncStickerBody } from "../chat/sticker-content.ts";
import { isVoice, MAX_VOICE_MS, MAX_WAVEFORM, type Voice } from "../chat/voice-content.ts";
import { MAX_EMOJI_BYTES, MAX_PREVIEW_BYTES } from "../content.ts";
import { key, reference, typedText } from "../content-fields.ts";

/** A recording. What another program claims beyond the bounds is cut to them: the file is still heard. */
export const voice: Codec<Voice> = mapped(
  map({ durationMs: keyed("ms", integer()), waveform: keyed("wave", bytesUpTo()) }),
  ({ durationMs, waveform }) => ({
    durationMs: Math.min(Math.max(durationMs, 1), MAX_VOICE_MS),
    waveform: toBase64(waveform.subarray(0, MAX_WAVEFORM)),
  }),
  (written) => {
    if (!isVoice(written)) throw new RangeError("A recording beyond its bounds");
    return { durationMs: written.durationMs, waveform: fromBase64(written.waveform) };
  },
);

const stickerEmoji = refined(textUpTo(MAX_EMOJI_BYTES, 1), isOneEmoji, "one emoji");

/** The emoji of a sticker. What is none is no reason to lose the picture: null then. */
export const sticker: Codec<string | null> = mapped(encoded, readSticker, (emoji) => {
  if (emoji === null) throw new RangeError("A sticker without an emoji");
  return encode(stickerEmoji, emoji);
});

function readSticker(item: Uint8Array): string | null {
  try {
    return decode(stickerEmoji, item);
  } catch {
    return null;
  }
}

/** A file that is a sticker only where it is announced as a small picture without a text. */
export function stickered<Body extends AnnouncedPicture & { readonly sticker?: string }>(
  body: Codec<Omit<Body, "sticker"> & { readonly sticker?: string | null }>,
): Codec<Body> {
  return mapped(
    body,
    ({ sticker: emoji, ...rest }) => {
      const picture = rest as unknown as Body;
      return typeof emoji === "string" && mayBeSticker(picture) ? { ...picture, sticker: emoji } : picture;
    },
    (whole) => {
      if (whole.sticker !== undefined && !mayBeSticker(whole)) throw new RangeError("A sticker is a small picture without a text");
      return whole;
    },
  );
}

/** One of one's own stickers, or that it was removed. */
export const ownSticker: Codec<Omit<SyncStickerBody, "kind">> = refined(
  map({
    sticker: keyed("id", hex(STICKER_ID_BYTES)),
    emoji: defaultsTo(textUpTo(MAX_EMOJI_BYTES), ""),
    place: integer(),
    data: omissible(bytesUpTo(MAX_STICKER_BYTES, 1)),
  }),
  ({ emoji, data }) => (data === undefined ? emoji === "" : isOneEmoji(emoji)),
  "a picture with one emoji, or neither",
);

const answers = refined(
  list(typedText(MAX_ANSWER_BYTES, 1), MAX_ANSWERS, MIN_ANSWERS),
  (all) => new Set(all).size === all.length,
  "answers that differ",
);

export const poll: Codec<Omit<PollBody, "kind">> = map({
  question: typedText(MAX_QUESTION_BYTES, 1),
  answers,
  isMultiple: keyed("multiple", boolean),
});

export const pollVote: Codec<Omit<PollVoteBody, "kind">> = map({
  to: reference,
  choices: list(integer(0, MAX_ANSWERS - 1), MAX_ANSWERS),
});

export const pollClose: Codec<Omit<PollCloseBody, "kind">> = map({ to: reference });

const folder: Codec<ChatFolder> = map({ id: hex(FOLDER_ID_BYTES), name: typedText(MAX_FOLDER_NAME_BYTES, 1) });

export const folders: Codec<Omit<SyncFoldersBody, "kind">> = map({
  folders: refined(list(folder, MAX_FOLDERS), (all) => new Set(all.map(({ id }) => id)).size === all.length, "folders that differ"),
});

/** Folders that a chat is in. */
export const folderIds: Codec<readonly string[]> = list(hex(FOLDER_ID_BYTES), MAX_FOLDERS);

const note: Codec<Note> = refined(
  map({
    about: word(["person", "device"], "about"),
    key,
    name: typedText(MAX_NOTE_NAME_BYTES),
    text: typedText(MAX_NOTE_TEXT_BYTES),
    isContact: keyed("contact", boolean),
  }),
  isNote,
  "a note that can be",
);

export const notes: Codec<Omit<SyncNotesBody, "kind">> = map({ notes: list(note, MAX_NOTES_A_CONTENT, 1) });

export const star: Codec<Omit<SyncStarBody, "kind">> = map({ peer: key, to: reference, isStarred: keyed("on", boolean) });

export const pin: Codec<Omit<PinBody, "kind">> = map({ to: reference, isPinned: keyed("on", boolean) });

/** Of each mention its start and length, 16 bits each with the greater one first, and the key of the person. */
const MENTION_BYTES = 36;

/** As many as count. What else another program claims is no reason to lose the text. */
const mentions: Codec<readonly Mention[]> = mapped(encoded, readMentions, (written) =>
  encode(bytesUpTo(MAX_MENTIONS * MENTION_BYTES), concatBytes(...written.map(mentionBytes))),
);

const MAX_CHARACTER_BYTES = 4;

const pagePreview = map({
  link: textUpTo(MAX_LINK_BYTES, 1),
  title: typedText(MAX_CHARACTER_BYTES * MAX_PREVIEW_TITLE_CHARS, 1),
  description: keyed("text", defaultsTo(typedText(MAX_CHARACTER_BYTES * MAX_PREVIEW_DESCRIPTION_CHARS), "")),
  picture: absentAs(bytesUpTo(MAX_PREVIEW_BYTES, 1), null),
});

/** What is no preview within its bounds, or of a picture that is none, is no reason to lose the text: null then. */
const preview: Codec<LinkPreview | null> = mapped(encoded, readPreview, (written) => {
  if (written === null || !isWithinBounds(written)) throw new RangeError("A preview beyond its bounds");
  const picture = written.picture === "" ? null : fromBase64(written.picture);
  return encode(pagePreview, { ...written, picture });
});

function readPreview(item: Uint8Array): LinkPreview | null {
  try {
    const { picture, ...said } = decode(pagePreview, item);
    const found = { ...said, picture: picture === null || shownPreview(picture) === undefined ? "" : toBase64(picture) };
    return isWithinBounds(found) ? found : null;
  } catch {
    return null;
  }
}

function isWithinBounds({ title, description }: LinkPreview): boolean {
  return [...title].length <= MAX_PREVIEW_TITLE_CHARS && [...description].length <= MAX_PREVIEW_DESCRIPTION_CHARS;
}

/** Fields of a body that holds a text of people. */
export const writtenFields = { mentions: omissible(mentions), preview: keyed("link", omissible(preview)) } as const;

/** A text as its fields are read: a preview that could not be read is null. */
type ReadText = Omit<WrittenText, "preview"> & { readonly preview?: LinkPreview | null };

/** A body whose mentions lie on names of its text, and whose preview is of its first link. */
export function written<Body extends WrittenText>(body: Codec<Omit<Body, "preview"> & ReadText>): Codec<Body> {
  return mapped(
    body,
    ({ mentions: named, preview: claimed, ...rest }) => {
      const { text } = rest as ReadText;
      return {
        ...rest,
        ...writtenText({ text, ...(named && { mentions: named }), ...(claimed && { preview: claimed }) }),
      } as unknown as Body;
    },
    (whole) => {
      const fitting = writtenText(whole);
      if (!areSameMentions(fitting.mentions, whole.mentions)) throw new RangeError("A mention lies on no name of the text");
      if (orderOfPreview(fitting.preview) !== orderOfPreview(whole.preview)) throw new RangeError("The preview is not of the first link");
      return whole;
    },
  );
}

function readMentions(item: Uint8Array): readonly Mention[] {
  const bytes = bytesOf(item);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.min(MAX_MENTIONS, Math.floor(bytes.length / MENTION_BYTES)) }, (_, index) => {
    const at = index * MENTION_BYTES;
    const person = toHex(bytes.subarray(at + 4, at + MENTION_BYTES));
    return { start: view.getUint16(at), length: view.getUint16(at + 2), person };
  });
}

function bytesOf(item: Uint8Array): Uint8Array {
  try {
    return decode(bytesUpTo(), item);
  } catch {
    return new Uint8Array();
  }
}

function mentionBytes({ start, length, person }: Mention): Uint8Array {
  const bytes = new Uint8Array(MENTION_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, start);
  view.setUint16(2, length);
  bytes.set(fromHex(person), 4);
  return bytes;
}
