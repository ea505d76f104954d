// The distributed table of peers' addresses (Kademlia), with bounds that the library does not have: it stores no records, reads no message
// beyond what one needs, answers a peer at a bounded rate, keeps no connection alive, and remembers who reported an address.
import { type Connection, KEEP_ALIVE, type PeerId, type PeerInfo, type PeerStore, type Stream } from "@libp2p/interface";
import { type KadDHT, type KadDHTComponents, kadDHT } from "@libp2p/kad-dht";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LRUCache } from "lru-cache";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { KADEMLIA_LIMITS, PEER_LIMITS } from "../peer-limits.ts";
import { dropStream } from "../wire/frames.ts";
import { type Lookup, pacedLookups } from "./paced-lookups.ts";

export interface KademliaOptions {
  readonly protocol: string;
  /** True for a node that cannot respond to the lookups of others. */
  readonly isClient: boolean;
  readonly mayDial: (address: Multiaddr) => boolean;
  /** A peer reported the addresses of another one. */
  readonly learn: (peer: string, addresses: readonly Multiaddr[], from: Multiaddr | undefined) => void;
  readonly clock: Clock;
}

type Registrar = KadDHTComponents["registrar"];
type ConnectionManager = KadDHTComponents["connectionManager"];

interface Events {
  sendRequest(to: PeerId, ...rest: readonly unknown[]): AsyncIterable<{ readonly name: string; readonly closer?: readonly PeerInfo[] }>;
}

/** The service. */
export function createKademlia(components: KadDHTComponents, options: KademliaOptions): KadDHT {
  const { registrar, connectionManager, peerStore } = components;
  const bounded = Object.create(components, {
    registrar: { value: boundedRegistrar(registrar, options.clock) },
    connectionManager: { value: boundedManager(connectionManager) },
    peerStore: { value: withoutKeepAlive(peerStore) },
  }) as KadDHTComponents;
  // Only addresses that this node would dial itself are passed on.
  const peerInfoMapper = (peer: PeerInfo): PeerInfo => ({ ...peer, multiaddrs: peer.multiaddrs.filter(options.mayDial) });
  const init = { protocol: options.protocol, peerInfoMapper, clientMode: options.isClient };
  const kademlia = kadDHT({ ...init, validators: { pk: refuseRecord } })(bounded);
  refuseRecords(kademlia);
  paceWalks(kademlia, options.clock);
  learnFrom(kademlia, (peer, from) => {
    const [connection] = connectionManager.getConnections(from);
    options.learn(peer.id.toString(), peer.multiaddrs, connection?.remoteAddr);
  });
  return kademlia;
}

/** The table is for addresses of peers: whatever else strangers put into it would only fill this node's memory. */
function refuseRecord(): never {
  throw new CodedError("BAD_REQUEST", "This node stores no records");
}

function refuseRecords(kademlia: KadDHT): void {
  const { providers } = kademlia as unknown as { readonly providers: { addProvider: () => Promise<void> } };
  providers.addProvider = (): Promise<void> => Promise.resolve();
}

function paceWalks(kademlia: KadDHT, clock: Clock): void {
  const { dhtPeerRouting } = kademlia as unknown as { readonly dhtPeerRouting: { getClosestPeers: Lookup } };
  const lookup = dhtPeerRouting.getClosestPeers.bind(dhtPeerRouting);
  dhtPeerRouting.getClosestPeers = pacedLookups(lookup, KADEMLIA_LIMITS.walks, clock);
}

function learnFrom(kademlia: KadDHT, onPeer: (peer: PeerInfo, from: PeerId) => void): void {
  const { network } = kademlia as unknown as { readonly network: Events };
  const send = network.sendRequest.bind(network);
  network.sendRequest = async function* (to, ...rest): ReturnType<Events["sendRequest"]> {
    for await (const event of send(to, ...rest)) {
      for (const peer of (event.closer ?? []).slice(0, PEER_LIMITS.addressesPerReport)) onPeer(peer, to);
      yield event;
    }
  };
}

function boundedRegistrar(registrar: Registrar, clock: Clock): Registrar {
  const buckets = new LRUCache<string, TokenBucket>({ max: PEER_LIMITS.peerStoreEntries });
  const isInRate = (peer: string): boolean => {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(peer) ?? new TokenBucket(KADEMLIA_LIMITS.requests, nowMs);
    buckets.set(peer, bucket);
    return bucket.take(1, nowMs);
  };
  const handle: Registrar["handle"] = (protocol, handler, options) => {
    // The library takes care of a promise that is rejected when the stream ends.
    const respond = async (stream: Stream, connection: Connection): Promise<void> => {
      if (!isInRate(connection.remotePeer.toString())) {
        dropStream(stream, "The peer asks too much");
        return;
      }
      boundBytes(stream, KADEMLIA_LIMITS.requestBytes);
      await handler(stream, connection);
    };
    return registrar.handle(protocol, respond, options);
  };
  return Object.create(registrar, { handle: { value: handle } }) as Registrar;
}

function boundedManager(manager: ConnectionManager): ConnectionManager {
  const openStream: ConnectionManager["openStream"] = async (...args) => {
    const stream = await manager.openStream(...args);
    boundBytes(stream, KADEMLIA_LIMITS.responseBytes);
    return stream;
  };
  return Object.create(manager, { openStream: { value: openStream } }) as ConnectionManager;
}

/** Ends a stream that brings more. The listener comes first, so that no other one sees what is too much. */
function boundBytes(stream: Stream, maxBytes: number): void {
  let bytes = 0;
  stream.addEventListener("message", (event) => {
    bytes += event.data.byteLength;
    if (bytes <= maxBytes) return;
    event.stopImmediatePropagation();
    dropStream(stream, "The peer sends too much");
  });
}

/**
 * The same peers, and every tag but those that keep a connection alive: the library dials such a peer again at once when a connection to it
 * ends. One that refuses this node ends each after the handshake, so this node would dial it without a pause. Which peers are dialled again,
 * and when, is for the Redialer.
 */
export function withoutKeepAlive(peers: PeerStore): PeerStore {
  const merge: PeerStore["merge"] = (peer, data, options) => peers.merge(peer, { ...data, ...tagsOf(data) }, options);
  return new Proxy(peers, {
    get(target, name): unknown {
      if (name === "merge") return merge;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function tagsOf({ tags }: Parameters<PeerStore["merge"]>[1]): Pick<Parameters<PeerStore["merge"]>[1], "tags"> {
  return tags === undefined ? {} : { tags: Object.fromEntries(Object.entries(tags).filter(([name]) => !name.startsWith(KEEP_ALIVE))) };
}
