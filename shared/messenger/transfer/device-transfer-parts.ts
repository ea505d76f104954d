// What is transferred to a device that was just linked, in parts between marks: saved notes first, then names that people sent, and their
// pictures, one's own stickers, then what is noted about people and devices, then conversations, pictures of groups, messages and files. Any part can be made
// from its mark alone, so it does not matter where a transfer was interrupted.
import { type DatedNote, entriesOf, recordOf } from "#shared/content/chat/note-record.ts";
import { MAX_PART_BYTES } from "#shared/linking/link-message.ts";
import { fromUtf8, utf8 } from "#shared/util/bytes.ts";
import { asTransferred } from "../changes/sent-by-other-device.ts";
import type { DeviceTransferScope } from "../model/device-transfer.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { NO_PROFILE, PROFILE_KEY, type ProfileRecord, peopleOf, profileAbout } from "../state/profiles/profile-registry.ts";
import { chunkAfter, decodeFilePart, encodeFilePart, type WantedFiles } from "./device-transfer-files.ts";
import { askedLinksOf, conversationsToTransfer, foldersToTransfer, type HistoryPart, notesToTransfer } from "./history-backup.ts";
import { groupPicturesAfter, picturesAfter } from "./picture-parts.ts";
import { stickersAfter } from "./sticker-parts.ts";

/** What the person saves beside messages, as text that only the interface understands. */
export interface SavedNotesPart {
  readonly keepsakes: string;
}

/** What a part holds. */
export type DeviceTransferPart = SavedNotesPart | HistoryPart;

/** A part, ready to be sent. */
export interface EncodedPart {
  readonly data: Uint8Array;
  readonly next: string;
  readonly isLast: boolean;
  /** Messages and chunks of files behind its end. */
  readonly done: number;
}

type PartContext = Pick<EngineContext, "store" | "account" | "outbox">;

const NAMES_A_PART = 200;
const CONVERSATIONS_A_PART = 50;
const MESSAGES_A_PART = 200;
/** Notes of a part, as JSON: one more fits. */
const NOTES_BYTES = 100_000;
/** Parts of files are no JSON. */
const JSON_START = 0x7b;

/** The part after a mark; "" is the beginning. @throws RangeError for a mark that was never given. */
export async function partAfter(
  context: PartContext,
  scope: DeviceTransferScope & { readonly large?: boolean },
  mark: string,
): Promise<EncodedPart> {
  const [kind = "", count = "0", key = "", chunk = "0"] = mark.split(":");
  const position = Number(count);
  const index = Number(chunk);
  if (![position, index].every((number) => Number.isSafeInteger(number) && number >= 0)) throw new RangeError(`${mark} is no mark`);
  if (mark === "") return encoded({ keepsakes: scope.keepsakes }, { next: "p:0", isLast: false, done: 0 });
  if (kind === "p") return namesAfter(context, position);
  if (kind === "i") return picturesFrom(context, position);
  if (kind === "s") return stickersFrom(context, position);
  if (kind === "n") return notesAfter(context, scope, position);
  if (kind === "c") return conversationsAfter(context, position);
  const sinceMs = scope.sinceMs ?? Number.POSITIVE_INFINITY;
  if (kind === "g") return groupPicturesFrom(context, position);
  if (kind === "m") return messagesAfter(context, sinceMs, { done: position, key });
  const files = { sinceMs, hasLarge: scope.large === true };
  if (kind === "f" || kind === "l") return fileAfter(context, { ...files, areLarge: kind === "l" }, { done: position, key, index });
  throw new RangeError(`${mark} is no mark`);
}

async function namesAfter({ store }: Pick<EngineContext, "store">, position: number): Promise<EncodedPart> {
  const record = (await store.readMeta<ProfileRecord>(PROFILE_KEY)) ?? NO_PROFILE;
  const people = peopleOf(record);
  const end = position + NAMES_A_PART;
  const hasMore = end < people.length;
  const profile = profileAbout(record, people.slice(position, end));
  const folders = position === 0 ? await foldersToTransfer(store) : {};
  return encoded({ profile, ...folders }, { next: hasMore ? `p:${end}` : "i:0", isLast: false, done: 0 });
}

async function picturesFrom({ store, account }: PartContext, position: number): Promise<EncodedPart> {
  const { pictures, next } = await picturesAfter(store, account.masterPub, position);
  return encoded({ pictures }, { next: next === undefined ? "s:0" : `i:${next}`, isLast: false, done: 0 });
}

async function stickersFrom({ store }: PartContext, position: number): Promise<EncodedPart> {
  const { next, ...part } = await stickersAfter(store, position);
  return encoded(part, { next: next === undefined ? "n:0" : `s:${next}`, isLast: false, done: 0 });
}

async function groupPicturesFrom({ store }: PartContext, position: number): Promise<EncodedPart> {
  const { pictures, next } = await groupPicturesAfter(store, position);
  return encoded({ pictures }, { next: next === undefined ? "m:0:" : `g:${next}`, isLast: false, done: 0 });
}

/** As many as fit; the last part where no conversations were chosen. */
async function notesAfter(
  { store }: Pick<EngineContext, "store">,
  { sinceMs }: DeviceTransferScope,
  position: number,
): Promise<EncodedPart> {
  const all = entriesOf(await notesToTransfer(store)).toSorted((a, b) => (a.about + a.key < b.about + b.key ? -1 : 1));
  const some: DatedNote[] = [];
  let bytes = 0;
  for (const note of all.slice(position)) {
    if (bytes > NOTES_BYTES) break;
    some.push(note);
    bytes += utf8(JSON.stringify(note)).length;
  }
  const end = position + some.length;
  const hasMore = end < all.length;
  // The other device takes the groups that this one asks for, and asks no one itself.
  const askedLinks = position > 0 ? [] : (await askedLinksOf(store)).map((link) => ({ ...link, secret: "" }));
  return encoded(
    { notes: recordOf(some), ...(askedLinks.length > 0 && { askedLinks }) },
    { next: hasMore ? `n:${end}` : "c:0", isLast: !hasMore && sinceMs === null, done: 0 },
  );
}

async function conversationsAfter({ store }: Pick<EngineContext, "store">, position: number): Promise<EncodedPart> {
  const all = (await conversationsToTransfer(store)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const end = position + CONVERSATIONS_A_PART;
  const next = end < all.length ? `c:${end}` : "g:0";
  return encoded({ conversations: all.slice(position, end) }, { next, isLast: false, done: 0 });
}

/** Reads on until there is something to transfer. What does not fit is left to the next part. */
async function messagesAfter(
  context: PartContext,
  sinceMs: number,
  from: { readonly done: number; readonly key: string },
): Promise<EncodedPart> {
  let { done, key } = from;
  let limit = MESSAGES_A_PART;
  for (;;) {
    const { records, last } = await context.store.readAll(key === "" ? undefined : key, limit);
    const selected = records.filter((record) => record.at >= sinceMs && record.id !== "" && record.held === undefined);
    const messages = await Promise.all(selected.map((record) => asTransferred(context, record)));
    const behind = done + records.length;
    const next = last === undefined ? `f:${behind}` : `m:${behind}:${last}`;
    const part = encoded({ messages }, { next, isLast: false, done: behind });
    const isTooLarge = part.data.length > MAX_PART_BYTES && limit > 1;
    if (isTooLarge) limit = Math.ceil(limit / 4);
    else if (messages.length > 0 || last === undefined) return part;
    else {
      done += records.length;
      key = last;
    }
  }
}

/** A chunk of a file, of large ones after all others, where they are wanted; the last part of all is empty. */
async function fileAfter(
  context: PartContext,
  { hasLarge, ...wanted }: WantedFiles & { readonly hasLarge: boolean },
  { done, key, index }: { readonly done: number; readonly key: string; readonly index: number },
): Promise<EncodedPart> {
  const { part, next } = await chunkAfter(context, wanted, { key, index });
  const behind = done + (part === undefined ? 0 : 1);
  const kind = wanted.areLarge || (next === undefined && hasLarge) ? "l" : "f";
  const mark = next === undefined ? `${kind}:${behind}` : `${kind}:${behind}:${next.key}:${next.index}`;
  const rest = { next: mark, isLast: next === undefined && (wanted.areLarge || !hasLarge), done: behind };
  return part === undefined ? encoded({ messages: [] }, rest) : { data: encodeFilePart(part), ...rest };
}

/** What a part says. @throws TypeError or SyntaxError for bytes that are none. */
export function decodePart(bytes: Uint8Array): DeviceTransferPart {
  return isFilePart(bytes) ? decodeFilePart(bytes) : (JSON.parse(fromUtf8(bytes)) as DeviceTransferPart);
}

/** True for what only {@link decodeFilePart} reads. */
export function isFilePart(bytes: Uint8Array): boolean {
  return bytes[0] !== JSON_START;
}

function encoded(part: DeviceTransferPart, rest: Omit<EncodedPart, "data">): EncodedPart {
  return { data: utf8(JSON.stringify(part)), ...rest };
}
