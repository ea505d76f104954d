// What each topic carries: validating what comes in by the node's handlers, batching what goes out.
import { type ConsensusMessage, UNKNOWN_SENDER } from "#node/engine/consensus-network.ts";
import type { Log } from "#node/observability/log.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { Clock } from "#shared/util/clock.ts";
import { Batcher } from "../flow/batcher.ts";
import { RecentSet } from "../flow/recent-set.ts";
import { SharedRate } from "../flow/shared-rate.ts";
import { isRecentNotice, TypingGate } from "../flow/typing-gate.ts";
import type { MessageValidation, ValidateMessage } from "../libp2p/gossip.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { AdmittedEnvelope, FinalBlock, NetworkHandlers, PeerName, TypingNotice } from "../peer-network.ts";
import type { ValidatorDirectory } from "../peers/validator-directory.ts";
import type { VersionRegistry } from "../peers/version-registry.ts";
import type { Topic } from "../protocol-names.ts";
import { admittedWireBytes, boxMessageCodec, deletionNoticeCodec, envelopeWireBytes, relayMessageCodec } from "../wire/relay-codec.ts";
import { decodeAnnouncement, isSeatSigned, type ReceivedAnnouncement } from "../wire/version-announcement.ts";
import { decodeBlockFront, encodeFinalBlock, gossipedConsensusCodec, transactionsMessageCodec } from "../wire/wire-codec.ts";
import { isSignedByValidators, signedHeight } from "./consensus-check.ts";
import { authorOf, ConsensusGate } from "./consensus-gate.ts";

/** What the topics work with. */
export interface TopicTrafficDependencies {
  readonly chainId: string;
  readonly directory: ValidatorDirectory;
  /** A validator has given another node its seat, or taken it back. */
  readonly onSeat: (validator: PublicKeyHex, sinceSec: number) => void;
  readonly handlers: NetworkHandlers;
  readonly versions: VersionRegistry;
  readonly verify: VerifySignature;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (topic: Topic, data: Uint8Array) => void;
}

/** Heights beyond the next one whose messages still travel: a node may be a block behind. */
const CONSENSUS_AHEAD = 2;

/** Validates and publishes. */
export class TopicTraffic {
  readonly topicValidators: Readonly<Record<Topic, ValidateMessage>>;
  readonly #dependencies: TopicTrafficDependencies;
  readonly #transactions: Batcher<Transaction>;
  readonly #repeats: Batcher<Transaction>;
  readonly #envelopes: Batcher<Envelope>;
  readonly #admitted: Batcher<AdmittedEnvelope>;
  /** Blocks that travel. */
  readonly #blocks = new RecentSet(NETWORK_LIMITS.blockHashes);
  /** Own blocks that others may send first. */
  readonly #waitingBlocks = new Map<HashHex, NodeJS.Timeout>();
  readonly #receivedTyping = new TypingGate();
  readonly #sentTyping = new TypingGate();
  readonly #gate = new ConsensusGate();
  readonly #typing: SharedRate;
  readonly #deletions: SharedRate;
  readonly #openings: SharedRate;
  readonly #admittedRate: SharedRate;
  readonly #announcements: SharedRate;
  readonly #early: SharedRate;

  constructor(dependencies: TopicTrafficDependencies) {
    this.#dependencies = dependencies;
    const { clock } = dependencies;
    this.#typing = new SharedRate(NETWORK_LIMITS.typing, clock.monotonicMs());
    this.#deletions = new SharedRate(NETWORK_LIMITS.deletions, clock.monotonicMs());
    this.#openings = new SharedRate(NETWORK_LIMITS.openings, clock.monotonicMs());
    this.#admittedRate = new SharedRate(NETWORK_LIMITS.admitted, clock.monotonicMs());
    this.#announcements = new SharedRate(NETWORK_LIMITS.announcements, clock.monotonicMs());
    this.#early = new SharedRate(NETWORK_LIMITS.consensus.early, clock.monotonicMs());
    const transactionLimits = { items: NETWORK_LIMITS.transactionItems, bytes: NETWORK_LIMITS.transactionBytes };
    this.#transactions = new Batcher({
      limits: { ...transactionLimits, delayMs: NETWORK_LIMITS.transactionPauseMs },
      clock,
      sizeOf: (tx): number => encodeTransaction(tx).length,
      send: (transactions): void => dependencies.publish("tx", encode(transactionsMessageCodec, { transactions, repeatedAtSec: null })),
    });
    this.#repeats = new Batcher({
      limits: { ...transactionLimits, delayMs: 0 },
      clock,
      sizeOf: (tx): number => encodeTransaction(tx).length,
      send: (transactions): void =>
        dependencies.publish("tx", encode(transactionsMessageCodec, { transactions, repeatedAtSec: this.#nowSec() })),
    });
    const envelopeLimits = {
      items: NETWORK_LIMITS.envelopeItems,
      bytes: NETWORK_LIMITS.envelopeBytes,
      delayMs: NETWORK_LIMITS.envelopePauseMs,
    };
    this.#admitted = new Batcher({
      limits: envelopeLimits,
      clock,
      sizeOf: admittedWireBytes,
      send: (items): void => dependencies.publish("boxes", encode(boxMessageCodec, { type: "mail", items })),
    });
    this.#envelopes = new Batcher({
      limits: envelopeLimits,
      clock,
      sizeOf: envelopeWireBytes,
      send: (envelopes): void => dependencies.publish("relay", encode(relayMessageCodec, { type: "envelopes", envelopes })),
    });
    this.topicValidators = {
      tx: this.#guarded((data, from) => this.#validateTransactions(data, from)),
      blocks: this.#guarded((data, from) => this.#validateBlock(data, from)),
      relay: this.#guarded((data, from) => this.#validateRelay(data, from)),
      boxes: this.#guarded((data, from) => this.#validateBoxes(data, from)),
      deletions: this.#guarded((data, from) => this.#validateDeletion(data, from)),
      version: this.#guarded((data, from) => this.#validateVersion(data, from)),
      consensus: this.#guarded((data, from) => this.#validateConsensus(data, from)),
    };
  }

  publishTransactions(transactions: readonly Transaction[]): void {
    this.#transactions.add(transactions);
  }

  publishEnvelopes(envelopes: readonly Envelope[]): void {
    this.#envelopes.add(envelopes);
  }

  /**
   * Validators hold different commits of a block, and one of them is enough: its proposer sends it at once, the others in turn only
   * when they have not received it by then.
   */
  publishBlock(final: FinalBlock): void {
    const hash = headerHash(final.block.header);
    if (this.#blocks.has(hash)) return;
    const delayMs = this.#blockDelayMs(final.block.header.proposer);
    if (delayMs === 0) this.#sendBlock(hash, final);
    else
      this.#waitingBlocks.set(
        hash,
        setTimeout(() => this.#sendBlock(hash, final), delayMs),
      );
  }

  publishDeletion(notice: DeletionNotice): void {
    this.#dependencies.publish("deletions", encode(deletionNoticeCodec, notice));
  }

  publishOpening(opening: BoxOpening): void {
    this.#dependencies.publish("boxes", encode(boxMessageCodec, { type: "opening", opening }));
  }

  publishAdmitted(items: readonly AdmittedEnvelope[]): void {
    this.#admitted.add(items);
  }

  publishTyping(notice: TypingNotice): void {
    const { clock, publish } = this.#dependencies;
    if (!this.#sentTyping.pass(notice, clock.monotonicMs())) return;
    publish("relay", encode(relayMessageCodec, { type: "typing", notice: { ...notice, atSec: this.#nowSec() } }));
  }

  /** For validators that no stream leads to. */
  publishConsensus(message: ConsensusMessage): void {
    if (message.type === "work") this.#repeats.add(message.transactions);
    else this.#dependencies.publish("consensus", encode(gossipedConsensusCodec, { atSec: this.#nowSec(), message }));
  }

  /** Sends what waits. */
  flush(): void {
    this.#transactions.flush();
    this.#repeats.flush();
    this.#envelopes.flush();
    this.#admitted.flush();
  }

  close(): void {
    this.#transactions.close();
    this.#repeats.close();
    this.#envelopes.close();
    this.#admitted.close();
    for (const timer of this.#waitingBlocks.values()) clearTimeout(timer);
    this.#waitingBlocks.clear();
  }

  #nowSec(): number {
    return Math.floor(this.#dependencies.clock.nowMs() / 1000);
  }

  #sendBlock(hash: HashHex, final: FinalBlock): void {
    if (this.#markBlock(hash)) this.#dependencies.publish("blocks", encodeFinalBlock(final));
  }

  /** True when the block does not travel yet. */
  #markBlock(hash: HashHex): boolean {
    clearTimeout(this.#waitingBlocks.get(hash));
    this.#waitingBlocks.delete(hash);
    return this.#blocks.add(hash);
  }

  #blockDelayMs(proposer: PublicKeyHex): number {
    const { ownKey, keys: validators } = this.#dependencies.directory;
    if (proposer === ownKey) return 0;
    const own = validators.indexOf(ownKey);
    if (own === -1) return NETWORK_LIMITS.blockPatienceMs;
    // The proposer may have left the set with its block: then the order starts at the first.
    const first = Math.max(0, validators.indexOf(proposer));
    const turn = (own - first + validators.length) % validators.length;
    return Math.min(NETWORK_LIMITS.blockPatienceMs, Math.max(1, turn) * NETWORK_LIMITS.blockTurnMs);
  }

  #guarded(validate: (data: Uint8Array, from: PeerName) => MessageValidation | Promise<MessageValidation>): ValidateMessage {
    return async (data, from): Promise<MessageValidation> => {
      try {
        return await validate(data, from);
      } catch (error) {
        // A defect of this node: the sender does not pay for it.
        this.#dependencies.log.error({ err: error }, "A gossip message could not be handled");
        return "ignore";
      }
    };
  }

  #validateTransactions(data: Uint8Array, from: PeerName): MessageValidation | Promise<MessageValidation> {
    const message = tryDecode(transactionsMessageCodec, data);
    return message === undefined ? "malformed" : this.#dependencies.handlers.transactions(message.transactions, from);
  }

  async #validateBlock(data: Uint8Array, from: PeerName): Promise<MessageValidation> {
    const { handlers } = this.#dependencies;
    const received = decodeBlockFront(data, (id) => handlers.pending(id));
    if (received === undefined) return "malformed";
    const result = await handlers.block(received, from);
    // Also of a block that travels already, every copy is looked at: what is false costs its bringer.
    return result === "accept" && !this.#markBlock(headerHash(received.header)) ? "ignore" : result;
  }

  #validateRelay(data: Uint8Array, from: PeerName): MessageValidation | Promise<MessageValidation> {
    const { handlers, clock } = this.#dependencies;
    const message = tryDecode(relayMessageCodec, data);
    if (message === undefined) return "malformed";
    if (message.type === "envelopes") return handlers.envelopes(message.envelopes, from);
    const { to, from: sender, atSec } = message.notice;
    const nowMs = clock.monotonicMs();
    if (!isRecentNotice(atSec, clock.nowMs()) || !this.#typing.take(from, nowMs)) return "ignore";
    if (!this.#receivedTyping.pass(message.notice, nowMs)) return "ignore";
    handlers.typing({ to, from: sender }, from);
    return "accept";
  }

  #validateDeletion(data: Uint8Array, from: PeerName): MessageValidation | Promise<MessageValidation> {
    const { handlers, clock } = this.#dependencies;
    const notice = tryDecode(deletionNoticeCodec, data);
    if (notice === undefined) return "malformed";
    return this.#deletions.take(from, clock.monotonicMs()) ? handlers.deletion(notice, from) : "ignore";
  }

  #validateBoxes(data: Uint8Array, from: PeerName): MessageValidation | Promise<MessageValidation> {
    const { handlers, clock } = this.#dependencies;
    const message = tryDecode(boxMessageCodec, data);
    if (message === undefined) return "malformed";
    const nowMs = clock.monotonicMs();
    if (message.type === "opening") return this.#openings.take(from, nowMs) ? handlers.opening(message.opening, from) : "ignore";
    return message.items.every(() => this.#admittedRate.take(from, nowMs)) ? handlers.admitted(message.items, from) : "ignore";
  }

  /** Anyone has as many node keys as he likes, and each costs all nodes a signature: only those of validators travel without a bound. */
  #validateVersion(data: Uint8Array, from: PeerName): MessageValidation {
    const { chainId, verify, versions, clock, directory, onSeat } = this.#dependencies;
    const announcement = decodeAnnouncement(chainId, data, verify);
    if (announcement === undefined) return "malformed";
    const { nodeKey, seat } = announcement;
    const news = this.#seatNews(announcement);
    const isBounded = (seat === undefined || news === undefined) && !directory.isNodeOfValidator(nodeKey);
    if (isBounded && !this.#announcements.take(from, clock.monotonicMs())) return "ignore";
    // Also a seat that is no news here: another node may blame the one that passed a false one on.
    if (seat !== undefined && !isSeatSigned(chainId, nodeKey, seat, verify)) return "malformed";
    const result = versions.learn(announcement, clock.nowMs());
    if (result === "accept" && news !== undefined && directory.takeSeat(news.validator, news)) onSeat(news.validator, news.sinceSec);
    return result;
  }

  /** What an announcement would change of who acts for a validator; one that announces itself acts for itself. */
  #seatNews({
    nodeKey: node,
    atSec,
    seat,
  }: ReceivedAnnouncement): { readonly validator: PublicKeyHex; readonly node: PublicKeyHex; readonly sinceSec: number } | undefined {
    const { validator, sinceSec } = seat ?? { validator: node, sinceSec: atSec };
    const ageMs = this.#dependencies.clock.nowMs() - sinceSec * 1_000;
    const isTimely = ageMs > -NETWORK_LIMITS.versionSkewMs && ageMs < NETWORK_LIMITS.seatLifetimeMs;
    const news = { validator, node, sinceSec };
    return isTimely && this.#dependencies.directory.isSeatNews(validator, news) ? news : undefined;
  }

  #validateConsensus(data: Uint8Array, from: PeerName): MessageValidation {
    const { chainId, directory, verify, handlers, clock } = this.#dependencies;
    const message = tryDecode(gossipedConsensusCodec, data)?.message;
    if (message === undefined || message.type === "work") return "malformed";
    const { height } = handlers.ownStatus();
    const messageHeight = signedHeight(message);
    if (messageHeight <= height || messageHeight > height + CONSENSUS_AHEAD) return "ignore";
    const nowMs = clock.monotonicMs();
    if (!this.#gate.isWanted(message, nowMs)) return "ignore";
    // A forgery for a height whose validators are not known costs its bringer nothing: few of them cost this node a signature.
    if (messageHeight > height + 1 && !this.#early.take(from, nowMs)) return "ignore";
    if (!isSignedByValidators(message, { chainId, validators: directory.keys, verify })) {
      // The set of a later height may be another one.
      return messageHeight === height + 1 ? "reject" : "ignore";
    }
    this.#gate.pass(message, nowMs);
    // Verified here: each validator has a queue of its own also for what others pass on.
    const name = `gossip of ${authorOf(message) ?? "all"}`;
    handlers.consensus(message, from, { ...UNKNOWN_SENDER, name }, data.length);
    return "accept";
  }
}
