// Keep-alive HTTP requests with little overhead of their own: the generator shares the machine with the node that it measures.
import { connect, type Socket } from "node:net";

/** Status and body of an answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface Waiting {
  readonly request: string;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: unknown) => void;
}

const HEAD_END = "\r\n\r\n";

/** Posts JSON over at most `connections` kept connections, one request at a time on each. */
export class HttpPool {
  readonly #port: number;
  readonly #waiting: Waiting[] = [];
  readonly #idle: Connection[];

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#idle = Array.from({ length: connections }, () => new Connection(port, (connection) => this.#release(connection)));
  }

  /** The answer to a request. */
  post(path: string, body: string): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n`;
    const waiting = { request: `${head}content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`, resolve, reject };
    const connection = this.#idle.pop();
    if (connection === undefined) this.#waiting.push(waiting);
    else connection.send(waiting);
    return promise;
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }

  #release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else connection.send(next);
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #onIdle: (connection: Connection) => void;
  #received = "";
  #current: Waiting | undefined;

  constructor(port: number, onIdle: (connection: Connection) => void) {
    this.#onIdle = onIdle;
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true }).setEncoding("utf8");
    this.#socket.on("data", (text: string) => this.#receive(text));
    this.#socket.on("error", (error) => this.#current?.reject(error));
    this.#socket.on("close", () => this.#current?.reject(new Error("The node closed the connection")));
  }

  send(waiting: Waiting): void {
    this.#current = waiting;
    this.#socket.write(waiting.request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    const body = this.#received.slice(headEnd + HEAD_END.length);
    // The node's answers here are ASCII, so characters are bytes.
    if (body.length < length) return;
    const current = this.#current;
    this.#received = "";
    this.#current = undefined;
    if (Number.isInteger(length)) current?.resolve({ status: Number(head.slice(9, 12)), text: body });
    else current?.reject(new Error(`The answer has no length: ${head}`));
    this.#onIdle(this);
  }
}
