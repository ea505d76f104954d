// What a keeper does for others: it takes mail and signs for it, lists boxes, deletes what their owners delete. Every request is judged by
// the directories in force, and what it brings by the rules of this node's mailbox.
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { PacedWork } from "#node/network/flow/paced-work.ts";
import { SharedRate } from "#node/network/flow/shared-rate.ts";
import { NETWORK_LIMITS, type Rate } from "#node/network/network-limits.ts";
import { nodeKeyOf, peerNameOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { keptWireBytes } from "#node/network/wire/mail-codec.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { carriedSource, type MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { type BoxOpening, isSameAdmitted } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice, KeptEnvelope, MailDigest, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { MAX_RECEIPT_MARKS, type MailReceipt, receiptMark, signReceipt } from "#shared/protocol/mail/mail-receipt.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { Counted } from "../../mail-source.ts";
import type { Relay } from "../../relay.ts";
import { DeletionSearch } from "../deletion-search.ts";
import { KEEPER_LIMITS } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import { answerRanges } from "../repair/answer-ranges.ts";
import type { SlotMail } from "../repair/slot-mail.ts";
import { findingMail, listingBoxes } from "./box-pages.ts";
import { BoxWatchers } from "./box-watchers.ts";

/** A request that this node responds to as a keeper. */
export type KeeperRequest = Exclude<MailRequest, { readonly type: "news" | "typing" | "card" | "signed" }>;
type RangesRequest = Extract<MailRequest, { readonly type: "ranges" }>;

export interface KeeperServiceDependencies {
  readonly chainId: string;
  /** The node's own, which its relay is registered with. */
  readonly key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array };
  readonly ranks: Pick<KeeperRanks, "isKeeper" | "isKeeperOfSlot" | "isRanked" | "find" | "epoch">;
  /** What this node has of slots. */
  readonly slotMail: () => Pick<SlotMail, "digest" | "entries">;
  readonly relay: Pick<Relay, "receive" | "boxes" | "deletions" | "onEnvelope">;
  readonly store: Pick<MailboxRepository, "list" | "listIds" | "get" | "deleted" | "boxes" | "open">;
  /** How long an envelope is kept, ms. */
  readonly retentionMs: number;
  readonly sourceOf: (peer: PeerName) => MailSource;
  /** Asks another keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  /** Tells a node that reads here which boxes have something new. */
  readonly tell: (peer: PeerName, boxes: readonly X25519KeyHex[]) => Promise<unknown>;
  /** Learns of boxes with something new beside those who watch. */
  readonly onNews?: (box: X25519KeyHex) => void;
  /** Hex of 16 random bytes: positions are those of this run. */
  readonly scope: string;
  /** Other rates than those of gossip. */
  readonly rates?: CheckRates;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Rates of what costs signatures, or work on the disk that proves nothing. */
type CheckRates = Readonly<Record<"deletions" | "openings" | "admitted", { readonly party: Rate; readonly total: Rate }>>;

/** How a request of a carrier is answered. */
export interface CarriedWay {
  /** Bytes of mail in the response at most. */
  readonly mostBytes: number;
}

/** Who brings something to be stored. */
interface Bringer {
  readonly name: PeerName;
  readonly source: MailSource;
  /** It brings that of nodes which this one does not see. */
  readonly isCarried: boolean;
}

/** Rest after a piece of a page by its time: what all others read here takes a quarter of a processor at most. */
const PAGE_REST_SHARE = 3;
/** Slots that are summed up without a pause. */
const SLOTS_AT_ONCE = 8;
/** Time that ranks of boxes are looked up, or boxes are read, without a pause, ms. */
const PIECE_MS = 8;
/** Boxes that are looked up at once where their ranks are known. */
const FEW_BOXES = 64;

/** Responds as a keeper. */
export class KeeperService {
  readonly watchers: BoxWatchers;
  readonly #dependencies: KeeperServiceDependencies;
  readonly #pages: PacedWork;
  readonly #ranking: PacedWork;
  readonly #passing: SharedRate;
  readonly #rates: Readonly<Record<keyof CheckRates, SharedRate>>;
  readonly #ownName: PeerName;
  readonly #stopNoting: () => void;
  #isClosed = false;

  constructor(dependencies: KeeperServiceDependencies) {
    this.#dependencies = dependencies;
    const { clock, timers, relay, tell, sourceOf, key, rates = NETWORK_LIMITS } = dependencies;
    const nowMs = clock.monotonicMs();
    this.#ownName = peerNameOf(key.publicKey);
    this.watchers = new BoxWatchers({ tell, partyOf: (peer): string => sourceOf(peer).party });
    this.#pages = new PacedWork({ clock, timers, restShare: PAGE_REST_SHARE });
    this.#ranking = new PacedWork({ clock, timers });
    this.#passing = new SharedRate(NETWORK_LIMITS.mailPassing, nowMs);
    this.#rates = {
      deletions: new SharedRate(rates.deletions, nowMs),
      openings: new SharedRate(rates.openings, nowMs),
      admitted: new SharedRate(rates.admitted, nowMs),
    };
    this.#stopNoting = relay.onEnvelope(({ recipient_pub: box }) => this.note(box));
  }

  /** Something is new in a box. */
  note(box: X25519KeyHex): void {
    this.watchers.note(box);
    this.#dependencies.onNews?.(box);
  }

  /** True for a box whose opening, which its owner signed, came first by way of who watches it: of each box one party alone. */
  isProven(box: X25519KeyHex, { party }: MailSource): boolean {
    return this.#dependencies.store.boxes.partyOf(box) === party;
  }

  /** The response to a request, which may have come through a carrier; undefined for one that no honest node makes. */
  async respond(request: KeeperRequest, from: PeerName, carried?: CarriedWay): Promise<MailResponse | undefined> {
    const bringer = { name: from, source: this.#sourceOf(from, carried !== undefined), isCarried: carried !== undefined };
    const mostBytes = carried?.mostBytes;
    switch (request.type) {
      case "put":
        return await this.#put(request, bringer);
      case "open":
        return await this.#open(request.openings, bringer);
      case "get":
        return await this.#get(request, from, mostBytes);
      case "delete":
        return await this.#delete(request.notices, bringer);
      case "fetch": {
        const places = await this.#kept(request.places, ({ box }) => box, from);
        if (places.length === 0) return this.#wrongKeeper();
        const found = await this.#inPieces(from, findingMail(this.#dependencies.store, places, mostBytes));
        return found === undefined ? { type: "busy" } : { type: "mail", ...found };
      }
      case "watch":
        return await this.#watch(request.boxes, request.isMore, bringer);
      case "renew":
        return { type: "renewed", news: this.watchers.renew(from, request) ?? null };
      case "digest":
        return await this.#digest(request.slots, from);
      case "ranges":
        return await this.#ranges(request, from);
    }
  }

  /** Those of boxes of which this node is a keeper; who asks waits where many do. */
  kept(boxes: readonly X25519KeyHex[], from: PeerName): Promise<readonly X25519KeyHex[]> {
    return this.#kept(boxes, (box) => box, from);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopNoting();
  }

  /** What waits for its turn when the node stops finds no store any more. */
  async #paced(from: PeerName, work: () => MailResponse): Promise<MailResponse> {
    return await this.#pages.run(from, () => (this.#isClosed ? { type: "busy" } : work()));
  }

  /** The same of work that comes to its result step by step; undefined where the node stops. */
  async #inPieces<T>(from: PeerName, work: Generator<undefined, T>): Promise<T | undefined> {
    for (;;) {
      const { done, value } = await this.#pages.run(from, () => this.#piece(work));
      if (done === true) return value;
    }
  }

  #piece<T>(work: Generator<undefined, T>): IteratorResult<undefined, T | undefined> {
    const { clock } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    for (;;) {
      if (this.#isClosed) return { done: true, value: undefined };
      const step = work.next();
      if (step.done === true || clock.monotonicMs() - beganMs >= PIECE_MS) return step;
    }
  }

  async #put(
    { items, openings, passOn }: Extract<MailRequest, { readonly type: "put" }>,
    bringer: Bringer,
  ): Promise<MailResponse | undefined> {
    const { relay } = this.#dependencies;
    const { name: from, source } = bringer;
    if (items.reduce((sum, item) => sum + keptWireBytes(item), 0) > NETWORK_LIMITS.mailItems.putBytes) return undefined;
    if (!items.every(({ envelope }) => isAuthenticEnvelope(envelope))) return undefined;
    const own = await this.#kept(items, ({ envelope }) => envelope.recipient_pub, from);
    if (own.length === 0) return this.#wrongKeeper();
    const boxes = new Set(own.map(({ envelope }) => envelope.recipient_pub));
    const unknown = relay.boxes.unknownOf(
      openings.filter(({ mailbox }) => boxes.has(mailbox)),
      source,
    );
    if (!this.#mayCheck("admitted", bringer, signaturesOf(own.filter((item) => signaturesOf([item]) > 0 && !this.#holds(item)))))
      return { type: "busy" };
    if (!this.#mayCheck("openings", bringer, unknown.length)) return { type: "busy" };
    if (!(await relay.boxes.learn(unknown, source))) return undefined;
    const envelopes = own.map(({ envelope }) => envelope);
    const admits = own.map(({ admit }) => admit);
    if ((await relay.receive(envelopes, source, admits, this.#ledgerOf(bringer))) === "reject") return undefined;
    const held = await this.#shown(
      own.filter((item) => this.#holds(item)),
      from,
    );
    const passed = passOn.length === 0 ? [] : await this.#passOn(held, openings, { keepers: passOn, from });
    return { type: "receipts", receipts: [...this.#receiptOf(held), ...passed] };
  }

  /**
   * Durable, or deleted by its owner. The id does not cover who sent it: an altered copy is not what was handed in. The time may be another
   * one, as nodes give theirs to what has none.
   */
  #holds({ envelope }: KeptEnvelope): boolean {
    const { store } = this.#dependencies;
    const { recipient_pub: box, id, sent_at } = envelope;
    const held = store.get(box, id);
    return held === undefined ? store.deleted.has(box, id) : isSameAdmitted({ ...held.envelope, sent_at }, envelope);
  }

  /**
   * Those that can be shown, as others ask for what was signed: the owner's signature is under the deletion of what is no more. What an owner
   * deleted here without one, or signed so long ago that it is forgotten, others have to sign for.
   */
  async #shown(held: readonly KeptEnvelope[], from: PeerName): Promise<readonly KeptEnvelope[]> {
    const { store } = this.#dependencies;
    const isThere = ({ envelope }: KeptEnvelope): boolean => store.get(envelope.recipient_pub, envelope.id) !== undefined;
    if (held.every(isThere)) return held;
    return await this.#pages.run(from, () => {
      if (this.#isClosed) return [];
      const search = new DeletionSearch(store);
      return held.filter((item) => isThere(item) || search.has(item.envelope.recipient_pub, item.envelope.id));
    });
  }

  #receiptOf(held: readonly KeptEnvelope[]): readonly MailReceipt[] {
    const { chainId, key, clock, retentionMs } = this.#dependencies;
    if (held.length === 0) return [];
    const untilSec = Math.floor((clock.nowMs() + retentionMs) / 1_000);
    return [
      signReceipt(chainId, { marks: held.slice(0, MAX_RECEIPT_MARKS).map((item) => receiptMark(item, nativeSha256)), untilSec }, key),
    ];
  }

  /** What was taken goes on to other keepers of its box; what they sign goes back, if it comes in time. */
  async #passOn(
    held: readonly KeptEnvelope[],
    openings: readonly BoxOpening[],
    { keepers, from }: { readonly keepers: readonly PublicKeyHex[]; readonly from: PeerName },
  ): Promise<readonly MailReceipt[]> {
    const { ranks, key, clock, ask } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const receipts = await Promise.all(
      [...new Set(keepers)].map(async (keeper): Promise<readonly MailReceipt[]> => {
        const items = held.filter(({ envelope }) => ranks.isKeeper(keeper, envelope.recipient_pub));
        if (keeper === key.publicKey || items.length === 0 || !this.#passing.take(from, nowMs)) return [];
        const marks = new Set(items.map((item) => receiptMark(item, nativeSha256)));
        try {
          const request: MailRequest = { type: "put", items, openings, passOn: [] };
          const response = await ask(keeper, request, AbortSignal.timeout(KEEPER_LIMITS.passedOnMs));
          return response.type !== "receipts"
            ? []
            : response.receipts.filter((receipt) => receipt.from === keeper && receipt.marks.every((mark) => marks.has(mark))).slice(0, 1);
        } catch {
          return [];
        }
      }),
    );
    return receipts.flat();
  }

  async #open(openings: readonly BoxOpening[], bringer: Bringer): Promise<MailResponse | undefined> {
    const { relay } = this.#dependencies;
    const { source } = bringer;
    const own = await this.#kept(openings, ({ mailbox }) => mailbox, bringer.name);
    if (own.length === 0) return this.#wrongKeeper();
    const unknown = relay.boxes.unknownOf(own, source);
    if (!this.#mayCheck("openings", bringer, unknown.length)) return { type: "busy" };
    return (await relay.boxes.learn(unknown, source)) ? { type: "done" } : undefined;
  }

  /** True where a peer may cost so many signatures now, or so much other work; what this node asks of itself it has checked before. */
  #mayCheck(kind: keyof CheckRates, { name, source }: Bringer, count: number): boolean {
    return count === 0 || name === this.#ownName || this.#rates[kind].take(source.party, this.#dependencies.clock.monotonicMs(), count);
  }

  /** What a carrier brings of others is not its own: who floods through it takes nothing of what it may bring itself. */
  #sourceOf(from: PeerName, isCarried: boolean): MailSource {
    const source = this.#dependencies.sourceOf(from);
    return isCarried ? carriedSource(source) : source;
  }

  /** What a node brings on a day: a keeper by its bond, others alike; what it carries for others is counted by itself, and less. */
  #ledgerOf({ name, source: { party }, isCarried }: Bringer): Counted["ofNode"] {
    if (name === this.#ownName) return undefined;
    const key = nodeKeyOf(name);
    const member = key === null ? undefined : this.#dependencies.ranks.find(key);
    if (member === undefined) return { party, most: KEEPER_LIMITS.nodeDayBytes };
    const most = KEEPER_LIMITS.memberDayBytes * member.weight;
    return isCarried ? { party: `carried ${member.key}`, most: most / KEEPER_LIMITS.carriedShare } : { party: `relay ${member.key}`, most };
  }

  async #get(request: Extract<MailRequest, { readonly type: "get" }>, from: PeerName, mostBytes?: number): Promise<MailResponse> {
    const { scope, store } = this.#dependencies;
    const boxes = await this.#kept(request.boxes, ({ box }) => box, from);
    if (boxes.length === 0) return this.#wrongKeeper();
    // Positions of another run say nothing here.
    const asked = request.scope === scope ? boxes : boxes.map(({ box }) => ({ box, after: 0, afterDeletion: 0 }));
    const list = await this.#inPieces(from, listingBoxes(store, asked, request.hasContent, mostBytes));
    return list === undefined ? { type: "busy" } : { type: "page", scope, ...list };
  }

  async #delete(notices: readonly DeletionNotice[], bringer: Bringer): Promise<MailResponse | undefined> {
    const { deletions } = this.#dependencies.relay;
    const { name: from } = bringer;
    const own = await this.#kept(notices, ({ mailbox }) => mailbox, from);
    if (own.length === 0) return this.#wrongKeeper();
    if (!this.#mayCheck("deletions", bringer, own.length)) return { type: "busy" };
    for (const { mailbox, ids, proof } of own) {
      // Each looks its ids up on the disk, and anyone may name any.
      if (proof === null) await this.#paced(from, () => this.#hear(mailbox, ids));
      else if (!(await deletions.learn([{ mailbox, ids, ...proof }]))) return undefined;
      this.note(mailbox);
    }
    return { type: "done" };
  }

  #hear(mailbox: X25519KeyHex, ids: readonly string[]): MailResponse {
    this.#dependencies.relay.deletions.receiveRead(mailbox, ids);
    return { type: "done" };
  }

  async #watch(boxes: readonly X25519KeyHex[], isMore: boolean, { name, source }: Bringer): Promise<MailResponse> {
    const own = await this.#kept(boxes, (box) => box, name);
    if (boxes.length > 0 && own.length === 0) return this.#wrongKeeper();
    const isProven = (box: X25519KeyHex): boolean => this.isProven(box, source);
    return await this.#paced(name, () => ({ type: this.watchers.watch(name, own, isMore, isProven) ? "done" : "busy" }));
  }

  async #digest(slots: readonly number[], from: PeerName): Promise<MailResponse> {
    if (!this.#isOfKeeper(from)) return this.#wrongKeeper();
    const digests: (MailDigest | null)[] = [];
    for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
      const some = slots.slice(at, at + SLOTS_AT_ONCE);
      const summed = await this.#paced(from, () => {
        const found = some.map((slot) => (this.#isShared(slot, from) ? this.#dependencies.slotMail().digest(slot) : null));
        return { type: "digests", digests: found };
      });
      if (summed.type !== "digests") return summed;
      digests.push(...summed.digests);
    }
    return digests.every((digest) => digest === null) ? this.#wrongKeeper() : { type: "digests", digests };
  }

  async #ranges({ slot, ranges }: RangesRequest, from: PeerName): Promise<MailResponse> {
    if (!this.#isOfKeeper(from)) return this.#wrongKeeper();
    return await this.#paced(from, () => {
      if (!this.#isShared(slot, from)) return this.#wrongKeeper();
      return { type: "ranges", answers: answerRanges(this.#dependencies.slotMail().entries(slot), ranges, KEEPER_LIMITS) };
    });
  }

  /** Ranks cost a hash or more for each keeper: for others none are looked up. */
  #isOfKeeper(from: PeerName): boolean {
    const asking = nodeKeyOf(from);
    return asking !== null && this.#dependencies.ranks.find(asking) !== undefined;
  }

  /** What there is of a slot is the affair of its keepers alone: who asks is one, as this node is. */
  #isShared(slot: number, from: PeerName): boolean {
    const { ranks, key } = this.#dependencies;
    const asking = nodeKeyOf(from);
    return asking !== null && ranks.isKeeperOfSlot(asking, slot) && ranks.isKeeperOfSlot(key.publicKey, slot);
  }

  /**
   * Those of boxes of which this node is a keeper. Anyone may ask for any box, and ranks that are not known yet cost a hash or more for each
   * keeper: a node that is none looks none up, others do it in pieces, each who asks in turn. A few that are known wait for no one.
   */
  async #kept<T>(some: readonly T[], boxOf: (item: T) => X25519KeyHex, from: PeerName): Promise<readonly T[]> {
    const { ranks, key } = this.#dependencies;
    if (ranks.find(key.publicKey) === undefined) return [];
    const areKnown = some.length <= FEW_BOXES && some.every((item) => ranks.isRanked(boxOf(item)));
    if (areKnown) return this.#isClosed ? [] : some.filter((item) => ranks.isKeeper(key.publicKey, boxOf(item)));
    const kept: T[] = [];
    for (const left = some.toReversed(); left.length > 0; ) await this.#ranking.run(from, () => this.#rank(left, kept, boxOf));
    // Who stops is no keeper any more.
    return this.#isClosed ? [] : kept;
  }

  /** Looks up as many, from the end, as one piece of work does. */
  #rank<T>(left: T[], kept: T[], boxOf: (item: T) => X25519KeyHex): void {
    const { ranks, key, clock } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      if (this.#isClosed) continue;
      if (ranks.isKeeper(key.publicKey, boxOf(item))) kept.push(item);
      if (clock.monotonicMs() - beganMs >= PIECE_MS) return;
    }
  }

  #wrongKeeper(): MailResponse {
    return { type: "wrongKeeper", epoch: this.#dependencies.ranks.epoch };
  }
}

/** Signatures that envelopes cost: those of write keys, and of fees. */
function signaturesOf(items: readonly KeptEnvelope[]): number {
  return items.reduce((sum, { envelope, admit }) => sum + (admit === null ? 0 : 1) + (envelope.fee_ut > 0 ? 1 : 0), 0);
}
