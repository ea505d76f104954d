// The network over libp2p: builds the parts, wires them, and serves the rest of the node.

import { randomBytes } from "node:crypto";
import type { Connection } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { CarryOutcome } from "#shared/protocol/mail/carry-messages.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice, MailRequest, MailResponse, MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { hostTimers } from "#shared/util/host.ts";
import { DialPolicy } from "./addresses/dial-policy.ts";
import { sourceOf } from "./addresses/peer-source.ts";
import { Admission } from "./admission/admission.ts";
import { ResponseBudget } from "./flow/response-budget.ts";
import { threadTimeMs } from "./flow/thread-time.ts";
import { Gossip } from "./libp2p/gossip.ts";
import { createHost, type Host, listenError } from "./libp2p/libp2p-host.ts";
import { RelayWatchdog } from "./libp2p/relay-watchdog.ts";
import { NETWORK_LIMITS } from "./network-limits.ts";
import { type NetworkOptions, votingKeyOf } from "./network-options.ts";
import { peerNameOf } from "./peer-name.ts";
import type {
  AdmittedEnvelope,
  ChainStatus,
  FinalBlock,
  MailboxRequest,
  MailboxResponse,
  NetworkFigures,
  NetworkHandlers,
  PeerName,
  PeerNetwork,
  PeerOffence,
  PeerParty,
  PeerView,
  ReceivedBlock,
  TypingNotice,
} from "./peer-network.ts";
import { type BootstrapPeers, bootstrapPeers, isAddress } from "./peers/bootstrap-peers.ts";
import { MailPeers } from "./peers/mail-peers.ts";
import { networkFigures } from "./peers/network-figures.ts";
import { PeerConnections } from "./peers/peer-connections.ts";
import { PeerMemory } from "./peers/peer-memory.ts";
import { viewOf } from "./peers/peer-registry.ts";
import { ValidatorDirectory } from "./peers/validator-directory.ts";
import { ownAnnouncement, VersionAnnouncer } from "./peers/version-announcer.ts";
import { VersionRegistry } from "./peers/version-registry.ts";
import { CHAIN_TOPICS, type ProtocolNames, protocolNames, TOPICS } from "./protocol-names.ts";
import { CarryRequests } from "./traffic/carry-requests.ts";
import { ConsensusStreams, type ReceivedFrame } from "./traffic/consensus-streams.ts";
import { warnOfForeignPeer } from "./traffic/foreign-peer.ts";
import { MailRequests } from "./traffic/mail-requests.ts";
import { PeerRequests } from "./traffic/peer-requests.ts";
import { ProposalTraffic } from "./traffic/proposal-traffic.ts";
import { StatusExchange } from "./traffic/status-exchange.ts";
import { TopicTraffic } from "./traffic/topic-traffic.ts";

/** Starts the network. @throws CodedError CONFIG_INVALID for an address that is none, ADDRESS_IN_USE for one that is taken. */
export async function createLibp2pNetwork(options: NetworkOptions, handlers: NetworkHandlers): Promise<PeerNetwork> {
  const { clock, log } = options;
  const named = [...options.bootstrap, ...(options.reserved ?? []).filter(isAddress)];
  const bootstrap = bootstrapPeers(named);
  const validators = new ValidatorDirectory(votingKeyOf(options));
  const names = protocolNames(options.chainId);
  const policy = new DialPolicy({
    configured: named,
    listenHost: options.listen?.host,
    announce: options.announce,
    dialsPrivate: options.dialsPrivate,
  });
  const mayDial = (address: Multiaddr): boolean => policy.mayDial(address) && options.mayDial?.(address.toString()) !== false;
  const admission = new Admission({
    clock,
    timers: hostTimers,
    workedMs: options.workedMs ?? threadTimeMs,
    isValidator: (peer): boolean => validators.isValidator(peer),
    named: new Set([...bootstrap.keys(), ...(options.reserved ?? []).filter((each) => !isAddress(each))]),
    mayDial,
    limitsLocal: options.limitsLocal ?? false,
    secret: randomBytes(32),
  });
  const own = peerNameOf(options.nodeKey.publicKey);
  const memory = new PeerMemory({ path: options.peersPath, own, scores: admission.scores, mayDial, clock, log });
  const host = await createHost({ options, names, policy, gate: admission.gate, memory, scoreOf: (peer) => admission.scores.score(peer) });
  const budget = new ResponseBudget({ limits: NETWORK_LIMITS.served, clock });
  const network = new Libp2pNetwork({ options, handlers, bootstrap, validators, names, policy, admission, memory, host, budget });
  try {
    await network.start();
  } catch (error) {
    await network.stop();
    throw listenError(options, error);
  }
  return network;
}

interface NetworkDependencies {
  readonly options: NetworkOptions;
  readonly handlers: NetworkHandlers;
  readonly bootstrap: BootstrapPeers;
  readonly validators: ValidatorDirectory;
  readonly names: ProtocolNames;
  readonly policy: DialPolicy;
  readonly admission: Admission;
  readonly memory: PeerMemory;
  readonly host: Host;
  readonly budget: ResponseBudget;
}

class Libp2pNetwork implements PeerNetwork {
  readonly name: PeerName;
  readonly #dependencies: NetworkDependencies;
  /** What validators announced makes no room for others. */
  readonly #versions = new VersionRegistry((nodeKey) => this.#dependencies.validators.isNodeOfValidator(nodeKey));
  readonly #announcer: VersionAnnouncer;
  readonly #connections: PeerConnections;
  readonly #traffic: TopicTraffic;
  readonly #gossip: Gossip;
  readonly #statuses: StatusExchange;
  readonly #streams: ConsensusStreams;
  readonly #proposals: ProposalTraffic;
  readonly #requests: PeerRequests;
  readonly #mailPeers: MailPeers;
  readonly #mail: MailRequests;
  readonly #carry: CarryRequests;
  readonly #timers: NodeJS.Timeout[] = [];
  /** When the connection to a validator that is not connected ended. */
  readonly #goneAtMs = new Map<PeerName, number>();
  #isStopped = false;

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
    const { options, handlers, validators, host, names, policy, budget } = dependencies;
    const { clock, chainId, genesisHash, log, role = "full" } = options;
    this.name = host.libp2p.peerId.toString();
    const report = (peer: PeerName, offence: PeerOffence): void => this.report(peer, offence);
    const connectionTo = (peer: PeerName): Connection | undefined => this.#connections.to(peer);
    this.#traffic = new TopicTraffic({
      chainId,
      directory: validators,
      onSeat: (validator, sinceSec): void => this.#learnSeat(validator, sinceSec),
      handlers,
      clock,
      log,
      versions: this.#versions,
      verify: options.verify,
      publish: (topic, data): void => this.#gossip.publish(topic, data),
    });
    const context = { libp2p: host.libp2p, clock, connectionTo, report };
    this.#statuses = new StatusExchange({
      ...context,
      chainId,
      genesisHash,
      ownStatus: (): ChainStatus => handlers.ownStatus(),
      onStatus: (status, from): void => this.#learnStatus(status, from),
      onForeign: (peer, foreign): void => warnOfForeignPeer(log, { peer, chainId, foreign }),
    });
    this.#streams = new ConsensusStreams({
      ...context,
      protocol: names.consensus,
      validators: (): readonly PeerName[] => validators.others,
      keyOf: (peer): PublicKeyHex | undefined => validators.keyOf(peer),
      pending: (id): Transaction | undefined => handlers.pending(id),
      onMessage: (message, from, received): void => this.#receive(message, from, received),
      onPart: (frame, from): boolean => this.#receivePart(frame, from),
    });
    this.#proposals = new ProposalTraffic({ options, handlers, validators, streams: this.#streams, report });
    this.#requests = new PeerRequests({ ...context, meter: dependencies.admission, names, handlers, role, budget });
    this.#mailPeers = new MailPeers(context);
    const forMail = { ...context, meter: dependencies.admission, peers: this.#mailPeers, names, handlers, budget };
    this.#mail = new MailRequests(forMail);
    this.#carry = new CarryRequests(forMail);
    this.#gossip = new Gossip({
      pubsub: host.pubsub,
      names,
      topicValidators: this.#traffic.topicValidators,
      topics: role === "full" ? TOPICS : TOPICS.filter((topic) => !CHAIN_TOPICS.includes(topic)),
      ...{ clock, log, report },
      onReceived: (peer): void => this.#connections.noteReceived(peer),
      onAccepted: (...useful): void => this.#connections.noteUseful(...useful),
    });
    this.#announcer = new VersionAnnouncer({
      clock,
      reached: (): readonly PeerName[] => this.#gossip.reached("version"),
      publish: (atSec): void => this.#announce(atSec),
    });
    this.#connections = new PeerConnections({
      ...dependencies,
      libp2p: host.libp2p,
      isNear: (address): boolean => policy.isConfigured(address),
      ...{ clock, log, report },
      isForMail: (peer): boolean => this.#mailPeers.isInUse(peer),
      ping: (peer): Promise<number> => host.ping(peer),
      gossipScore: (peer): number => host.pubsub.score.score(peer),
      onConnect: ({ name }): void => this.#met(name),
      onDisconnect: (peer): void => this.#lost(peer),
    });
  }

  async start(): Promise<void> {
    await this.#statuses.start();
    if (this.#dependencies.options.role !== "light") await this.#streams.start();
    await this.#requests.start();
    await this.#mail.start();
    await this.#carry.start();
    await this.#dependencies.host.start();
    this.#gossip.start();
    this.#connections.start();
    this.#every(NETWORK_LIMITS.upkeepMs, () => this.#statuses.maintain());
    this.#every(NETWORK_LIMITS.upkeepMs, () => this.#announcer.maintain());
    this.#every(NETWORK_LIMITS.upkeepMs, () => this.#dependencies.budget.relieve());
    this.#every(NETWORK_LIMITS.versionIntervalMs, () => this.#announcer.announce());
    this.#dependencies.options.validator?.onSeat(() => this.#announcer.announce());
    const { circuit, libp2p } = this.#dependencies.host;
    if (circuit === undefined) return;
    const watchdog = new RelayWatchdog({ libp2p, circuit, log: this.#dependencies.options.log });
    this.#every(NETWORK_LIMITS.watchdogMs, () => void watchdog.check());
  }

  addresses(): readonly string[] {
    return this.#dependencies.host.libp2p.getMultiaddrs().map(String);
  }

  peers(): readonly PeerView[] {
    const { scores } = this.#dependencies.admission;
    return this.#connections.registry.all().flatMap((peer) => {
      const connection = this.#connections.to(peer.name);
      if (connection === undefined || peer.status === null) return [];
      const figures = { score: scores.score(peer.name), latencyMs: this.#connections.latencyOf(peer.name) };
      return [viewOf(peer, connection, this.#versions, figures)];
    });
  }

  partyOf(peer: PeerName): PeerParty {
    return this.#connections.partyOf(peer);
  }

  figures(): NetworkFigures {
    return networkFigures(this.#dependencies, this.#connections);
  }

  publishTransactions(transactions: readonly Transaction[]): void {
    this.#traffic.publishTransactions(transactions);
  }

  publishBlock(final: FinalBlock): void {
    this.#traffic.publishBlock(final);
  }

  publishEnvelopes(envelopes: readonly Envelope[]): void {
    this.#traffic.publishEnvelopes(envelopes);
  }

  publishDeletion(notice: DeletionNotice): void {
    this.#traffic.publishDeletion(notice);
  }

  publishOpening(opening: BoxOpening): void {
    this.#traffic.publishOpening(opening);
  }

  publishAdmitted(items: readonly AdmittedEnvelope[]): void {
    this.#traffic.publishAdmitted(items);
  }

  publishTyping(notice: TypingNotice): void {
    this.#traffic.publishTyping(notice);
  }

  publishStatus(): void {
    this.#statuses.publish();
  }

  sendConsensus(message: ConsensusMessage): void {
    const { validators } = this.#dependencies;
    // Validators refuse streams of other nodes, which have the topic of transactions.
    if (message.type === "work" && !validators.hasSelf) {
      this.#traffic.publishConsensus(message);
      return;
    }
    if (message.type === "proposal") {
      const way = this.#proposals.propose(message);
      const unreached = this.#announced(this.#streams.unreached());
      // What travels in parts reaches the others by relays, if there are enough of them.
      if (way === "sent" && unreached.length <= validators.others.length / 3) return;
      if (way !== "whole") {
        if (unreached.length > 0) this.#traffic.publishConsensus(message);
        return;
      }
    }
    if (this.#announced(this.#streams.send(message)).length > 0) this.#traffic.publishConsensus(message);
  }

  setValidators(keys: readonly PublicKeyHex[]): void {
    const { validators, options } = this.#dependencies;
    const wasValidator = validators.hasSelf;
    if (!validators.replace(keys)) return;
    // Others hear of a seat only once its validator is one.
    if (!wasValidator && validators.hasSelf && options.validator !== undefined) this.#announcer.announce();
    this.#renewStreams();
  }

  requestBlocks(peer: PeerName, from: Height, count: number, signal: AbortSignal): Promise<readonly ReceivedBlock[]> {
    return this.#requests.blocks(peer, { from, count }, signal);
  }

  requestMailbox(peer: PeerName, request: MailboxRequest, signal: AbortSignal): Promise<MailboxResponse> {
    return this.#requests.mailbox(peer, request, signal);
  }

  requestMail(target: MailTarget, request: MailRequest, signal: AbortSignal): Promise<MailResponse> {
    return this.#mail.request(target, request, signal);
  }

  requestCarry(...request: Parameters<PeerNetwork["requestCarry"]>): Promise<CarryOutcome> {
    return this.#carry.request(...request);
  }

  requestLight(...request: Parameters<PeerNetwork["requestLight"]>): Promise<Uint8Array> {
    return this.#requests.light(...request);
  }

  requestSnapshot(...request: Parameters<PeerNetwork["requestSnapshot"]>): Promise<Uint8Array> {
    return this.#requests.snapshot(...request);
  }

  report(peer: PeerName, offence: PeerOffence): void {
    const { admission, options } = this.#dependencies;
    const { scores } = admission;
    const address = this.#connections.addressOf(peer);
    if (scores.report(peer, offence, address === undefined ? undefined : sourceOf(address)) === "keep") return;
    options.log.info({ peer, offence, score: scores.score(peer), banned: scores.isBanned(peer) }, "A peer was disconnected");
    // At once: in an orderly end, all that it has sent already would still be read.
    this.#connections.abort(peer, "The peer broke the rules");
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#connections.stop();
    this.#traffic.flush();
    this.#traffic.close();
    this.#gossip.close();
    this.#proposals.close();
    this.#streams.close();
    this.#statuses.close();
    await this.#dependencies.host.libp2p.stop();
  }

  #met(peer: PeerName): void {
    this.#announcer.noteMet(peer);
    this.#goneAtMs.delete(peer);
    this.#statuses.greet(peer);
    if (this.#dependencies.validators.hasSelf) this.#streams.refresh();
  }

  #lost(peer: PeerName): void {
    this.#statuses.forget(peer);
    this.#streams.forget(peer);
    this.#gossip.forget(peer);
    this.#announcer.noteGone(peer);
    this.#noteGone(peer);
    if (!this.#isStopped) this.#dependencies.handlers.disconnected(peer);
  }

  /** Those of some validators that can be reached: one that has not announced itself since its connection ended cannot. */
  #announced(peers: readonly PeerName[]): readonly PeerName[] {
    const { validators, options } = this.#dependencies;
    const nowMs = options.clock.nowMs();
    return peers.filter((peer) =>
      this.#versions.isAnnounced(validators.nodeOf(validators.keyOf(peer) ?? ""), nowMs, this.#goneAtMs.get(peer)),
    );
  }

  /** Two validators that lost each other need another route: each announces itself to the others. */
  #noteGone(peer: PeerName): void {
    const { validators, options } = this.#dependencies;
    for (const name of this.#goneAtMs.keys()) if (!validators.isValidator(name)) this.#goneAtMs.delete(name);
    if (!validators.isValidator(peer)) return;
    this.#goneAtMs.set(peer, options.clock.nowMs());
    this.#announcer.noteChange();
  }

  /** Another node acts for a validator now. */
  #learnSeat(validator: PublicKeyHex, sinceSec: number): void {
    const { options } = this.#dependencies;
    if (validator === options.validator?.publicKey) options.validator.onTaken(sinceSec);
    this.#renewStreams();
  }

  #renewStreams(): void {
    if (this.#dependencies.validators.hasSelf) this.#streams.refresh();
    this.#connections.maintain();
  }

  #receive(message: ConsensusMessage, from: PeerName, { sender, bytes }: ReceivedFrame): void {
    this.#connections.noteReceived(from);
    if (message.type === "vote") this.#proposals.noteVote(message.vote, from);
    this.#dependencies.handlers.consensus(message, from, sender, bytes);
  }

  #receivePart(frame: Uint8Array, from: PeerName): boolean {
    this.#connections.noteReceived(from);
    return this.#proposals.receive(frame, from);
  }

  #learnStatus(status: ChainStatus, from: PeerName): void {
    const peer = this.#connections.registry.get(from);
    if (peer === undefined || this.#isStopped) return;
    peer.status = status;
    this.#connections.noteReceived(from);
    this.#dependencies.handlers.status(status, from);
  }

  #announce(atSec: number): void {
    this.#gossip.publish("version", ownAnnouncement(this.#dependencies.options, atSec));
  }

  #every(intervalMs: number, callback: () => void): void {
    this.#timers.push(setInterval(callback, intervalMs));
  }
}
