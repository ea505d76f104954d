// Files that are stored once, in the changes that their messages make: which ones this device fetches by itself, and what is deleted with them.
import type { MessageId } from "#shared/content/content.ts";
import type { MessageKey, Transfer } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import { type Change, DOWNLOADS_KEY } from "../change.ts";
import { boxCount } from "./box-cipher.ts";
import { closeFileBox, fileBoxOf, type KeptFile, putFileBox } from "./file-box-record.ts";

/** Files that are fetched without being asked for at a time, and downloads beside them; of further ones the person is offered to download them. */
export const MAX_FETCHED = 256;
/** Of those the most of one person: others' files are fetched beside a flood of files that are nowhere. */
export const MAX_FETCHED_OF_ONE = 128;

/**
 * A small file is stored once: it is fetched as if it had been sent here, where its author is known. What is added to the transfer where it
 * is not: then it can be downloaded.
 */
export async function wantStored(
  change: Change,
  { record, author, key }: { readonly record: MessageRecord; readonly author: string; readonly key: MessageKey },
): Promise<Pick<Transfer, "from" | "isAsked">> {
  const wanted = (await change.batch.meta<readonly MessageKey[]>(DOWNLOADS_KEY)) ?? [];
  const isKnown = record.direction === "out" || change.isKnown(author);
  if (!isKnown || wanted.length >= MAX_FETCHED || !hasItsBoxes(record) || (await hasEnough(change, wanted, record)))
    return { from: "sender" };
  change.batch.putMeta(DOWNLOADS_KEY, [...wanted, key]);
  return { from: "sender", isAsked: true };
}

/** True where so many files of a message's author are fetched as are fetched of one. */
async function hasEnough(change: Change, wanted: readonly MessageKey[], { direction, ...record }: MessageRecord): Promise<boolean> {
  if (direction === "out" || wanted.length < MAX_FETCHED_OF_ONE) return false;
  const others = await Promise.all(wanted.map((key) => change.batch.message(key)));
  const from = record.author ?? record.conversation;
  return others.filter((other) => other?.direction === "in" && (other.author ?? other.conversation) === from).length >= MAX_FETCHED_OF_ONE;
}

/** True where the message names as many mailboxes as its file takes, none twice. */
export function hasItsBoxes({ body }: Pick<MessageRecord, "body">): boolean {
  if (body.kind !== "attachment" || body.boxes === undefined) return false;
  return body.boxes.length === boxCount(body.size) && new Set(body.boxes).size === body.boxes.length;
}

/** One's own message is gone: so is what is stored of its file, at once or when it is over for the others, too. */
export async function unstore(change: Change, id: MessageId, kept: KeptFile | undefined): Promise<void> {
  if (kept === undefined) return closeFileBox(change.batch, id);
  const record = kept.untilMs === undefined ? undefined : await fileBoxOf(change.batch, id);
  if (record !== undefined) await putFileBox(change.batch, id, { ...record, ...kept });
}

/** True while chunks of one's own file are still to be put where it is stored once. */
export async function isBeingStored(change: Change, id: MessageId): Promise<boolean> {
  return (await fileBoxOf(change.batch, id))?.phase === "storing";
}
