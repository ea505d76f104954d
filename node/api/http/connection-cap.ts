// How many TCP connections are open at once: in all, from one address and from one subnet, so that one who opens more than a share keeps no
// other out. When all are taken, a newcomer gets the place of one that does nothing, or of the subnet that has far more than its own.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ResolvedApiOptions } from "../options.ts";
import { addressGroup, isLoopbackAddress, subnetGroup } from "../security/client-address.ts";

/** Connections beyond the cap that programs of this machine can still open: a user at the node reaches it. */
const LOCAL_RESERVE = 64;

type CapOptions = Pick<ResolvedApiOptions, "limits" | "limitsLoopback" | "trustedProxies">;

/** Closes connections beyond the limits as soon as they come. Must be called before the server listens. */
export function capConnections(server: Server, options: CapOptions): void {
  server.maxConnections = options.limits.tcpConnections + LOCAL_RESERVE;
  const open = new OpenConnections(options);
  server.on("connection", (socket: Socket) => open.add(socket));
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.change(socket, 1);
    response.once("close", () => open.change(socket, -1));
  });
  // It lasts: its own heartbeat ends it.
  server.on("upgrade", ({ socket }: IncomingMessage) => open.change(socket, 1));
}

interface Open {
  readonly address: string;
  readonly subnet: string;
  /** Requests that are being answered. */
  underWay: number;
}

/** Connections that do nothing among which one is chosen to make room: those that have done so for longest. */
const IDLE_CANDIDATES = 64;

/** Connections by age, and those that do nothing by how long. */
class OpenConnections {
  readonly #options: CapOptions;
  readonly #open = new Map<Socket, Open>();
  readonly #idle = new Set<Socket>();
  readonly #counts = new Map<string, number>();

  constructor(options: CapOptions) {
    this.#options = options;
  }

  add(socket: Socket): void {
    const { limits, limitsLoopback, trustedProxies } = this.#options;
    const remote = socket.remoteAddress ?? "";
    const isLocal = isLoopbackAddress(remote);
    const [address, subnet] = [addressGroup(remote), subnetGroup(remote)];
    // A proxy brings the connections of many; the limits on requests know them apart.
    const isCounted = (!isLocal || limitsLoopback) && !trustedProxies.includes(remote);
    const isOverShare = isCounted && (this.#countOf(address) >= limits.tcpPerAddress || this.#countOf(subnet) >= limits.tcpPerSubnet);
    if (isOverShare || (!isLocal && this.#open.size >= limits.tcpConnections && !this.#makeRoom(subnet))) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { address, subnet, underWay: 0 });
    this.#idle.add(socket);
    for (const group of [address, subnet]) this.#counts.set(group, this.#countOf(group) + 1);
    socket.once("close", () => this.#remove(socket));
  }

  /** A request began or ended. */
  change(socket: Socket, by: number): void {
    const known = this.#open.get(socket);
    if (known === undefined) return;
    known.underWay += by;
    this.#idle.delete(socket);
    if (known.underWay === 0) this.#idle.add(socket);
  }

  /** Ends one that does nothing, of the fullest subnet; else the oldest of one that has more than twice as many as the newcomer's. */
  #makeRoom(newcomer: string): boolean {
    const crowd = 2 * (this.#countOf(newcomer) + 1);
    const idle = this.#ofFullest(firstOf(this.#idle, IDLE_CANDIDATES), 0);
    const victim = idle ?? this.#ofFullest(this.#open.keys(), crowd);
    if (victim === undefined) return false;
    this.#remove(victim);
    victim.destroy();
    return true;
  }

  /** The first one of the subnet that has most, and more than so many. */
  #ofFullest(sockets: Iterable<Socket>, most: number): Socket | undefined {
    let chosen: Socket | undefined;
    let least = most;
    for (const socket of sockets) {
      const count = this.#countOf(this.#open.get(socket)?.subnet ?? "");
      if (count <= least) continue;
      least = count;
      chosen = socket;
    }
    return chosen;
  }

  #remove(socket: Socket): void {
    const known = this.#open.get(socket);
    if (known === undefined) return;
    this.#open.delete(socket);
    this.#idle.delete(socket);
    for (const group of [known.address, known.subnet]) {
      const left = this.#countOf(group) - 1;
      if (left > 0) this.#counts.set(group, left);
      else this.#counts.delete(group);
    }
  }

  #countOf(group: string): number {
    return this.#counts.get(group) ?? 0;
  }
}

function firstOf<T>(items: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count) break;
    first.push(item);
  }
  return first;
}
