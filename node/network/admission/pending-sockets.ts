// Sockets that have not ended their handshake. Anyone can open many and say nothing; a newcomer displaces the oldest of those who have most,
// first one that has sent nothing yet. An honest handshake begins at once, and is over long before it is the oldest.
import { CodedError } from "#shared/errors/coded-error.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";

/** A socket before it is a connection. */
export interface PendingSocket {
  /** The system's socket, a member of the library's that its interface does not name. */
  readonly socket?: { readonly bytesRead: number };
  abort(error: Error): void;
  addEventListener(event: "close", listener: () => void): void;
}

/** What a socket counts with. */
export interface PendingSource {
  readonly host: string;
  readonly subnet: string;
  /** Whether the shares of an address and a subnet apply. */
  readonly isLimited: boolean;
}

/** Sockets by their age. */
export class PendingSockets {
  readonly #sockets = new Map<PendingSocket, PendingSource>();
  #displaced = 0;

  /** Sockets that wait now. */
  get size(): number {
    return this.#sockets.size;
  }

  /** Sockets that had to make room. */
  get displaced(): number {
    return this.#displaced;
  }

  /** A socket was opened. */
  add(socket: PendingSocket, source: PendingSource): void {
    this.#sockets.set(socket, source);
    socket.addEventListener("close", () => this.done(socket));
    if (source.isLimited) {
      this.#keep(PEER_LIMITS.pendingPerHost, ({ host }) => host === source.host);
      this.#keep(PEER_LIMITS.pendingPerSubnet, ({ subnet }) => subnet === source.subnet);
    }
    if (this.#sockets.size <= NETWORK_LIMITS.pendingInboundConnections) return;
    const crowded = this.#mostCrowded();
    this.#displace(({ host }) => host === crowded);
  }

  /** The handshake ended, or the socket did. */
  done(socket: PendingSocket): void {
    this.#sockets.delete(socket);
  }

  #keep(count: number, isOf: (source: PendingSource) => boolean): void {
    const own = [...this.#sockets.values()].filter(isOf);
    if (own.length > count) this.#displace(isOf);
  }

  #displace(isOf: (source: PendingSource) => boolean): void {
    const own = [...this.#sockets].flatMap(([socket, source]) => (isOf(source) ? [socket] : []));
    const displaced = own.find(({ socket }) => socket?.bytesRead === 0) ?? own[0];
    if (displaced === undefined) return;
    this.#displaced += 1;
    this.done(displaced);
    displaced.abort(new CodedError("UPSTREAM_FAILED", "The handshake took too long while others waited"));
  }

  #mostCrowded(): string {
    const counts = new Map<string, number>();
    for (const { host } of this.#sockets.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0])[0];
  }
}
