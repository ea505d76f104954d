// Mail at keepers, as one node has part in it: it sends what its clients write, reads for those who read here, and keeps what is its to keep.

import { nodeKeyOf, peerNameOf } from "#node/network/peer-name.ts";
import type { NetworkHandlers, PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { carriedSource, type MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { MailQueue } from "#node/storage/messages/mail-queue.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { CarryOutcome } from "#shared/protocol/mail/carry-messages.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import type { Verify } from "../intake/client-mail.ts";
import type { MailForGateways } from "../intake/mail-elsewhere.ts";
import { type ExchangeFigures, type MailWays, NO_EXCHANGE, type OutgoingMail, type QueueFigures } from "../intake/outgoing-mail.ts";
import { nodeSource } from "../mail-source.ts";
import type { MailNotice } from "../owners/mail-deletions.ts";
import type { Relay } from "../relay.ts";
import type { TypingNotice } from "../typing-exchange.ts";
import { CARRY_LIMITS } from "./carry/carry-limits.ts";
import { MailCarriers } from "./carry/mail-carriers.ts";
import { KeeperDoubts } from "./doubts/keeper-doubts.ts";
import { ReceiptAudit } from "./doubts/receipt-audit.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "./keeper-limits.ts";
import { type BoxKeepers, KeeperRanks } from "./placing/keeper-ranks.ts";
import type { MailDirectory } from "./placing/mail-directory.ts";
import { MailWay } from "./placing/mail-way.ts";
import { learnOpening } from "./reading/learn-opening.ts";
import { MailCollector } from "./reading/mail-collector.ts";
import { DigestExchange, type DigestExchangeDependencies } from "./repair/digest-exchange.ts";
import { MailRepair, type RepairFigures } from "./repair/mail-repair.ts";
import { SlotMail } from "./repair/slot-mail.ts";
import { ForgetMail } from "./sending/forget-mail.ts";
import { MailSender } from "./sending/mail-sender.ts";
import { OwnerNotices } from "./sending/owner-notices.ts";
import { ReturnToGossip } from "./sending/return-to-gossip.ts";
import { type CarriedWay, KeeperService } from "./serving/keeper-service.ts";
import { KeeperTyping } from "./serving/keeper-typing.ts";
import { createUnprovenMail } from "./unproven/create-unproven-mail.ts";

export interface KeeperMailDependencies {
  readonly chainId: string;
  /** The node's own, which its relay is registered with. */
  readonly key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array };
  readonly directory: MailDirectory;
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly queue: MailQueue;
  /** How long an envelope is kept, ms. */
  readonly retentionMs: number;
  readonly verify: Verify;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
  readonly log: Log;
  /** X25519 secret of the node's relay, 32 bytes: requests that come through carriers are sealed to it. */
  readonly relaySecret: Uint8Array;
  /** False where mail of this node's clients goes to keepers without carriers. */
  readonly usesCarriers: boolean;
  /** The response to requests about public cards, for those that come through carriers. */
  readonly respondCard: (request: CardRequest, from: PeerName) => Promise<MailResponse | undefined>;
  /** Someone types to a client of this node. */
  readonly onTyping?: (notice: TypingNotice) => void;
  /** Where the node signs digests as a keeper, and what it does with those that contradict each other; nothing of both without it. */
  readonly digests?: Pick<DigestExchangeDependencies, "mark" | "onContradiction">;
  /** Other limits of sending, reading, repair, forgetting and checking of receipts: tests wait less, or longer where all nodes share a process. */
  readonly repair?: { readonly limits: KeeperLimits };
}

type CardRequest = Extract<MailRequest, { readonly type: "card" }>;
type Network = Pick<PeerNetwork, "peers" | "partyOf" | "requestMail" | "requestCarry" | "report" | "publishEnvelopes" | "publishAdmitted">;

const SCOPE_BYTES = 16;
/** What this node hands to itself as a keeper. */
const OWN_SOURCE: MailSource = { party: "node self", tag: "" };
/** Time between two looks for nodes that went, ms. */
const FORGET_INTERVAL_MS = 5_000;

/** The parts, wired. */
export class KeeperMail implements OutgoingMail {
  readonly #dependencies: KeeperMailDependencies;
  readonly #ranks: KeeperRanks;
  readonly #way: MailWay;
  readonly #sender: MailSender;
  readonly #collector: MailCollector;
  readonly #unproven: ReturnType<typeof createUnprovenMail>;
  readonly #elsewhere: MailForGateways;
  readonly #learnOpening: OutgoingMail["learnOpening"];
  readonly #service: KeeperService;
  readonly #notices: OwnerNotices;
  readonly #typing: KeeperTyping;
  readonly #repair: MailRepair;
  readonly #digests: DigestExchange | undefined;
  readonly #returning: ReturnToGossip;
  readonly #forgetting: ForgetMail;
  readonly #carriers: MailCarriers;
  readonly #doubts: KeeperDoubts;
  readonly #audit: ReceiptAudit;
  /** Made when it is needed: a node that keeps nothing sums nothing up. */
  #slotMail: SlotMail | undefined;
  readonly #ownName: PeerName;
  #network: Network | undefined;

  constructor(dependencies: KeeperMailDependencies) {
    this.#dependencies = dependencies;
    const { chainId, key, directory, relay, store, queue, retentionMs, verify, clock, timers, random, log, repair, digests } = dependencies;
    this.#ranks = new KeeperRanks(directory, clock);
    this.#way = new MailWay(this.#ranks, clock, { memory: queue, onError: this.#onError.bind(this) });
    this.#ownName = peerNameOf(key.publicKey);
    const ranks = this.#ranks;
    const limits = repair?.limits ?? KEEPER_LIMITS;
    const keepers = (): readonly Keeper[] | undefined => ranks.directory?.keepers;
    this.#doubts = new KeeperDoubts({ memory: queue.doubts, keepers, limits, clock, onError: this.#onError.bind(this) });
    const counts = (keeper: PublicKeyHex): boolean => this.#doubts.counts(keeper);
    this.#carriers = this.#createCarriers();
    // What keepers ask each other goes without carriers, and what this node does for its clients through them.
    const shared = { ranks, relay, store, clock, timers, log, counts, ask: this.#ask.bind(this) };
    const forClients = { ...shared, ask: this.#carriers.mail.ask };
    this.#audit = this.#createAudit(limits);
    const slotMail = (): SlotMail => {
      this.#slotMail ??= new SlotMail({ relay, store });
      return this.#slotMail;
    };
    this.#service = new KeeperService({
      ...shared,
      ...{ slotMail, chainId, key, retentionMs },
      sourceOf: (peer): MailSource => this.#sourceOf(peer),
      tell: (peer, boxes): Promise<void> => this.#tell(peer, { type: "news", boxes }),
      onNews: (box): void => this.#carriers.watches.note(box),
      scope: toHex(random(SCOPE_BYTES)),
    });
    this.#sender = new MailSender({
      ...forClients,
      ...{ chainId, queue, verify, limits },
      openingOf: (box): BoxOpening | undefined => relay.boxes.find(box)?.opening,
      onReceipt: (keeper, item): void => this.#audit.note(keeper, item),
    });
    this.#notices = new OwnerNotices(forClients);
    this.#typing = new KeeperTyping({
      ...forClients,
      watchers: { of: (box, most): readonly PeerName[] => this.#watchersOf(box, most) },
      ownName: this.#ownName,
      kept: (box, from): Promise<readonly X25519KeyHex[]> => this.#service.kept([box], from),
      tell: (peer, notice): Promise<unknown> => this.#tell(peer, { type: "typing", ...notice, isNews: true }),
      onTyping: (notice): void => dependencies.onTyping?.(notice),
    });
    const asKeeper = {
      ...shared,
      ownKey: key.publicKey,
      sourceOf: (keeper: PublicKeyHex): MailSource => this.#sourceOf(peerNameOf(keeper)),
      onLie: (keeper: PublicKeyHex): void => this.#network?.report(peerNameOf(keeper), "lie"),
    };
    const asking = { ...asKeeper, ask: this.#carriers.mail.ask };
    this.#learnOpening = (box): Promise<void> => learnOpening(box, asking);
    this.#unproven = createUnprovenMail({ ...asking, limits: KEEPER_LIMITS });
    this.#elsewhere = Object.assign(this.#unproven.mail, {
      readServed: (boxes: readonly X25519KeyHex[]) => this.#collector.whenRead(boxes),
    });
    this.#collector = new MailCollector({
      ...{ ...asking, limits },
      // Where gossip brings all mail, those who listen hear of it.
      toldOf: (): Iterable<X25519KeyHex> => (this.elsewhere === undefined ? [] : relay.readers.watched),
      onNews: (boxes): void => this.#unproven.renew(boxes),
      isConnected: (keeper): boolean => this.#carriers.mail.isConnected(keeper),
      isActive: (): boolean => this.#way.readsKeepers(retentionMs),
    });
    this.#returning = this.#createReturning();
    const isFollowed = (box: X25519KeyHex): boolean => this.#collector.follows(box);
    // Mailboxes that were read here once are among what a node forgets.
    const forgetting = { ...asKeeper, ask: this.#carriers.mail.askAsMember, isFollowed, ...repair };
    this.#forgetting = new ForgetMail({ ...forgetting, mayForget: (): boolean => this.#way.mayForget });
    this.#digests = digests && new DigestExchange({ ...asKeeper, ...digests, chainId, key, slotMail, verify, random });
    const repairing = { ...asKeeper, retentionMs, slotMail, digests: this.#digests, ...repair };
    this.#repair = new MailRepair({ ...repairing, isActive: (): boolean => this.ways.keepers });
  }

  get ways(): MailWays {
    return this.#way.now;
  }

  get figures(): QueueFigures {
    return this.#sender.figures;
  }

  get exchange(): ExchangeFigures {
    return { ...this.#carriers.figures, digests: this.#digests?.figures ?? NO_EXCHANGE.digests, doubted: this.doubted.length };
  }

  get repairFigures(): RepairFigures {
    return this.#repair.figures;
  }

  /** Keepers that dropped what they had signed for to this node. */
  get doubted(): readonly PublicKeyHex[] {
    return this.#doubts.doubted;
  }

  /** What peers ask of this node. */
  get handlers(): Required<Pick<NetworkHandlers, "mail" | "carry">> {
    return {
      mail: (request, from): Promise<MailResponse | undefined> => this.#respond(request, from),
      carry: (request, from): ReturnType<MailCarriers["respond"]> => this.#carriers.respond(request, from),
    };
  }

  /** True where mail of this node's clients goes to keepers through carriers. */
  get usesCarriers(): boolean {
    return this.#carriers.mail.isOn;
  }

  put(...item: Parameters<OutgoingMail["put"]>): Promise<void> {
    return this.#sender.put(...item);
  }

  async own(boxes: readonly X25519KeyHex[], from: PeerName): Promise<ReadonlySet<X25519KeyHex>> {
    const { readers } = this.#dependencies.relay;
    const others = boxes.filter((box) => !readers.has(box));
    return new Set([...boxes.filter((box) => readers.has(box)), ...(await this.#service.kept(others, from))]);
  }

  sendTyping(notice: TypingNotice): void {
    this.#typing.send(notice);
  }

  onReaders(): void {
    this.#collector.refresh();
  }

  get elsewhere(): MailForGateways | undefined {
    return this.#network !== undefined && this.#way.mayLackMail(this.#dependencies.retentionMs) ? this.#elsewhere : undefined;
  }

  learnOpening(box: X25519KeyHex): Promise<void> {
    return this.#learnOpening(box);
  }

  /** Keepers of a box by their ranks, the node among them where it is one; undefined where mail does not go to keepers. */
  keepersOf(box: X25519KeyHex): BoxKeepers | undefined {
    return this.ways.keepers ? this.#ranks.keepersOf(box) : undefined;
  }

  /** True where this node is a keeper of the box; who asks waits where many do. */
  async keeps(box: X25519KeyHex, from: PeerName): Promise<boolean> {
    return (await this.#service.kept([box], from)).length > 0;
  }

  /** Asks a keeper for a client of this node. @throws CodedError UPSTREAM_FAILED */
  ask(keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal): Promise<MailResponse> {
    return this.#carriers.mail.ask(keeper, request, signal);
  }

  /** Begins to send and to read; returns the way to stop. */
  attach(network: Network): () => void {
    const { relay, directory, timers, clock } = this.#dependencies;
    this.#network = network;
    let isAttached = true;
    const stops = [
      directory.onDirectory(() => this.#onDirectory()),
      relay.boxes.onOpening((opening) => this.#send(opening.mailbox, { type: "open", openings: [opening] })),
      relay.deletions.onNotice((notice) => this.#sendNotice(notice)),
    ];
    const forget = (): void => {
      if (!isAttached) return;
      const connected = new Set(network.peers().map(({ name }) => name));
      this.#service.watchers.keep((peer) => connected.has(peer), clock.monotonicMs());
      this.#carriers.keep((peer) => connected.has(peer));
      timers.setTimer(FORGET_INTERVAL_MS, forget);
    };
    forget();
    this.#way.follow(this.#dependencies.key.publicKey);
    this.#sender.start();
    this.#collector.start();
    this.#repair.start();
    this.#returning.start();
    this.#forgetting.start();
    this.#audit.start();
    return (): void => {
      isAttached = false;
      for (const stop of stops) stop();
      this.#audit.close();
      this.#forgetting.close();
      this.#returning.close();
      this.#repair.close();
      this.#digests?.close();
      this.#slotMail?.close();
      this.#collector.close();
      this.#unproven.close();
      this.#sender.close();
      this.#notices.close();
      this.#typing.close();
      this.#service.close();
      this.#network = undefined;
    };
  }

  /** Called where a block is committed, which no failure of the queue's file may end. */
  #onDirectory(): void {
    this.#way.follow(this.#dependencies.key.publicKey);
    this.#collector.refresh();
    this.#repair.onDirectory();
    try {
      this.#sender.onDirectory();
    } catch (error) {
      this.#onError(error);
    }
  }

  #onError(error: unknown): void {
    this.#dependencies.log.error({ err: error }, "The file of mail to keepers failed");
  }

  /** Nodes that watch a box here, themselves and through carriers. */
  #watchersOf(box: X25519KeyHex, most: number): readonly PeerName[] {
    return [...this.#service.watchers.of(box, most), ...this.#carriers.watches.of(box, most)].slice(0, most);
  }

  #createCarriers(): MailCarriers {
    const { chainId, key, relay, queue, random, clock, log, relaySecret, usesCarriers, respondCard } = this.#dependencies;
    return new MailCarriers({
      ...{ chainId, clock, random, log, relaySecret, ownKey: key.publicKey, ranks: this.#ranks, isWanted: usesCarriers },
      secret: (): Uint8Array => queue.carrierSecret(random),
      readers: relay.readers,
      isOpened: (box): boolean => relay.boxes.find(box) !== undefined,
      isProven: (box, carrier): boolean => this.#service.isProven(box, carriedSource(this.#sourceOf(carrier))),
      askDirectly: this.#ask.bind(this),
      send: async (target, request, signal): Promise<CarryOutcome> => {
        if (this.#network === undefined) throw new CodedError("UPSTREAM_FAILED", "This node has no network");
        return await this.#network.requestCarry(target, request, signal);
      },
      isConnected: (peer): boolean => this.#isConnected(peer),
      partyOf: (peer): string => this.#network?.partyOf(peer).name ?? peer,
      networkOf: (peer): string => this.#sourceOf(peer).party,
      kept: (boxes, from): Promise<readonly X25519KeyHex[]> => this.#service.kept(boxes, from),
      respond: (request, from): Promise<MailResponse | undefined> =>
        request.type === "card" ? respondCard(request, from) : this.#respond(request, from, { mostBytes: CARRY_LIMITS.pageBytes }),
      onNews: (request, keeper): void => void this.#respond(request, keeper),
      onGone: (keeper): void => this.#collector.renew(keeper),
    });
  }

  #createReturning(): ReturnToGossip {
    const { key, queue, store, relay, timers, log } = this.#dependencies;
    return new ReturnToGossip({
      ...{ queue, store, timers, log },
      // Those who were keepers a while ago, too: the others may not have all that they had. What is read here, its keepers have.
      keeps: (box): boolean => this.#ranks.isKeeper(key.publicKey, box) || (this.#way.hasKeptLately && !relay.readers.has(box)),
      isReturning: (): boolean => this.#way.isReturning,
      take: ({ envelope, admit }): void => void relay.receive([envelope], OWN_SOURCE, [admit]),
      publish: (item): void => this.#publish(item),
    });
  }

  #createAudit(limits: KeeperLimits): ReceiptAudit {
    const { chainId, key, relay, store, queue, retentionMs, verify, clock, timers, random, log } = this.#dependencies;
    return new ReceiptAudit({
      ...{ chainId, ownKey: key.publicKey, ranks: this.#ranks, relay, store, retentionMs, limits, verify, clock, timers, random, log },
      ...{ memory: queue.doubts, doubts: this.#doubts, ask: this.#carriers.mail.ask },
      isActive: (): boolean => this.ways.keepers,
    });
  }

  async #respond(request: MailRequest, from: PeerName, carried?: CarriedWay): Promise<MailResponse | undefined> {
    if (request.type === "typing") return await this.#typing.respond(request, from);
    // Cards are there before keepers are.
    if (request.type === "card") return { type: "busy" };
    if (request.type === "signed") return this.#digests === undefined ? { type: "busy" } : await this.#digests.respond(request, from);
    if (request.type !== "news") return await this.#service.respond(request, from, carried);
    const keeper = nodeKeyOf(from);
    if (keeper !== null) this.#collector.onNews(keeper, request.boxes);
    return { type: "done" };
  }

  #sendNotice(notice: MailNotice): void {
    const { mailbox, ids, proof } =
      notice.type === "read"
        ? { ...notice, proof: null }
        : { ...notice.deletion, proof: { height: notice.deletion.height, signature: notice.deletion.signature } };
    this.#send(mailbox, { type: "delete", notices: [{ mailbox, ids, proof }] });
    this.#service.note(mailbox);
  }

  #send(box: X25519KeyHex, request: Parameters<OwnerNotices["send"]>[1]): void {
    if (this.ways.keepers) this.#notices.send(this.#keepersOf(box), request);
  }

  #publish({ envelope, admit }: KeptEnvelope): void {
    const opening = admit === null ? undefined : this.#dependencies.relay.boxes.find(envelope.recipient_pub)?.opening;
    if (admit === null || opening === undefined) this.#network?.publishEnvelopes([envelope]);
    else this.#network?.publishAdmitted([{ opening, envelope, admit }]);
  }

  /** All keepers of a box but this node. */
  #keepersOf(box: X25519KeyHex): readonly PublicKeyHex[] {
    const keepers = this.#ranks.keepersOf(box);
    if (keepers === undefined) return [];
    const all = [...keepers.keeping, ...keepers.standingIn, ...keepers.draining].map(({ key }) => key);
    return all.filter((key) => key !== this.#dependencies.key.publicKey);
  }

  async #ask(keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal): Promise<MailResponse> {
    if (keeper === this.#dependencies.key.publicKey) {
      const response = await this.#respond(request, this.#ownName);
      if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "This node does not take what it sent itself");
      return response;
    }
    const found = this.#ranks.find(keeper);
    if (this.#network === undefined || found === undefined) throw new CodedError("UPSTREAM_FAILED", "The keeper is not known any more");
    return await this.#network.requestMail({ key: keeper, multiaddr: found.multiaddr }, request, signal);
  }

  async #tell(peer: PeerName, news: MailRequest): Promise<void> {
    if (this.#carriers.watches.has(peer)) {
      await this.#carriers.watches.tell(peer, news);
      return;
    }
    const key = nodeKeyOf(peer);
    if (key === null || this.#network === undefined) throw new CodedError("UPSTREAM_FAILED", "The node that reads here went away");
    await this.#network.requestMail({ key, multiaddr: null }, news, AbortSignal.timeout(KEEPER_LIMITS.requestMs));
  }

  #isConnected(peer: PeerName): boolean {
    return this.#network?.peers().some(({ name }) => name === peer) === true;
  }

  #sourceOf(peer: PeerName): MailSource {
    return peer === this.#ownName ? OWN_SOURCE : nodeSource(this.#network, peer);
  }
}
