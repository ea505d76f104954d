// What the person writes: messages, replies, reactions, edits, and flags of conversations. Stored first, sent afterwards; an open
// chat shows a message while it is being stored.

import { type ChatFolder, isFolderName, MAX_FOLDER_NAME_BYTES, MAX_FOLDERS } from "#shared/content/chat/folder-content.ts";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import type { Mention } from "#shared/content/chat/mention-content.ts";
import { MAX_PINS } from "#shared/content/chat/pin-content.ts";
import { MAX_STARS } from "#shared/content/chat/star-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Change, writeChange } from "../changes/change.ts";
import { beginTimes } from "../changes/chats/begin-time.ts";
import { queueForOwn, setOwnFlags } from "../changes/chats/store-chat-flags.ts";
import { setOwnName } from "../changes/profiles.ts";
import { amendMessage } from "../model/amend-message.ts";
import { groupOf, requireConversation, requirePeer } from "../model/conversation-id.ts";
import { mayChange } from "../model/group-state.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import { authorOf, type ChatFlags, type MessageContent, newId } from "../model/records.ts";
import {
  addOwnMessage,
  amendOwn,
  checkedEmoji,
  checkedTimer,
  checkedWrittenText,
  editOf,
  messageThere,
  replyTo,
  requireMembership,
} from "../sending/compose-message.ts";
import { type PayRequest, type PaySplit, payRequest, paySplit } from "../sending/compose-payment.ts";
import { closingOf, type NewPoll, pollBody, voteOf } from "../sending/compose-poll.ts";
import type { Outbox } from "../sending/outbox.ts";
import { dropFromOutbox } from "../sending/remove-messages.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** What others have to know. */
export interface WritingEvents {
  /** Something waits in the outbox. */
  onQueued(): void;
  /** A message was added; its draft is gone. */
  onSent(conversation: ConversationId): void;
}

/** The writing half of a running messenger. */
export class Writing {
  readonly #context: EngineContext;
  readonly #outbox: Pick<Outbox, "storeAndSend">;
  readonly #events: WritingEvents;

  constructor(context: EngineContext, outbox: Pick<Outbox, "storeAndSend">, events: WritingEvents) {
    this.#context = context;
    this.#outbox = outbox;
    this.#events = events;
  }

  /**
   * Stores a text and queues it; resolves with its key. Clears the draft. Of a group it may name members;
   * the preview is of the first link of the text.
   * @throws CodedError BAD_REQUEST for an empty or too long text, a preview of another link, or an unknown sender.
   */
  async sendText(id: ConversationId, text: string, mentions?: readonly Mention[], preview?: LinkPreview): Promise<MessageKey> {
    const body = { kind: "text", ...checkedWrittenText(text, mentions, preview) } as const;
    return this.#send(requireConversation(id), async () => body);
  }

  /** Answers a message of the conversation. @throws CodedError like {@link sendText}, NOT_FOUND for a message that is not here. */
  async sendReply(to: MessageKey, text: string, mentions?: readonly Mention[], preview?: LinkPreview): Promise<MessageKey> {
    const { account, store } = this.#context;
    const checked = checkedWrittenText(text, mentions, preview);
    const conversation = requireConversation((await store.readMessage(to))?.conversation ?? "");
    return this.#send(conversation, async (change) => {
      const record = await messageThere(change, to);
      return replyTo(record, authorOf(record, account.masterPub), checked);
    });
  }

  /** Asks for a payment to oneself. */
  sendPayRequest(id: ConversationId, request: PayRequest): Promise<MessageKey> {
    const body = payRequest(request);
    return this.#send(requirePeer(id), async () => body);
  }

  /** Splits a bill among members of a group. @throws CodedError BAD_REQUEST for a conversation of two, or shares that do not add up. */
  sendPaySplit(id: ConversationId, split: PaySplit): Promise<MessageKey> {
    if (groupOf(id) === undefined) throw new CodedError("BAD_REQUEST", "A bill is split in a group", { details: { field: "id" } });
    const body = paySplit(split);
    return this.#send(id, async () => body, true);
  }

  /** Asks the people of a conversation to choose. @throws CodedError BAD_REQUEST that names the field. */
  sendPoll(id: ConversationId, poll: NewPoll): Promise<MessageKey> {
    const body = pollBody(poll);
    return this.#send(requireConversation(id), async () => body, true);
  }

  /**
   * Votes in a poll, or votes otherwise; no choice takes the vote back. @throws CodedError BAD_REQUEST for a poll that is closed, and in a
   * group that one has left.
   */
  async votePoll(key: MessageKey, choices: readonly number[]): Promise<void> {
    await this.#amend(key, async (change) => {
      requireMembership(change, (await messageThere(change, key)).conversation, this.#context.account.masterPub);
      await amendOwn(this.#context, change, { key, body: (record, author) => voteOf(record, author, choices) });
    });
  }

  /**
   * Pins a message for everyone in its conversation, or takes it down. @throws CodedError BAD_REQUEST in a group of which one is no admin,
   * and for more than {@link MAX_PINS}.
   */
  async pinMessage(key: MessageKey, isPinned: boolean): Promise<void> {
    await this.#amend(key, async (change) => {
      const { conversation } = await messageThere(change, key);
      const { group, pins = [] } = change.conversation(conversation);
      if (group !== undefined && !mayChange(group, this.#context.account.masterPub))
        throw new CodedError("BAD_REQUEST", "Only admins pin messages in a group");
      if (isPinned && pins.length >= MAX_PINS) throw new CodedError("BAD_REQUEST", `A chat has at most ${MAX_PINS} pinned messages`);
      await amendOwn(this.#context, change, { key, body: ({ id }, author) => ({ kind: "pin", to: { author, id }, isPinned }) });
    });
  }

  /** Ends an own poll. @throws CodedError BAD_REQUEST for one of someone else. */
  async closePoll(key: MessageKey): Promise<void> {
    await this.#amend(key, (change) => amendOwn(this.#context, change, { key, body: closingOf }));
  }

  /** Messages from here on disappear so many seconds after reading; 0 switches that off. The other side is notified. */
  async setTimer(id: ConversationId, seconds: number): Promise<void> {
    const conversation = requireConversation(id);
    const body = { kind: "timer", seconds: checkedTimer(seconds) } as const;
    if (this.#context.registry.get(conversation).timer?.seconds !== seconds) await this.#send(conversation, async () => body, true);
  }

  /** Adds a message and sends it. What is typed goes with it, unless `keepsDraft`. */
  async #send(conversation: ConversationId, body: (change: Change) => Promise<MessageContent>, keepsDraft = false): Promise<MessageKey> {
    const { account, directory } = this.#context;
    // Answered while the message is being stored.
    if (groupOf(conversation) === undefined) directory.expectNow([account.masterPub, conversation]);
    const key = await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      const added = await addOwnMessage(this.#context, change, { conversation, body: await body(change) });
      if (!keepsDraft) change.updateConversation(conversation, { draft: "" });
      await this.#commitShown(change, added);
      return added;
    });
    this.#events.onQueued();
    this.#events.onSent(conversation);
    return key;
  }

  /** Commits a message that open chats show meanwhile, and sends it. What cannot be stored is taken from them again. */
  async #commitShown(change: Change, key: MessageKey): Promise<void> {
    const record = await change.batch.message(key);
    if (record !== undefined) this.#context.publish({ messages: [{ key, record }], deleted: [] }, false);
    try {
      await this.#outbox.storeAndSend(change);
    } catch (error) {
      this.#context.publish({ messages: [], deleted: [key] }, false);
      throw error;
    }
  }

  /** Makes, names, orders and removes folders, on all own devices. @throws CodedError BAD_REQUEST for too many, and names that none can have. */
  async setFolders(folders: readonly ChatFolder[]): Promise<void> {
    const { account, clock, random } = this.#context;
    const named = folders.map(({ id, name }) => ({ id, name: name.trim().toWellFormed() }));
    if (named.length > MAX_FOLDERS || !named.every(({ name }) => isFolderName(name)))
      throw new CodedError("BAD_REQUEST", `There are at most ${MAX_FOLDERS} folders, with names of 1 to ${MAX_FOLDER_NAME_BYTES} bytes`);
    await writeChange(this.#context, async (change) => {
      const at = Math.max(clock.nowMs(), change.folders.at + 1);
      change.putFolders({ folders: named, at });
      change.queue(account.masterPub, { kind: "folders", id: newId(random), at, folders: named });
    });
    this.#events.onQueued();
  }

  /** Stars a message for oneself, on all own devices, or no longer. @throws CodedError BAD_REQUEST for more than {@link MAX_STARS} of a chat. */
  async starMessage(key: MessageKey, isStarred: boolean): Promise<void> {
    const { account, clock, random } = this.#context;
    await this.#amend(key, async (change) => {
      const record = await messageThere(change, key);
      const { conversation, id, star } = record;
      const { stars = [] } = change.conversation(conversation);
      if (isStarred && stars.length >= MAX_STARS)
        throw new CodedError("BAD_REQUEST", `A chat has at most ${MAX_STARS} starred messages`, { details: { count: MAX_STARS } });
      const author = authorOf(record, account.masterPub);
      const body = { kind: "sync.star", peer: account.masterPub, to: { author, id }, isStarred } as const;
      const at = Math.max(clock.nowMs(), (star?.at ?? 0) + 1);
      const next = amendMessage(record, author, { from: account.masterPub, at, body });
      if (next === undefined) return;
      change.updateMessage(key, next);
      queueForOwn(change, conversation, account.masterPub, { kind: "star", id: newId(random), at, star: { to: body.to, isStarred } });
    });
  }

  /** Sets one's reaction; "" takes it back. */
  async react(key: MessageKey, emoji: string): Promise<void> {
    const checked = checkedEmoji(emoji);
    await this.#amend(key, (change) =>
      amendOwn(this.#context, change, { key, body: ({ id }, author) => ({ kind: "reaction", to: { author, id }, emoji: checked }) }),
    );
  }

  /** Changes text and preview of an own message, up to 24 hours after it was sent. @throws CodedError BAD_REQUEST when that is not possible. */
  async editMessage(key: MessageKey, text: string, mentions?: readonly Mention[], preview?: LinkPreview): Promise<void> {
    const checked = checkedWrittenText(text, mentions, preview);
    await this.#amend(key, (change) => amendOwn(this.#context, change, { key, body: (record) => editOf(record, checked) }));
  }

  /** Takes an own message back for everyone, up to 24 hours after it was sent. @throws CodedError BAD_REQUEST when that is not possible. */
  async deleteForEveryone(key: MessageKey): Promise<void> {
    await this.#amend(key, async (change) => {
      await amendOwn(this.#context, change, { key, body: ({ id }) => ({ kind: "delete", id }) });
      await dropFromOutbox(this.#context, change, key);
      await beginTimes(this.#context, change, [key]);
    });
  }

  /** Changes the name that contacts receive with the next message; "" takes it back. @throws CodedError BAD_REQUEST. */
  async setProfileName(name: string): Promise<void> {
    await setOwnName(this.#context, name);
    this.#events.onQueued();
  }

  /** Changes the picture that contacts receive with the next message; no bytes take it back. @throws CodedError BAD_REQUEST. */
  async setProfilePicture(data: Uint8Array): Promise<void> {
    await (await import("../changes/chats/profile-pictures.ts")).setOwnPicture(this.#context, data);
    this.#events.onQueued();
  }

  /** The picture that a person gave themselves, or that a group has (by its conversation), a small WebP; undefined where there is none. */
  async readPicture(owner: PublicKeyHex | ConversationId): Promise<Uint8Array | undefined> {
    return (await import("../changes/chats/profile-pictures.ts")).readPicture(this.#context, owner);
  }

  /** Pins, archives, mutes or marks a conversation, on all own devices. */
  async setChat(id: ConversationId, flags: Partial<Omit<ChatFlags, "at">>): Promise<void> {
    await writeChange(this.#context, async (change) => setOwnFlags(this.#context, change, id, flags));
    this.#events.onQueued();
  }

  async #amend(key: MessageKey, task: (change: Change) => Promise<void>): Promise<void> {
    await writeChange(this.#context, async (change) => {
      await messageThere(change, key);
      await task(change);
    });
    this.#events.onQueued();
  }
}
