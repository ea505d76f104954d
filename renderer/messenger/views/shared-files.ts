// The files of a conversation, newest first. The store knows of no kinds without opening records, so it is read back page by page.

import type { SharedFiles } from "../model/conversation.ts";
import type { ConversationId } from "../model/message.ts";
import { chatMessageOf, type MessagePosition } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Messages read at a time. */
const PAGE = 200;
/** Messages looked through before the person is asked whether to go on. */
const MAX_READ = 4_000;

/** The next files before a position, at most `limit` of them. */
export async function sharedFiles(
  { store, account }: Pick<EngineContext, "store" | "account">,
  id: ConversationId,
  { before, limit }: { readonly before: MessagePosition | null; readonly limit: number },
): Promise<SharedFiles> {
  const messages: SharedFiles["messages"][number][] = [];
  let position = before ?? undefined;
  for (let read = 0; read < MAX_READ; read += PAGE) {
    const page = await store.readPage(id, position, PAGE);
    for (const stored of page) {
      position = { at: stored.record.at, key: stored.key };
      if (stored.record.body.kind === "attachment") messages.push(chatMessageOf(stored, account.masterPub));
      if (messages.length >= limit) return { messages, next: position };
    }
    if (page.length < PAGE) return { messages, next: null };
  }
  return { messages, next: position ?? null };
}
