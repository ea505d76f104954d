// One's own stickers in parts of a backup or of what a linked device gets, and which were removed: these do not come back with it.
import { MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Change } from "../changes/change.ts";
import {
  inBatch,
  isNews,
  isWholeSticker,
  putSticker,
  type RemovedSticker,
  readRemoved,
  readStickerBytes,
  readStickers,
  stickerId,
  takeRemoval,
} from "../changes/chats/stored-stickers.ts";
import type { LocalStore } from "../store/local-store.ts";

/** Characters of base64 in a part: with one more sticker it is below what a part of a transfer holds. */
const PART_CHARS = 80_000;

/** Names a sticker. */
const ID = /^[0-9a-f]{32}$/;

/** A sticker, its bytes in base64. */
export interface SentSticker {
  readonly emoji: string;
  readonly at: number;
  readonly changedAt?: number;
  readonly data: string;
}

/** Some of one's own stickers. */
export interface StickerPart {
  readonly stickers: readonly SentSticker[];
  /** Beside the first ones. */
  readonly removed?: readonly RemovedSticker[];
}

/** A part, and where the next one begins; undefined at the end. */
export interface FoundStickers extends StickerPart {
  readonly next: number | undefined;
}

/** Stickers from a position on: as many as fit into a part. */
export async function stickersAfter(store: LocalStore, position: number): Promise<FoundStickers> {
  const all = (await readStickers(store)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const stickers: SentSticker[] = [];
  const removed = position === 0 ? await readRemoved(store) : [];
  let chars = JSON.stringify(removed).length;
  let at = position;
  for (; at < all.length && chars < PART_CHARS; at += 1) {
    const own = all[at];
    const bytes = own && (await readStickerBytes(store, own.id));
    if (own === undefined || bytes === undefined) continue;
    const data = toBase64(bytes);
    chars += data.length;
    const { id: _, ...rest } = own;
    stickers.push({ ...rest, data });
  }
  return { stickers, ...(removed.length > 0 && { removed }), next: at < all.length ? at : undefined };
}

/** All parts; no empty one. */
export async function* stickerParts(store: LocalStore): AsyncGenerator<StickerPart> {
  let position: number | undefined = 0;
  while (position !== undefined) {
    const { next, ...part }: FoundStickers = await stickersAfter(store, position);
    if (part.stickers.length > 0 || part.removed !== undefined) yield part;
    position = next;
  }
}

/** Takes over what is later than what is here, new ones while there is room. */
export async function addStickers({ batch }: Change, { stickers, removed = [] }: StickerPart): Promise<void> {
  for (const { id, at } of removed) if (ID.test(id)) await takeRemoval(batch, { id, at });
  for (const { data: text, ...rest } of stickers) {
    const data = tryFromBase64(text);
    if (data === undefined || !isWholeSticker({ ...rest, data })) continue;
    const id = stickerId(data);
    const known = await inBatch(batch);
    const hasRoom = known.length < MAX_STICKERS || known.some((sticker) => sticker.id === id);
    if (hasRoom && (await isNews(batch, { ...rest, id }))) await putSticker(batch, { ...rest, data });
  }
}
