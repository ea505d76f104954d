// A WebSocket client for tests: frames as objects, waiting for the next that fits.
import type { NodeFrame } from "#shared/api/socket/frames.ts";
import { socketAuthBytes } from "#shared/api/socket/socket-auth.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { assertDocumentedFrame } from "./documented-frame.ts";

/** How a connection ended. */
export interface SocketEnd {
  readonly code: number;
}

/** An open connection. */
export interface TestSocket {
  /** Every frame so far. */
  readonly frames: readonly NodeFrame[];
  send(frame: object | string): void;
  sendBytes(bytes: Uint8Array): void;
  /** The next frame (not given out before) that has these fields. */
  next(fields: Readonly<Record<string, unknown>>): Promise<NodeFrame & Readonly<Record<string, unknown>>>;
  readonly closed: Promise<SocketEnd>;
  close(): void;
}

/** Fields of an `auth` frame that answers a `hello`. */
export function signSocketAuth(
  hello: { readonly chain_id: string; readonly nonce: string },
  key: { readonly publicKey: string; readonly seed: Uint8Array },
): { readonly pub: string; readonly sig: string } {
  return { pub: key.publicKey, sig: toBase64(signEd25519(socketAuthBytes(hello.chain_id, hello.nonce), key.seed)) };
}

/** Opens a connection. @throws Error when the upgrade is refused. */
export async function openTestSocket(url: string): Promise<TestSocket> {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const frames: NodeFrame[] = [];
  const given = new Set<NodeFrame>();
  const waiting = new Set<() => void>();
  const closed = Promise.withResolvers<SocketEnd>();
  const opened = Promise.withResolvers<void>();
  socket.onopen = (): void => opened.resolve();
  socket.onerror = (): void => opened.reject(new Error(`No connection to ${url}`));
  socket.onclose = ({ code }): void => {
    closed.resolve({ code });
    for (const check of waiting) check();
  };
  socket.onmessage = ({ data }): void => {
    const frame: unknown = JSON.parse(String(data));
    // Thrown outside of any test's reach, so that it fails the run even where no test waits for the frame.
    assertDocumentedFrame(frame);
    frames.push(frame as NodeFrame);
    for (const check of [...waiting]) check();
  };
  const next: TestSocket["next"] = (fields) => {
    const { promise, resolve, reject } = Promise.withResolvers<NodeFrame & Readonly<Record<string, unknown>>>();
    const check = (): void => {
      const found = frames.find((frame) => !given.has(frame) && hasFields(frame, fields));
      if (found !== undefined) {
        given.add(found);
        resolve(found as NodeFrame & Readonly<Record<string, unknown>>);
      } else if (socket.readyState === WebSocket.CLOSED) {
        reject(new Error(`The connection ended before ${JSON.stringify(fields)}; it said ${JSON.stringify(frames.slice(-3))}`));
      } else return;
      waiting.delete(check);
    };
    waiting.add(check);
    check();
    return promise;
  };
  await opened.promise;
  return {
    frames,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    sendBytes: (bytes) => socket.send(bytes as Uint8Array<ArrayBuffer>),
    next,
    closed: closed.promise,
    close: () => socket.close(),
  };
}

function hasFields(frame: object, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).every(([name, value]) => (frame as Readonly<Record<string, unknown>>)[name] === value);
}
