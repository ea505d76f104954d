// A wire between two programs on this machine that can be cut: a TCP proxy that drops its connections and takes no new ones.
import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";

/** One direction of dialling: connections to `port` are passed on to the target. */
export class LinkProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #bytes = 0;

  constructor(targetPort: number) {
    this.#server = createServer((inbound) => {
      if (this.#isCut) {
        inbound.destroy();
        return;
      }
      const outbound = createConnection(targetPort, "127.0.0.1");
      for (const [socket, other] of [
        [inbound, outbound],
        [outbound, inbound],
      ] as const) {
        this.#sockets.add(socket);
        socket.setNoDelay(true);
        socket.on("data", ({ length }) => {
          this.#bytes += length;
        });
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }

  /** Port to dial; call {@link LinkProxy.listen} first. */
  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy does not listen");
    return address.port;
  }

  /** Bytes that passed so far, both ways. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True while connections pass. */
  get isUp(): boolean {
    return !this.#isCut;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** Cuts the wire, or mends it. */
  setCut(isCut: boolean): void {
    this.#isCut = isCut;
    if (isCut) for (const socket of [...this.#sockets]) socket.destroy();
  }

  async close(): Promise<void> {
    this.setCut(true);
    this.#server.close();
    await once(this.#server, "close");
  }
}
