// Where a signer listens: a socket in a folder that no other user can enter, or a port with TLS.
import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { fileError } from "#node/config/files/file-errors.ts";
import { formatSignerAddress, type SignerAddress } from "#node/config/signer-address.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { createPinnedServer } from "../tls/pinned-tls.ts";
import type { TlsIdentity } from "../tls/self-signed-certificate.ts";

const OPEN_TO_OTHERS = 0o077;
/** Connections that the system holds before they are accepted: with few, strangers would keep a node out. */
const BACKLOG = 511;

/** How nodes reach the signer by a port. */
export interface TlsAccess {
  readonly identity: TlsIdentity;
  /** Fingerprints of the nodes that are served. */
  readonly allowed: ReadonlySet<string>;
}

export interface ListenerOptions {
  readonly address: SignerAddress;
  /** Needed for a port. */
  readonly tls?: TlsAccess;
  onSocket(socket: Socket, from: string): void;
  onRefused(reason: string, from: string): void;
}

/** A listener that serves. */
export interface SignerListener {
  /** The address with the port that the system chose. */
  readonly address: SignerAddress;
  close(): Promise<void>;
}

/** Listens. @throws CodedError ADDRESS_IN_USE, STORAGE_UNWRITABLE or CONFIG_INVALID in words. */
export async function listenForNodes(options: ListenerOptions): Promise<SignerListener> {
  const { address, tls, onSocket, onRefused } = options;
  if (address.type === "socket") {
    await prepareSocketPath(address.path);
    const server = createServer((socket) => onSocket(socket, address.path));
    await listen(server, options, { path: address.path, backlog: BACKLOG });
    chmodSync(address.path, 0o600);
    return { address, close: () => close(server) };
  }
  if (tls === undefined) throw new CodedError("CONFIG_INVALID", "A port needs the fingerprints of the nodes: give --allow");
  const server = createPinnedServer(tls.identity, tls.allowed, {
    onSocket: (socket) => onSocket(socket, `${socket.remoteAddress ?? "?"}:${socket.remotePort ?? "?"}`),
    onRefused,
  });
  await listen(server, options, { host: address.host, port: address.port, backlog: BACKLOG });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : address.port;
  return { address: { ...address, port }, close: () => close(server) };
}

/** A folder of this user alone, and no socket of a signer that was killed. */
async function prepareSocketPath(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if (uid !== process.getuid?.() || (mode & OPEN_TO_OTHERS) !== 0)
      throw new CodedError(
        "STORAGE_UNWRITABLE",
        `${folder} is open to other users of this computer: the signer's socket needs a folder of this user alone (chmod 700 ${folder})`,
      );
    if (await isServed(path)) throw inUse({ type: "socket", path });
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isSocket())
      throw new CodedError("STORAGE_UNWRITABLE", `${path} is in the way of the signer's socket: choose another --listen`);
    rmSync(path, { force: true });
  } catch (error) {
    throw error instanceof CodedError ? error : fileError(path, error);
  }
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = connect(path);
    attempt.once("connect", () => {
      attempt.destroy();
      resolve(true);
    });
    attempt.once("error", () => resolve(false));
  });
}

function listen(
  server: Server,
  { address }: Pick<ListenerOptions, "address">,
  where: Parameters<Server["listen"]>[0] & object,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === "EADDRINUSE"
          ? inUse(address)
          : new CodedError("CONFIG_INVALID", `The signer cannot listen on ${formatSignerAddress(address)}: ${cause.message}`, { cause }),
      ),
    );
    server.listen(where, () => {
      // What fails to be accepted later, as without a free file, is no reason to end.
      server.on("error", () => undefined);
      resolve();
    });
  });
}

function inUse(address: SignerAddress): CodedError {
  return new CodedError("ADDRESS_IN_USE", `${formatSignerAddress(address)} is taken: another signer or program listens there`);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
