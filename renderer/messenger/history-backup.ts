// What of the local store goes into a backup, and how it comes back.
import type { BackupKeyRequest } from "#shared/keyring/keyring-api.ts";
import { openBackup, sealBackup } from "./backup.ts";
import { Change } from "./change.ts";
import type { EngineContext } from "./engine-context.ts";
import { authorOf, type ConversationRecord, type MessageRecord } from "./records.ts";

/** Messages in one part of the file, and in one step of restoring. */
const STEP = 500;

type Part =
  | { readonly conversations: readonly Pick<ConversationRecord, "id" | "flags" | "timer" | "group">[] }
  | { readonly messages: readonly MessageRecord[] };

/** The backup file of all messages. What was not sent yet is marked so. */
export function exportHistory(context: EngineContext, password: string): Promise<Uint8Array> {
  const { account, keyring, random } = context;
  const deriveKey = (request: BackupKeyRequest): Promise<Uint8Array> => keyring.backupKey(request);
  return sealBackup(partsOf(context), { owner: account.masterPub, password, deriveKey, random });
}

/** Adds the messages of a file that are not here, and were not deleted here. Returns how many were added. */
export async function importHistory(context: EngineContext, file: Uint8Array, password: string): Promise<number> {
  const { account, keyring, writer } = context;
  const deriveKey = (request: BackupKeyRequest): Promise<Uint8Array> => keyring.backupKey(request);
  const parts = (await openBackup(file, { owner: account.masterPub, password, deriveKey })) as readonly Part[];
  let added = 0;
  for (const part of parts) added += await writer.run(() => addPart(context, part));
  return added;
}

async function* partsOf({ store }: EngineContext): AsyncGenerator<Part> {
  const conversations = await store.loadConversations();
  const kept = conversations.map(({ id, flags, timer, group }) => ({
    id,
    ...(flags && { flags }),
    ...(timer && { timer }),
    ...(group && { group }),
  }));
  yield { conversations: kept };
  let after: string | undefined;
  for (;;) {
    const { records, last } = await store.readAll(after, STEP);
    if (records.length > 0) yield { messages: records.filter(({ id }) => id !== "") };
    if (last === undefined) return;
    after = last;
  }
}

async function addPart(context: EngineContext, part: Part): Promise<number> {
  const change = new Change(context);
  if ("conversations" in part) for (const conversation of part.conversations) keepAsBefore(change, conversation);
  const added = "messages" in part ? await addMessages(context, change, part.messages) : 0;
  await change.commit();
  return added;
}

/** How a conversation is kept here goes before how it was kept then. */
function keepAsBefore(change: Change, { id, flags, timer, group }: Pick<ConversationRecord, "id" | "flags" | "timer" | "group">): void {
  const known = change.conversation(id);
  if (known.flags === undefined && flags !== undefined) change.updateConversation(id, { flags });
  if (known.timer === undefined && timer !== undefined) change.updateConversation(id, { timer });
  if (known.group === undefined && group !== undefined) change.updateConversation(id, { group });
}

async function addMessages({ account, store }: EngineContext, change: Change, messages: readonly MessageRecord[]): Promise<number> {
  let added = 0;
  for (const record of messages) {
    const author = authorOf(record, account.masterPub);
    const key = await store.messageKey(author, record.id);
    if (await change.batch.hasSeen(key)) continue;
    change.addMessage(key, restored(record));
    added += 1;
  }
  return added;
}

/** A message as it is restored: read, without its file, and not waiting for anything. */
function restored({ transfer: _, ...record }: MessageRecord): MessageRecord {
  const isUnsent = record.state === "queued" || record.state === "failed";
  const problem = { code: "MESSENGER_UNAVAILABLE", message: "It was not sent before the backup was made" } as const;
  return { ...record, isUnread: false, ...(isUnsent ? { state: "failed", problem } : {}) };
}
