// Keep-alive HTTP over a bare socket: a load generator that costs far less than the server which it loads.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Status and body of a response. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** A response that was read completely, and its length with the head. */
interface ParsedResponse extends HttpResponse {
  readonly length: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const HOST_END = Buffer.from("\r\nhost: 127.0.0.1");

/** Bytes of a request to a server of this machine. */
export function httpRequest(method: "GET" | "POST", path: string, json?: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  if (json === undefined) return Buffer.from(`${head}\r\n`);
  return Buffer.from(`${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
}

/** The first response in the bytes; undefined while a part of it is missing. @throws Error for something that is not HTTP/1.1. */
export function parseResponse(bytes: Buffer): ParsedResponse | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  if (!head.startsWith("HTTP/1.1 ")) throw new Error(`Not an answer of HTTP/1.1: ${head.slice(0, 80)}`);
  const status = Number(head.slice(9, 12));
  const start = headEnd + HEAD_END.length;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return chunkedResponse(bytes, start, status);
  const length = start + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return undefined;
  return { status, body: bytes.toString("utf8", start, length), length };
}

function chunkedResponse(bytes: Buffer, start: number, status: number): ParsedResponse | undefined {
  let body = "";
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return { status, body, length: end + 2 };
    body += bytes.toString("utf8", lineEnd + 2, end);
    at = end + 2;
  }
}

/** One connection with at most one request under way. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #port: Buffer;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = Buffer.from(`:${port}`);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("close", () => this.#waiting?.reject(new Error("The server closed the connection")));
    socket.on("error", (error) => this.#waiting?.reject(error));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new HttpConnection(socket, port);
  }

  /** Sends the bytes of {@link httpRequest}, to the port of this connection: programs of this machine name it. */
  send(request: Buffer): Promise<HttpResponse> {
    if (this.#waiting !== undefined) throw new Error("A request is under way");
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
    this.#waiting = { resolve, reject };
    const portAt = request.indexOf(HOST_END) + HOST_END.length;
    this.#socket.write(Buffer.concat([request.subarray(0, portAt), this.#port, request.subarray(portAt)]));
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    try {
      const response = parseResponse(this.#received);
      if (response === undefined) return;
      this.#received = this.#received.subarray(response.length);
      this.#waiting = undefined;
      waiting.resolve(response);
    } catch (error) {
      waiting.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Runs `work` with one connection for each of the given items, and closes them. */
export async function withConnections<T>(
  port: number,
  count: number,
  work: (connections: readonly HttpConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => HttpConnection.open(port)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
