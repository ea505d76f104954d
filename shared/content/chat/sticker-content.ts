// A picture that is meant as a sticker: its emoji is said beside it. Programs that do not know that show the picture.
import { measureImage } from "#shared/media/image-size.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import { shownStill } from "#shared/media/shown-image.ts";

/** Largest sticker, bytes. */
export const MAX_STICKER_BYTES = 65_536;
/** Its longest side, pixels. */
export const MAX_STICKER_SIDE = 512;
/** Most stickers of one's own: 7.5 MiB. */
export const MAX_STICKERS = 120;
/** Bytes that name a sticker: the beginning of the SHA-256 of its picture. */
export const STICKER_ID_BYTES = 16;

const TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

/** To one's own other devices: one of one's own stickers, as it is from the time of the content on. The latest counts. */
export interface SyncStickerBody {
  readonly kind: "sync.sticker";
  /** Hex of {@link STICKER_ID_BYTES} bytes. */
  readonly sticker: string;
  /** "" where it was removed. */
  readonly emoji: string;
  /** Its place: the latest is the first, milliseconds since 1970. */
  readonly place: number;
  /** The picture, a WebP, also where only the place is another one: contents come in any order. Absent where it was removed. */
  readonly data?: Uint8Array;
}

/** What an announced picture says of itself. */
export interface AnnouncedPicture {
  readonly size: number;
  readonly mediaType: string;
  readonly caption: string;
  readonly image: { readonly width: number; readonly height: number } | null;
  readonly voice?: unknown;
}

/** True for a picture that is announced as small enough for a sticker, and as nothing else beside that. */
export function mayBeSticker({ size, mediaType, caption, image, voice }: AnnouncedPicture): boolean {
  if (image === null || voice !== undefined || caption !== "" || !TYPES.has(mediaType)) return false;
  return size <= MAX_STICKER_BYTES && Math.max(image.width, image.height) <= MAX_STICKER_SIDE;
}

/** True for bytes that are as small as a sticker, whatever was announced. */
export function isStickerSized(bytes: Uint8Array): boolean {
  const size = measureImage(bytes);
  return size !== undefined && bytes.length <= MAX_STICKER_BYTES && Math.max(size.width, size.height) <= MAX_STICKER_SIDE;
}

/** True for what may be among one's own stickers: a WebP that does not move. */
export function isOwnSticker(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_STICKER_BYTES && shownStill(bytes, MAX_STICKER_SIDE) !== undefined;
}
