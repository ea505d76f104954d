// TLS 1.3 between a node and its signer. There is no authority: each side knows the other's certificate by its fingerprint, and the
// handshake proves the key of that certificate. Nothing is said to a side that is not known.
import { createHash } from "node:crypto";
import { connect, createServer, type Server, type TLSSocket, type TlsOptions } from "node:tls";
import type { ListenAddress } from "#node/config/listen-address.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import type { TlsIdentity } from "./self-signed-certificate.ts";

/** Protocol that both sides must name in the handshake. */
const ALPN = "parley-signer/1";

/** What both sides have in common. Chains, names and dates are not looked at: the fingerprint is compared instead. */
function commonOptions({
  key,
  certificate,
}: TlsIdentity): Pick<TlsOptions, "key" | "cert" | "minVersion" | "ALPNProtocols" | "rejectUnauthorized"> {
  return { key, cert: certificate, minVersion: "TLSv1.3", ALPNProtocols: [ALPN], rejectUnauthorized: false };
}

/** A server that hands over only sockets of known clients. `onRefused` is given the reason for others. */
export function createPinnedServer(
  identity: TlsIdentity,
  allowed: ReadonlySet<string>,
  { onSocket, onRefused }: { onSocket(socket: TLSSocket): void; onRefused(reason: string, from: string): void },
): Server {
  const server = createServer({ ...commonOptions(identity), requestCert: true, handshakeTimeout: SIGNER_LIMITS.patienceMs });
  const unproven = new Set<{ destroy(): void }>();
  // Handshakes cost this side the most: of those that are not finished, the oldest makes room.
  server.on("connection", (raw: TLSSocket) => {
    const [oldest] = unproven;
    if (oldest !== undefined && unproven.size >= SIGNER_LIMITS.pending) {
      unproven.delete(oldest);
      oldest.destroy();
    }
    unproven.add(raw);
    raw.once("close", () => unproven.delete(raw));
    raw.on("error", () => undefined);
  });
  server.on("secureConnection", (socket) => {
    const from = placeOf(socket);
    const found = peerFingerprint(socket);
    socket.on("error", () => undefined);
    if (found !== undefined && allowed.has(found)) {
      for (const raw of unproven) if (isSamePlace(raw, socket)) unproven.delete(raw);
      onSocket(socket);
      return;
    }
    onRefused(found === undefined ? "it showed no certificate" : `its fingerprint ${found} is not allowed here`, from);
    socket.destroy();
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket) => {
    onRefused(`the TLS handshake failed (${error.code ?? "unknown"})`, placeOf(socket));
    // The runtime leaves a socket open whose handshake took too long.
    socket.destroy();
  });
  return server;
}

/** A connection to the server with this fingerprint. Calls `onSecure` once it is proven, before anything is sent. */
export function connectPinned(
  { host, port }: ListenAddress,
  identity: TlsIdentity,
  { fingerprint, onSecure }: { readonly fingerprint: string; onSecure(): void },
): TLSSocket {
  const socket = connect({ host, port, ...commonOptions(identity) });
  socket.once("secureConnect", () => {
    const found = peerFingerprint(socket);
    if (found === fingerprint) onSecure();
    else socket.destroy(new Error(`the signer's fingerprint is ${found ?? "missing"}, not the one that this node was given`));
  });
  return socket;
}

/** SHA-256 of the certificate whose key the other side has proven. */
function peerFingerprint(socket: TLSSocket): string | undefined {
  if (socket.alpnProtocol !== ALPN || socket.getProtocol() !== "TLSv1.3") return undefined;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : createHash("sha256").update(certificate.raw).digest("hex");
}

function placeOf({ remoteAddress, remotePort }: TLSSocket): string {
  return `${remoteAddress ?? "?"}:${remotePort ?? "?"}`;
}

function isSamePlace(raw: object, socket: TLSSocket): boolean {
  return (
    "remotePort" in raw && raw.remotePort === socket.remotePort && "remoteAddress" in raw && raw.remoteAddress === socket.remoteAddress
  );
}
