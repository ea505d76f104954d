// Which connections are let in and out: none of banned peers and addresses, a bounded number of others, always validators and peers that the
// operator named.
import type { ConnectionGater, MultiaddrConnection, PeerId } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LRUCache } from "lru-cache";
import type { Clock } from "#shared/util/clock.ts";
import { type PeerSource, sourceOf } from "../addresses/peer-source.ts";
import type { InboundMeter, MeteredConnection } from "../flow/inbound-meter.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { PeerName } from "../peer-network.ts";
import type { HandshakePacer } from "./handshake-pacer.ts";
import { type SlotSource, slotSourceOf } from "./inbound-slots.ts";
import type { PendingSockets } from "./pending-sockets.ts";

/** What the gate decides by. */
export interface ConnectionGateDependencies {
  readonly isBanned: (peer: PeerName) => boolean;
  readonly isSourceBanned: (source: PeerSource) => boolean;
  /** Validators, bootstrap and reserved peers. */
  readonly isExempt: (peer: PeerName) => boolean;
  readonly mayDial: (address: Multiaddr) => boolean;
  readonly pending: PendingSockets;
  readonly pacer: HandshakePacer;
  readonly meter: InboundMeter;
  /** Whether the shares of addresses apply to those that are not public. */
  readonly limitsLocal: boolean;
  /** Makes room for a connection; false when there is none. */
  readonly admit: (peer: PeerName, address: Multiaddr) => boolean;
  /** Makes room among the connections of a peer that takes no slot. */
  readonly admitExempt: (peer: PeerName) => void;
  readonly clock: Clock;
}

/** The gate as libp2p asks it. */
export function createConnectionGate(dependencies: ConnectionGateDependencies): ConnectionGater {
  const { isBanned, isSourceBanned, isExempt, mayDial, pending, pacer, meter, limitsLocal, admit, admitExempt } = dependencies;
  const isOnProbation = createProbation(dependencies);
  const isInRate = createRateLimit(dependencies);
  const isRefused = (peer: PeerId, { remoteAddr }: MultiaddrConnection): boolean => {
    const name = peer.toString();
    const source = sourceOf(remoteAddr);
    return isBanned(name) || (source !== undefined && isSourceBanned(source) && !isExempt(name));
  };
  return {
    denyDialPeer: (peer) => isBanned(peer.toString()),
    denyDialMultiaddr: (address) => !mayDial(address),
    denyOutboundEncryptedConnection: (peer, socket): boolean => {
      if (isRefused(peer, socket)) return true;
      const { host, isLimited } = slotSourceOf(socket.remoteAddr, limitsLocal);
      if (isLimited) meter.add(metered(socket), host, peer.toString());
      return false;
    },
    denyInboundConnection: (socket): boolean | Promise<boolean> => {
      const source = sourceOf(socket.remoteAddr);
      const slotSource = slotSourceOf(socket.remoteAddr, limitsLocal);
      // Who a peer is shows only after a handshake, which costs work.
      if (source !== undefined && isSourceBanned(source) && !isOnProbation(source.host)) return true;
      if (slotSource.isLimited && !isInRate(slotSource)) return true;
      pending.add(socket, slotSource);
      if (!slotSource.isLimited) return false;
      meter.add(metered(socket), slotSource.host);
      return pacer.deny(socket, slotSource.host);
    },
    denyInboundEncryptedConnection: (peer, socket): boolean => {
      if (isRefused(peer, socket)) return true;
      meter.identify(metered(socket), peer.toString());
      if (isExempt(peer.toString())) pacer.know(slotSourceOf(socket.remoteAddr, limitsLocal).host);
      return false;
    },
    denyInboundUpgradedConnection: (peer, socket): boolean => {
      pending.done(socket);
      const name = peer.toString();
      if (!isExempt(name)) return !admit(name, socket.remoteAddr);
      admitExempt(name);
      return false;
    },
    denyInboundRelayedConnection: (_relay, peer) => isBanned(peer.toString()),
  };
}

/** The library's interface does not name the socket. */
function metered(socket: MultiaddrConnection): MeteredConnection {
  return socket as unknown as MeteredConnection;
}

/** True while an address, and its subnet, open no more connections than one may. */
function createRateLimit({ clock }: ConnectionGateDependencies): (source: SlotSource) => boolean {
  const limitOf = (perSecond: number): ((name: string) => boolean) => {
    const buckets = new LRUCache<string, TokenBucket>({ max: PEER_LIMITS.probationEntries });
    return (name) => {
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(name) ?? new TokenBucket({ perSecond, burst: perSecond }, nowMs);
      buckets.set(name, bucket);
      return bucket.take(1, nowMs);
    };
  };
  const ofHost = limitOf(NETWORK_LIMITS.inboundConnectionsPerSecond);
  const ofSubnet = limitOf(NETWORK_LIMITS.subnetConnectionsPerSecond);
  return ({ host, subnet }) => ofHost(host) && ofSubnet(subnet);
}

/** True now and then for the same address. */
function createProbation({ clock }: ConnectionGateDependencies): (host: string) => boolean {
  const triedAtMs = new LRUCache<string, number>({ max: PEER_LIMITS.probationEntries });
  return (host) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (triedAtMs.get(host) ?? Number.NEGATIVE_INFINITY) < PEER_LIMITS.probationMs) return false;
    triedAtMs.set(host, nowMs);
    return true;
  };
}
