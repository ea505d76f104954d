// Who sent a request: its address, and whether it is a program of this machine.
import { isIP, isIPv4, isIPv6 } from "node:net";

/** The parts of a request that tell where it comes from. */
export interface RequestSource {
  /** Address of the client: of the socket, or what a trusted proxy says. */
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** True for addresses of the loopback interface, also as IPv4 inside IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/**
 * True for a request of a program on this machine. One that a proxy passed on is not, whatever the proxy is: otherwise everyone behind
 * a proxy on this machine would have the rights of its owner.
 */
export function isLocalRequest(source: RequestSource): boolean {
  return isLoopbackAddress(source.ip) && source.headers["x-forwarded-for"] === undefined && source.headers.forwarded === undefined;
}

/** Name under which the limits count an address: IPv4 as it is, IPv6 by its first 64 bits, which one subscriber owns whole. */
export function addressGroup(address: string): string {
  if (address.startsWith("::ffff:")) return address.slice(7);
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ? tail.split(":") : [])].slice(0, 4).join(":");
}

/** True for the text of an IP address, an IPv6 one in brackets as URLs have it. */
export function isAddressLiteral(hostName: string): boolean {
  return isIP(hostName.replace(/^\[(.*)\]$/, "$1")) !== 0;
}
