// What chats take on this device, and the way to remove their files. Which messages have files is known to the index of the search, so
// only those are opened.
import { type Change, writeChange } from "../../changes/change.ts";
import { dropFile, fromHistory } from "../../changes/files/files.ts";
import { isBeingStored } from "../../changes/files/stored-files.ts";
import type { ConversationId, MessageKey, Transfer } from "../../model/message.ts";
import { authorOf, type MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Finder } from "../finder.ts";

/** Most files that are counted, or removed at once: the newest. */
export const MAX_COUNTED_FILES = 20_000;
/** Messages whose files are removed in one write. */
const REMOVED_AT_ONCE = 50;

/** What one chat takes. */
export interface ChatStorage {
  readonly conversation: ConversationId;
  readonly messages: number;
  /** Files of which something is here. */
  readonly files: number;
  /** Bytes of them that are here. */
  readonly fileBytes: number;
}

export interface StorageUseOfChats {
  /** The largest first, by their files and then by their messages. Chats without messages are left out. */
  readonly chats: readonly ChatStorage[];
  /** There are more files than were counted. */
  readonly isPartial: boolean;
}

interface FileHere {
  readonly key: MessageKey;
  readonly conversation: ConversationId;
  readonly bytes: number;
}

/** Counts and removes. */
export class StorageUse {
  readonly #context: EngineContext;
  readonly #finder: Finder;

  constructor(context: EngineContext, finder: Finder) {
    this.#context = context;
    this.#finder = finder;
  }

  /** What each chat takes. */
  async storageUse(): Promise<StorageUseOfChats> {
    const { files, isPartial } = await this.#filesHere();
    const chats: ChatStorage[] = [];
    for (const { id } of this.#context.registry.all) {
      const messages = (await this.#context.store.messageKeysOf(id)).length;
      const own = files.filter(({ conversation }) => conversation === id);
      const fileBytes = own.reduce((sum, { bytes }) => sum + bytes, 0);
      if (messages > 0) chats.push({ conversation: id, messages, files: own.length, fileBytes });
    }
    return { chats: chats.sort((a, b) => b.fileBytes - a.fileBytes || b.messages - a.messages), isPartial };
  }

  /** Removes the files of a chat here; its messages stay, and others keep theirs. What is still being sent stays too. */
  async deleteFiles(conversation: ConversationId): Promise<{ readonly files: number; readonly bytes: number }> {
    const { files } = await this.#filesHere(conversation);
    const removed: FileHere[] = [];
    for (let start = 0; start < files.length; start += REMOVED_AT_ONCE) {
      const some = files.slice(start, start + REMOVED_AT_ONCE);
      await writeChange(this.#context, async (change) => {
        for (const file of some) if (await this.#dropFile(change, file.key)) removed.push(file);
      });
    }
    return { files: removed.length, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  async #dropFile(change: Change, key: MessageKey): Promise<boolean> {
    const { outbox, account } = this.#context;
    const record = await change.batch.message(key);
    if (record === undefined || bytesHere(record) === 0 || record.body.kind !== "attachment") return false;
    if (outbox.entriesOf(key).length > 0) return false;
    if (record.body.boxes !== undefined && (await isBeingStored(change, record.id))) return false;
    await dropFile(change, record, authorOf(record, account.masterPub), { kept: {} });
    change.updateMessage(key, { ...record, transfer: fromHistory(record, record.body, 0) });
    return true;
  }

  async #filesHere(conversation?: ConversationId): Promise<{ readonly files: readonly FileHere[]; readonly isPartial: boolean }> {
    const keys = await this.#finder.findKeys({
      text: "",
      kinds: ["picture", "file", "voice"],
      limit: MAX_COUNTED_FILES,
      ...(conversation !== undefined && { conversation }),
    });
    const files: FileHere[] = [];
    for (const key of keys) {
      const record = await this.#context.store.readMessage(key);
      const bytes = record === undefined ? 0 : bytesHere(record);
      if (record !== undefined && bytes > 0) files.push({ key, conversation: record.conversation, bytes });
    }
    return { files, isPartial: keys.length >= MAX_COUNTED_FILES };
  }
}

/** Bytes of the file of a message that are in the store; about, as chunks are of one size but the last. */
function bytesHere({ body, transfer, direction }: MessageRecord): number {
  if (body.kind !== "attachment" || transfer === undefined) return 0;
  if (direction === "out" && transfer.from === undefined) return body.size;
  return transfer.from === "gone" ? 0 : Math.round(body.size * shareOf(transfer));
}

function shareOf({ done, total }: Transfer): number {
  return total === 0 ? 0 : done / total;
}
