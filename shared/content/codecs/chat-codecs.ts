// How what chats hold beside texts and money is written and read.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, mapped, refined } from "#shared/codec/composites.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytesUpTo, encoded, hex, integer, word } from "#shared/codec/scalars.ts";
import { concatBytes, fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { type ChatFolder, FOLDER_ID_BYTES, MAX_FOLDER_NAME_BYTES, MAX_FOLDERS, type SyncFoldersBody } from "../chat/folder-content.ts";
import { areSameMentions, MAX_MENTIONS, type Mention, type MentioningText, mentioningText } from "../chat/mention-content.ts";
import {
  isNote,
  MAX_NOTE_NAME_BYTES,
  MAX_NOTE_TEXT_BYTES,
  MAX_NOTES_A_CONTENT,
  type Note,
  type SyncNotesBody,
} from "../chat/note-content.ts";
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
import { isVoice, MAX_VOICE_MS, MAX_WAVEFORM, type Voice } from "../chat/voice-content.ts";
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

/** Fields of a body that holds a text of people. */
export const mentionFields = { mentions: omissible(mentions) } as const;

/** A body whose mentions are those that lie on names of its text. */
export function mentioning<Body extends MentioningText>(body: Codec<Body>): Codec<Body> {
  return mapped(
    body,
    ({ mentions: claimed, ...rest }) => ({ ...rest, ...mentioningText(rest.text, claimed) }) as Body,
    (written) => {
      if (!areSameMentions(mentioningText(written.text, written.mentions).mentions, written.mentions))
        throw new RangeError("A mention lies on no name of the text");
      return written;
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
