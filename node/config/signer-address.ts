// Where a signer listens: the path of a Unix socket for programs of the same user, or host and port, which is TLS with pinned keys.
import { isAbsolute, resolve } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ListenAddress, parseListenAddress } from "./listen-address.ts";

/** One of the two. */
export type SignerAddress = { readonly type: "socket"; readonly path: string } | ({ readonly type: "tls" } & ListenAddress);

/** The systems' limits of a socket's path are 104 and 108 bytes. */
const MAX_PATH_BYTES = 100;

/** Address of a text: what has a slash, or begins with a dot, is a path. @throws CodedError CONFIG_INVALID */
export function parseSignerAddress(text: string): SignerAddress {
  if (!(isAbsolute(text) || text.startsWith(".") || /[/\\]/.test(text))) return { type: "tls", ...parseListenAddress(text) };
  const path = resolve(text);
  if (process.platform === "win32") throw new CodedError("CONFIG_INVALID", "On Windows a signer has a port: write host:port");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new CodedError(
      "CONFIG_INVALID",
      `The path of a socket has at most ${MAX_PATH_BYTES} bytes, which ${path} exceeds: choose a shorter one`,
    );
  return { type: "socket", path };
}

/** The address as it is written. */
export function formatSignerAddress(address: SignerAddress): string {
  if (address.type === "socket") return address.path;
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`;
}
