// Files above 8 MiB in the composer: read part by part while they are copied, and refused in words before anything is sent.
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";

/** A file of the browser, read where it lies. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}

/** Why files cannot be sent to a conversation. */
export interface FileRefusal {
  readonly kind: "tooLarge" | "tooOld";
  /** Bytes of the largest file that can be. */
  readonly limit: number;
}

/** Why the largest of these files cannot be sent; undefined where all can. */
export async function refusalOf(
  messenger: Pick<Messenger, "fileLimit">,
  id: ConversationId,
  files: readonly Pick<File, "size">[],
): Promise<FileRefusal | undefined> {
  const largest = Math.max(0, ...files.map(({ size }) => size));
  if (largest <= MAX_PUSHED_FILE_BYTES) return undefined;
  const { bytes, tooOld } = await messenger.fileLimit(id);
  if (largest <= bytes) return undefined;
  return { kind: bytes === MAX_PUSHED_FILE_BYTES && tooOld.length > 0 ? "tooOld" : "tooLarge", limit: bytes };
}

/** @throws CodedError BAD_REQUEST where one of the files cannot be sent. */
export async function requireSendable(messenger: Messenger, id: ConversationId, files: readonly File[]): Promise<void> {
  const refusal = await refusalOf(messenger, id, files);
  if (refusal !== undefined)
    throw new CodedError("BAD_REQUEST", `A file has at most ${refusal.limit} bytes here`, {
      details: { field: "file", limit: refusal.limit },
    });
}
