// Clients that keep no rules: raw TCP connections that say what they like and read when they like.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pollUntil } from "../host/poll-until.ts";

/** A raw connection. */
export interface RudeClient {
  /** Everything read so far. */
  text(): string;
  /** Writes without waiting for the peer; resolves when it was handed to the system or the connection is gone. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Stops reading. */
  pause(): void;
  /** The connection is over, in whatever way. */
  readonly isClosed: boolean;
  /** Waits until the node ends the connection. */
  ended(): Promise<void>;
  destroy(): void;
}

const TEXT_FRAME = 0x81;
const MASKED = 0x80;
const LENGTH_16 = 126;

/** Connects and says something. @throws Error when nothing listens. */
export async function openRudeClient(port: number, opening = ""): Promise<RudeClient> {
  const socket: Socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  // A node that hangs up on a rude client is right.
  socket.on("error", () => undefined);
  const write: RudeClient["write"] = (bytes) =>
    new Promise((resolve) => {
      if (socket.destroyed) return resolve();
      socket.once("close", resolve);
      socket.write(bytes, () => {
        socket.off("close", resolve);
        resolve();
      });
    });
  if (opening !== "") await write(opening);
  return {
    text: () => text,
    write,
    pause: () => void socket.pause(),
    get isClosed(): boolean {
      return socket.closed;
    },
    ended: async () => void (await pollUntil(() => socket.closed, { what: "the node to hang up" })),
    destroy: () => void socket.destroy(),
  };
}

/** Opens a WebSocket by hand. @throws Error when the node does not take it. */
export async function openRudeSocket(port: number): Promise<RudeClient> {
  const head = ["GET /api/ws HTTP/1.1", `Host: 127.0.0.1:${port}`, "Upgrade: websocket", "Connection: Upgrade"];
  const keys = ["Sec-WebSocket-Version: 13", `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`];
  const client = await openRudeClient(port, `${[...head, ...keys].join("\r\n")}\r\n\r\n`);
  await pollUntil(() => client.text().includes('"hello"') || client.isClosed, { what: "the WebSocket to open" });
  if (!client.text().startsWith("HTTP/1.1 101")) throw new Error(`The node said ${client.text().slice(0, 200)}`);
  return client;
}

/** A client's text frame; its mask is zero, which leaves the text as it is. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < LENGTH_16 ? [MASKED | length] : [MASKED | LENGTH_16, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([TEXT_FRAME, ...head, 0, 0, 0, 0]), payload]);
}
