// One's own stickers, as they are stored: one record of which there are, and the bytes of each beside it. Loaded with the first use.
import { isOneEmoji } from "#shared/content/chat/one-emoji.ts";
import { isOwnSticker, MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromBase64, toBase64, toHex } from "#shared/util/bytes.ts";
import type { LocalStore } from "../../store/local-store.ts";
import type { StoreBatch } from "../../store/store-batch.ts";

const STICKERS_KEY = "stickers";
const ID_BYTES = 16;
/** Latest time of an order, milliseconds since 1970: no clock shows a later one. */
const LATEST_MS = 8_640_000_000_000_000;

/** One of one's own stickers. */
export interface OwnSticker {
  /** Hex of the beginning of the SHA-256 of its bytes. */
  readonly id: string;
  readonly emoji: string;
  /** The latest is the first: when it was added or moved there, milliseconds since 1970. */
  readonly at: number;
}

/** A sticker with its bytes, a WebP. */
export interface WholeSticker extends Omit<OwnSticker, "id"> {
  readonly data: Uint8Array;
}

/** All of them, the first one first. */
export async function readStickers(store: Pick<LocalStore, "readMeta">): Promise<readonly OwnSticker[]> {
  return (await store.readMeta<readonly OwnSticker[]>(STICKERS_KEY)) ?? [];
}

/** Bytes of a sticker; undefined where it is not here. */
export async function readStickerBytes(store: Pick<LocalStore, "readMeta">, id: string): Promise<Uint8Array | undefined> {
  const data = await store.readMeta<string>(bytesKey(id));
  return data === undefined ? undefined : fromBase64(data);
}

/** True for what may be stored as one. */
export function isWholeSticker({ emoji, at, data }: WholeSticker): boolean {
  return isOneEmoji(emoji) && Number.isSafeInteger(at) && at >= 0 && at <= LATEST_MS && isOwnSticker(data);
}

/** Adds a sticker, or gives one that is there another emoji and place. Its id; undefined where there is no room for one more. */
export async function putSticker(batch: StoreBatch, { emoji, at, data }: WholeSticker): Promise<string | undefined> {
  const id = stickerId(data);
  const others = (await inBatch(batch)).filter((sticker) => sticker.id !== id);
  if (others.length >= MAX_STICKERS) return undefined;
  putStickers(batch, [...others, { id, emoji, at }]);
  batch.putMeta(bytesKey(id), toBase64(data));
  return id;
}

/** Stores which there are. */
export function putStickers(batch: StoreBatch, stickers: readonly OwnSticker[]): void {
  batch.putMeta(
    STICKERS_KEY,
    stickers.toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)),
  );
}

/** Removes a sticker and its bytes. */
export async function dropSticker(batch: StoreBatch, id: string): Promise<void> {
  putStickers(
    batch,
    (await inBatch(batch)).filter((sticker) => sticker.id !== id),
  );
  batch.deleteMeta(bytesKey(id));
}

/** All of them with the changes made so far. */
export async function inBatch(batch: StoreBatch): Promise<readonly OwnSticker[]> {
  return (await batch.meta<readonly OwnSticker[]>(STICKERS_KEY)) ?? [];
}

/** What names a sticker. */
export function stickerId(data: Uint8Array): string {
  return toHex(sha256(data).subarray(0, ID_BYTES));
}

function bytesKey(id: string): string {
  return `sticker.${id}`;
}
