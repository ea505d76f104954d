// All conversations in memory, with what contacts and typing add to them.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { ConversationId, ConversationSummary } from "./messenger.ts";
import type { ContactsRecord, ConversationRecord } from "./records.ts";

const UNKNOWN_PREFIX = "unknown:";

/** Conversation of a sender for whom no identity vouches. */
export function unknownConversation(devicePub: string): ConversationId {
  return `${UNKNOWN_PREFIX}${devicePub}`;
}

/** The other person of a conversation, or undefined for an unknown sender. */
export function peerOf(id: ConversationId): PublicKeyHex | undefined {
  return id.startsWith(UNKNOWN_PREFIX) ? undefined : id;
}

/** A conversation in which nothing has happened. */
export function blankConversation(id: ConversationId): ConversationRecord {
  return { id, unread: 0, lastMessage: null, draft: "", hasSent: false, updatedAt: 0 };
}

/** True for a record that holds nothing worth keeping. */
export function isBlank(record: ConversationRecord): boolean {
  const { lastMessage, draft, flags, timer } = record;
  const hasFlags = flags !== undefined && (flags.isPinned || flags.isArchived || flags.mutedUntil > 0);
  return lastMessage === null && draft === "" && !hasFlags && (timer === undefined || timer.seconds === 0);
}

/** Conversations of one identity. */
export class ConversationBook {
  readonly #me: PublicKeyHex;
  readonly #records = new Map<ConversationId, ConversationRecord>();
  readonly #summaries = new Map<ConversationId, ConversationSummary>();
  readonly #typing = new Set<ConversationId>();
  #accepted: ReadonlySet<PublicKeyHex> = new Set();
  #blocked: ReadonlySet<PublicKeyHex> = new Set();

  constructor(me: PublicKeyHex) {
    this.#me = me;
  }

  get(id: ConversationId): ConversationRecord {
    return this.#records.get(id) ?? blankConversation(id);
  }

  set(record: ConversationRecord): void {
    this.#summaries.delete(record.id);
    if (isBlank(record)) this.#records.delete(record.id);
    else this.#records.set(record.id, record);
  }

  setContacts(contacts: ContactsRecord): void {
    this.#accepted = new Set(contacts.accepted);
    this.#blocked = new Set(contacts.blocked);
    this.#summaries.clear();
  }

  setTyping(id: ConversationId, isTyping: boolean): void {
    if (this.#typing.has(id) === isTyping) return;
    if (isTyping) this.#typing.add(id);
    else this.#typing.delete(id);
    this.#summaries.delete(id);
  }

  /** True while messages of a conversation disappear. */
  get hasTimers(): boolean {
    return [...this.#records.values()].some(({ timer }) => (timer?.seconds ?? 0) > 0);
  }

  isBlocked(peer: PublicKeyHex): boolean {
    return this.#blocked.has(peer);
  }

  /** True for somebody who is no accepted contact and to whom nothing was sent. */
  isStranger(id: ConversationId, record: ConversationRecord = this.get(id)): boolean {
    return id !== this.#me && !record.hasSent && !this.#accepted.has(id);
  }

  /** Newest first. Summaries that did not change are the same objects as before. */
  summaries(): readonly ConversationSummary[] {
    return [...this.#records.values()].map((record) => this.#summary(record)).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  #summary(record: ConversationRecord): ConversationSummary {
    const cached = this.#summaries.get(record.id);
    if (cached !== undefined) return cached;
    const { id, unread, lastMessage, draft, updatedAt, flags, timer } = record;
    const peer = peerOf(id) ?? null;
    const summary: ConversationSummary = {
      id,
      kind: peer === null ? "unknown" : peer === this.#me ? "self" : "person",
      peer,
      devicePub: peer === null ? id.slice(UNKNOWN_PREFIX.length) : null,
      isRequest: lastMessage !== null && this.isStranger(id, record),
      isBlocked: this.#blocked.has(id),
      unread,
      lastMessage,
      draft,
      isTyping: this.#typing.has(id),
      isPinned: flags?.isPinned ?? false,
      isArchived: flags?.isArchived ?? false,
      mutedUntil: flags?.mutedUntil ?? 0,
      expiresInS: timer?.seconds ?? 0,
      updatedAt,
    };
    this.#summaries.set(id, summary);
    return summary;
  }
}
