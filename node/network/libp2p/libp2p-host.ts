// The libp2p node: transports, discovery and services with this network's names and limits.
import { autoNAT } from "@libp2p/autonat";
import { circuitRelayServer } from "@libp2p/circuit-relay-v2";
import { type GossipSub, gossipsub, StrictNoSign } from "@libp2p/gossipsub";
import { createPeerScoreThresholds } from "@libp2p/gossipsub/score";
import { identify } from "@libp2p/identify";
import type { ConnectionGater, Libp2p, PeerDiscovery, PeerId, Transport } from "@libp2p/interface";
import type { KadDHT } from "@libp2p/kad-dht";
import { type MulticastDNSComponents, mdns } from "@libp2p/mdns";
import { noise } from "@libp2p/noise";
import { type Ping, ping } from "@libp2p/ping";
import type { Multiaddr } from "@multiformats/multiaddr";
import { createLibp2p, type Libp2pOptions, type ServiceFactoryMap } from "libp2p";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { DialPolicy } from "../addresses/dial-policy.ts";
import { createRecordResolver } from "../addresses/guarded-lookup.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { NetworkOptions } from "../network-options.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import { libp2pKey, peerNameOf } from "../peer-name.ts";
import type { PeerName } from "../peer-network.ts";
import type { PeerMemory } from "../peers/peer-memory.ts";
import type { ProtocolNames } from "../protocol-names.ts";
import { type CircuitTransport, createCircuitTransport } from "./circuit-transport.ts";
import { DialRate } from "./dial-rate.ts";
import type { ValidatingPubSub } from "./gossip.ts";
import { createGossipScores } from "./gossip-scores.ts";
import { guardedTcp } from "./guarded-transport.ts";
import { createHolePunching, type HolePunching } from "./hole-punching.ts";
import { createKademlia } from "./kademlia.ts";
import { createNoiseCrypto } from "./noise-crypto.ts";
import { createMuxerFactory } from "./stream-muxer.ts";
import { withWholeFrames } from "./whole-frames.ts";

/** What the node gives its libp2p. */
export interface HostDependencies {
  readonly options: NetworkOptions;
  readonly names: ProtocolNames;
  readonly gate: ConnectionGater;
  readonly policy: DialPolicy;
  /** Learns addresses that the library finds. */
  readonly memory: Pick<PeerMemory, "learn">;
  /** The node's own score of a peer, at most 0. */
  readonly scoreOf: (peer: PeerName) => number;
}

/** A libp2p node that is not started yet. */
export interface Host {
  readonly libp2p: Libp2p;
  readonly pubsub: ValidatingPubSub & { readonly score: { score(peer: PeerName): number } };
  /** Round-trip time, ms. Rejects when the peer does not respond in time. */
  ping(peer: PeerId): Promise<number>;
  /** Undefined when the node asks no one to relay for it. */
  readonly circuit: CircuitTransport | undefined;
  /** Listens. @throws Error when it cannot. */
  start(): Promise<void>;
}

/** Services by the names under which they find each other. */
interface HostServices extends Record<string, unknown> {
  readonly ping: Ping;
  readonly pubsub: GossipSub;
}

/** Bytes of a message's id: the front of the SHA-256 of its content. */
const MESSAGE_ID_BYTES = 20;

/** Time for a peer to send what it announced, ms. */
const IWANT_FOLLOWUP_MS = 12_000;

/** A peer's id names only topics that exist, a message only a few of them. */
const SUBSCRIPTIONS_PER_MESSAGE = 64;

/** Announcements and requests of one kind: a few for each topic. Each may name thousands of messages. */
const CONTROLS_PER_MESSAGE = 32;

/** Makes a libp2p node. */
export async function createHost(dependencies: HostDependencies): Promise<Host> {
  let circuit: (Transport & CircuitTransport) | undefined;
  const punching = dependencies.options.relay === "use" ? await createHolePunching() : undefined;
  let listening = (): readonly Multiaddr[] => [];
  const { options, names, gate, policy } = dependencies;
  const rate = new DialRate(() => performance.now());
  const configuration: Libp2pOptions<HostServices> = {
    privateKey: libp2pKey(options.nodeKey),
    nodeInfo: { name: "parley", version: options.versions.version, userAgent: `parley/${options.versions.version}` },
    addresses: { listen: listenAddresses(options), announce: [...options.announce] },
    connectionGater: gate,
    transports: [
      (components): Transport => guardedTcp(components, { policy, punching, rate }),
      (components): Transport => {
        listening = (): readonly Multiaddr[] => components.transportManager.getAddrs();
        circuit = createCircuitTransport(components);
        return circuit;
      },
    ],
    connectionEncrypters: [noise({ crypto: createNoiseCrypto() })],
    streamMuxers: [createMuxerFactory],
    peerDiscovery: options.usesMdns ? [localDiscovery(names.mdns, policy)] : [],
    // Of what peers report only addresses are remembered that this node would dial.
    peerStore: {
      addressFilter: (peer, address): boolean => peer.toString() === peerNameOf(options.nodeKey.publicKey) || policy.mayDial(address),
    },
    // It would abort connections to peers that are busy; the network has a watch of its own.
    connectionMonitor: { enabled: false },
    connectionManager: {
      maxConnections: NETWORK_LIMITS.inboundConnections + NETWORK_LIMITS.outboundConnections + NETWORK_LIMITS.exemptConnections,
      // The gate has a rate of its own, for addresses that stand for one party.
      inboundConnectionThreshold: PEER_LIMITS.localConnectionsPerSecond,
      // The gate has a limit of its own; sockets that it ended may still be counted here for a moment.
      maxIncomingPendingConnections: 8 * NETWORK_LIMITS.pendingInboundConnections,
      inboundUpgradeTimeout: PEER_LIMITS.handshakeTimeoutMs,
      dialTimeout: NETWORK_LIMITS.dialTimeoutMs,
      reconnectRetries: 0,
      resolvers: { dnsaddr: createRecordResolver(policy) },
    },
    services: servicesOf(dependencies, punching),
  };
  // Protocols are registered before any peer can connect: a peer that asks too early would take this node for another kind.
  const libp2p = await createLibp2p({ ...configuration, start: false });
  punching?.watch(libp2p);
  return {
    libp2p,
    pubsub: libp2p.services.pubsub as unknown as Host["pubsub"],
    circuit: options.relay === "use" ? circuit : undefined,
    ping: (peer) => libp2p.services.ping.ping(peer, { signal: AbortSignal.timeout(NETWORK_LIMITS.pingIntervalMs) }),
    async start(): Promise<void> {
      await libp2p.start();
      // Waiting for a relay counts as listening: a port that is taken must not pass unnoticed.
      if (options.listen === undefined || listening().some((address) => !address.toString().includes("/p2p-circuit"))) return;
      throw new Error(`EADDRINUSE ${tcpMultiaddress(options.listen)}`);
    },
  };
}

/** Multiaddress of a host and port. */
export function tcpMultiaddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const kind = host.includes(":") ? "ip6" : /^[\d.]+$/.test(host) ? "ip4" : "dns";
  return `/${kind}/${host}/tcp/${port}`;
}

function listenAddresses({ listen, relay }: NetworkOptions): string[] {
  const addresses = listen === undefined ? [] : [tcpMultiaddress(listen)];
  // All interfaces are those of both families.
  if (listen?.host === "::") addresses.push(tcpMultiaddress({ host: "0.0.0.0", port: listen.port }));
  if (relay === "use") addresses.push("/p2p-circuit");
  return addresses;
}

/** Discovery on the local network, where peers may have private addresses. */
function localDiscovery(serviceTag: string, policy: DialPolicy): (components: MulticastDNSComponents) => PeerDiscovery {
  return (components) => {
    const discovery = mdns({ serviceTag })(components);
    discovery.addEventListener("peer", ({ detail }) => {
      for (const address of detail.multiaddrs) policy.learnLocal(address);
    });
    return discovery;
  };
}

function servicesOf(dependencies: HostDependencies, punching: HolePunching | undefined): ServiceFactoryMap<HostServices> {
  const { options, names, policy, memory } = dependencies;
  const protocolPrefix = names.prefix;
  return {
    identify: identify({ protocolPrefix }),
    ping: ping({ protocolPrefix, runOnLimitedConnection: true }),
    autoNat: autoNAT({ protocolPrefix }),
    pubsub: (components): GossipSub => gossipsub(gossipOptions(dependencies))(withWholeFrames(components)) as GossipSub,
    kademlia: (components): KadDHT =>
      createKademlia(components, {
        protocol: names.kademlia,
        isClient: options.relay === "use",
        mayDial: (address) => policy.mayDial(address),
        learn: (...report) => memory.learn(...report),
        clock: options.clock,
      }),
    ...(punching === undefined ? {} : { holePunching: (components): unknown => punching.service(components) }),
    ...(options.relay === "offer"
      ? {
          relay: circuitRelayServer({
            reservations: {
              maxReservations: NETWORK_LIMITS.relayReservations,
              defaultDurationLimit: NETWORK_LIMITS.relayDurationMs,
              defaultDataLimit: BigInt(NETWORK_LIMITS.relayBytes),
            },
          }),
        }
      : {}),
  };
}

function gossipOptions({ names, scoreOf, options: { limitsLocal = false } }: HostDependencies): Parameters<typeof gossipsub>[0] {
  return {
    globalSignaturePolicy: StrictNoSign,
    asyncValidation: true,
    floodPublish: true,
    batchPublish: true,
    allowPublishToZeroTopicPeers: true,
    ignoreDuplicatePublishError: true,
    fallbackToFloodsub: false,
    emitSelf: false,
    doPX: false,
    msgIdFn: (message) => nativeSha256(message.data).subarray(0, MESSAGE_ID_BYTES),
    allowedTopics: Object.values(names.topics),
    // One transmission may hold several messages that were asked for.
    maxInboundDataLength: NETWORK_LIMITS.gossipBufferBytes,
    // A busy peer responds late; Lodestar waits as long.
    gossipsubIWantFollowupMs: IWANT_FOLLOWUP_MS,
    maxOutboundBufferSize: NETWORK_LIMITS.gossipBufferBytes,
    decodeRpcLimits: {
      maxSubscriptions: SUBSCRIPTIONS_PER_MESSAGE,
      maxMessages: 5_000,
      maxIhaveMessageIDs: 5_000,
      maxIwantMessageIDs: 5_000,
      maxControlMessages: CONTROLS_PER_MESSAGE,
      maxIdontwantMessageIDs: 512,
      maxPeerInfos: 16,
    },
    scoreParams: createGossipScores({ topics: Object.values(names.topics), scoreOf, limitsLocal }),
    scoreThresholds: createPeerScoreThresholds({}),
  };
}

/** Why the host could not start, in words. */
export function listenError({ listen }: NetworkOptions, cause: unknown): CodedError {
  const where = listen === undefined ? "" : tcpMultiaddress(listen);
  const isTaken = /EADDRINUSE/.test(String(cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : cause));
  return isTaken
    ? new CodedError("ADDRESS_IN_USE", `The port of ${where} is taken by another program: choose another with --p2p-addr`, { cause })
    : new CodedError("CONFIG_INVALID", `The node cannot listen for peers on ${where}`, { cause });
}
