// Connections of the node: which are there, which should be, and which have to end.
import type { Connection, Libp2p, PeerId } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LRUCache } from "lru-cache";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { Admission } from "../admission/admission.ts";
import { type PeerWorth, slotSourceOf } from "../admission/inbound-slots.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { NetworkFigures, PeerName, PeerOffence, PeerParty } from "../peer-network.ts";
import type { Topic } from "../protocol-names.ts";
import { backlogOf } from "../wire/connection-backlog.ts";
import type { BootstrapPeers } from "./bootstrap-peers.ts";
import { LatencyMeter } from "./latency-meter.ts";
import { LivenessWatch } from "./liveness-watch.ts";
import { PeerFinder } from "./peer-finder.ts";
import type { PeerMemory } from "./peer-memory.ts";
import { type ConnectedPeer, PeerRegistry } from "./peer-registry.ts";
import { type DialTarget, Redialer } from "./redialer.ts";
import { SendWatch } from "./send-watch.ts";
import type { ValidatorDirectory } from "./validator-directory.ts";

/** What connections work with. */
export interface PeerConnectionsDependencies {
  readonly libp2p: Libp2p;
  readonly bootstrap: BootstrapPeers;
  readonly validators: ValidatorDirectory;
  readonly admission: Admission;
  readonly memory: PeerMemory;
  /** True for an address that was announced on the local network. */
  readonly isNear: (address: Multiaddr) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Round-trip time, ms. */
  readonly ping: (peer: PeerId) => Promise<number>;
  readonly gossipScore: (peer: PeerName) => number;
  readonly report: (peer: PeerName, offence: PeerOffence) => void;
  /** True for a keeper whose connection is in use for mail. */
  readonly isForMail: (peer: PeerName) => boolean;
  readonly onConnect: (peer: ConnectedPeer) => void;
  readonly onDisconnect: (peer: PeerName) => void;
}

/** gossipsub ignores a peer below this score; it is disconnected instead. */
const GRAYLIST_SCORE = -80;
/** Topics of which no one has as much as he likes: a transaction costs its fee, the rest the signatures of validators. */
const PRICED: readonly Topic[] = ["tx", "blocks", "consensus"];
const GOSSIP_PROTOCOL = "/meshsub/";

/** Follows libp2p's events and maintains connections once a second. */
export class PeerConnections {
  readonly registry = new PeerRegistry();
  readonly #dependencies: PeerConnectionsDependencies;
  readonly #redialer: Redialer;
  readonly #finder: PeerFinder;
  readonly #liveness: LivenessWatch;
  readonly #latency: LatencyMeter;
  readonly #sends: SendWatch<Connection>;
  /** Of peers that were connected lately, for what comes to light about them after. */
  readonly #addresses = new LRUCache<PeerName, Multiaddr>({ max: PEER_LIMITS.peerStoreEntries });
  #timer: NodeJS.Timeout | undefined;
  #prunedAtMs: number;
  #savedAtMs: number;

  constructor(dependencies: PeerConnectionsDependencies) {
    this.#dependencies = dependencies;
    this.#prunedAtMs = dependencies.clock.monotonicMs();
    this.#savedAtMs = this.#prunedAtMs;
    this.#redialer = new Redialer(dependencies.clock, () => this.#targets());
    const { libp2p, admission, memory, isNear } = dependencies;
    this.#finder = new PeerFinder({ libp2p, clock: dependencies.clock, admission, memory });
    const ping = (name: PeerName): Promise<number> => dependencies.ping(peerIdFromString(name));
    this.#latency = new LatencyMeter({ clock: dependencies.clock, ping });
    this.#liveness = new LivenessWatch({
      clock: dependencies.clock,
      ping,
      onDead: (name): void => this.abort(name, "The peer says nothing"),
    });
    this.#sends = new SendWatch({
      clock: dependencies.clock,
      backlogOf,
      onStalled: (connection): void => this.#abort(connection, "The peer does not read"),
    });
    libp2p.addEventListener("peer:connect", ({ detail }) => this.#connected(detail));
    libp2p.addEventListener("peer:disconnect", ({ detail }) => this.#disconnected(detail.toString()));
    libp2p.addEventListener("peer:discovery", ({ detail }) => {
      if (detail.multiaddrs.some(isNear)) this.#finder.foundNear(detail.id);
    });
    libp2p.addEventListener("connection:open", ({ detail }) => this.#opened(detail));
    libp2p.addEventListener("peer:identify", ({ detail: { peerId, connection, listenAddrs, signedPeerRecord } }) => {
      memory.learn(peerId.toString(), signedPeerRecord?.addresses ?? listenAddrs, connection.remoteAddr);
    });
    admission.attach({
      all: (): readonly Connection[] => libp2p.getConnections(),
      worthOf: (connection): PeerWorth => this.#worthOf(connection),
      lastUseMs: (peer): number => this.#lastUseMs(peer),
      isForMail: (peer): boolean => dependencies.isForMail(peer),
      end: (connection, why): void => endConnection(connection, why),
    });
  }

  /** Begins to dial and to maintain connections, once the caller had its turn. */
  start(): void {
    setImmediate(() => this.maintain());
    this.#timer = setInterval(() => this.maintain(), NETWORK_LIMITS.upkeepMs);
  }

  /** Bytes that waited below all streams a moment ago. */
  get backlogBytes(): number {
    return this.#sends.bytes;
  }

  /** Connections by what gives them their slot. */
  counts(): NetworkFigures["connections"] {
    const { libp2p, validators, bootstrap, admission } = this.#dependencies;
    const counts = { inbound: 0, outbound: 0, validator: 0, named: 0, relayed: 0, unread: admission.unread };
    for (const { remotePeer, direction, direct } of libp2p.getConnections()) {
      const name = remotePeer.toString();
      counts[validators.isValidator(name) ? "validator" : bootstrap.has(name) ? "named" : direction] += 1;
      if (!direct) counts.relayed += 1;
    }
    return counts;
  }

  /** Writes down what is known of others, and whom to meet first next time. */
  save(): void {
    const { admission, memory } = this.#dependencies;
    // Those that are connected longest, and did answer.
    const met = admission.outbound().filter(({ direct, remotePeer }) => direct && this.registry.get(remotePeer.toString())?.status);
    memory.save(met.map(({ remoteAddr }) => remoteAddr.toString()));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.save();
  }

  /** Where a peer is connected from, or was lately. */
  addressOf(name: PeerName): Multiaddr | undefined {
    return this.to(name)?.remoteAddr ?? this.#addresses.get(name);
  }

  /** Who a peer is when its work is counted. */
  partyOf(name: PeerName): PeerParty {
    const { admission } = this.#dependencies;
    if (admission.isExempt(name)) return { name, standing: "exempt" };
    const standing = admission.isUseful(name) ? "useful" : "stranger";
    const address = this.addressOf(name);
    const source = address === undefined ? undefined : slotSourceOf(address, admission.limitsLocal);
    return { name: source?.isLimited === true ? source.host : name, standing };
  }

  /** A peer was the first to bring something of use, of so many bytes. */
  noteUseful(name: PeerName, topic: Topic, bytes: number): void {
    const useful = this.registry.get(name)?.useful;
    if (useful !== undefined && topic in useful) useful[topic as keyof typeof useful] = this.#dependencies.clock.monotonicMs();
    const connection = this.to(name);
    if (PRICED.includes(topic) && connection !== undefined) this.#dependencies.admission.credit(connection, bytes);
  }

  /** The connection to use with a peer: an open one, direct before relayed. */
  to(name: PeerName): Connection | undefined {
    const id = this.registry.get(name)?.id;
    if (id === undefined) return undefined;
    const open = this.#dependencies.libp2p.getConnections(id).filter(({ status }) => status === "open");
    return open.find(({ direct }) => direct) ?? open[0];
  }

  /** Ends all connections with a peer. */
  hangUp(name: PeerName): void {
    const id = this.registry.get(name)?.id;
    const { libp2p } = this.#dependencies;
    for (const connection of libp2p.getConnections(id ?? peerIdFromString(name))) endConnection(connection, "The peer is not wanted");
  }

  /** Time to a peer and back, ms; null before it was measured. */
  latencyOf(name: PeerName): number | null {
    return this.#latency.of(name);
  }

  /** Something came from a peer. */
  noteReceived(name: PeerName): void {
    this.#liveness.noteReceived(name);
  }

  /** Dials what is missing and ends what must not be. */
  maintain(): void {
    const { log, libp2p } = this.#dependencies;
    if (libp2p.status !== "started") return;
    this.#redialer.maintain();
    this.#finder.maintain();
    this.#dependencies.admission.maintain();
    const nowMs = this.#dependencies.clock.monotonicMs();
    if (nowMs - this.#prunedAtMs >= PEER_LIMITS.peerStorePruneMs) {
      this.#prunedAtMs = nowMs;
      void this.#prunePeerStore().catch((error: unknown) => log.debug({ err: error }, "Forgetting peers failed"));
    }
    if (nowMs - this.#savedAtMs >= PEER_LIMITS.savePeersMs) {
      this.#savedAtMs = nowMs;
      this.save();
    }
    const names = this.registry.all().map(({ name }) => name);
    this.#liveness.poll(names);
    this.#latency.poll(names);
    this.#sends.poll(libp2p.getConnections());
    for (const peer of this.registry.all()) this.#maintainPeer(peer, nowMs);
  }

  #maintainPeer(peer: ConnectedPeer, nowMs: number): void {
    const { gossipScore, report, log } = this.#dependencies;
    const { name, sinceMs, status } = peer;
    const ageMs = nowMs - sinceMs;
    if (status === null && ageMs > NETWORK_LIMITS.statusTimeoutMs) {
      report(name, "unresponsive");
      this.hangUp(name);
      return;
    }
    if (gossipScore(name) < GRAYLIST_SCORE) {
      log.info({ peer: name }, "A peer with a low gossip score was disconnected");
      this.hangUp(name);
      return;
    }
    // Its stream is reset when too much waits for a slow peer, and not opened again while the connection lasts.
    if (ageMs > NETWORK_LIMITS.unresponsiveMs && this.#isUnresponsive(name)) this.hangUp(name);
  }

  /** Ends all connections with a peer at once, whatever is under way. */
  abort(name: PeerName, why: string): void {
    for (const connection of this.#dependencies.libp2p.getConnections(peerIdFromString(name))) this.#abort(connection, why);
  }

  #abort(connection: Connection, why: string): void {
    this.#dependencies.log.info({ peer: connection.remotePeer.toString(), why }, "A peer was cut off");
    connection.abort(new CodedError("UPSTREAM_FAILED", why));
  }

  #isUnresponsive(name: PeerName): boolean {
    const connection = this.to(name);
    // Gossip does not run over relayed connections: the relay itself passes it on.
    if (connection === undefined || connection.limits !== undefined) return false;
    // A relayed peer that was met directly meanwhile has just begun to.
    if (this.#dependencies.clock.nowMs() - connection.timeline.open < NETWORK_LIMITS.unresponsiveMs) return false;
    const streams = this.#dependencies.libp2p.getConnections(connection.remotePeer).flatMap((each) => each.streams);
    return !streams.some(({ direction, protocol, writeStatus }) => {
      return direction === "outbound" && protocol.startsWith(GOSSIP_PROTOCOL) && writeStatus === "writable";
    });
  }

  #opened({ remotePeer, remoteAddr, direct, direction }: Connection): void {
    if (!direct) return;
    const name = remotePeer.toString();
    this.#addresses.set(name, remoteAddr);
    if (direction === "outbound") this.#dependencies.memory.reached(name, remoteAddr);
  }

  #lastUseMs(name: PeerName): number {
    const useful = this.registry.get(name)?.useful;
    return useful === undefined ? Number.NEGATIVE_INFINITY : Math.max(useful.blocks, useful.tx);
  }

  #worthOf({ remotePeer, timeline }: Connection): PeerWorth {
    const { clock, admission } = this.#dependencies;
    const name = remotePeer.toString();
    const peer = this.registry.get(name);
    return {
      // The library's times are those of the wall clock.
      connectedAtMs: peer?.sinceMs ?? clock.monotonicMs() - (clock.nowMs() - timeline.open),
      latencyMs: this.#latency.of(name),
      lastBlockMs: peer?.useful.blocks ?? Number.NEGATIVE_INFINITY,
      lastTransactionMs: peer?.useful.tx ?? Number.NEGATIVE_INFINITY,
      lastEnvelopeMs: peer?.useful.relay ?? Number.NEGATIVE_INFINITY,
      isReady: peer?.status !== null && peer !== undefined,
      score: admission.scores.score(name),
    };
  }

  /** The library remembers every peer that it has met or heard of for hours; any number of peer ids costs nothing. */
  async #prunePeerStore(): Promise<void> {
    const { libp2p, admission } = this.#dependencies;
    const known = await libp2p.peerStore.all();
    const needless = known.filter(
      ({ id }) => !id.equals(libp2p.peerId) && !admission.isExempt(id.toString()) && libp2p.getConnections(id).length === 0,
    );
    const tooMany = known.length - PEER_LIMITS.peerStoreEntries;
    for (const { id } of needless.slice(0, Math.max(0, tooMany))) await libp2p.peerStore.delete(id);
  }

  #connected(id: PeerId): void {
    const { clock, onConnect } = this.#dependencies;
    const name = id.toString();
    if (this.registry.get(name) !== undefined) return;
    onConnect(this.registry.add(id, { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() }));
  }

  #disconnected(name: PeerName): void {
    const peer = this.registry.get(name);
    if (peer === undefined) return;
    this.registry.remove(name);
    this.#dependencies.onDisconnect(name);
  }

  #targets(): readonly DialTarget[] {
    const { bootstrap, validators, libp2p, admission } = this.#dependencies;
    const own = libp2p.peerId.toString();
    const names = new Set([...bootstrap.keys(), ...validators.others]);
    return [...names]
      .filter((name) => name !== own && !admission.scores.isBanned(name))
      .map((name) => ({ name, isConnected: () => this.registry.get(name) !== undefined, dial: () => this.#dial(name) }));
  }

  async #dial(name: PeerName): Promise<unknown> {
    const { bootstrap, libp2p } = this.#dependencies;
    const inTime = (): AbortSignal => AbortSignal.timeout(NETWORK_LIMITS.dialTimeoutMs);
    const addresses = bootstrap.get(name);
    if (addresses !== undefined) return await libp2p.dial([...addresses], { signal: inTime() });
    try {
      return await libp2p.dial(peerIdFromString(name), { signal: inTime() });
    } catch (error) {
      const circuits = this.#circuitsTo(name);
      if (circuits.length === 0) throw error;
      return await libp2p.dial(circuits, { signal: inTime() });
    }
  }

  /** Ways to a peer whose address is unknown: behind a router it may have a reservation at a node that both know. */
  #circuitsTo(name: PeerName): Multiaddr[] {
    const known = [...this.#dependencies.bootstrap.keys()].flatMap((relay) => this.to(relay) ?? []);
    return known.filter(({ direct }) => direct).map(({ remoteAddr }) => remoteAddr.encapsulate(`/p2p-circuit/p2p/${name}`));
  }
}

/** Ends a connection in order, or at once when the peer does not take part in that. */
function endConnection(connection: Connection, why: string): void {
  void connection.close().catch(() => connection.abort(new CodedError("UPSTREAM_FAILED", why)));
}
