// How many sockets are open: in all, and of each connection once a request has shown its token. A newcomer gets the place of the one that
// has been idle for longest.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many there may be. */
export interface SocketLimits {
  readonly sockets: number;
  readonly socketsPerConnection: number;
}

interface OpenSocket {
  /** Name under which the rate of a socket without a connection counts. */
  readonly name: string;
  connection: string | undefined;
  /** Requests that are being answered. */
  underWay: number;
  /** Its connection has ended: it closes with the last response. */
  isEnding: boolean;
}

/** The sockets of one server. */
export class OpenSockets {
  readonly #limits: SocketLimits;
  /** The one that did something last is at the end. */
  readonly #open = new Map<Socket, OpenSocket>();
  #lastName = 0;

  /** Counts from now on. Must be called before the server listens. */
  constructor(server: Server, limits: SocketLimits) {
    this.#limits = limits;
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#change(socket, 1);
      response.once("close", () => this.#change(socket, -1));
    });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Name of a socket. */
  nameOf(socket: Socket): string {
    return this.#open.get(socket)?.name ?? "";
  }

  /** A request of a socket has shown the token of a connection: false when the connection has its share of sockets. */
  claim(socket: Socket, connection: string): boolean {
    const open = this.#open.get(socket);
    if (open === undefined || open.connection === connection) return true;
    const others = [...this.#open.values()].filter((other) => other.connection === connection).length;
    if (others >= this.#limits.socketsPerConnection) return false;
    open.connection = connection;
    return true;
  }

  /** Ends all sockets of a connection; the response to what ended it still arrives. */
  end(connection: string): void {
    for (const [socket, open] of this.#open) {
      if (open.connection !== connection) continue;
      open.isEnding = true;
      if (open.underWay === 0) socket.destroy();
    }
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limits.sockets && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    this.#lastName += 1;
    this.#open.set(socket, { name: `socket ${this.#lastName}`, connection: undefined, underWay: 0, isEnding: false });
    socket.once("close", () => this.#open.delete(socket));
  }

  #change(socket: Socket, by: number): void {
    const open = this.#open.get(socket);
    if (open === undefined) return;
    open.underWay += by;
    if (open.isEnding && open.underWay === 0) socket.destroySoon();
    this.#open.delete(socket);
    this.#open.set(socket, open);
  }

  /** Of those that do nothing, one that has shown no token goes first. */
  #makeRoom(): boolean {
    const idle = [...this.#open].filter(([, { underWay }]) => underWay === 0);
    const [victim] = idle.find(([, { connection }]) => connection === undefined) ?? idle[0] ?? [];
    if (victim === undefined) return false;
    this.#open.delete(victim);
    victim.destroy();
    return true;
  }
}
