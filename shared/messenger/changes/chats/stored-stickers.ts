// One's own stickers, as they are stored: one record of which there are, the bytes of each beside it, and which were removed. Of each
// the latest change counts, so that all own devices end with the same. Loaded with the first use.
import { isOneEmoji } from "#shared/content/chat/one-emoji.ts";
import { isOwnSticker, MAX_STICKERS, STICKER_ID_BYTES, type SyncStickerBody } from "#shared/content/chat/sticker-content.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromBase64, toBase64, toHex } from "#shared/util/bytes.ts";
import { newId, STICKERS_KEY } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { LocalStore } from "../../store/local-store.ts";
import type { StoreBatch } from "../../store/store-batch.ts";
import type { Change } from "../change.ts";

const REMOVED_KEY = "removed stickers";
/** Removals that are remembered, the latest ones: what was changed before them does not come back. */
const MAX_REMOVED_STICKERS = 240;
/** Latest time of a change or a place, milliseconds since 1970: no clock shows a later one. */
export const LATEST_MS = 8_640_000_000_000_000;

/** One of one's own stickers. */
export interface OwnSticker {
  /** Hex of the beginning of the SHA-256 of its bytes. */
  readonly id: string;
  readonly emoji: string;
  /** The latest is the first: when it was added or moved there, milliseconds since 1970. */
  readonly at: number;
  /** When it was changed last, where that was not then. */
  readonly changedAt?: number;
}

/** A sticker with its bytes, a WebP. */
export interface WholeSticker extends Omit<OwnSticker, "id"> {
  readonly data: Uint8Array;
}

/** That a sticker was removed, milliseconds since 1970. */
export interface RemovedSticker {
  readonly id: string;
  readonly at: number;
}

type Own = Pick<EngineContext, "account" | "random">;

/** All of them, the first one first. */
export async function readStickers(store: Pick<LocalStore, "readMeta">): Promise<readonly OwnSticker[]> {
  return (await store.readMeta<readonly OwnSticker[]>(STICKERS_KEY)) ?? [];
}

/** Those that were removed, the latest one first. */
export async function readRemoved(store: Pick<LocalStore, "readMeta">): Promise<readonly RemovedSticker[]> {
  return (await store.readMeta<readonly RemovedSticker[]>(REMOVED_KEY)) ?? [];
}

/** Bytes of a sticker; undefined where it is not here. */
export async function readStickerBytes(store: Pick<LocalStore, "readMeta">, id: string): Promise<Uint8Array | undefined> {
  const data = await store.readMeta<string>(bytesKey(id));
  return data === undefined ? undefined : fromBase64(data);
}

/** True for what may be stored as one. */
export function isWholeSticker({ emoji, at, changedAt = at, data }: WholeSticker): boolean {
  // A removal after it has a time, too.
  return isOneEmoji(emoji) && isMoment(at) && isMoment(changedAt + 1) && isOwnSticker(data);
}

/** A sticker as it comes from another own device, or that it was removed there. What is neither changes nothing. */
export async function storeSticker(
  context: Own,
  change: Change,
  { sticker, at }: { readonly sticker: SyncStickerBody; readonly at: number },
): Promise<void> {
  const { batch } = change;
  const { sticker: id, emoji, place, data } = sticker;
  if (data === undefined) return takeRemoval(batch, { id, at });
  const whole = { emoji, at: place, changedAt: at, data };
  if (stickerId(data) !== id || !isWholeSticker(whole) || !(await isNews(batch, { id, ...whole }))) return;
  await putSticker(batch, whole);
  await makeRoom(context, change);
}

/** Adds a sticker, or puts it in place of the same one. Returns its id. */
export async function putSticker(batch: StoreBatch, { emoji, at, changedAt = at, data }: WholeSticker): Promise<string> {
  const id = stickerId(data);
  const others = (await inBatch(batch)).filter((sticker) => sticker.id !== id);
  putStickers(batch, [...others, { id, emoji, at, ...(changedAt !== at && { changedAt }) }]);
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

/** Removes a sticker and its bytes where nothing later is known of it; a time that no clock shows removes none. */
export async function takeRemoval(batch: StoreBatch, { id, at }: RemovedSticker): Promise<void> {
  if (!isMoment(at)) return;
  const stickers = await inBatch(batch);
  const known = stickers.find((sticker) => sticker.id === id);
  // Of one moment the sticker counts.
  if (known !== undefined && changeOf(known) >= at) return;
  putStickers(
    batch,
    stickers.filter((sticker) => sticker !== known),
  );
  batch.deleteMeta(bytesKey(id));
  const removed = await removedInBatch(batch);
  const latest = Math.max(at, removed.find((other) => other.id === id)?.at ?? 0);
  const after = [...removed.filter((other) => other.id !== id), { id, at: latest }].toSorted(
    (a, b) => b.at - a.at || (a.id < b.id ? -1 : 1),
  );
  batch.putMeta(REMOVED_KEY, after.slice(0, MAX_REMOVED_STICKERS));
}

/** True where nothing later is known of the sticker, nor that it was removed later. */
export async function isNews(batch: StoreBatch, sticker: OwnSticker): Promise<boolean> {
  const changedAt = changeOf(sticker);
  if ((await removedInBatch(batch)).some(({ id, at }) => id === sticker.id && at > changedAt)) return false;
  const known = (await inBatch(batch)).find(({ id }) => id === sticker.id);
  if (known === undefined || changeOf(known) !== changedAt) return known === undefined || changeOf(known) < changedAt;
  return orderOf(sticker) > orderOf(known);
}

/** A time after everything that is known of a sticker, whatever the clock says. */
export async function nextChange(batch: StoreBatch, id: string, nowMs: number): Promise<number> {
  const known = (await inBatch(batch)).find((sticker) => sticker.id === id);
  const removed = (await removedInBatch(batch)).find((sticker) => sticker.id === id);
  return Math.min(LATEST_MS, Math.max(nowMs, (known === undefined ? 0 : changeOf(known)) + 1, (removed?.at ?? 0) + 1));
}

/** Own devices learn how a sticker is now, or that it was removed at a time. */
export function queueSticker({ account, random }: Own, change: Change, sticker: OwnSticker | RemovedSticker): void {
  const said = "emoji" in sticker ? { emoji: sticker.emoji, place: sticker.at } : { emoji: "", place: 0 };
  const at = "emoji" in sticker ? changeOf(sticker) : sticker.at;
  change.queue(account.masterPub, { kind: "sticker", id: newId(random), at, sticker: { sticker: sticker.id, ...said } });
}

/** All of them with the changes made so far. */
export async function inBatch(batch: StoreBatch): Promise<readonly OwnSticker[]> {
  return (await batch.meta<readonly OwnSticker[]>(STICKERS_KEY)) ?? [];
}

/** What names a sticker. */
export function stickerId(data: Uint8Array): string {
  return toHex(sha256(data).subarray(0, STICKER_ID_BYTES));
}

/**
 * Devices that each added some may have too many together: the last one goes, on all of them, however the additions and other removals
 * reached each.
 */
async function makeRoom(context: Own, change: Change): Promise<void> {
  const stickers = await inBatch(change.batch);
  const last = stickers.at(-1);
  if (last === undefined || stickers.length <= MAX_STICKERS) return;
  const removal = { id: last.id, at: changeOf(last) + 1 };
  await takeRemoval(change.batch, removal);
  queueSticker(context, change, removal);
}

async function removedInBatch(batch: StoreBatch): Promise<readonly RemovedSticker[]> {
  return (await batch.meta<readonly RemovedSticker[]>(REMOVED_KEY)) ?? [];
}

function changeOf({ at, changedAt = at }: OwnSticker): number {
  return changedAt;
}

function orderOf({ emoji, at }: OwnSticker): string {
  return JSON.stringify([emoji, at]);
}

function isMoment(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0 && at <= LATEST_MS;
}

function bytesKey(id: string): string {
  return `sticker.${id}`;
}
