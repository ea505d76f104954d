// Removal of messages and chats on this device alone, which can be undone for a minute. What is removed is gone from the store at once: only
// this run knows it, so neither a restart, a backup nor a copy that comes again brings it back. Bytes of files stay until the minute is over.
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change, LEFT_FILES_KEY, writeChange } from "../../changes/change.ts";
import type { ConversationId, MessageKey } from "../../model/message.ts";
import { problemOf } from "../../model/problem.ts";
import { authorOf } from "../../model/records.ts";
import { type LeftFile, type Removed, removeMessages } from "../../sending/remove-messages.ts";
import { blankConversation } from "../../state/conversation-registry.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { withConversationTakenBack } from "../scheduling/scheduled-list.ts";
import { bringBackChat, bringBackMessages, type RemovedChat } from "./bring-back.ts";

/** How long a removal can be undone: longer than the note with Undo is shown. */
export const UNDO_MS = 60_000;
/** Messages that are held for that, of all removals, with answers that lost words. What is more is gone at once. */
export const MAX_UNDOABLE = 20_000;

/** What others have to know. */
export interface RemovalEvents {
  /** Something waits in the outbox, messages have times, or files are wanted. */
  onBroughtBack(): void;
  /** A conversation is about to be deleted: what is still to come into it ends. */
  onDelete(id: ConversationId): void;
  /** What waits for its time was deleted or is back, and a node may have it. */
  onTakenBack(): void;
}

/** What can be brought back. */
interface Held extends Removed {
  readonly chat?: RemovedChat;
  readonly cancelTimer: CancelTimer;
}

/** Over all runs: a note that an earlier run left on the screen must not undo a removal of this one. */
let lastRemoval = 0;

/** Removals of one run. */
export class Removals {
  readonly #context: EngineContext;
  readonly #events: RemovalEvents;
  readonly #held = new Map<number, Held>();
  #isStopped = false;

  constructor(context: EngineContext, events: RemovalEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** Removes a message here, and from the outbox; the number names the removal for {@link undoRemoval}, 0 where that cannot be. */
  deleteMessage(key: MessageKey): Promise<number> {
    return this.deleteMessages([key]);
  }

  /** Removes messages here at once, and from the outbox; the number names the removal. */
  deleteMessages(keys: readonly MessageKey[]): Promise<number> {
    return this.#remove(keys.length, async (change, removed) => {
      await removeMessages(this.#context, change, keys, removed && { removed });
      return undefined;
    });
  }

  /** Removes a conversation here; the number names the removal. Others keep theirs. */
  async deleteConversation(id: ConversationId): Promise<number> {
    this.#events.onDelete(id);
    const { registry, store } = this.#context;
    const scheduled = registry.scheduled.filter(({ conversation }) => conversation === id);
    const chat = { record: registry.get(id), scheduled };
    const removal = await this.#remove((await store.messageKeysOf(id)).length, async (change, removed) => {
      await removeMessages(this.#context, change, await store.messageKeysOf(id), removed && { removed });
      change.putScheduled(withConversationTakenBack(change.scheduled, id));
      const { group } = change.conversation(id);
      change.updateConversation(id, { ...blankConversation(id), ...(group && { group }) });
      return chat;
    });
    this.#events.onTakenBack();
    return removal;
  }

  /**
   * Brings back what a removal removed, but what has disappeared for everyone since, and payments that no node was given. False where it is too
   * late. @throws CodedError LOCAL_STORE_FAILED, and then it can be tried again.
   */
  async undoRemoval(removal: number): Promise<boolean> {
    const isBack = await this.#context.writer.run(async () => {
      const held = this.#held.get(removal);
      if (held === undefined) return false;
      const { chat, files } = held;
      const change = new Change(this.#context);
      if (chat !== undefined) await bringBackChat(this.#context, change, chat);
      const gone = await bringBackMessages(this.#context, change, held);
      await clearFiles(change, files, gone);
      await change.commit();
      this.#forget(removal, held);
      return true;
    });
    if (!isBack) return false;
    this.#events.onBroughtBack();
    this.#events.onTakenBack();
    return true;
  }

  /** Nothing can be undone any more: call before the writer is closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const removal of [...this.#held.keys()]) await this.#end(removal);
  }

  async #remove(
    count: number,
    remove: (change: Change, removed: Removed | undefined) => Promise<RemovedChat | undefined>,
  ): Promise<number> {
    const isUndoable = count <= MAX_UNDOABLE;
    // The others keep what they hold where this one takes none of the room.
    if (isUndoable) await this.#makeRoom(count);
    const removed: Removed | undefined = isUndoable ? { messages: [], outbox: [], files: [] } : undefined;
    let removal = 0;
    await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      const chat = await remove(change, removed);
      if (removed !== undefined && removed.files.length > 0)
        change.batch.putMeta(LEFT_FILES_KEY, [...(await leftFiles(change)), ...removed.files]);
      await change.commit();
      // Before anything else is written: what comes for them waits from now on.
      if (removed !== undefined && !this.#isStopped) removal = this.#hold(removed, chat);
    });
    return removal;
  }

  #hold(removed: Removed, chat: RemovedChat | undefined): number {
    const { timers, undoable, report } = this.#context;
    lastRemoval += 1;
    const removal = lastRemoval;
    const end = (): void => void this.#end(removal).catch((error: unknown) => report(problemOf(error)));
    this.#held.set(removal, { ...removed, ...(chat && { chat }), cancelTimer: timers.setTimer(UNDO_MS, end) });
    for (const message of removed.messages) undoable.set(message.key, message);
    return removal;
  }

  /** The oldest removals cannot be undone any more where there is no room for a further one. */
  async #makeRoom(count: number): Promise<void> {
    for (const removal of [...this.#held.keys()]) {
      const messages = [...this.#held.values()].flatMap((held) => held.messages);
      const sum = messages.reduce((all, { answers }) => all + 1 + answers.length, 0);
      if (sum + count > MAX_UNDOABLE) await this.#end(removal);
    }
  }

  #forget(removal: number, { messages, cancelTimer }: Held): void {
    cancelTimer();
    this.#held.delete(removal);
    for (const { key } of messages) this.#context.undoable.delete(key);
  }

  /** It cannot be undone any more: what its files took is free. */
  async #end(removal: number): Promise<void> {
    await this.#context.writer.run(async () => {
      const held = this.#held.get(removal);
      if (held === undefined) return;
      this.#forget(removal, held);
      if (held.files.length === 0) return;
      const change = new Change(this.#context);
      await clearFiles(change, held.files, held.files);
      await change.commit();
    });
  }
}

/** Removes the bytes of files that a program left when it ended before their minute was over. */
export async function clearLeftFiles(context: EngineContext): Promise<void> {
  const { account, undoable } = context;
  await writeChange(context, async (change) => {
    const needed = new Set(
      [...undoable.values()].map(({ record }) => nameOf({ author: authorOf(record, account.masterPub), id: record.id })),
    );
    const left = (await leftFiles(change)).filter((file) => !needed.has(nameOf(file)));
    await clearFiles(change, left, left);
  });
}

async function leftFiles(change: Change): Promise<readonly LeftFile[]> {
  return (await change.batch.meta<readonly LeftFile[]>(LEFT_FILES_KEY)) ?? [];
}

/** Takes files off the list of what is left, and removes the bytes of some of them. */
async function clearFiles(change: Change, files: readonly LeftFile[], gone: readonly LeftFile[]): Promise<void> {
  for (const { author, id, chunks } of gone) await change.batch.deleteChunks({ author, id }, chunks);
  const names = new Set(files.map(nameOf));
  const left = (await leftFiles(change)).filter((file) => !names.has(nameOf(file)));
  if (files.length > 0) change.batch.putMeta(LEFT_FILES_KEY, left);
}

function nameOf({ author, id }: Pick<LeftFile, "author" | "id">): string {
  return `${author} ${id}`;
}
