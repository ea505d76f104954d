// One's own stickers in parts of a backup or of what a linked device gets. What was removed comes back with a backup from before.
import { toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Change } from "../changes/change.ts";
import { inBatch, isWholeSticker, putSticker, readStickerBytes, readStickers, stickerId } from "../changes/chats/stored-stickers.ts";
import type { LocalStore } from "../store/local-store.ts";

/** Characters of base64 in a part: with one more sticker it is below what a part of a transfer holds. */
const PART_CHARS = 80_000;

/** A sticker, its bytes in base64. */
export interface SentSticker {
  readonly emoji: string;
  readonly at: number;
  readonly data: string;
}

/** Some of one's own stickers. */
export interface StickerPart {
  readonly stickers: readonly SentSticker[];
}

/** A part, and where the next one begins; undefined at the end. */
export interface FoundStickers extends StickerPart {
  readonly next: number | undefined;
}

/** Stickers from a position on: as many as fit into a part. */
export async function stickersAfter(store: LocalStore, position: number): Promise<FoundStickers> {
  const all = (await readStickers(store)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const stickers: SentSticker[] = [];
  let chars = 0;
  let at = position;
  for (; at < all.length && chars < PART_CHARS; at += 1) {
    const own = all[at];
    const bytes = own && (await readStickerBytes(store, own.id));
    if (own === undefined || bytes === undefined) continue;
    const data = toBase64(bytes);
    chars += data.length;
    stickers.push({ emoji: own.emoji, at: own.at, data });
  }
  return { stickers, next: at < all.length ? at : undefined };
}

/** All parts; no empty one. */
export async function* stickerParts(store: LocalStore): AsyncGenerator<StickerPart> {
  let position: number | undefined = 0;
  while (position !== undefined) {
    const { stickers, next }: FoundStickers = await stickersAfter(store, position);
    if (stickers.length > 0) yield { stickers };
    position = next;
  }
}

/** Takes over those that are not here, while there is room. */
export async function addStickers({ batch }: Change, { stickers }: StickerPart): Promise<void> {
  for (const { emoji, at, data: text } of stickers) {
    const data = tryFromBase64(text);
    if (data === undefined || !isWholeSticker({ emoji, at, data })) continue;
    const id = stickerId(data);
    if (!(await inBatch(batch)).some((sticker) => sticker.id === id)) await putSticker(batch, { emoji, at, data });
  }
}
