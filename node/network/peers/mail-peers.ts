// Connections to keepers of mail. A node writes to keepers all over the network: it dials one when it has something for it, and keeps the
// connection while it is used. These are beyond the connections that a node has for the network's sake.
import type { Connection, Libp2p } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";
import { LRUCache } from "lru-cache";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { peerNameOf } from "../peer-name.ts";
import type { PeerName } from "../peer-network.ts";

export interface MailPeersDependencies {
  readonly libp2p: Pick<Libp2p, "dial">;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** The connection to use with a peer. */
  readonly connectionTo: (peer: PeerName) => Connection | undefined;
}

const PEER_PART = /\/p2p\/[^/]+$/;

/** Reaches keepers. */
export class MailPeers {
  readonly #dependencies: MailPeersDependencies;
  /** When each was used last, ms. */
  readonly #used = new LRUCache<PeerName, number>({ max: NETWORK_LIMITS.mailPeers.keeperConnections });
  readonly #dialling = new Map<PeerName, Promise<Connection>>();

  constructor(dependencies: MailPeersDependencies) {
    this.#dependencies = dependencies;
  }

  /** True for a keeper whose connection is in use: it does not count among those for the network. */
  isInUse(peer: PeerName): boolean {
    const usedAtMs = this.#used.peek(peer);
    return usedAtMs !== undefined && this.#dependencies.clock.monotonicMs() - usedAtMs < NETWORK_LIMITS.mailPeers.keeperIdleMs;
  }

  /** A connection to a keeper, a new one when there is none. @throws CodedError UPSTREAM_FAILED */
  async reach(target: MailTarget): Promise<Connection> {
    const name = peerNameOf(target.key);
    this.#used.set(name, this.#dependencies.clock.monotonicMs());
    const open = this.#dependencies.connectionTo(name);
    if (open !== undefined) return open;
    if (target.multiaddr === null) throw new CodedError("UPSTREAM_FAILED", `The node ${target.key} is not connected`);
    return await (this.#dialling.get(name) ?? this.#dial(name, target.multiaddr));
  }

  #dial(name: PeerName, address: string): Promise<Connection> {
    if (this.#dialling.size >= NETWORK_LIMITS.mailPeers.keeperDials)
      throw new CodedError("UPSTREAM_FAILED", "Too many keepers are dialled at once: try again in a moment");
    const dialled = this.#connect(name, address).finally(() => this.#dialling.delete(name));
    this.#dialling.set(name, dialled);
    return dialled;
  }

  async #connect(name: PeerName, address: string): Promise<Connection> {
    try {
      const dialled = multiaddr(`${address.replace(PEER_PART, "")}/p2p/${name}`);
      return await this.#dependencies.libp2p.dial(dialled, { signal: AbortSignal.timeout(NETWORK_LIMITS.dialTimeoutMs) });
    } catch (error) {
      throw new CodedError("UPSTREAM_FAILED", `The keeper ${name} cannot be reached`, { cause: error });
    }
  }
}
