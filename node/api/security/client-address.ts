// Who sent a request: its address, and whether it looks like a program of this machine.
import { isIP, isIPv4, isIPv6 } from "node:net";

/** The parts of a request that tell where it comes from. */
export interface RequestSource {
  /** Address of the client: of the socket, or what a trusted proxy says. */
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: { readonly localPort?: number | undefined };
  readonly raw?: { readonly httpVersion?: string };
}

/** Who reads a response, as the limits know it. */
export interface Reader {
  /** Name under which the limits count it. */
  readonly address: string;
  /** True for a program of the node's owner. */
  readonly isOwn: boolean;
}

/** What proxies write into the requests that they pass on. */
const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "cf-connecting-ip",
  "true-client-ip",
  "fastly-client-ip",
] as const;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i;
const HTTP_PORT = 80;
/** Parts of an IPv6 address that one subscriber owns all of the rest of. */
const GROUPS_OF_ADDRESS = 4;
/** These parts. */
const ADDRESS_GROUP = /^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/;

/** True for addresses of the loopback interface, also as IPv4 inside IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/**
 * True for a request that looks like one of a program on this machine: over loopback, to a name of loopback and the port of this server,
 * without a trace of a proxy. A proxy can look like that too, so this gives comfort (no rate limit) and never a right.
 */
export function isLocalRequest({ ip, headers, socket, raw }: RequestSource): boolean {
  if (!isLoopbackAddress(ip) || raw?.httpVersion === "1.0") return false;
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  const { host } = headers;
  if (host === undefined) return true;
  const [isLocalName, port = HTTP_PORT] = LOCAL_HOST.exec(String(host)) ?? [];
  return isLocalName !== undefined && (socket?.localPort === undefined || Number(port) === socket.localPort);
}

/** Name under which the limits count an address: IPv4 as it is, IPv6 by its first 64 bits, which one subscriber owns whole. */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? groupsOf(plain).slice(0, GROUPS_OF_ADDRESS).join(":") : plain;
}

/** Network that one party can easily have: an IPv4 address without its last number, the first 48 bits of IPv6. */
export function subnetGroup(address: string): string {
  const plain = plainAddress(address);
  if (isIPv6(plain)) return `${groupsOf(plain).slice(0, 3).join(":")}::/48`;
  return isIPv4(plain) ? `${plain.slice(0, plain.lastIndexOf("."))}.0/24` : plain;
}

/** True for a name that {@link addressGroup} gives. */
export function isAddressGroup(name: string): boolean {
  return isIPv4(name) || ADDRESS_GROUP.test(name);
}

/** {@link subnetGroup} of a name that {@link addressGroup} gave. */
export function subnetOfGroup(group: string): string {
  return subnetGroup(group.split(":").length === GROUPS_OF_ADDRESS ? `${group}::` : group);
}

function plainAddress(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function groupsOf(address: string): readonly string[] {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ? tail.split(":") : [])];
  // A proxy may write them in other ways.
  return all.map((group) => Number.parseInt(group, 16).toString(16));
}

/** True for the text of an IP address, an IPv6 one in brackets as URLs have it. */
export function isAddressLiteral(hostName: string): boolean {
  return isIP(hostName.replace(/^\[(.*)\]$/, "$1")) !== 0;
}
