// All conversations in memory, with what contacts and typing add to them.
import { type EmojiChoices, NO_EMOJI_CHOICES } from "#shared/content/chat/emoji-choices.ts";
import { type FoldersRecord, NO_FOLDERS } from "#shared/content/chat/folder-content.ts";
import { NO_NOTES, type NotesRecord, privateContacts } from "#shared/content/chat/note-content.ts";
import type { Pin } from "#shared/content/chat/pin-content.ts";
import { AUTHOR_BASE_ENTRIES, LITTLE_ROOM_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AskedLink } from "../model/asked-links.ts";
import type { ConversationSummary, GroupSummary, InviteLink } from "../model/conversation.ts";
import { groupOf, peerOf, unknownSenderOf } from "../model/conversation-id.ts";
import { type GroupRecord, membersOf, rightsIn } from "../model/group-state.ts";
import type { ConversationId, ScheduledMessage } from "../model/message.ts";
import { isHidden } from "../model/progress/message-time.ts";
import type { ContactsRecord, ConversationRecord } from "../model/records.ts";

const NO_PINS: readonly Pin[] = [];
const NO_LINKS: readonly InviteLink[] = [];

/** A conversation in which nothing has happened. */
export function blankConversation(id: ConversationId): ConversationRecord {
  return { id, unread: 0, lastMessage: null, draft: "", hasSent: false, updatedAt: 0 };
}

const NO_IDS: readonly string[] = [];
const FLAGS = ["isPinned", "isArchived", "mutedUntil", "mutesMentions", "isMarkedUnread"] as const;

/** True for a record that holds nothing worth keeping. */
export function isBlank(record: ConversationRecord): boolean {
  const { lastMessage, draft, flags, timer, group } = record;
  const hasFlags = flags !== undefined && (FLAGS.some((flag) => Boolean(flags[flag])) || (flags.folders ?? NO_IDS).length > 0);
  return lastMessage === null && draft === "" && !hasFlags && (timer === undefined || timer.seconds === 0) && group === undefined;
}

/** Who is a contact: what is absent stays as it is. */
export interface KnownContacts extends Partial<Pick<ContactsRecord, "accepted">> {
  readonly notes?: NotesRecord;
}

/** Conversations of one identity. */
export class ConversationRegistry {
  readonly #me: PublicKeyHex;
  readonly #records = new Map<ConversationId, ConversationRecord>();
  readonly #summaries = new Map<ConversationId, ConversationSummary>();
  readonly #typing = new Set<ConversationId>();
  /** Folders of conversations. */
  folders: FoldersRecord = NO_FOLDERS;
  /** Messages that wait for their time, the earliest first. */
  scheduled: readonly ScheduledMessage[] = [];
  /** Invite links by which this person has asked to be let into groups. */
  askedLinks: readonly AskedLink[] = [];
  /** How often own stickers have changed in this run. */
  stickerChanges = 0;
  /** Emoji used last on this device. */
  emoji: EmojiChoices = NO_EMOJI_CHOICES;
  #notes: NotesRecord = NO_NOTES;
  /** By the lists of the chain. */
  #listed: readonly PublicKeyHex[] = [];
  /** By them, or added privately. */
  #accepted: ReadonlySet<PublicKeyHex> = new Set();
  #blocked: ReadonlySet<PublicKeyHex> = new Set();

  constructor(me: PublicKeyHex) {
    this.#me = me;
  }

  get(id: ConversationId): ConversationRecord {
    return this.#records.get(id) ?? blankConversation(id);
  }

  set(record: ConversationRecord): void {
    if (record.hasSent !== this.get(record.id).hasSent) this.#summaries.clear();
    this.#summaries.delete(record.id);
    if (isBlank(record)) this.#records.delete(record.id);
    else this.#records.set(record.id, record);
  }

  setContacts(contacts: ContactsRecord): void {
    this.#listed = contacts.accepted;
    this.#accepted = this.#acceptedWith(contacts.accepted, this.#notes);
    this.#blocked = new Set(contacts.blocked);
    this.#summaries.clear();
  }

  /** What is noted about people and own devices. */
  get notes(): NotesRecord {
    return this.#notes;
  }

  setNotes(notes: NotesRecord): void {
    this.#notes = notes;
    this.#accepted = this.#acceptedWith(this.#listed, notes);
    this.#summaries.clear();
  }

  #acceptedWith(listed: readonly PublicKeyHex[], notes: NotesRecord): ReadonlySet<PublicKeyHex> {
    return new Set([...listed, ...privateContacts(notes)]);
  }

  setTyping(id: ConversationId, isTyping: boolean): void {
    if (this.#typing.has(id) === isTyping) return;
    if (isTyping) this.#typing.add(id);
    else this.#typing.delete(id);
    this.#summaries.delete(id);
  }

  get all(): readonly ConversationRecord[] {
    return [...this.#records.values()];
  }

  /** Conversations of groups. */
  get groups(): readonly ConversationId[] {
    return [...this.#records.values()].filter(({ group }) => group !== undefined).map(({ id }) => id);
  }

  /** Groups whose owner makes someone else the owner, which waits for the chain; not those of strangers, who could make a node look for many. */
  get passedGroups(): readonly ConversationId[] {
    const passed = [...this.#records.values()].filter((record) => record.group?.successor !== undefined);
    return passed.filter((record) => !this.isStranger(record.id, record)).map(({ id }) => id);
  }

  /** Groups of an owner whose logs have so many entries that a base may be due. */
  longGroups(owner: PublicKeyHex): readonly ConversationId[] {
    const isLong = ({ group }: ConversationRecord): boolean =>
      group?.owner === owner && group.entries[owner]?.standing === "in" && (group.log?.entries.length ?? 0) > AUTHOR_BASE_ENTRIES;
    return [...this.#records.values()].filter(isLong).map(({ id }) => id);
  }

  /** Groups into which people ask to be let in. */
  get askedGroups(): readonly ConversationId[] {
    return [...this.#records.values()].filter(({ group }) => group?.waiting !== undefined).map(({ id }) => id);
  }

  /** Contacts, accepted or added privately, that are not blocked. */
  get contacts(): readonly PublicKeyHex[] {
    return [...this.#accepted].filter((peer) => !this.#blocked.has(peer));
  }

  /** True for contacts, accepted or added privately, that are not blocked. */
  isContact(peer: PublicKeyHex): boolean {
    return this.#accepted.has(peer) && !this.#blocked.has(peer);
  }

  isBlocked(peer: PublicKeyHex): boolean {
    return this.#blocked.has(peer);
  }

  /**
   * True for a person who is no contact and to whom nothing was sent, and for a group if the same holds for its owner, its admins
   * and for the group.
   */
  isStranger(id: ConversationId, record: ConversationRecord = this.get(id), accepted = this.#accepted): boolean {
    if (id === this.#me || record.hasSent || accepted.has(id)) return false;
    if (groupOf(id) === undefined || record.group === undefined) return true;
    const { keeper, admins = [] } = record.group;
    return [keeper, ...admins].every((person) => this.isStranger(person, undefined, accepted));
  }

  /** Conversations with strangers whom these contacts of the chain, or these notes, make known. */
  strangersAmong({ accepted: listed = this.#listed, notes = this.#notes }: KnownContacts): readonly ConversationId[] {
    const accepted = this.#acceptedWith(listed, notes);
    const isMet = (record: ConversationRecord): boolean =>
      record.lastMessage !== null && this.isStranger(record.id, record) && !this.isStranger(record.id, record, accepted);
    return [...this.#records.values()].filter(isMet).map(({ id }) => id);
  }

  /** True for people one is in touch with, be it only in a group that one has taken part in or was let into by a contact. */
  isKnown(peer: PublicKeyHex): boolean {
    return !this.isStranger(peer) || this.sharedGroup(peer) !== undefined;
  }

  /** A group with a person in it, in which one is no stranger. */
  sharedGroup(peer: PublicKeyHex): ConversationId | undefined {
    for (const record of this.#records.values())
      if (record.group?.entries[peer]?.standing === "in" && !this.isStranger(record.id, record)) return record.id;
    return undefined;
  }

  /**
   * Newest first. Summaries that did not change are the same objects as before. A newest message that has disappeared by the own clock is
   * not shown, also where it is still stored.
   */
  summaries(nowMs: number): readonly ConversationSummary[] {
    const listed = [...this.#records.values()].filter(
      ({ group, lastMessage, draft }) => group === undefined || lastMessage !== null || draft !== "",
    );
    return [...listed, ...this.#scheduledAlone()]
      .map((record) => withoutHidden(this.#summary(record), nowMs))
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Conversations of which there is nothing yet but what waits for its time. */
  #scheduledAlone(): readonly ConversationRecord[] {
    const ids = new Set(
      this.scheduled
        .filter(({ conversation, isTakenBack }) => isTakenBack !== true && !this.#records.has(conversation))
        .map(({ conversation }) => conversation),
    );
    return [...ids].map(blankConversation);
  }

  #summary(record: ConversationRecord): ConversationSummary {
    const cached = this.#summaries.get(record.id);
    if (cached !== undefined) return cached;
    const { id, unread, lastMessage, draft, updatedAt, flags, timer, group, pins = NO_PINS, mentions = [], asks = [] } = record;
    const isRequest = lastMessage !== null && this.isStranger(id, record);
    const summary: ConversationSummary = {
      id,
      kind: this.#kindOf(id),
      peer: peerOf(id) ?? null,
      devicePub: unknownSenderOf(id) ?? null,
      group: group === undefined ? null : this.#groupSummary(group, this.isStranger(id, record)),
      isRequest,
      isBlocked: this.#blocked.has(id),
      unread,
      lastMessage,
      draft,
      isTyping: this.#typing.has(id),
      isPinned: flags?.isPinned ?? false,
      isArchived: flags?.isArchived ?? false,
      mutedUntil: flags?.mutedUntil ?? 0,
      mutesMentions: flags?.mutesMentions ?? false,
      mentions: mentions.length,
      isMarkedUnread: flags?.isMarkedUnread ?? false,
      folders: flags?.folders ?? NO_IDS,
      expiresInS: timer?.seconds ?? 0,
      pins,
      asks: isRequest ? 0 : asks.length,
      updatedAt,
    };
    this.#summaries.set(id, summary);
    return summary;
  }

  #kindOf(id: ConversationId): ConversationSummary["kind"] {
    if (groupOf(id) !== undefined) return "group";
    if (peerOf(id) === undefined) return "unknown";
    return id === this.#me ? "self" : "person";
  }

  #groupSummary(group: GroupRecord, isOfStrangers: boolean): GroupSummary {
    const members = membersOf(group);
    const { name, keeper: admin, successor = null } = group;
    const picture = group.picture?.isHere === true && !isOfStrangers ? group.picture.hash : "";
    const isMember = members.includes(this.#me);
    const hasLittleRoom = (group.log?.entries.length ?? 0) >= LITTLE_ROOM_ENTRIES;
    const links = isMember && !isOfStrangers ? linksOf(group) : NO_LINKS;
    return { name: name.text, picture, admin, ...rightsIn(group), successor, members, isMember, hasLittleRoom, links };
  }
}

function linksOf({ links = [], linkTexts = {} }: GroupRecord): readonly InviteLink[] {
  return links.map((link) => ({ ...link, text: linkTexts[link.key] ?? null }));
}

function withoutHidden(summary: ConversationSummary, nowMs: number): ConversationSummary {
  const { lastMessage } = summary;
  return lastMessage !== null && isHidden(lastMessage, nowMs) ? { ...summary, lastMessage: null } : summary;
}
