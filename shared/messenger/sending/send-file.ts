// A file of one's own: checked, announced, and queued chunk by chunk.

import { isOneEmoji } from "#shared/content/chat/one-emoji.ts";
import { mayBeSticker } from "#shared/content/chat/sticker-content.ts";
import { isVoice } from "#shared/content/chat/voice-content.ts";
import {
  MAX_FILE_NAME_BYTES,
  MAX_MEDIA_TYPE_BYTES,
  MAX_PREVIEW_BYTES,
  MAX_PUSHED_FILE_BYTES,
  MAX_TEXT_BYTES,
  type MessageId,
} from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type ByteSource, bytesSource } from "#shared/util/byte-source.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { Change } from "../changes/change.ts";
import { chunkCount } from "../changes/files/chunk-sizes.ts";
import { addFileBox, type FileBoxPlan, newFileBox } from "../changes/files/file-box-record.ts";
import { type FileSeal, sealFile } from "../changes/files/file-cipher.ts";
import { isLarge, storedAttachment } from "../changes/files/files.ts";
import type { ConversationId, MessageKey, OutgoingFile, StoredAttachment } from "../model/message.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { addOwnMessage } from "./compose-message.ts";

type FileContext = Pick<
  EngineContext,
  "account" | "store" | "clock" | "random" | "registry" | "settings" | "outbox" | "cover" | "undoable"
>;

/** A file of which only key and digest are missing. */
export interface CheckedFile {
  readonly source: ByteSource;
  /** The message, once it is known what the file was encrypted to. */
  readonly bodyOf: (seal: FileSeal) => StoredAttachment;
}

/** What is to be sent, of `most` bytes at most, checked. @throws CodedError BAD_REQUEST for an empty, large or badly named file. */
export function checkedFile(
  { name, mediaType, bytes, caption, image, voice, sticker }: OutgoingFile<Uint8Array | ByteSource>,
  most: number,
): CheckedFile {
  const source = bytes instanceof Uint8Array ? bytesSource(bytes) : bytes;
  const { size } = source;
  if (!Number.isSafeInteger(size) || size <= 0 || size > most)
    throw new CodedError("BAD_REQUEST", `A file has 1 to ${most} bytes`, { details: { field: "file", bytes: size, limit: most } });
  const isFitting =
    name !== "" &&
    mediaType !== "" &&
    utf8Length(name) <= MAX_FILE_NAME_BYTES &&
    utf8Length(mediaType) <= MAX_MEDIA_TYPE_BYTES &&
    utf8Length(caption) <= MAX_TEXT_BYTES &&
    (image?.preview.length ?? 0) <= MAX_PREVIEW_BYTES &&
    (voice === undefined || isVoice(voice));
  const isPlain = !isLarge({ size }) || (image === null && voice === undefined);
  if (!isFitting || !isPlain)
    throw new CodedError("BAD_REQUEST", "The name, type, text, picture or recording of the file is too long", {
      details: { field: "file" },
    });
  const shown = { name: name.toWellFormed(), mediaType, size, caption, image, ...(voice && { voice }), ...(sticker && { sticker }) };
  if (sticker !== undefined && !(isOneEmoji(sticker) && mayBeSticker(shown)))
    throw new CodedError("BAD_REQUEST", "A sticker is a small picture with one emoji and no text", { details: { field: "sticker" } });
  return { source, bodyOf: ({ key, digest }) => storedAttachment({ kind: "attachment", ...shown, key, digest }) };
}

/** A file of a program, checked and encrypted in memory. @throws CodedError like {@link checkedFile}. */
export async function sealOutgoing(
  file: OutgoingFile,
): Promise<{ readonly body: StoredAttachment; readonly chunks: readonly Uint8Array[] }> {
  const { source, bodyOf } = checkedFile(file, MAX_PUSHED_FILE_BYTES);
  const { chunks, ...seal } = await sealFile(source);
  return { body: bodyOf(seal), chunks };
}

/**
 * Adds a message with a file; each chunk waits in the outbox by itself, so that sending continues where it stopped. Those of a large file
 * stay in the store until a device asks for them. Without `chunks` they are there already.
 */
export async function addFileMessage(
  context: FileContext,
  change: Change,
  {
    conversation,
    body,
    chunks = [],
    id = newId(context.random),
    plan,
  }: {
    readonly conversation: ConversationId;
    readonly body: StoredAttachment;
    readonly chunks?: readonly Uint8Array[];
    readonly id?: MessageId;
    /** How it is stored once. */
    readonly plan?: FileBoxPlan | undefined;
  },
): Promise<MessageKey> {
  const { account, clock } = context;
  const own = await context.store.messageKey(account.masterPub, id);
  const box = plan && (await addFileBox(change.batch, newFileBox(body, plan, { id, key: own, nowMs: clock.nowMs() }))) ? plan : undefined;
  const key = await addOwnMessage(context, change, { conversation, body: box === undefined ? body : { ...body, boxes: box.boxes }, id });
  for (const [index, data] of chunks.entries()) await change.batch.putChunk({ author: account.masterPub, id, index }, data, null);
  const total = chunkCount(body.size);
  const record = await change.batch.message(key);
  const everyone = record?.deliveries === undefined ? 1 : Object.keys(record.deliveries).length + 1;
  const ways = isLarge(body) ? 1 : everyone - (box?.people.length ?? 0) + Number(box !== undefined);
  const isServed = (person: PublicKeyHex): boolean => box?.people.includes(person) === true;
  if (!isLarge(body))
    for (let index = 0; index < total; index += 1)
      change.queueForSome(conversation, { kind: "chunk", key, id, index }, (person) => !isServed(person));
  if (record !== undefined) change.updateMessage(key, { ...record, transfer: { done: 0, total: total * ways } });
  return key;
}
