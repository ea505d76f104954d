// Mail of this node's clients on its way to their keepers. It is written down before a client is told that it was taken, and forgotten when
// enough keepers have signed for it; a node that was killed continues with what is written down.

import { LRUCache } from "lru-cache";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import { keptEnvelopeCodec } from "#node/network/wire/mail-codec.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { MailQueue, NewMail, QueuedMail, QueueOutcome } from "#node/storage/messages/mail-queue.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { isSignedReceipt, type MailReceipt, receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { GroupCommit } from "../../group-commit.ts";
import type { Verify } from "../../intake/client-mail.ts";
import type { HandedIn, QueueFigures } from "../../intake/outgoing-mail.ts";
import { noRoom, overDay } from "../../mail-source.ts";
import { type Delivery, type DeliveryBudget, type DeliveryInput, startDelivery, stepDelivery } from "../delivery/delivery.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import { type Parcel, PutBatches } from "./put-batches.ts";

export interface MailSenderDependencies {
  readonly chainId: string;
  readonly queue: MailQueue;
  readonly ranks: Pick<KeeperRanks, "keepersOf">;
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  /** What a keeper is told of a box that it may not know yet. */
  readonly openingOf: (box: X25519KeyHex) => BoxOpening | undefined;
  /** False for keepers whose receipts count no more here. */
  readonly counts: (keeper: PublicKeyHex) => boolean;
  /** A keeper has signed for an envelope. */
  readonly onReceipt?: (keeper: PublicKeyHex, item: KeptEnvelope) => void;
  readonly verify: Verify;
  readonly limits?: KeeperLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface OnTheWay {
  delivery: Delivery;
  readonly item: KeptEnvelope;
  readonly bytes: number;
  nextAtMs: number;
  isHeldBack: boolean;
}

/** What was in the file before is read again from here on, up to what had come then. */
interface Again {
  afterSeq: number;
  readonly upToSeq: number;
  /** False for what an earlier run left: this one has sent none of it. */
  readonly wasSent: boolean;
}

/** Envelopes that are read from the file at once. */
const READ_ENVELOPES = 256;
/** Envelopes in the file of which it is looked in one turn whether they are due. */
const LOOKED_AT_ONCE = 1_024;
/** Envelopes whose ranks are looked up in one turn. */
const RANKED_AT_ONCE = 64;
/** Envelopes of one commit. */
const BATCH_ENVELOPES = 512;

/** Delivers; see the machine in `delivery/` for whom it asks when. */
export class MailSender {
  readonly #dependencies: MailSenderDependencies;
  readonly #limits: KeeperLimits;
  readonly #commits: GroupCommit<NewMail, QueueOutcome>;
  readonly #batches: PutBatches;
  readonly #onTheWay = new Map<number, OnTheWay>();
  #bytes = 0;
  /** Up to here all of the file is on the way, or was, or is read again: what comes goes before that. */
  #readUpTo: number;
  #again: Again | undefined;
  #forgotten: number[] = [];
  /** What was sent once more may be so much: mail that no keeper takes costs its keepers little. */
  readonly #budgets: Readonly<Record<DeliveryBudget, TokenBucket>>;
  /** Whom mail that was set aside was handed to, and when it is due. */
  readonly #aside: LRUCache<number, Pick<OnTheWay, "delivery" | "nextAtMs">>;
  /** Who wrote what is on the way to an open box, as far as it is remembered: its network, and the box. */
  readonly #writers: LRUCache<number, string>;
  /** Those of whom the keepers of the box took nothing a moment ago. */
  readonly #refusing: LRUCache<string, true>;
  #hasSetAside = false;
  #readAgainAtMs = 0;
  /** What is on the way by the ranks of an older directory. */
  #toRank: number[] = [];
  #handedOver = 0;
  #expired = 0;
  #refused = 0;
  #cancelTick: (() => void) | undefined;
  #isClosed = false;

  constructor(dependencies: MailSenderDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
    const { queue, clock } = dependencies;
    const { refusedBytesPerS, refusedBytesBurst, silentBytesPerS, silentBytesBurst, asideEntries, firstRefusedMs } = this.#limits;
    const nowMs = clock.monotonicMs();
    this.#budgets = {
      refused: new TokenBucket({ perSecond: refusedBytesPerS, burst: refusedBytesBurst }, nowMs),
      silent: new TokenBucket({ perSecond: silentBytesPerS, burst: silentBytesBurst }, nowMs),
    };
    this.#aside = new LRUCache({ max: asideEntries });
    this.#writers = new LRUCache({ max: asideEntries });
    const perf = { now: (): number => clock.monotonicMs() };
    this.#refusing = new LRUCache({ max: asideEntries, ttl: firstRefusedMs, perf, ttlResolution: 0 });
    this.#readUpTo = queue.lastSeq;
    this.#again = { afterSeq: 0, upToSeq: this.#readUpTo, wasSent: false };
    this.#commits = new GroupCommit((some) => queue.add(some, clock.nowMs()).map((value) => ({ value })), BATCH_ENVELOPES);
    this.#batches = new PutBatches((keeper, parcels) => this.#send(keeper, parcels));
  }

  get figures(): QueueFigures {
    const { count, bytes } = this.#dependencies.queue.usage;
    return { queued: count, queuedBytes: bytes, handedOver: this.#handedOver, expired: this.#expired, refused: this.#refused };
  }

  /** Continues with what is written down. */
  start(): void {
    this.#tick();
  }

  /** Resolves once the envelope is durable in the queue. @throws CodedError MAILBOX_FULL, RELAY_FULL or RATE_LIMITED */
  async put(item: KeptEnvelope, { source, isOpen, ledgers }: HandedIn): Promise<void> {
    const { recipient_pub: box, id } = item.envelope;
    const writer = `${source.party} ${box}`;
    if (isOpen && this.#refusing.has(writer))
      throw new CodedError("MAILBOX_FULL", "The keepers of the box take no more: its owner has to read what is in it first");
    if (this.#isClosed || this.#commits.size >= this.#limits.waitingMail) throw this.#full();
    const bytes = envelopeBytes(item.envelope);
    const outcome = await this.#commits.add({ box, id, source, isOpen, ledgers, bytes, content: encode(keptEnvelopeCodec, item) });
    if (outcome.is === "known") return;
    if (outcome.is === "limited") {
      const ledger = ledgers[outcome.ledger];
      assertInvariant(ledger !== undefined, "a quota is one of those that were given");
      throw overDay(ledger, Math.floor(this.#dependencies.clock.nowMs() / 1_000));
    }
    for (const seq of outcome.evicted) this.#displace(seq);
    if (outcome.is === "full") throw this.#full(noRoom);
    if (isOpen) this.#writers.set(outcome.seq, writer);
    this.#fill();
  }

  /** Other keepers count from now on. */
  onDirectory(): void {
    this.#toRank = [...this.#onTheWay.keys()];
    this.#rankSome();
    this.#fill();
  }

  close(): void {
    this.#commits.flush();
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#batches.close();
    this.#forget();
  }

  /** It went from the queue for mail of those who have less there. */
  #displace(seq: number): void {
    this.#refused += 1;
    this.#aside.delete(seq);
    const known = this.#onTheWay.get(seq);
    if (known === undefined) return;
    this.#onTheWay.delete(seq);
    this.#batches.drop(seq);
    this.#bytes -= known.bytes;
  }

  #full(refusal = (message: string): CodedError => new CodedError("RELAY_FULL", message)): CodedError {
    this.#refused += 1;
    return refusal("The node has too much mail that waits for its keepers: try again later");
  }

  #tick(): void {
    if (this.#isClosed) return;
    try {
      const nowMs = this.#dependencies.clock.monotonicMs();
      for (const [seq, { nextAtMs }] of this.#onTheWay) if (nextAtMs <= nowMs) this.#step(seq, undefined);
      this.#rankSome();
      this.#forget();
      this.#fill();
      this.#readAgain();
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "Mail to keepers could not be sent");
    }
    this.#cancelTick = this.#dependencies.timers.setTimer(this.#limits.tickMs, () => this.#tick());
  }

  /** Ranks cost a hash or more for each keeper, so that those of all that is on the way are looked up in many turns. */
  #rankSome(): void {
    for (const seq of this.#toRank.splice(0, RANKED_AT_ONCE)) {
      const known = this.#onTheWay.get(seq);
      const ranks = known && this.#ranksOf(known.item.envelope.recipient_pub);
      if (ranks !== undefined && ranks.ranks.join() !== known?.delivery.ranks.join()) this.#step(seq, { is: "ranks", ...ranks });
    }
  }

  /** As much of what has come as may be on the way. */
  #fill(): void {
    if (this.#isClosed) return;
    this.#setAside();
    while (this.#hasRoom()) {
      const room = Math.min(READ_ENVELOPES, this.#limits.deliveries - this.#onTheWay.size);
      const found = this.#dependencies.queue.list(this.#readUpTo, room, this.#limits.deliveryBytes - this.#bytes);
      if (found.length === 0) return;
      for (const mail of found) {
        this.#readUpTo = mail.seq;
        this.#begin(mail, false);
      }
    }
  }

  #hasRoom(): boolean {
    return this.#onTheWay.size < this.#limits.deliveries && this.#bytes < this.#limits.deliveryBytes;
  }

  /** Where no more has room, what waits for keepers that do not answer makes some: it stays in the file, and its turn comes again. */
  #setAside(): void {
    const { setAsideMs } = this.#limits;
    if (this.#hasRoom()) return;
    const beforeMs = this.#dependencies.clock.monotonicMs() + setAsideMs;
    let count = 0;
    for (const [seq, { bytes, nextAtMs, delivery, isHeldBack }] of this.#onTheWay) {
      if ((nextAtMs < beforeMs && !isHeldBack) || count >= READ_ENVELOPES) continue;
      this.#aside.set(seq, { delivery, nextAtMs });
      this.#onTheWay.delete(seq);
      this.#batches.drop(seq);
      this.#bytes -= bytes;
      count += 1;
    }
    this.#hasSetAside ||= count > 0;
  }

  /** A part of what is in the file since before: the content of what is due alone. */
  #readAgain(): void {
    const { queue, clock } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    this.#again ??= this.#beginAgain(nowMs);
    const again = this.#again;
    if (again === undefined || !this.#hasRoom()) return;
    const seqs = queue.seqs(again.afterSeq, again.upToSeq, LOOKED_AT_ONCE);
    if (seqs.length === 0) this.#again = undefined;
    for (const seq of seqs) {
      if (!this.#hasRoom()) return;
      again.afterSeq = seq;
      if (this.#onTheWay.has(seq)) continue;
      if ((this.#aside.peek(seq)?.nextAtMs ?? 0) > nowMs) {
        this.#hasSetAside = true;
        continue;
      }
      const mail = queue.get(seq);
      if (mail !== undefined) this.#begin(mail, again.wasSent);
    }
  }

  /** From the beginning of the file, a while after something was set aside. */
  #beginAgain(nowMs: number): Again | undefined {
    if (!this.#hasSetAside || nowMs < this.#readAgainAtMs) return undefined;
    this.#hasSetAside = false;
    this.#readAgainAtMs = nowMs + this.#limits.readAgainMs;
    return { afterSeq: 0, upToSeq: this.#readUpTo, wasSent: true };
  }

  /** `wasSent`: it was on the way before in this run, which may not know whom it was handed to any more. */
  #begin({ seq, box, id, content, queuedAtMs }: QueuedMail, wasSent: boolean): void {
    const { clock, log } = this.#dependencies;
    const aside = this.#aside.peek(seq);
    this.#aside.delete(seq);
    const item = tryDecode(keptEnvelopeCodec, content);
    if (item === undefined) {
      log.error({ box, id }, "An envelope in the queue cannot be read: it is dropped");
      this.#forgotten.push(seq);
      return;
    }
    // The machine counts in the time of this run.
    const waitedMs = Math.max(0, clock.nowMs() - queuedAtMs);
    const bytes = envelopeBytes(item.envelope);
    const ranks = this.#ranksOf(box);
    const delivery = aside?.delivery ?? startDelivery({ id, bytes, wasSent, ...ranks }, clock.monotonicMs() - waitedMs);
    this.#bytes += bytes;
    this.#onTheWay.set(seq, { delivery, item, bytes, nextAtMs: 0, isHeldBack: false });
    this.#step(seq, aside === undefined ? undefined : { is: "ranks", ...ranks });
  }

  #ranksOf(box: X25519KeyHex): Pick<Delivery, "ranks" | "keeping"> {
    const keepers = this.#dependencies.ranks.keepersOf(box);
    if (keepers === undefined) return { ranks: [], keeping: 0 };
    const { keeping, standingIn } = keepers;
    return { ranks: [...keeping, ...standingIn].map(({ key }) => key), keeping: keeping.length };
  }

  #step(seq: number, input: DeliveryInput | undefined): void {
    const known = this.#onTheWay.get(seq);
    if (known === undefined) {
      if (input?.is === "receipt") this.#noteAside(seq, input.from);
      return;
    }
    const { clock, counts } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const hasBudget = (budget: DeliveryBudget): boolean => this.#budgets[budget].has(1, nowMs);
    const step = stepDelivery(known.delivery, input, { nowMs, limits: this.#limits, counts, hasBudget });
    known.delivery = step.delivery;
    this.#noteRefusals(seq, step.delivery);
    known.nextAtMs = step.nextAtMs;
    known.isHeldBack = step.isHeldBack;
    for (const effect of step.effects) {
      if (effect.is === "put") {
        this.#batches.add(effect.to, { seq, item: known.item, passOn: effect.passOn });
        if (effect.budget !== null) this.#budgets[effect.budget].spend(known.bytes, nowMs);
      } else if (effect.is === "handedOver") this.#handedOver += 1;
      else {
        if (!effect.isDelivered) this.#expired += 1;
        this.#onTheWay.delete(seq);
        this.#batches.drop(seq);
        this.#bytes -= known.bytes;
        this.#forgotten.push(seq);
      }
    }
  }

  /** One that is taken nowhere says that the others of its writer are not either, until one is. Others may write there as before. */
  #noteRefusals(seq: number, { receipts, attempts }: Delivery): void {
    const writer = this.#writers.get(seq);
    if (writer === undefined) return;
    const refusing = [...attempts.values()].filter(({ refusals }) => refusals > 0).length;
    if (receipts.size > 0) this.#refusing.delete(writer);
    else if (refusing >= this.#limits.receiptsToForget) this.#refusing.set(writer, true);
  }

  /** A receipt came late, for what has been set aside meanwhile: it may be the last one. */
  #noteAside(seq: number, from: PublicKeyHex): void {
    const aside = this.#aside.peek(seq);
    if (aside === undefined || !aside.delivery.ranks.includes(from)) return;
    const receipts = new Set([...aside.delivery.receipts, from]);
    this.#aside.set(seq, { delivery: { ...aside.delivery, receipts }, nextAtMs: 0 });
  }

  /** What is forgotten too late is sent again, and its keepers know it. */
  #forget(): void {
    if (this.#forgotten.length === 0) return;
    this.#dependencies.queue.remove(this.#forgotten);
    this.#forgotten = [];
  }

  async #send(keeper: PublicKeyHex, parcels: readonly Parcel[]): Promise<void> {
    const passOn = parcels[0]?.passOn ?? [];
    const receipts = await this.#ask(keeper, parcels, passOn);
    if (this.#isClosed) return;
    for (const from of [keeper, ...passOn]) {
      const confirmed = new Set((receipts ?? []).filter((receipt) => receipt.from === from).flatMap(({ marks }) => marks));
      // Of those that it was to be passed on to nothing is known.
      const otherwise = from === keeper && receipts !== undefined ? "refusal" : "failure";
      for (const { seq, item } of parcels) {
        const isReceipt = confirmed.has(receiptMark(item, nativeSha256));
        if (isReceipt) this.#dependencies.onReceipt?.(from, item);
        this.#step(seq, { is: isReceipt ? "receipt" : otherwise, from });
      }
    }
  }

  /** Receipts that are signed and promise enough; undefined when the keeper does not say what it takes. */
  async #ask(
    keeper: PublicKeyHex,
    parcels: readonly Parcel[],
    passOn: readonly PublicKeyHex[],
  ): Promise<readonly MailReceipt[] | undefined> {
    const { ask, verify, chainId, openingOf, clock, log } = this.#dependencies;
    const items = parcels.map(({ item }) => item);
    const admitted = new Set(items.filter(({ admit }) => admit !== null).map(({ envelope }) => envelope.recipient_pub));
    const openings = [...admitted].flatMap((box) => openingOf(box) ?? []);
    try {
      const response = await ask(keeper, { type: "put", items, openings, passOn }, AbortSignal.timeout(this.#limits.requestMs));
      if (response.type !== "receipts") return undefined;
      // Who keeps mail for less time than it waits here has not taken it over.
      const leastSec = (clock.nowMs() + this.#limits.keptMs) / 1_000;
      const lasting = response.receipts.filter(({ untilSec }) => untilSec >= leastSec);
      const checked = await Promise.all(
        lasting.map(async (receipt) => ((await isSignedReceipt(chainId, receipt, verify)) ? receipt : undefined)),
      );
      return checked.filter((receipt) => receipt !== undefined);
    } catch (error) {
      log.debug({ err: error, keeper }, "A keeper did not take mail");
      return undefined;
    }
  }
}
