// One change of the messenger's data: messages, conversations and outbox together. Memory follows the store, never the other way
// round: nothing counts before it is committed.
import type { FoldersRecord } from "#shared/content/chat/folder-content.ts";
import type { NotesRecord } from "#shared/content/chat/note-content.ts";
import { type PinState, withPin } from "#shared/content/chat/pin-content.ts";
import { withStar } from "#shared/content/chat/star-content.ts";
import type { MessageId, ResendPromptBody } from "#shared/content/content.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AskedLink } from "../model/asked-links.ts";
import { groupOf, peerOf } from "../model/conversation-id.ts";
import type { ConversationId, MessageKey, ScheduledMessage } from "../model/message.ts";
import { isOpenRequest } from "../model/payments.ts";
import {
  authorOf,
  type ConversationRecord,
  comparePositions,
  type LastMessage,
  MAX_STORED_ASKS,
  MAX_STORED_MENTIONS,
  type MessageRecord,
  namesPerson,
  type OutboxRecord,
  type OutboxTask,
  type SharedTask,
  STICKERS_KEY,
  type StoredMessage,
  type StreamRecord,
} from "../model/records.ts";
import { announcePosition } from "../model/stream-gaps.ts";
import { type PairRecord, withForgotten } from "../pairs/pair-record.ts";
import { crowdedOut } from "../pairs/pair-registry.ts";
import { isBlank } from "../state/conversation-registry.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { PrekeysByDevice } from "../state/epoch-registry.ts";
import { PROFILE_KEY, type ProfileRecord } from "../state/profiles/profile-registry.ts";
import { peopleOf } from "../state/recipients.ts";
import { crowdedStreams, type SendStreamRecord, streamKey } from "../state/streams.ts";
import type { StoreBatch } from "../store/store-batch.ts";

type ChangeContext = Pick<
  EngineContext,
  | "account"
  | "store"
  | "node"
  | "registry"
  | "outbox"
  | "streams"
  | "epochs"
  | "pairs"
  | "devices"
  | "profiles"
  | "undoable"
  | "clock"
  | "publish"
  | "changed"
>;

/** Key of the list of mail that waits for the chain to list its device; what each says lies beside it. */
export const ASIDE_KEY = "aside";
/** Key of the invite links by which this person has asked to be let into groups. */
export const ASKED_LINKS_KEY = "asked links";
/** Key of the files that are being copied into the store, or were when the program ended. */
export const COPIES_KEY = "file copies";
/** Key of the messages whose large files the person wants. */
export const DOWNLOADS_KEY = "downloads";
/** Key of the files that are stored once, or are to be. */
export const FILE_BOXES_KEY = "file boxes";
/** Key of the folders of chats. */
export const FOLDERS_KEY = "folders";
/** Key of the files whose bytes are still here although their messages are gone. */
export const LEFT_FILES_KEY = "removed files";
/** Key of what is noted about people and own devices. */
export const NOTES_KEY = "notes";
/** Key of the messages that wait for their time. */
export const SCHEDULED_KEY = "scheduled";
/** Key of the sequence numbers assigned so far. */
export const SENDING_KEY = "sending";
/** Key of the short-lived keys of others. */
export const SIGNED_PREKEYS_KEY = "signed cards";

const NOT_PINNED: PinState = { isPinned: false, at: 0 };

interface ResendPrompt extends Pick<ResendPromptBody, "stream" | "upTo"> {
  readonly peer: PublicKeyHex;
  readonly device: X25519KeyHex;
}

/** A change under way; committed once. */
export class Change {
  readonly batch: StoreBatch;
  /** Messages that it adds, as they were when they were added. */
  readonly added: StoredMessage[] = [];
  readonly #context: ChangeContext;
  readonly #conversations = new Map<ConversationId, ConversationRecord>();
  readonly #outbox = new Map<number, OutboxRecord | undefined>();
  readonly #streams = new Map<string, StreamRecord>();
  readonly #goneStreams: StreamRecord[] = [];
  readonly #pairs = new Map<X25519KeyHex, PairRecord | undefined>();
  /** Ids of contents that are gone, by the person whose devices sent them. */
  readonly #gone = new Map<PublicKeyHex, MessageId[]>();
  #sending: SendStreamRecord | undefined;
  #prekeys: PrekeysByDevice | undefined;
  #profile: ProfileRecord | undefined;
  #folders: FoldersRecord | undefined;
  #notes: NotesRecord | undefined;
  #scheduled: readonly ScheduledMessage[] | undefined;
  #askedLinks: readonly AskedLink[] | undefined;
  readonly #resendPrompts = new Map<string, ResendPrompt>();

  constructor(context: ChangeContext) {
    this.#context = context;
    this.batch = context.store.begin();
  }

  conversation(id: ConversationId): ConversationRecord {
    return this.#conversations.get(id) ?? this.#context.registry.get(id);
  }

  /** True for a message that was here and does not come back. */
  async isGone(key: MessageKey): Promise<boolean> {
    return !this.#context.undoable.has(key) && this.batch.hasSeen(key);
  }

  isStranger(id: ConversationId): boolean {
    return this.#context.registry.isStranger(id, this.conversation(id));
  }

  /** Like {@link isStranger}; people of shared groups are known. */
  isKnown(peer: PublicKeyHex): boolean {
    return !this.isStranger(peer) || this.#context.registry.isKnown(peer);
  }

  /** Where it is said that something of a person is lost: with them, or in a group where one only knows them from there. */
  conversationForLoss(peer: PublicKeyHex): ConversationId {
    return (this.isStranger(peer) ? this.#context.registry.sharedGroup(peer) : undefined) ?? peer;
  }

  updateConversation(id: ConversationId, fields: Partial<Omit<ConversationRecord, "id">>): void {
    this.#conversations.set(id, { ...this.conversation(id), ...fields });
  }

  /** Adds a message that is not there yet and brings its conversation up to date. */
  addMessage(key: MessageKey, record: MessageRecord): void {
    this.added.push({ key, record });
    this.batch.putSearchable(key, record);
    const conversation = this.conversation(record.conversation);
    const last = conversation.lastMessage;
    const isNewest = last === null || comparePositions(last, { at: record.at, key }) < 0;
    this.updateConversation(record.conversation, {
      unread: conversation.unread + Number(record.isUnread),
      hasSent: conversation.hasSent || record.direction === "out",
      ...(isNewest ? { lastMessage: lastMessageOf({ key, record }) } : {}),
      updatedAt: Math.max(conversation.updatedAt, record.at),
    });
    this.followPin(key, record);
    this.followMention(key, record);
    this.followStar(key, record);
    this.followAsk(key, record);
  }

  /** The conversation knows which of its messages ask for money, those that are paid, closed or removed no more. */
  followAsk(key: MessageKey, record: MessageRecord, isHere = true): void {
    const { asks = [] } = this.conversation(record.conversation);
    const isOpen = isHere && isOpenRequest(record);
    if (asks.some((other) => other.key === key) === isOpen) return;
    const others = asks.filter((other) => other.key !== key);
    const next = isOpen ? [...others, { key, at: record.at }].sort(comparePositions).slice(-MAX_STORED_ASKS) : others;
    this.updateConversation(record.conversation, { asks: next });
  }

  /** The conversation knows which of its messages are starred, those that are removed no more. */
  followStar(key: MessageKey, { conversation, at, star }: Pick<MessageRecord, "conversation" | "at" | "star">): void {
    const { stars = [] } = this.conversation(conversation);
    const isStarred = star?.isStarred === true;
    if (stars.some((other) => other.key === key) !== isStarred)
      this.updateConversation(conversation, { stars: withStar(stars, { key, at }, isStarred) });
  }

  /** The conversation knows which of its unread messages name the person at this desk, those that are removed no more. */
  followMention(key: MessageKey, record: Pick<MessageRecord, "conversation" | "body" | "isUnread">): void {
    const { mentions = [] } = this.conversation(record.conversation);
    const isMention = record.isUnread && namesPerson(record, this.#context.account.masterPub);
    if (mentions.includes(key) === isMention) return;
    const next = isMention ? [...mentions, key].slice(-MAX_STORED_MENTIONS) : mentions.filter((other) => other !== key);
    this.updateConversation(record.conversation, { mentions: next });
  }

  /** The conversation knows which of its messages are pinned, those that are removed no more. */
  followPin(key: MessageKey, { conversation, at, pin }: Pick<MessageRecord, "conversation" | "at" | "pin">): void {
    const { pins = [] } = this.conversation(conversation);
    const next = withPin(pins, { key, at }, pin ?? NOT_PINNED);
    if (next.length !== pins.length || pin?.isPinned === true) this.updateConversation(conversation, { pins: next });
  }

  /** Replaces a message that is there by another wording of it. */
  rewordMessage(key: MessageKey, record: MessageRecord): void {
    this.batch.wipeSearch();
    this.batch.putSearchable(key, record);
    this.updateMessage(key, record);
    if (record.body.kind === "deleted") this.noteGone(authorOf(record, this.#context.account.masterPub), record.id);
  }

  /** Replaces a message that is there; its words are the same. */
  updateMessage(key: MessageKey, record: MessageRecord): void {
    this.batch.putMessage(key, record);
    this.followPin(key, record);
    this.followMention(key, record);
    this.followStar(key, record);
    this.followAsk(key, record);
    if (this.conversation(record.conversation).lastMessage?.key === key)
      this.updateConversation(record.conversation, { lastMessage: lastMessageOf({ key, record }) });
  }

  /**
   * Queues something for everyone in a conversation: the person, or each member of the group (`only` some of them) and one's own
   * other devices.
   */
  queueFor(conversation: ConversationId, task: SharedTask, only?: (member: PublicKeyHex) => boolean): void {
    const me = this.#context.account.masterPub;
    this.queueForSome(conversation, task, (peer) => peer === me || only?.(peer) !== false);
  }

  /** Like {@link queueFor}, for those that are chosen alone; for how many people that is. */
  queueForSome(conversation: ConversationId, task: SharedTask, isChosen: (person: PublicKeyHex) => boolean): number {
    const record = this.conversation(conversation);
    const id = groupOf(conversation);
    const group = id === undefined || record.group === undefined ? {} : { group: { id, keeper: record.group.keeper } };
    const chosen = peopleOf(record, this.#context.account.masterPub).filter(isChosen);
    for (const peer of chosen) this.queue(peer, { ...task, ...group });
    return chosen.length;
  }

  /** Queues something for a person; `leavesAt`: not before that time. */
  queue(peer: PublicKeyHex, task: OutboxTask, leavesAt?: number): void {
    const seq = this.#context.outbox.nextSeq();
    const queuedAt = this.#context.clock.nowMs();
    const wait = leavesAt === undefined ? {} : { leavesAt };
    this.putOutbox({ seq, peer, task, queuedAt, done: [], isRelayed: false, isFailed: false, ...wait });
  }

  putOutbox(record: OutboxRecord): void {
    this.#outbox.set(record.seq, record);
  }

  deleteOutbox(seq: number): void {
    this.#outbox.set(seq, undefined);
  }

  /** What it adds to the outbox, before it is committed, without what leaves at a time of its own, as receipts do. */
  get leaving(): readonly OutboxRecord[] {
    const { outbox } = this.#context;
    const added = [...this.#outbox.values()].filter((record) => record !== undefined);
    return added.filter(({ seq, leavesAt }) => leavesAt === undefined && outbox.get(seq) === undefined);
  }

  /** An entry of the outbox with the changes made so far. */
  outboxRecord(seq: number): OutboxRecord | undefined {
    return this.#outbox.has(seq) ? this.#outbox.get(seq) : this.#context.outbox.get(seq)?.record;
  }

  /** A sender chain with the changes made so far. */
  stream(peer: PublicKeyHex, device: X25519KeyHex, stream: string): StreamRecord {
    return this.#streams.get(streamKey(device, stream)) ?? this.#context.streams.get(peer, device, { stream });
  }

  putStream(record: StreamRecord): void {
    this.#streams.set(streamKey(record.device, record.stream), { ...record, seenAt: this.#context.clock.nowMs() });
  }

  /** Forgets sender chains for which there is no room; `beforeMs`: those, too, that changed last before, where their device has a later one. */
  makeRoomForStreams(beforeMs?: number): void {
    const { streams, account } = this.#context;
    const all = new Map(streams.received.map((record) => [streamKey(record.device, record.stream), record]));
    for (const [key, record] of this.#streams) all.set(key, record);
    const isKnown = (person: PublicKeyHex): boolean => person === account.masterPub || this.isKnown(person);
    for (const record of crowdedStreams([...all.values()], isKnown, beforeMs)) {
      this.#streams.delete(streamKey(record.device, record.stream));
      if (streams.has(record)) this.#goneStreams.push(record);
    }
  }

  /** The pair with a device, with the changes made so far. */
  pair(device: X25519KeyHex): PairRecord | undefined {
    return this.#pairs.has(device) ? this.#pairs.get(device) : this.#context.pairs.get(device);
  }

  putPair(record: PairRecord): void {
    this.#pairs.set(record.device, record);
  }

  deletePair(device: X25519KeyHex): void {
    this.#pairs.set(device, undefined);
  }

  /** A message is gone: the cards under which it came go with it, once the mailbox is read to its end. */
  noteGone(author: PublicKeyHex, id: MessageId): void {
    const ids = this.#gone.get(author) ?? [];
    ids.push(id);
    this.#gone.set(author, ids);
  }

  putSending(record: SendStreamRecord): void {
    this.#sending = record;
  }

  /** Names that people give themselves, with the changes made so far. */
  get profile(): ProfileRecord {
    return this.#profile ?? this.#context.profiles.record;
  }

  putProfile(record: ProfileRecord): void {
    if (record !== this.profile) this.#profile = record;
  }

  /** Folders of chats, with the changes made so far. */
  get folders(): FoldersRecord {
    return this.#folders ?? this.#context.registry.folders;
  }

  putFolders(record: FoldersRecord): void {
    if (record !== this.folders) this.#folders = record;
  }

  /** What is noted about people and own devices, with the changes made so far. */
  get notes(): NotesRecord {
    return this.#notes ?? this.#context.registry.notes;
  }

  putNotes(record: NotesRecord): void {
    if (record !== this.notes) this.#notes = record;
  }

  /** Messages that wait for their time, with the changes made so far. */
  get scheduled(): readonly ScheduledMessage[] {
    return this.#scheduled ?? this.#context.registry.scheduled;
  }

  putScheduled(messages: readonly ScheduledMessage[]): void {
    this.#scheduled = messages.toSorted((a, b) => a.dueAt - b.dueAt);
  }

  /** Invite links by which this person has asked, with the changes made so far. */
  get askedLinks(): readonly AskedLink[] {
    return this.#askedLinks ?? this.#context.registry.askedLinks;
  }

  putAskedLinks(links: readonly AskedLink[]): void {
    if (links !== this.askedLinks) this.#askedLinks = links;
  }

  /** A device has shown a short-lived key. */
  async putSignedPrekey(from: PublicKeyHex, device: X25519KeyHex, prekey: SignedPrekey): Promise<void> {
    const { isOfCopy, withSignedPrekey } = await import("./shown-prekeys.ts");
    const { account, epochs, devices, node, clock } = this.#context;
    const before = this.#prekeys ?? epochs.prekeys;
    if (isOfCopy(before, { chainId: node.chainId, from, device, prekey })) devices.noteCopied(from, device);
    const isKnown = (person: PublicKeyHex): boolean => person === account.masterPub || this.isKnown(person);
    const after = withSignedPrekey(before, {
      chainId: node.chainId,
      from,
      device,
      prekey,
      nowS: Math.floor(clock.nowMs() / 1000),
      isKnown,
    });
    if (after !== before) this.#prekeys = after;
  }

  /** Something waits for this device at another one: it is requested once, however often that device sends the prompt. */
  noteResendPrompt(peer: PublicKeyHex, device: X25519KeyHex, { stream, upTo }: Pick<ResendPromptBody, "stream" | "upTo">): void {
    const key = streamKey(device, stream);
    const known = this.#resendPrompts.get(key);
    this.#resendPrompts.set(key, { peer, device, stream, upTo: Math.max(upTo, known?.upTo ?? 0) });
  }

  /** Writes everything, then lets memory follow. */
  async commit(): Promise<void> {
    for (const { peer, device, stream, upTo } of this.#resendPrompts.values()) {
      const known = this.stream(peer, device, stream);
      const announced = announcePosition(known, upTo, this.#context.clock.nowMs());
      if (known.peer === peer && announced !== known) this.putStream(announced);
    }
    this.#forgetInPairs();
    this.#makeRoomForPairs();
    if ([...this.#streams.values()].some((record) => !this.#context.streams.has(record))) this.makeRoomForStreams();
    const noteOpen = this.#context.devices.fillOpen(this.batch);
    await this.#fillBatch();
    const result = await this.batch.commit();
    const isWeighty = this.#isWeighty();
    noteOpen();
    this.#follow();
    this.#context.publish(result, isWeighty);
    this.#context.changed();
  }

  #isWeighty(): boolean {
    const { registry } = this.#context;
    return [...this.#conversations.values()].some(
      ({ id, group, timer }) => group !== registry.get(id).group || timer !== registry.get(id).timer,
    );
  }

  #forgetInPairs(): void {
    if (this.#gone.size === 0) return;
    for (const device of new Set([...this.#pairs.keys(), ...this.#context.pairs.all.map((record) => record.device)])) {
      const before = this.pair(device);
      const ids = before && this.#gone.get(before.peer);
      const after = before && ids && withForgotten(before, ids);
      if (after !== undefined && after !== before) this.#pairs.set(device, after);
    }
  }

  #makeRoomForPairs(): void {
    const { pairs, account } = this.#context;
    const isNew = [...this.#pairs].some(([device, record]) => record !== undefined && pairs.get(device) === undefined);
    if (!isNew) return;
    const all = new Map(pairs.all.map((record): [X25519KeyHex, PairRecord | undefined] => [record.device, record]));
    for (const [device, record] of this.#pairs) all.set(device, record);
    const left = [...all.values()].filter((record) => record !== undefined);
    for (const device of crowdedOut(left, (person) => person === account.masterPub || this.isKnown(person))) this.deletePair(device);
  }

  async #fillBatch(): Promise<void> {
    for (const record of this.#conversations.values()) {
      if (isBlank(record)) this.batch.deleteConversation(record.id);
      else this.batch.putConversation(record);
    }
    for (const [seq, record] of this.#outbox) {
      if (record === undefined) this.batch.deleteOutbox(seq);
      else this.batch.putOutbox(record);
    }
    for (const record of this.#streams.values()) await this.batch.putStream(record);
    for (const record of this.#goneStreams) await this.batch.deleteStream(record);
    await this.#fillPairs();
    const meta = [
      [SENDING_KEY, this.#sending],
      [SIGNED_PREKEYS_KEY, this.#prekeys],
      [PROFILE_KEY, this.#profile],
      [FOLDERS_KEY, this.#folders],
      [NOTES_KEY, this.#notes],
      [SCHEDULED_KEY, this.#scheduled],
      [ASKED_LINKS_KEY, this.#askedLinks],
    ] as const;
    for (const [key, record] of meta)
      if (record !== undefined) this.batch.putMeta(key, record, key === SCHEDULED_KEY && this.#isAnyFading(this.scheduled));
  }

  /** What waits for its time in a chat whose messages disappear will do so, too. */
  #isAnyFading(messages: readonly ScheduledMessage[]): boolean {
    return messages.some(({ conversation }) => (this.conversation(conversation).timer?.seconds ?? 0) > 0);
  }

  async #fillPairs(): Promise<void> {
    for (const [device, record] of this.#pairs) {
      if (record === undefined) await this.batch.deletePair(device);
      else await this.batch.putPair(record);
    }
  }

  #follow(): void {
    const { registry, outbox, streams, epochs, pairs, profiles } = this.#context;
    for (const record of this.#conversations.values()) registry.set(record);
    for (const [seq, record] of this.#outbox) {
      if (record === undefined) outbox.delete(seq);
      else outbox.set(record);
    }
    streams.follow(this.#streams.values(), this.#goneStreams);
    for (const [device, record] of this.#pairs) {
      if (record === undefined) pairs.delete(device);
      else pairs.set(record);
    }
    if (this.#sending !== undefined) streams.setSending(this.#sending);
    if (this.#prekeys !== undefined) epochs.setPrekeys(this.#prekeys);
    if (this.#profile !== undefined) profiles.set(this.#profile);
    registry.folders = this.folders;
    if (this.#notes !== undefined) registry.setNotes(this.#notes);
    registry.scheduled = this.scheduled;
    registry.askedLinks = this.askedLinks;
    if (this.batch.writesMeta(STICKERS_KEY)) registry.stickerChanges += 1;
  }
}

/** Makes a change after all others that wait, and commits it. */
export function writeChange<T>(context: EngineContext, make: (change: Change) => Promise<T>): Promise<T> {
  return context.writer.run(async () => {
    const change = new Change(context);
    const made = await make(change);
    await change.commit();
    return made;
  });
}

/** A message as its conversation remembers it. */
export function lastMessageOf({ key, record }: StoredMessage): LastMessage {
  const { direction, author = null, at, body, state, expiry } = record;
  const { startedAt = null, seconds = 0 } = expiry ?? {};
  const time = startedAt === null ? {} : { expiresAt: startedAt + seconds * 1_000 };
  return { key, direction, author: body.kind === "group.note" ? null : author, at, body, state, ...time, ...(expiry && { expiry }) };
}

/** True for conversations whose other side is a person. */
export function isWithPerson(id: ConversationId, me: PublicKeyHex): boolean {
  return peerOf(id) !== undefined && id !== me;
}
