// Addresses to listen on: `host:port`, `[v6]:port`, or `:port` for all interfaces.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Where a server listens. */
export interface ListenAddress {
  /** Host name or address, an IPv6 one without brackets; `::` listens on all interfaces. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

const PATTERN = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]*)):(\d{1,5})$/;

/** Address of a text such as `127.0.0.1:8080`, `:8080` or `[::1]:8080`. @throws CodedError CONFIG_INVALID on anything else. */
export function parseListenAddress(text: string): ListenAddress {
  const match = PATTERN.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    throw new CodedError("CONFIG_INVALID", `"${text}" is not an address to listen on: write host:port or :port, like 127.0.0.1:8080`);
  return { host: match[1] ?? (match[2] || "::"), port };
}

/** URL of an address as a client on this machine reaches it. */
export function localUrl(address: ListenAddress): string {
  const host = address.host === "::" || address.host === "0.0.0.0" ? "127.0.0.1" : address.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

/** True when only programs of this machine can reach the address. */
export function isLoopback(address: ListenAddress): boolean {
  return address.host === "localhost" || address.host === "::1" || /^127(\.\d{1,3}){3}$/.test(address.host);
}
