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
import type { UsedProofRepository } from "#node/storage/mailbox/used-proof-repository.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { isSameAdmitted } from "#shared/protocol/mail/box-opening.ts";
import {
  type BoxKeyPair,
  boxKeyPair,
  type Envelope,
  envelopeBytes,
  parseEnvelope,
  type X25519KeyHex,
  x25519,
} from "#shared/protocol/mail/envelope.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { GroupCommit, type ItemResult } from "./group-commit.ts";
import { checkFee, sealForClient, type Verify, withSentAt } from "./intake/client-mail.ts";
import type { MailForGateways } from "./intake/mail-elsewhere.ts";
import { type KeptArrival, MailIntake, type RefusalCode, type Stored } from "./intake/mail-intake.ts";
import { type EnvelopeListener, MailListeners } from "./intake/mail-listeners.ts";
import type { MailClient, MailService } from "./intake/mail-service.ts";
import { type ExchangeFigures, GOSSIP_ALONE, type MailWays, type OutgoingMail, type QueueFigures } from "./intake/outgoing-mail.ts";
import { together } from "./intake/reception.ts";
import { type Counted, dayLedgersOf } from "./mail-source.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "./mailbox-limits.ts";
import { type Arrival, MailboxRoom, type Postage } from "./mailbox-room.ts";
import { MailDeletions } from "./owners/mail-deletions.ts";
import { type Admission, OpenedBoxes } from "./owners/opened-boxes.ts";
import { Listeners } from "./owners/signed-by-owners.ts";
import { MailReaders } from "./readers/mail-readers.ts";
import { RecentLists } from "./readers/recent-lists.ts";

const DAY_MS = 86_400_000;

export interface RelayOptions {
  readonly chainId: string;
  /** X25519 secret of the node, 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly store: MailboxRepository;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The consensus rule for signatures; may resolve later, from a worker. */
  readonly verify: Verify;
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

/** Mailboxes of this node. */
export interface Relay extends MailService {
  /** In order of arrival. */
  list(query: MailboxQuery): MailboxPage;
  listText(query: MailboxQuery): MailboxText;
  count(recipientPub: X25519KeyHex, hidesDeleted?: boolean): number;
  readonly deletions: MailDeletions;
  readonly boxes: OpenedBoxes;
  readonly readers: MailReaders;
  readonly proofs: UsedProofRepository;
  /** All of the work in one durable commit, or nothing. */
  inTransaction<T>(work: () => T): T;
  /** True when there was such an envelope. */
  delete(recipientPub: X25519KeyHex, id: string): boolean;
  hide(recipientPub: X25519KeyHex, id: string): void;
  /** Forgets envelopes that others keep, which may bring them back; gives how many were here. */
  release(recipientPub: X25519KeyHex, ids: readonly string[]): number;
  /**
   * Takes in what another node sent, and says whether it is worth forwarding. `admits` are those of the envelopes, where they have one;
   * `ofNode` counts what that may bring on a day.
   */
  receive(
    envelopes: readonly Envelope[],
    source?: MailSource,
    admits?: readonly (string | null)[],
    ofNode?: Counted["ofNode"],
  ): Promise<Reception>;
  /**
   * Takes in what another keeper of a box has, with the time at which each arrived there, unix seconds: so it is kept no longer than there.
   * For who reads here they arrive now.
   */
  receiveKept(items: readonly KeptArrival[], source: MailSource): Promise<Reception>;
  /** The same of envelopes with the openings of their boxes, which prove what they say. */
  receiveAdmitted(items: readonly AdmittedEnvelope[], source?: MailSource): Promise<Reception>;
  /** Calls back for every envelope that became durable and was not there before; returns the way to stop that. */
  onEnvelope(listener: EnvelopeListener): () => void;
  /** Calls back when what is in a mailbox may have changed, with undefined when any may have; returns the way to stop that. */
  onChange(listener: (recipientPub: X25519KeyHex | undefined) => void): () => void;
  /** Tells those who listen of an envelope that lies elsewhere. */
  announce(envelope: Envelope): void;
  /** False for an envelope that no honest node forwards: its fee is none. */
  isTrue(envelope: Envelope): Promise<boolean>;
  readonly elsewhere?: MailForGateways | undefined;
  /** Ways that mail of clients takes now. */
  readonly ways: MailWays;
  /** The way to keepers; undefined where there are none. */
  readonly toKeepers: OutgoingMail | undefined;
  /** From now on mail of clients goes to keepers as well, or alone, as that says. */
  sendThrough(outgoing: OutgoingMail): void;
  /** Commits what waits and stops. */
  close(): void;
}

/** `accept`: valid and new; `ignore`: valid, but known, deleted, or without room; `reject`: what no honest node forwards. */
export type Reception = "accept" | "ignore" | "reject";

/** A relay over a store. */
export function createRelay(options: RelayOptions): Relay {
  return new MailboxRelay(options);
}

const UNKNOWN_CLIENT: MailClient = { ...UNKNOWN_SOURCE, isLimited: false };

class MailboxRelay implements Relay {
  readonly refused = { MAILBOX_FULL: 0, RELAY_FULL: 0 };
  readonly publicKey: X25519KeyHex;
  readonly deletions: MailDeletions;
  readonly boxes: OpenedBoxes;
  readonly readers: MailReaders;
  readonly #options: RelayOptions;
  readonly #limits: MailboxLimits;
  readonly #keys: BoxKeyPair;
  readonly #intake: MailIntake;
  readonly #commits: GroupCommit<Arrival, Stored>;
  readonly #lists = new RecentLists();
  readonly #listeners: MailListeners;
  readonly #changes = new Listeners<X25519KeyHex | undefined>();
  readonly #pruneTimer: NodeJS.Timeout;
  toKeepers: OutgoingMail | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#limits = options.limits ?? MAILBOX_LIMITS;
    this.#keys = boxKeyPair(options.secretKey);
    this.#listeners = new MailListeners((error) => options.onError?.(error));
    this.publicKey = toHex(this.#keys.publicKey);
    const onEvicted = (recipientPub: X25519KeyHex): void => this.#changed(recipientPub);
    const { chainId, store, clock, verify, height, isEnabled = true } = options;
    this.deletions = new MailDeletions({ chainId, store, clock, verify, height, isEnabled, onChanged: onEvicted });
    this.boxes = new OpenedBoxes({ chainId, store, clock, verify, height, isEnabled, limits: this.#limits, onChanged: onEvicted });
    const room = new MailboxRoom({ store, limits: this.#limits, postage: options.postage, onEvicted });
    const onRefused = (code: RefusalCode): void => {
      this.refused[code] += 1;
    };
    const { boxes, deletions } = this;
    this.#intake = new MailIntake({ store, room, boxes, deletions, onStored: onEvicted, onRefused });
    this.readers = new MailReaders({ store, clock, onChanged: (): void => this.toKeepers?.onReaders() });
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
    await checkFee(envelope, this.#options.chainId, this.#options.verify);
    // Keepers know of boxes that nodes of others do not.
    if (admit !== undefined && this.ways.keepers && this.boxes.find(envelope.recipient_pub) === undefined)
      await this.toKeepers?.learnOpening(envelope.recipient_pub);
    const admission = await this.boxes.checkFirstHand(envelope, admit);
    return await this.#store(envelope, client, admission, admission && (await this.#notAdmitted(envelope, admission)));
  }

  async send(recipientPub: X25519KeyHex, plaintext: Uint8Array, client = UNKNOWN_CLIENT): Promise<Envelope> {
    this.#assertOpen();
    const { clock, random } = this.#options;
    const envelope = sealForClient(recipientPub, plaintext, { keys: this.#keys, clock, random });
    await this.boxes.checkFirstHand(envelope, undefined);
    return await this.#store(envelope, client, undefined);
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

  deleteIf(recipientPub: X25519KeyHex, id: string, isAllowed: () => boolean): void {
    this.inTransaction(() => {
      if (isAllowed()) this.delete(recipientPub, id);
    });
  }

  delete(recipientPub: X25519KeyHex, id: string): boolean {
    const isDeleted = this.#options.store.delete(recipientPub, id, Math.floor(this.#options.clock.nowMs() / 1000));
    this.#changed(recipientPub);
    return isDeleted;
  }

  hide(recipientPub: X25519KeyHex, id: string): void {
    this.#lists.forget(recipientPub);
    this.#options.store.hide(recipientPub, id);
  }

  release(recipientPub: X25519KeyHex, ids: readonly string[]): number {
    const { store } = this.#options;
    const held = this.inTransaction(() => {
      const there = ids.filter((id) => store.sizeOf(recipientPub, id) !== undefined);
      for (const id of there) store.evict(recipientPub, id);
      return there;
    });
    if (held.length > 0) this.#changed(recipientPub);
    return held.length;
  }

  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined {
    return x25519(this.#keys.secretKey, fromHex(recipientPub));
  }

  async receive(
    envelopes: readonly Envelope[],
    source = UNKNOWN_SOURCE,
    admits: readonly (string | null)[] = [],
    ofNode: Counted["ofNode"] = undefined,
  ): Promise<Reception> {
    const results = envelopes.map((envelope, n) => {
      const admit = admits[n] ?? undefined;
      return this.#receiveOne(envelope, source, admit === undefined ? undefined : { admit, writeKey: undefined }, { ofNode });
    });
    return together(await Promise.all(results));
  }

  async receiveKept(items: readonly KeptArrival[], source: MailSource): Promise<Reception> {
    const results = items.map(({ envelope, admit, receivedAtSec }) => {
      const admitted = admit === null ? undefined : { admit, writeKey: undefined };
      const atSec = this.readers.has(envelope.recipient_pub) ? undefined : receivedAtSec;
      return this.#receiveOne(envelope, source, admitted, { receivedAtSec: atSec });
    });
    return together(await Promise.all(results));
  }

  async receiveAdmitted(items: readonly AdmittedEnvelope[], source = UNKNOWN_SOURCE): Promise<Reception> {
    return together(await Promise.all(items.map((item) => this.#receiveAdmitted(item, source))));
  }

  /** What the recipient missed while this node was away is asked for at other nodes. */
  serve(recipientPub: X25519KeyHex, party?: string): void {
    this.readers.see(recipientPub, party);
  }

  watch(recipientPub: X25519KeyHex): () => void {
    return this.readers.watch(recipientPub);
  }

  announce(envelope: Envelope): void {
    this.#listeners.announce(envelope);
  }

  get elsewhere(): MailForGateways | undefined {
    return this.toKeepers?.elsewhere;
  }

  get outgoing(): QueueFigures | undefined {
    return this.toKeepers?.figures;
  }

  get exchange(): ExchangeFigures | undefined {
    return this.toKeepers?.exchange;
  }

  async isTrue(envelope: Envelope): Promise<boolean> {
    return await checkFee(envelope, this.#options.chainId, this.#options.verify).then(
      () => true,
      () => false,
    );
  }

  get ways(): MailWays {
    return this.toKeepers?.ways ?? GOSSIP_ALONE;
  }

  sendThrough(outgoing: OutgoingMail): void {
    this.toKeepers = outgoing;
  }

  onEnvelope(listener: EnvelopeListener): () => void {
    return this.#listeners.onEnvelope(listener);
  }

  onChange(listener: (recipientPub: X25519KeyHex | undefined) => void): () => void {
    return this.#changes.add(listener);
  }

  onArrival(listener: Parameters<MailService["onArrival"]>[0]): () => void {
    return this.#listeners.onArrival(listener);
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
    return isSame
      ? this.#noteAdmission(envelope, admission, known)
      : await this.#receiveOne(envelope, source, admission, { replaces: held?.seq });
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

  #changed(recipientPub: X25519KeyHex | undefined): void {
    if (recipientPub === undefined) this.#lists.clear();
    else this.#lists.forget(recipientPub);
    this.#changes.call(recipientPub);
  }

  /** `replaces`: a copy that may go for it, altered and not admitted. */
  async #receiveOne(
    received: Envelope,
    source: MailSource,
    admitted: Admission | undefined,
    { replaces, receivedAtSec, ofNode }: Pick<Arrival, "replaces" | "receivedAtSec" | "ofNode"> = {},
  ): Promise<Reception> {
    const envelope = withSentAt(received, this.#options.clock.nowMs());
    try {
      const held = this.#held(envelope);
      if (held !== undefined && (admitted === undefined || isSameAdmitted(held.envelope, envelope))) return "ignore";
      await checkFee(envelope, this.#options.chainId, this.#options.verify);
      // Without a mailbox of its own, a node still passes on what others should store.
      if (this.#options.isEnabled === false) return "accept";
      const admission = await this.boxes.checkReceived(envelope, admitted);
      if (admission === undefined) return "ignore";
      this.#assertOpen();
      const coming = {
        envelope,
        isFirstHand: false,
        source,
        isLimited: false,
        ...{ receivedAtSec, ofNode },
        replaces: replaces ?? this.#unadmitted(held),
      };
      const { isNew } = await this.#commits.add({ ...coming, admission: admission === "none" ? undefined : admission }, false);
      return isNew ? "accept" : "ignore";
    } catch (error) {
      if (isCodedError(error, "ENVELOPE_INVALID")) return "reject";
      if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "FORBIDDEN", "RATE_LIMITED")) this.#options.onError?.(error);
      return "ignore";
    }
  }

  /** The envelope of this id that is here. One whose id is not the hash of its contents only stands where another belongs. */
  #held({ recipient_pub: recipientPub, id }: Envelope): StoredEnvelope | undefined {
    const stored = this.#options.store.get(recipientPub, id);
    return stored !== undefined && isAuthenticEnvelope(stored.envelope) ? stored : undefined;
  }

  /** `seq` of the envelope of this id that is here and that its write key has not signed: someone was faster, and may have altered it. */
  async #notAdmitted(envelope: Envelope, { writeKey }: Admission): Promise<number | undefined> {
    const held = this.#held(envelope);
    const admit = held && this.#options.store.open.admitOf(held.seq);
    if (held === undefined || writeKey === undefined) return undefined;
    return admit !== undefined && (await this.boxes.isAdmitted(held.envelope, { admit, writeKey })) ? undefined : held.seq;
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

  async #store(
    envelope: Envelope,
    { isLimited, ...source }: MailClient,
    admission: Admission | undefined,
    replaces?: number,
  ): Promise<Envelope> {
    // Once more: others may have come while signatures were checked.
    this.#assertOpen();
    const arrival = { envelope, isFirstHand: true, source, isLimited, admission, replaces };
    const { gossip, keepers } = this.ways;
    if (gossip) await this.#commits.add(arrival);
    if (keepers) await this.#sendToKeepers(arrival, gossip);
    return envelope;
  }

  /** Who reads here has it at once; what this mailbox has no room for is on its way all the same. */
  async #sendToKeepers(arrival: Arrival, isStored: boolean): Promise<void> {
    const { envelope, admission } = arrival;
    if (!isAuthenticEnvelope(envelope)) {
      if (isStored) return;
      throw new CodedError("ENVELOPE_INVALID", "id is the hash of nonce and ciphertext where keepers have the mail");
    }
    const isOpen = this.boxes.find(envelope.recipient_pub)?.isOpen === true;
    const ledgers = dayLedgersOf(arrival, isOpen, { bytes: envelopeBytes(envelope), limits: this.#limits });
    const handed = this.toKeepers?.put({ envelope, admit: admission?.admit ?? null }, { source: arrival.source, isOpen, ledgers });
    // What goes by gossip as well is not refused for what fails on the other way.
    if (isStored) return await handed?.catch((error: unknown) => this.#reportUnlessFull(error));
    await handed;
    this.#intake.claim(envelope, Math.floor(this.#options.clock.nowMs() / 1000));
    if (!this.readers.has(envelope.recipient_pub)) return;
    try {
      await this.#commits.add({ ...arrival, isLimited: false });
    } catch (error) {
      if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "FORBIDDEN")) throw error;
    }
  }

  #reportUnlessFull(error: unknown): void {
    if (!isCodedError(error, "RELAY_FULL", "RATE_LIMITED")) this.#options.onError?.(error);
  }

  #commitBatch(arrivals: readonly Arrival[]): readonly ItemResult<Stored>[] {
    const receivedAtSec = Math.floor(this.#options.clock.nowMs() / 1000);
    const results = this.#options.store.inTransaction(() => arrivals.map((arrival) => this.#intake.put(arrival, receivedAtSec)));
    // Durable from here. Listeners are called before the senders get their responses, which take a while to write.
    for (const [index, arrival] of arrivals.entries()) {
      const result = results[index];
      const { envelope, isFirstHand, admission } = arrival;
      if (result !== undefined && "value" in result && result.value.isNew) this.#listeners.publish(envelope, isFirstHand, admission?.admit);
    }
    return results;
  }

  #prune(): void {
    this.#changed(undefined);
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
