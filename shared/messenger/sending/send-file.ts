// A file of one's own: checked, encrypted under a key of its own, and queued chunk by chunk.

import { isVoice } from "#shared/content/chat/voice-content.ts";
import {
  MAX_FILE_BYTES,
  MAX_FILE_NAME_BYTES,
  MAX_MEDIA_TYPE_BYTES,
  MAX_PREVIEW_BYTES,
  MAX_TEXT_BYTES,
  type MessageId,
} from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { Change } from "../changes/change.ts";
import { sealFile } from "../changes/file-cipher.ts";
import { storedAttachment } from "../changes/files.ts";
import type { ConversationId, MessageKey, OutgoingFile, StoredAttachment } from "../model/message.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { addOwnMessage } from "./compose-message.ts";

type FileContext = Pick<EngineContext, "account" | "store" | "clock" | "random" | "registry" | "settings">;

/** The file of an outgoing message, checked and encrypted. @throws CodedError BAD_REQUEST for an empty, large or badly named one. */
export async function sealOutgoing(
  file: OutgoingFile,
): Promise<{ readonly body: StoredAttachment; readonly chunks: readonly Uint8Array[] }> {
  const { name, mediaType, bytes, caption, image, voice } = file;
  if (bytes.length === 0 || bytes.length > MAX_FILE_BYTES)
    throw new CodedError("BAD_REQUEST", `A file has 1 to ${MAX_FILE_BYTES} bytes`, { details: { field: "file", bytes: bytes.length } });
  const isFitting =
    name !== "" &&
    mediaType !== "" &&
    utf8Length(name) <= MAX_FILE_NAME_BYTES &&
    utf8Length(mediaType) <= MAX_MEDIA_TYPE_BYTES &&
    utf8Length(caption) <= MAX_TEXT_BYTES &&
    (image?.preview.length ?? 0) <= MAX_PREVIEW_BYTES &&
    (voice === undefined || isVoice(voice));
  if (!isFitting)
    throw new CodedError("BAD_REQUEST", "The name, type, text, picture or recording of the file is too long", {
      details: { field: "file" },
    });
  const { key, digest, chunks } = await sealFile(bytes);
  const body = {
    kind: "attachment",
    name: name.toWellFormed(),
    mediaType,
    size: bytes.length,
    key,
    digest,
    caption,
    image,
    ...(voice && { voice }),
  } as const;
  return { body: storedAttachment(body), chunks };
}

/** Adds a message with a file; each chunk waits in the outbox by itself, so that sending continues where it stopped. */
export async function addFileMessage(
  context: FileContext,
  change: Change,
  {
    conversation,
    body,
    chunks,
    id = newId(context.random),
  }: {
    readonly conversation: ConversationId;
    readonly body: StoredAttachment;
    readonly chunks: readonly Uint8Array[];
    readonly id?: MessageId;
  },
): Promise<MessageKey> {
  const { account } = context;
  const key = await addOwnMessage(context, change, { conversation, body, id });
  for (const [index, data] of chunks.entries()) {
    await change.batch.putChunk({ author: account.masterPub, id, index }, data, null);
    change.queueFor(conversation, { kind: "chunk", key, id, index });
  }
  const record = await change.batch.message(key);
  const ways = record?.deliveries === undefined ? 1 : Object.keys(record.deliveries).length + 1;
  if (record !== undefined) change.updateMessage(key, { ...record, transfer: { done: 0, total: chunks.length * ways } });
  return key;
}
