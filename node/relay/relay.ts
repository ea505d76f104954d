// The relay: takes sealed envelopes into mailboxes, seals for clients that cannot, and notifies listeners of what arrived.
// It never opens an envelope.

import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import type { AdmittedEnvelope } from "#node/network/peer-network.ts";
import { type MailSource, UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type {
  MailboxPage,
  MailboxQuery,
  MailboxRepository,
  MailboxText,
  StoredEnvelope,
} from "#node/storage/mailbox/mailbox-repository.ts";
import type { Usage } from "#node/storage/mailbox/mailbox-usage.ts";
import { MAX_SERVED_RECIPIENTS } from "#node/storage/mailbox/served-recipient-repository.ts";
import type { UsedProofRepository } from "#node/storage/mailbox/used-proof-repository.ts";
import type { Room } from "#node/storage/mailbox/waiting-envelopes.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { isSameAdmitted } from "#shared/protocol/mail/box-opening.ts";
import {
  type BoxKeyPair,
  boxKeyPair,
  type Envelope,
  feeSignBytes,
  parseEnvelope,
  sealEnvelope,
  type X25519KeyHex,
  x25519,
} from "#shared/protocol/mail/envelope.ts";
import { BOX_OVERHEAD_BYTES, MAX_ENVELOPE_BYTES, NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { fromBase64, fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { GroupCommit, type ItemResult } from "./group-commit.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "./mailbox-limits.ts";
import { type Arrival, MailboxRoom, type Postage } from "./mailbox-room.ts";
import { MailDeletions } from "./owners/mail-deletions.ts";
import { type Admission, OpenedBoxes } from "./owners/opened-boxes.ts";
import { RecentLists } from "./recent-lists.ts";

/** That a recipient reads here is written down once in this time, s. */
const SEEN_INTERVAL_S = 3_600;
const DAY_MS = 86_400_000;

export interface RelayOptions {
  readonly chainId: string;
  /** X25519 secret of the node, 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly store: MailboxRepository;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The consensus rule for signatures; may resolve later, from a worker. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  /** Height of the chain, by which proofs of mailbox keys are judged. */
  readonly height?: (() => number | undefined) | undefined;
  /** Without it no envelope has postage. */
  readonly postage?: Postage | undefined;
  /** False switches the mailbox off: it takes nothing in; what it holds can still be read and deleted. */
  readonly isEnabled?: boolean;
  readonly limits?: MailboxLimits;
  /** Called with failures that no caller waits for. */
  readonly onError?: (error: unknown) => void;
}

/** Why the mailbox had no room: the recipient's part was full, or the whole. */
export type RefusalCode = "MAILBOX_FULL" | "RELAY_FULL";

/** Who hands an envelope to this node. */
export interface MailClient extends MailSource {
  /** True for one that may hand in so much a day. */
  readonly isLimited: boolean;
}

/** Mailboxes of this node. */
export interface Relay {
  /** X25519 key with which /relay/send seals. */
  readonly publicKey: X25519KeyHex;
  readonly envelopeCount: number;
  /** Envelopes that were refused for want of room since the start, by the code of the refusal. */
  readonly refused: Readonly<Record<RefusalCode, number>>;
  /**
   * Stores a sealed envelope; resolves once it is durable. `admit` is the base64 signature of an opened box's write key.
   * @throws CodedError ENVELOPE_INVALID, MAILBOX_FULL, RELAY_FULL or RATE_LIMITED; of opened boxes FORBIDDEN, or NOT_FOUND for one not known.
   */
  broadcast(value: unknown, client?: MailClient, admit?: string): Promise<Envelope>;
  /** Seals a plaintext with the node's own key and stores it. @throws CodedError as {@link Relay.broadcast} */
  send(recipientPub: X25519KeyHex, plaintext: Uint8Array, client?: MailClient): Promise<Envelope>;
  /** In order of arrival. */
  list(query: MailboxQuery): MailboxPage;
  /** The same as JSON text. */
  listText(query: MailboxQuery): MailboxText;
  /** Envelopes of a recipient, without the hidden ones when asked for that. */
  count(recipientPub: X25519KeyHex, hidesDeleted?: boolean): number;
  /** Deletions that owners have signed, and what was read. */
  readonly deletions: MailDeletions;
  /** Mailboxes that their owners have opened. */
  readonly boxes: OpenedBoxes;
  /** Proofs of mailbox keys that something was deleted by. */
  readonly proofs: UsedProofRepository;
  /** All of the work in one durable commit, or nothing. */
  inTransaction<T>(work: () => T): T;
  /** True when there was such an envelope. */
  delete(recipientPub: X25519KeyHex, id: string): boolean;
  /** Deletes for callers who do not prove the mailbox's key: they see the envelope no more, and it is the first that goes for want of room. */
  hide(recipientPub: X25519KeyHex, id: string): void;
  /** Raw X25519 secret between a mailbox key and the node, 32 bytes; undefined for a key of small order. */
  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined;
  /** Takes in what another node sent, and says whether it is worth forwarding. `admits` are those of the envelopes, where they have one. */
  receive(envelopes: readonly Envelope[], source?: MailSource, admits?: readonly (string | null)[]): Promise<Reception>;
  /** The same of envelopes with the openings of their boxes, which prove what they say. */
  receiveAdmitted(items: readonly AdmittedEnvelope[], source?: MailSource): Promise<Reception>;
  /** A recipient reads here: what it missed while this node was away is asked for at other nodes. */
  serve(recipientPub: X25519KeyHex): void;
  /** Calls back for every envelope that became durable and was not there before; returns the way to stop that. */
  onEnvelope(listener: EnvelopeListener): () => void;
  /** Commits what waits and stops. */
  close(): void;
}

/** Called with an envelope; `isFirstHand` when a client of this node sent it, and not another node; `admit` when its box was opened. */
export type EnvelopeListener = (envelope: Envelope, isFirstHand: boolean, admit: string | undefined) => void;

/** `accept`: valid and new; `ignore`: valid, but known, deleted, or without room; `reject`: what no honest node forwards. */
export type Reception = "accept" | "ignore" | "reject";

/** A relay over a store. */
export function createRelay(options: RelayOptions): Relay {
  return new MailboxRelay(options);
}

const UNKNOWN_CLIENT: MailClient = { ...UNKNOWN_SOURCE, isLimited: false };

interface Stored {
  readonly isNew: boolean;
}

class MailboxRelay implements Relay {
  readonly refused = { MAILBOX_FULL: 0, RELAY_FULL: 0 };
  readonly publicKey: X25519KeyHex;
  readonly deletions: MailDeletions;
  readonly boxes: OpenedBoxes;
  readonly #options: RelayOptions;
  readonly #limits: MailboxLimits;
  readonly #keys: BoxKeyPair;
  readonly #room: MailboxRoom;
  readonly #commits: GroupCommit<Arrival, Stored>;
  readonly #lists = new RecentLists();
  readonly #listeners = new Set<EnvelopeListener>();
  /** When each recipient was last written down as one that reads here, unix seconds. */
  readonly #seenAtSec = new Map<X25519KeyHex, number>();
  readonly #pruneTimer: NodeJS.Timeout;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#limits = options.limits ?? MAILBOX_LIMITS;
    this.#keys = boxKeyPair(options.secretKey);
    this.publicKey = toHex(this.#keys.publicKey);
    const onEvicted = (recipientPub: X25519KeyHex): void => this.#lists.forget(recipientPub);
    const { chainId, store, clock, verify, height, isEnabled = true } = options;
    this.deletions = new MailDeletions({ chainId, store, clock, verify, height, isEnabled, onChanged: onEvicted });
    this.boxes = new OpenedBoxes({ chainId, store, clock, verify, height, isEnabled, limits: this.#limits, onChanged: onEvicted });
    this.#room = new MailboxRoom({ store: options.store, limits: this.#limits, postage: options.postage, onEvicted });
    this.#commits = new GroupCommit((arrivals) => this.#commitBatch(arrivals), this.#limits.batchEnvelopes);
    this.#prune();
    this.#pruneTimer = setInterval(() => this.#prune(), this.#limits.pruneIntervalMs);
    this.#pruneTimer.unref();
  }

  get proofs(): UsedProofRepository {
    return this.#options.store.proofs;
  }

  get envelopeCount(): number {
    return this.#options.store.totalCount();
  }

  async broadcast(value: unknown, client = UNKNOWN_CLIENT, admit?: string): Promise<Envelope> {
    this.#assertOpen();
    const envelope = withSentAt(parseEnvelope(value), this.#options.clock.nowMs());
    if (envelope.fee_ut > 0) await this.#checkFee(envelope);
    return await this.#store(envelope, client, await this.boxes.checkFirstHand(envelope, admit));
  }

  async send(recipientPub: X25519KeyHex, plaintext: Uint8Array, client = UNKNOWN_CLIENT): Promise<Envelope> {
    this.#assertOpen();
    if (plaintext.length + BOX_OVERHEAD_BYTES > MAX_ENVELOPE_BYTES)
      throw new CodedError("ENVELOPE_INVALID", `msg_b64 is larger than an envelope of ${MAX_ENVELOPE_BYTES} bytes can hold`);
    const envelope = sealEnvelope({
      plaintext,
      recipientPub,
      sender: this.#keys,
      senderMasterPub: "",
      nonce: this.#options.random(NONCE_BYTES),
      sentAt: Math.floor(this.#options.clock.nowMs() / 1000),
    });
    await this.boxes.checkFirstHand(envelope, undefined);
    return await this.#store(parseEnvelope(envelope), client, undefined);
  }

  list(query: MailboxQuery): MailboxPage {
    return this.#options.store.list(query);
  }

  listText(query: MailboxQuery): MailboxText {
    return this.#lists.get(query, (asked) => this.#options.store.listText(asked));
  }

  count(recipientPub: X25519KeyHex, hidesDeleted = false): number {
    const { store } = this.#options;
    return store.count(recipientPub) - (hidesDeleted ? store.deleted.hidden.count(recipientPub) : 0);
  }

  inTransaction<T>(work: () => T): T {
    return this.#options.store.inTransaction(work);
  }

  delete(recipientPub: X25519KeyHex, id: string): boolean {
    this.#lists.forget(recipientPub);
    return this.#options.store.delete(recipientPub, id, Math.floor(this.#options.clock.nowMs() / 1000));
  }

  hide(recipientPub: X25519KeyHex, id: string): void {
    this.#lists.forget(recipientPub);
    this.#options.store.hide(recipientPub, id);
  }

  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined {
    return x25519(this.#keys.secretKey, fromHex(recipientPub));
  }

  async receive(envelopes: readonly Envelope[], source = UNKNOWN_SOURCE, admits: readonly (string | null)[] = []): Promise<Reception> {
    const results = envelopes.map((envelope, n) => {
      const admit = admits[n] ?? undefined;
      return this.#receiveOne(envelope, source, admit === undefined ? undefined : { admit, writeKey: undefined });
    });
    return together(await Promise.all(results));
  }

  async receiveAdmitted(items: readonly AdmittedEnvelope[], source = UNKNOWN_SOURCE): Promise<Reception> {
    return together(await Promise.all(items.map((item) => this.#receiveAdmitted(item, source))));
  }

  serve(recipientPub: X25519KeyHex): void {
    const { store, clock } = this.#options;
    const nowSec = Math.floor(clock.nowMs() / 1000);
    if (nowSec - (this.#seenAtSec.get(recipientPub) ?? 0) < SEEN_INTERVAL_S) return;
    if (this.#seenAtSec.size >= MAX_SERVED_RECIPIENTS) this.#seenAtSec.clear();
    this.#seenAtSec.set(recipientPub, nowSec);
    store.served.see(recipientPub, nowSec);
  }

  onEnvelope(listener: EnvelopeListener): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    clearInterval(this.#pruneTimer);
    this.boxes.close();
    this.#commits.flush();
    this.#listeners.clear();
  }

  async #receiveAdmitted({ opening, envelope, admit }: AdmittedEnvelope, source: MailSource): Promise<Reception> {
    const admission = { admit, writeKey: opening.writeKey };
    if (opening.mailbox !== envelope.recipient_pub || !isAuthenticEnvelope(envelope)) return "reject";
    const held = this.#held(envelope);
    const known = held && this.#options.store.open.admitOf(held.seq);
    const isKnown = held !== undefined && known !== undefined;
    if (isKnown && (await this.boxes.isAdmitted(held.envelope, { ...admission, admit: known }))) return "ignore";
    // A node that missed the opening learns it with the first mail.
    if (!(await this.boxes.learn([opening], source)) || !(await this.boxes.isAdmitted(envelope, admission))) return "reject";
    // What came before its opening was taken unchecked. By a false signature it keeps no true one out, once the box is known.
    if (isKnown && this.boxes.find(envelope.recipient_pub) === undefined) return "ignore";
    const isSame = held !== undefined && isSameAdmitted(held.envelope, envelope);
    return isSame ? this.#noteAdmission(envelope, admission, known) : await this.#receiveOne(envelope, source, admission, held?.seq);
  }

  /** Someone was faster with the bare envelope. What proves that its box takes it is news all the same, here and for other nodes. */
  #noteAdmission(envelope: Envelope, { admit, writeKey }: Admission, known: string | undefined): Reception {
    const { store } = this.#options;
    const opening = this.boxes.find(envelope.recipient_pub)?.opening;
    if ((opening !== undefined && opening.writeKey !== writeKey) || !this.boxes.isOfPresent(envelope)) return "ignore";
    const isNew = store.inTransaction(() => {
      const seq = this.#held(envelope)?.seq;
      if (seq === undefined || store.open.admitOf(seq) !== known) return false;
      store.open.setAdmit(seq, admit);
      return true;
    });
    return isNew ? "accept" : "ignore";
  }

  /** `replaced`: a copy that may go for it, altered and not admitted. */
  async #receiveOne(received: Envelope, source: MailSource, admitted: Admission | undefined, replaced?: number): Promise<Reception> {
    const envelope = withSentAt(received, this.#options.clock.nowMs());
    try {
      const held = this.#held(envelope);
      if (held !== undefined && (admitted === undefined || isSameAdmitted(held.envelope, envelope))) return "ignore";
      if (envelope.fee_ut > 0) await this.#checkFee(envelope);
      // Without a mailbox of its own, a node still passes on what others should store.
      if (this.#options.isEnabled === false) return "accept";
      const admission = await this.boxes.checkReceived(envelope, admitted);
      if (admission === undefined) return "ignore";
      this.#assertOpen();
      const coming = { envelope, isFirstHand: false, source, isLimited: false, replaces: replaced ?? this.#unadmitted(held) };
      const { isNew } = await this.#commits.add({ ...coming, admission: admission === "none" ? undefined : admission });
      return isNew ? "accept" : "ignore";
    } catch (error) {
      if (isCodedError(error, "ENVELOPE_INVALID")) return "reject";
      if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "FORBIDDEN")) this.#options.onError?.(error);
      return "ignore";
    }
  }

  /** The envelope of this id that is here. One whose id is not the hash of its contents only stands where another belongs. */
  #held({ recipient_pub: recipientPub, id }: Envelope): StoredEnvelope | undefined {
    const stored = this.#options.store.get(recipientPub, id);
    return stored !== undefined && isAuthenticEnvelope(stored.envelope) ? stored : undefined;
  }

  /** `seq` of an envelope that came without an admission. */
  #unadmitted(held: StoredEnvelope | undefined): number | undefined {
    return held === undefined || this.#options.store.open.admitOf(held.seq) !== undefined ? undefined : held.seq;
  }

  #assertOpen(): void {
    if (this.#options.isEnabled === false) throw new CodedError("RELAY_FULL", "The mailbox of this node is switched off: use another node");
    if (this.#commits.size < this.#limits.waitingEnvelopes) return;
    this.refused.RELAY_FULL += 1;
    throw new CodedError("RELAY_FULL", "The node receives more messages than it can store: try again in a moment");
  }

  async #checkFee(envelope: Envelope): Promise<void> {
    if (envelope.sender_ed25519_pub === "")
      throw new CodedError("ENVELOPE_INVALID", "sender_ed25519_pub is required when fee_ut is above 0: it pays the fee");
    const message = feeSignBytes(this.#options.chainId, envelope.id, envelope.fee_ut);
    const isSigned = await this.#options.verify(fromBase64(envelope.fee_sig ?? ""), message, fromHex(envelope.sender_ed25519_pub));
    if (!isSigned) throw new CodedError("ENVELOPE_INVALID", "fee_sig is not the sender's signature over id and fee_ut");
  }

  async #store(envelope: Envelope, { isLimited, ...source }: MailClient, admission: Admission | undefined): Promise<Envelope> {
    // Once more: others may have come while signatures were checked.
    this.#assertOpen();
    await this.#commits.add({ envelope, isFirstHand: true, source, isLimited, admission });
    return envelope;
  }

  #commitBatch(arrivals: readonly Arrival[]): readonly ItemResult<Stored>[] {
    const receivedAtSec = Math.floor(this.#options.clock.nowMs() / 1000);
    const results = this.#options.store.inTransaction(() => arrivals.map((arrival) => this.#put(arrival, receivedAtSec)));
    // Durable from here. Listeners are called before the senders get their responses, which take a while to write.
    for (const [index, arrival] of arrivals.entries()) {
      const result = results[index];
      if (result !== undefined && "value" in result && result.value.isNew) this.#publish(arrival);
    }
    return results;
  }

  #put(arrival: Arrival, receivedAtSec: number): ItemResult<Stored> {
    const { envelope, isFirstHand, source, admission } = arrival;
    const { store } = this.#options;
    const box = this.boxes.find(envelope.recipient_pub);
    // It may have been opened since the envelope was looked at.
    if (box !== undefined && box.opening.writeKey !== admission?.writeKey)
      return { error: new CodedError("FORBIDDEN", "The mailbox was opened for another write key meanwhile") };
    // What the owner of a box has deleted does not come back, whoever has seen it and sends it again.
    if (isFirstHand && box === undefined) this.#restore(envelope, receivedAtSec);
    else if (this.#isDeleted(envelope, receivedAtSec)) return { value: { isNew: false } };
    if (admission?.writeKey !== undefined) this.#removeAltered(arrival);
    try {
      const findRoom = (added: Usage): Room =>
        box?.isOpen === true ? this.#room.findInBox(arrival, receivedAtSec) : this.#room.find(arrival, added, receivedAtSec);
      const isNew = store.put(envelope, receivedAtSec, { source, findRoom, admit: admission?.admit }) === "stored";
      if (!isNew) return { value: { isNew } };
      this.#lists.forget(envelope.recipient_pub);
      const { fee_ut, fee_sig } = envelope;
      if (isFirstHand && fee_ut > 0 && fee_sig !== null) store.claims.add({ ...envelope, fee_sig }, receivedAtSec);
      return { value: { isNew } };
    } catch (error) {
      if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "RATE_LIMITED")) throw error;
      if (error.code === "MAILBOX_FULL" || error.code === "RELAY_FULL") this.refused[error.code] += 1;
      return { error };
    }
  }

  /** Someone was faster with an altered copy, which the write key has not signed: the time and the sender are not in the id. */
  #removeAltered({ envelope, replaces }: Arrival): void {
    const { store } = this.#options;
    const held = this.#held(envelope);
    if (held === undefined || held.seq !== replaces || isSameAdmitted(held.envelope, envelope)) return;
    this.#lists.forget(envelope.recipient_pub);
    store.evict(envelope.recipient_pub, envelope.id);
  }

  #isDeleted({ recipient_pub: recipientPub, id }: Envelope, atSec: number): boolean {
    const { deleted } = this.#options.store;
    if (deleted.has(recipientPub, id)) return true;
    if (!this.deletions.takeEarly(recipientPub, id)) return false;
    deleted.add(recipientPub, id, atSec);
    return true;
  }

  /** What a client sends again is to arrive again, however it was deleted. */
  #restore({ recipient_pub: recipientPub, id }: Envelope, atSec: number): void {
    const { store } = this.#options;
    if (store.deleted.hidden.has(recipientPub, id)) store.delete(recipientPub, id, atSec);
    store.deleted.remove(recipientPub, id);
  }

  #publish({ envelope, isFirstHand, admission }: Arrival): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(envelope, isFirstHand, admission?.admit);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
  }

  #prune(): void {
    this.#lists.clear();
    try {
      const { store, clock } = this.#options;
      const beforeSec = Math.floor((clock.nowMs() - this.#limits.retentionMs) / 1000);
      store.prune(beforeSec);
      store.claims.prune(beforeSec);
      store.deleted.prune(beforeSec - this.#limits.tombstoneMs / 1000);
      store.served.prune(beforeSec);
      this.boxes.prune();
      store.waiting.forgetDaysBefore(Math.floor(clock.nowMs() / DAY_MS));
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

/** What comes of several envelopes of one message. */
function together(results: readonly Reception[]): Reception {
  if (results.includes("reject")) return "reject";
  return results.includes("accept") ? "accept" : "ignore";
}

/** The sender's time, or the time of arrival where there is none. */
function withSentAt(envelope: Envelope, nowMs: number): Envelope {
  return envelope.sent_at > 0 ? envelope : { ...envelope, sent_at: Math.floor(nowMs / 1000) };
}
