// Slots for connections that others open: a share for each address and subnet, and room for a newcomer while one of them is worth less.
import type { Connection } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { sourceOf } from "../addresses/peer-source.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";
import type { PeerName } from "../peer-network.ts";
import { type EvictionCandidate, type EvictionContext, selectEviction, selectUseless } from "./eviction.ts";

/** What is known of the worth of a peer. */
export type PeerWorth = Omit<EvictionCandidate, "id" | "group">;

export interface InboundSlotsDependencies {
  /** All connections of the node. */
  readonly connections: () => readonly Connection[];
  /** Peers that take no slot. */
  readonly isExempt: (peer: PeerName) => boolean;
  readonly worthOf: (connection: Connection) => PeerWorth;
  readonly context: () => EvictionContext;
  /** Whether shares apply to addresses that are not public. */
  readonly limitsLocal: boolean;
  readonly end: (connection: Connection, why: string) => void;
}

/** What shares are counted by. */
export interface SlotSource {
  readonly host: string;
  readonly subnet: string;
  readonly isLimited: boolean;
}

/** Decides who is let in. */
export class InboundSlots {
  readonly #dependencies: InboundSlotsDependencies;
  readonly #ending = new WeakSet<Connection>();
  #evictions = 0;
  #refusals = 0;

  constructor(dependencies: InboundSlotsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Connections that had to make room, and those for which there was none. */
  get figures(): { readonly evictions: number; readonly refusals: number } {
    return { evictions: this.#evictions, refusals: this.#refusals };
  }

  /** Inbound connections that take slots, oldest first. */
  taken(): readonly Connection[] {
    const { connections, isExempt } = this.#dependencies;
    return connections()
      .filter((each) => each.direction === "inbound" && !this.#ending.has(each) && !isExempt(each.remotePeer.toString()))
      .sort((a, b) => a.timeline.open - b.timeline.open);
  }

  /** Makes room for a connection; false when there is none. */
  admit(peer: PeerName, address: Multiaddr): boolean {
    const isAdmitted = this.#makeRoom(peer, address);
    if (!isAdmitted) this.#refusals += 1;
    return isAdmitted;
  }

  /** A peer that takes no slot has a few connections too, each of which may hold memory: beyond them its oldest one goes. */
  admitExempt(peer: PeerName): void {
    const own = this.#dependencies
      .connections()
      .filter((each) => each.direction === "inbound" && !this.#ending.has(each) && each.remotePeer.toString() === peer)
      .sort((a, b) => a.timeline.open - b.timeline.open);
    const [oldest] = own;
    if (own.length >= PEER_LIMITS.inboundPerExempt && oldest !== undefined) this.#end(oldest, "The peer connected again");
  }

  /** Ends connections beyond the limit: some may have come at the same moment. */
  maintain(): void {
    const tooMany = this.taken().length - NETWORK_LIMITS.inboundConnections;
    for (let n = 0; n < tooMany; n += 1) if (!this.#evictOneOf(this.taken())) return;
  }

  #makeRoom(peer: PeerName, address: Multiaddr): boolean {
    const taken = this.taken();
    const own = taken.filter((each) => each.remotePeer.toString() === peer);
    // What is left of an earlier connection may look open for long.
    const [oldest] = own;
    if (own.length >= PEER_LIMITS.inboundPerPeer && oldest !== undefined) {
      this.#end(oldest, "The peer connected again");
      return true;
    }
    const { limitsLocal } = this.#dependencies;
    const source = slotSourceOf(address, limitsLocal);
    const sharesWith = (isSame: (other: SlotSource) => boolean): readonly Connection[] =>
      this.taken().filter((each) => isSame(slotSourceOf(each.remoteAddr, limitsLocal)));
    if (source.isLimited) {
      const host = sharesWith((other) => other.host === source.host);
      if (host.length >= PEER_LIMITS.inboundPerHost && !this.#evictOneOf(host, selectUseless)) return false;
      const subnet = sharesWith((other) => other.subnet === source.subnet);
      if (subnet.length >= PEER_LIMITS.inboundPerSubnet && !this.#evictOneOf(subnet)) return false;
    }
    const all = this.taken();
    return all.length < NETWORK_LIMITS.inboundConnections || this.#evictOneOf(all);
  }

  #evictOneOf(connections: readonly Connection[], select = selectEviction): boolean {
    const { worthOf, context, limitsLocal } = this.#dependencies;
    const candidates = connections.map((connection) => {
      const { subnet } = slotSourceOf(connection.remoteAddr, limitsLocal);
      return { connection, ...worthOf(connection), id: connection.id, group: subnet };
    });
    const chosen = select(candidates, context());
    const found = candidates.find(({ id }) => id === chosen?.id);
    if (found === undefined) return false;
    this.#evictions += 1;
    this.#end(found.connection, "Another peer needs the slot");
    return true;
  }

  #end(connection: Connection, why: string): void {
    this.#ending.add(connection);
    this.#dependencies.end(connection, why);
  }
}

/** Source of a connection: its relay where it comes through one, and a machine by itself where addresses are not public. */
export function slotSourceOf(address: Multiaddr, limitsLocal: boolean): SlotSource {
  const source = sourceOf(address);
  if (source === undefined) {
    const relay = address.toString().split("/p2p-circuit")[0] ?? "";
    return { host: relay, subnet: relay, isLimited: false };
  }
  const { host, subnet, isLocal } = source;
  return isLocal && !limitsLocal ? { host, subnet: host, isLimited: false } : { host, subnet, isLimited: true };
}
