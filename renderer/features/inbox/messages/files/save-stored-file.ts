// Saves the file of a message part by part: what was read leaves the memory of the page, as the browser keeps the parts of a blob itself.
import { saveBytes } from "#renderer/lib/browser/save-file.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessageKey } from "#shared/messenger/model/message.ts";

/** Saves it under a name; nothing where it is not whole here. @throws CodedError LOCAL_STORE_FAILED when it is damaged; then nothing is saved. */
export async function saveStoredFile(messenger: Messenger, key: MessageKey, name: string): Promise<void> {
  const file = await messenger.readFileParts(key);
  if (file === undefined) return;
  const parts: Blob[] = [];
  for await (const part of file.parts) parts.push(new Blob([new Uint8Array(part)]));
  saveBytes(name, new Blob(parts));
}
