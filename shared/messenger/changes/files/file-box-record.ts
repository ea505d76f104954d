// What the sender of a file notes of the mailboxes in which it is stored once: one row a file, in numbered places, so that nothing is left of
// those that are over.
import { MAX_FILE_BOXES, MAX_PUSHED_FILE_BYTES, type MessageId } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { MessageKey, StoredAttachment } from "../../model/message.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { StoreBatch } from "../../store/store-batch.ts";
import { FILE_BOXES_KEY } from "../change.ts";
import { boxCount, fileBoxKeys } from "./box-cipher.ts";
import { chunkCount } from "./chunk-sizes.ts";

/** Files that one device stores once at a time; further ones are sent to each device. */
export const MAX_STORED_FILES = 256;
/** It pays where so many envelopes are saved: opening a mailbox and emptying it are requests, too. */
const MIN_SAVED = 8;
const SECRET_BYTES = 32;

/** A file of one's own that is stored once. */
export interface FileBoxRecord {
  readonly id: MessageId;
  readonly key: MessageKey;
  /** Hex; the mailboxes follow from it, and it goes to no one. */
  readonly secret: string;
  /** Hex of the file's key; "" once all is stored. */
  readonly fileKey: string;
  readonly total: number;
  /** Large ones wait until someone wants them. `closing`: what was stored is to be deleted. */
  readonly phase: "waiting" | "storing" | "stored" | "closing";
  /** So many chunks are at the node. */
  readonly stored: number;
  /** Ids of their envelopes, and of the one that may be on its way. */
  readonly ids: readonly string[];
  /** When it was begun, unix seconds. */
  readonly sentAtS: number;
  /** Its message was removed on this device alone, and disappears for the others then, milliseconds by the own clock. */
  readonly untilMs?: number;
  /** People for whom it is stored. */
  readonly people: readonly PublicKeyHex[];
  /** Devices that read it and have not said that they have it. */
  readonly readers: readonly X25519KeyHex[];
}

/** What becomes of a file that is stored once where only this device is to forget it: it stays, until its message disappears for the others. */
export interface KeptFile {
  /** By the own clock; absent where it does not disappear. */
  readonly untilMs?: number;
}

/** Where a file's row is. */
export interface FileBoxPlace {
  readonly slot: number;
  readonly id: MessageId;
}

/** A file that is to be stored once: what its message says, and what is noted. */
export interface FileBoxPlan extends Pick<FileBoxRecord, "secret" | "people" | "readers"> {
  readonly boxes: readonly X25519KeyHex[];
}

/**
 * The plan for a file to some people, where it pays; undefined where each device is to be sent its own. Those whose devices do not all read
 * mailboxes of files are left out, and so are those with a device that has said nothing yet: it may have an earlier program.
 */
export function planFileBox(
  { account, pairs, devices, random }: Pick<EngineContext, "account" | "pairs" | "devices" | "random">,
  size: number,
  people: readonly PublicKeyHex[],
): FileBoxPlan | undefined {
  const me = account.masterPub;
  const devicesOf = (person: PublicKeyHex): readonly X25519KeyHex[] | undefined => {
    const all = pairs.all.filter(({ peer }) => peer === person);
    const reading = all.filter(({ readsBoxes = 0 }) => readsBoxes >= Math.min(boxCount(size), MAX_FILE_BOXES)).map(({ device }) => device);
    const { signed = [], first = [] } = devices.of(person) ?? {};
    const isServed = (device: X25519KeyHex): boolean => device === account.devicePub || reading.includes(device);
    return reading.length === all.length && [...signed, ...first].every(isServed) ? reading : undefined;
  };
  const own = devicesOf(me);
  const able = people.filter((person) => (devicesOf(person)?.length ?? 0) > 0);
  // Between two, one's own devices are served with the other person's.
  const isBetweenTwo = !people.includes(me);
  if (isBetweenTwo && own === undefined) return undefined;
  const readers = [...(isBetweenTwo ? (own ?? []) : []), ...able.flatMap((person) => devicesOf(person) ?? [])];
  if (able.length === 0 || chunkCount(size) * (readers.length - 1) < MIN_SAVED) return undefined;
  const secret = random(SECRET_BYTES);
  const boxes = Array.from({ length: boxCount(size) }, (_, number) => fileBoxKeys(secret, number).mailbox);
  return { secret: toHex(secret), boxes, people: able, readers };
}

/** What is noted of a file at first: large ones wait until someone wants them. */
export function newFileBox(
  { size, key: fileKey }: Pick<StoredAttachment, "size" | "key">,
  { secret, people, readers }: FileBoxPlan,
  { id, key, nowMs }: { readonly id: MessageId; readonly key: MessageKey; readonly nowMs: number },
): FileBoxRecord {
  const phase = size > MAX_PUSHED_FILE_BYTES ? "waiting" : "storing";
  return {
    id,
    key,
    secret,
    fileKey,
    total: chunkCount(size),
    phase,
    stored: 0,
    ids: [],
    sentAtS: Math.floor(nowMs / 1000),
    people,
    readers,
  };
}

/** Puts a file into a free place; false where there is none. */
export async function addFileBox(batch: StoreBatch, record: FileBoxRecord): Promise<boolean> {
  const places = await fileBoxPlaces(batch);
  const slot = Array.from({ length: MAX_STORED_FILES }, (_, at) => at).find((at) => places.every((place) => place.slot !== at));
  if (slot === undefined) return false;
  batch.putMeta(FILE_BOXES_KEY, [...places, { slot, id: record.id }]);
  batch.putMeta(rowKey(slot), record, await isOfFading(batch, record));
  return true;
}

/** Files that are stored once, the first one first. */
export async function fileBoxPlaces(batch: Pick<StoreBatch, "meta">): Promise<readonly FileBoxPlace[]> {
  return (await batch.meta<readonly FileBoxPlace[]>(FILE_BOXES_KEY)) ?? [];
}

export async function fileBoxAt(batch: Pick<StoreBatch, "meta">, { slot }: FileBoxPlace): Promise<FileBoxRecord | undefined> {
  return (await batch.meta<FileBoxRecord | null>(rowKey(slot))) ?? undefined;
}

/** What is noted of the file of a message. */
export async function fileBoxOf(batch: Pick<StoreBatch, "meta">, id: MessageId): Promise<FileBoxRecord | undefined> {
  const place = (await fileBoxPlaces(batch)).find((other) => other.id === id);
  return place && (await fileBoxAt(batch, place));
}

/** Changes what is noted of a file; undefined takes it away. */
export async function putFileBox(batch: StoreBatch, id: MessageId, record: FileBoxRecord | undefined): Promise<void> {
  const places = await fileBoxPlaces(batch);
  const place = places.find((other) => other.id === id);
  if (place === undefined) return;
  batch.putMeta(rowKey(place.slot), record ?? null, record !== undefined && (await isOfFading(batch, record)));
  if (record === undefined)
    batch.putMeta(
      FILE_BOXES_KEY,
      places.filter((other) => other !== place),
    );
}

/** The message is gone: what was stored is to be deleted. */
export async function closeFileBox(batch: StoreBatch, id: MessageId): Promise<void> {
  const record = await fileBoxOf(batch, id);
  if (record !== undefined) await putFileBox(batch, id, { ...record, phase: "closing", fileKey: "" });
}

/** Keys of the mailbox in which a chunk lies. */
export function boxKeysAt({ secret }: Pick<FileBoxRecord, "secret">, number: number): ReturnType<typeof fileBoxKeys> {
  return fileBoxKeys(fromHex(secret), number);
}

/** The file's key goes with a message that disappears. */
async function isOfFading(batch: StoreBatch, { key, fileKey }: FileBoxRecord): Promise<boolean> {
  return fileKey !== "" && (await batch.message(key))?.expiry !== undefined;
}

function rowKey(slot: number): string {
  return `file box ${slot}`;
}
