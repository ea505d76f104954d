// Requests of other devices for chunks of large files, and their answers.
import { type FileAskBody, MAX_ASKED_CHUNKS, type MessageId } from "#shared/content/content.ts";
import type { GroupReference } from "#shared/content/group-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../../model/conversation-id.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";
import { chunkCount } from "./chunk-sizes.ts";
import { fileBoxOf, putFileBox } from "./file-box-record.ts";

type RequestContext = Pick<EngineContext, "account" | "store" | "clock" | "outbox">;

/** Chunks that wait in the outbox for one device: what more is asked for meanwhile is asked for again. */
const MAX_WAITING_FOR_DEVICE = 2 * MAX_ASKED_CHUNKS;

/** A device asks for chunks of a file that this one sent. Only those who got the message get them, and none without end. */
export async function applyFileAsk(
  { account, store, clock, outbox }: RequestContext,
  change: Change,
  {
    from,
    device,
    ask: { id, chunks, stored = false },
  }: { readonly from: PublicKeyHex; readonly device: X25519KeyHex; readonly ask: FileAskBody },
): Promise<void> {
  const me = account.masterPub;
  if (from !== me && !change.isKnown(from)) return;
  const key = await store.messageKey(me, id);
  const record = await change.batch.message(key);
  if (record !== undefined && !hasGot(record, from, me)) return;
  const total = record?.body.kind === "attachment" ? chunkCount(record.body.size) : 0;
  const wanted = [...new Set(chunks)].filter((index) => index < total);
  const [first] = wanted;
  if (first === undefined || !(await change.batch.hasChunk({ author: me, id, index: first }))) {
    if (outbox.served.take(device, clock.nowMs(), 1)) change.queue(from, { kind: "fileGone", device, id });
    return;
  }
  if (stored && (await isBeingStored(change, id, clock.nowMs()))) return;
  const waiting = outbox.chunksFor(device);
  const fresh = wanted.filter((index) => !waiting.has(`${id} ${index}`)).slice(0, Math.max(0, MAX_WAITING_FOR_DEVICE - waiting.size));
  if (!outbox.served.take(device, clock.nowMs(), fresh.length)) return;
  for (const index of fresh) change.queue(from, { kind: "chunk", key, id, index, device, ...groupOfMessage(change, record) });
}

/** A file that is stored once is put there with the first request for it; until it is there nothing else of it leaves for who reads that. */
async function isBeingStored(change: Change, id: MessageId, nowMs: number): Promise<boolean> {
  const box = await fileBoxOf(change.batch, id);
  if (box?.phase === "waiting") await putFileBox(change.batch, id, { ...box, phase: "storing", sentAtS: Math.floor(nowMs / 1000) });
  return box?.phase === "waiting" || box?.phase === "storing";
}

/** A device has the whole file: it reads the mailboxes of it no more. */
export async function applyFileGot(
  change: Change,
  { device, id }: { readonly device: X25519KeyHex; readonly id: MessageId },
): Promise<void> {
  const box = await fileBoxOf(change.batch, id);
  if (box?.readers.includes(device) !== true) return;
  await putFileBox(change.batch, id, { ...box, readers: box.readers.filter((other) => other !== device) });
}

/** The device that was asked does not have the file any more. What has come of it is removed: it will never be whole. */
export async function applyFileGone(
  { store }: RequestContext,
  change: Change,
  { author, id }: { readonly author: PublicKeyHex; readonly id: MessageId },
): Promise<void> {
  const key = await store.messageKey(author, id);
  const record = await change.batch.message(key);
  if (record?.body.kind !== "attachment" || record.transfer?.isAsked !== true) return;
  const total = chunkCount(record.body.size);
  await change.batch.deleteChunks({ author, id }, total);
  change.updateMessage(key, { ...record, transfer: { done: 0, total, from: "gone" } });
}

/** True for one's own other devices, and for those to whom the message was written. */
function hasGot({ conversation, deliveries }: MessageRecord, from: PublicKeyHex, me: PublicKeyHex): boolean {
  return from === me || conversation === from || deliveries?.[from] !== undefined;
}

/** The group that it was written to: who has left gets nothing more. */
function groupOfMessage(change: Change, record: MessageRecord | undefined): { readonly group?: GroupReference } {
  const id = groupOf(record?.conversation ?? "");
  const group = id === undefined ? undefined : change.conversation(record?.conversation ?? "").group;
  return id === undefined || group === undefined ? {} : { group: { id, keeper: group.keeper } };
}
