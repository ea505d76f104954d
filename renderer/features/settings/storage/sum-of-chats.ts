// What all chats take together. Pure.
import type { ChatStorage } from "#shared/messenger/commands/removing/storage-use.ts";

export function sumOfChats(chats: readonly ChatStorage[]): Omit<ChatStorage, "conversation"> {
  return chats.reduce(
    (sum, { messages, files, fileBytes }) => ({
      messages: sum.messages + messages,
      files: sum.files + files,
      fileBytes: sum.fileBytes + fileBytes,
    }),
    { messages: 0, files: 0, fileBytes: 0 },
  );
}
