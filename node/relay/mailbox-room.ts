// Where an envelope finds room, and what goes for it: what was read first, then mail of those who have brought most. What waits counts, and
// who floods a mailbox or the node displaces his own. An open box has room of its own, which nothing displaces that strangers send.

import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { Usage } from "#node/storage/mailbox/mailbox-usage.ts";
import type { MailStore } from "#node/storage/mailbox/sharing/mail-store.ts";
import { ROOMS, type Room, usageOf, type WaitingEnvelope } from "#node/storage/mailbox/waiting-envelopes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type Counted, dayLedgersOf, noRoom, overDay } from "./mail-source.ts";
import type { MailboxLimits } from "./mailbox-limits.ts";
import type { Admission } from "./owners/opened-boxes.ts";

/** An envelope that arrives. */
export interface Arrival extends Counted {
  readonly envelope: Envelope;
  /** True when a client handed it to this node, which may then collect its fee. */
  readonly isFirstHand: boolean;
  /** What its mailbox takes it by, when that has been opened. */
  readonly admission?: Admission | undefined;
  /** `seq` of a copy whose place it takes, as its write key has not signed that one. */
  readonly replaces?: number | undefined;
  /** When it arrived at another keeper of its box, unix seconds; now when absent. */
  readonly receivedAtSec?: number | undefined;
}

/** What makes a fee count as postage: a signature alone costs its sender nothing. */
export interface Postage {
  /** The least that counts. */
  readonly leastFeeUt: AmountUt;
  /** True when an account has so much. */
  canPay(sender: PublicKeyHex, amountUt: AmountUt): boolean;
}

export interface MailboxRoomDependencies {
  readonly store: MailStore;
  readonly limits: MailboxLimits;
  /** Without it no envelope has postage. */
  readonly postage: Postage | undefined;
  /** What a mailbox lists has changed. */
  readonly onEvicted: (recipientPub: X25519KeyHex) => void;
}

type Weigh = (envelope: WaitingEnvelope) => number;

/** What comes into a full mailbox, by the figure that is full. */
interface Coming {
  readonly source: MailSource;
  readonly added: number;
  readonly weigh: Weigh;
}

const DAY_S = 86_400;
/** Envelopes that go for one that comes, at most: the largest takes the place of as many small ones. */
const MOST_EVICTED = 1_024;

/** Finds room. Runs inside the transaction that stores what comes. */
export class MailboxRoom {
  readonly #store: MailStore;
  readonly #limits: MailboxLimits;
  readonly #postage: Postage | undefined;
  readonly #onEvicted: (recipientPub: X25519KeyHex) => void;

  constructor({ store, limits, postage, onEvicted }: MailboxRoomDependencies) {
    this.#store = store;
    this.#limits = limits;
    this.#postage = postage;
    this.#onEvicted = onEvicted;
  }

  /** The room that an envelope takes, `added` more than what it replaces. @throws CodedError MAILBOX_FULL, RELAY_FULL or RATE_LIMITED */
  find(arrival: Arrival, added: Usage, atSec: number): Room {
    if (added.count <= 0 && added.bytes <= 0) return ROOMS.free;
    const { recipientBytes } = this.#limits;
    if (added.bytes > recipientBytes) throw new CodedError("MAILBOX_FULL", `The recipient's mailbox is full (${recipientBytes} bytes)`);
    this.#assertDay(arrival, false, { added, atSec });
    this.#makeRoomOfNode(arrival, added, atSec);
    return this.#findInMailbox(arrival, added);
  }

  /** The room in an open box, which its owner alone empties. @throws CodedError MAILBOX_FULL, RELAY_FULL or RATE_LIMITED */
  findInBox(arrival: Arrival, atSec: number): Room {
    const { envelope } = arrival;
    const { boxEnvelopes, boxBytes } = this.#limits;
    const recipientPub = envelope.recipient_pub;
    // Whole, as what it may replace is in another room.
    const added: Usage = { count: 1, bytes: envelopeBytes(envelope) };
    // Whatever the mailbox holds: as long as all of it is within the bounds, so is this room.
    let used = this.#store.usage(recipientPub);
    const isWithin = (): boolean => used.count + added.count <= boxEnvelopes && used.bytes + added.bytes <= boxBytes;
    if (!isWithin()) used = this.#store.open.usageOf(recipientPub);
    if (!isWithin()) throw new CodedError("MAILBOX_FULL", "The box is full: its owner has to read what is in it first");
    this.#assertDay(arrival, true, { added, atSec });
    this.#makeRoomOfBoxes(arrival, added, atSec);
    return ROOMS.open;
  }

  #assertDay(arrival: Arrival, isOpen: boolean, { added: { bytes }, atSec }: { readonly added: Usage; readonly atSec: number }): void {
    const day = Math.floor(atSec / DAY_S);
    for (const ledger of dayLedgersOf(arrival, isOpen, { bytes, limits: this.#limits }))
      if (!this.#store.waiting.takeDay(ledger.party, { day, bytes, most: ledger.most })) throw overDay(ledger, atSec);
  }

  /** Room on the disk for an open box: inside its part from the party that has most in open boxes, beyond it from all other mail. */
  #makeRoomOfBoxes({ envelope, isFirstHand, source: { party } }: Arrival, { bytes }: Usage, atSec: number): void {
    const store = this.#store;
    const { totalBytes, openPercent, foreignPercent } = this.#limits;
    // Boxes of those who do not read here leave room for those who do.
    const isForeign = !isFirstHand && !store.served.has(envelope.recipient_pub);
    const openBytes = (totalBytes * openPercent * (isForeign ? foreignPercent : 100)) / 10_000;
    for (let evicted = 0; store.open.bytes + bytes > openBytes || store.totalBytes() + bytes > totalBytes; evicted += 1) {
      if (evicted >= MOST_EVICTED) throw new CodedError("RELAY_FULL", "The mailbox of this node makes room: try again in a moment");
      const isOver = store.open.bytes + bytes > openBytes;
      if (!(isOver ? this.#evictOpenOfLargest(party, bytes) : this.#evictOther(atSec)))
        throw noRoom("The open boxes of this node are full: use another node");
    }
  }

  /** False when no party has more in open boxes than the one that comes would have. */
  #evictOpenOfLargest(party: string, bytes: number): boolean {
    const { open } = this.#store;
    const largest = open.sources.largestParty();
    const mine = open.sources.bytesOf(party);
    if (largest === undefined || largest === party || open.sources.bytesOf(largest) <= mine + bytes) return false;
    const oldest = open.oldestOf(largest);
    if (oldest === undefined) return false;
    this.#evict(oldest.recipientPub, oldest.id);
    return true;
  }

  /** False when open boxes have their part at most: a node that was given less room may hold more of them. */
  #evictOpenBeyondPart(): boolean {
    const { open } = this.#store;
    const { totalBytes, openPercent } = this.#limits;
    if (open.bytes <= (totalBytes * openPercent) / 100) return false;
    const largest = open.sources.largestParty();
    const oldest = largest === undefined ? undefined : open.oldestOf(largest);
    if (oldest !== undefined) this.#evict(oldest.recipientPub, oldest.id);
    return oldest !== undefined;
  }

  /** What was read goes first, then mail of the party of which most waits. False when there is none. */
  #evictOther(atSec: number): boolean {
    const store = this.#store;
    const read = store.deleted.hidden.oldest();
    if (read !== undefined) {
      this.#onEvicted(read.recipientPub);
      store.delete(read.recipientPub, read.id, atSec);
      return true;
    }
    const largest = store.waiting.sources.largestParty();
    const oldest = largest === undefined ? undefined : store.waiting.oldestOf(largest);
    if (oldest !== undefined) this.#evict(oldest.recipientPub, oldest.id);
    return oldest !== undefined;
  }

  /** Room on the disk. What was read goes first, then mail of the party of which most waits, unless that is the one that comes. */
  #makeRoomOfNode({ envelope, isFirstHand, source }: Arrival, added: Usage, atSec: number): void {
    const store = this.#store;
    const { totalBytes, foreignPercent } = this.#limits;
    // What gossip brings for strangers leaves room for those who read here, of what open boxes leave; most of the time there is enough for all.
    const foreignBytes = totalBytes - Math.max(0, ((totalBytes - store.open.bytes) * (100 - foreignPercent)) / 100);
    if (store.totalBytes() + added.bytes <= foreignBytes) return;
    const most = isFirstHand || store.served.has(envelope.recipient_pub) ? totalBytes : foreignBytes;
    for (let evicted = 0; store.totalBytes() + added.bytes > most; evicted += 1) {
      // A node that has less room than before makes it in many short turns.
      if (evicted >= MOST_EVICTED) throw new CodedError("RELAY_FULL", "The mailbox of this node makes room: try again in a moment");
      if (this.#evictOpenBeyondPart()) continue;
      const read = store.deleted.hidden.oldest();
      if (read !== undefined) {
        this.#onEvicted(read.recipientPub);
        store.delete(read.recipientPub, read.id, atSec);
      } else if (!this.#evictOfLargest(source.party, added.bytes)) {
        throw noRoom("The mailbox of this node is full: use another node");
      }
    }
  }

  /** False when no party has more waiting here than the one that comes would have. */
  #evictOfLargest(party: string, bytes: number): boolean {
    const { sources } = this.#store.waiting;
    const largest = sources.largestParty();
    if (largest === undefined || largest === party || sources.bytesOf(largest) <= sources.bytesOf(party) + bytes) return false;
    const oldest = this.#store.waiting.oldestOf(largest);
    if (oldest === undefined) return false;
    this.#evict(oldest.recipientPub, oldest.id);
    return true;
  }

  #findInMailbox({ envelope, source }: Arrival, added: Usage): Room {
    const { recipientEnvelopes, recipientBytes } = this.#limits;
    const recipientPub = envelope.recipient_pub;
    if (this.#isPaid(envelope) && this.#hasRoomWithPostage(envelope, added)) return ROOMS.postage;
    // Whatever it holds: as long as all of it is within the bounds, so is what waits.
    const { count, bytes } = this.#store.usage(recipientPub);
    if (count + added.count <= recipientEnvelopes && bytes + added.bytes <= recipientBytes) return ROOMS.free;
    for (;;) {
      const free = [...this.#store.waitingOf(recipientPub).values()].filter(({ room }) => room === ROOMS.free);
      const used = usageOf(free);
      const isTooMany = used.count + added.count > recipientEnvelopes;
      if (!isTooMany && used.bytes + added.bytes <= recipientBytes) return ROOMS.free;
      const going = this.#oldestOfLargest(
        free,
        isTooMany
          ? { source, added: added.count, weigh: (): number => 1 }
          : { source, added: added.bytes, weigh: ({ bytes: size }): number => size },
      );
      // What is replaced is small, and is all there is.
      if (going === undefined) return ROOMS.free;
      this.#evictAt(going.seq);
    }
  }

  /** The first that came of the client of which most waits, of the party of which most waits, what comes included. */
  #oldestOfLargest(waiting: readonly WaitingEnvelope[], { source: comer, added, weigh }: Coming): WaitingEnvelope | undefined {
    const { sources } = this.#store.waiting;
    const partyOf = ({ source }: WaitingEnvelope): string => sources.partyOf(source);
    const party = largestOf(waiting, partyOf, (key, weight) => weight + (key === comer.party ? added : 0), weigh);
    const ofParty = waiting.filter((envelope) => partyOf(envelope) === party);
    const own = party === comer.party ? sources.find(comer) : undefined;
    const source = largestOf(
      ofParty,
      (envelope) => envelope.source,
      (key, weight) => weight + (key === own ? added : 0),
      weigh,
    );
    return ofParty.find((envelope) => envelope.source === source);
  }

  /** A sender's envelopes to one mailbox count together. */
  #isPaid({ fee_ut: feeUt, recipient_pub: recipientPub, sender_ed25519_pub: sender }: Envelope): boolean {
    if (this.#postage === undefined || feeUt < Math.max(1, this.#postage.leastFeeUt)) return false;
    return this.#postage.canPay(sender, feeUt + this.#store.postageOf(recipientPub, sender));
  }

  /** Room for an envelope with postage, made at the cost of one that pays less a byte. */
  #hasRoomWithPostage({ recipient_pub: recipientPub, fee_ut }: Envelope, { bytes }: Usage): boolean {
    const paid = [...this.#store.waitingOf(recipientPub).values()].filter(({ room }) => room === ROOMS.postage);
    if (paid.length < this.#limits.postageEnvelopes) return true;
    const cheapest = paid.reduce((low, envelope) => (envelope.feeUt * low.bytes < low.feeUt * envelope.bytes ? envelope : low));
    if (fee_ut * cheapest.bytes <= cheapest.feeUt * bytes) return false;
    this.#evictAt(cheapest.seq);
    return true;
  }

  #evictAt(seq: number): void {
    const place = this.#store.waiting.placeOf(seq);
    if (place !== undefined) this.#evict(place.recipientPub, place.id);
  }

  #evict(recipientPub: X25519KeyHex, id: string): void {
    this.#onEvicted(recipientPub);
    this.#store.evict(recipientPub, id);
  }
}

/** The key under which most waits; `total` adds what comes. */
function largestOf<K>(
  waiting: readonly WaitingEnvelope[],
  keyOf: (envelope: WaitingEnvelope) => K,
  total: (key: K, weight: number) => number,
  weigh: Weigh,
): K | undefined {
  const weights = new Map<K, number>();
  for (const envelope of waiting) {
    const key = keyOf(envelope);
    weights.set(key, (weights.get(key) ?? 0) + weigh(envelope));
  }
  let [largest, most]: [K | undefined, number] = [undefined, 0];
  for (const [key, weight] of weights) {
    const all = total(key, weight);
    if (all > most) [largest, most] = [key, all];
  }
  return largest;
}
