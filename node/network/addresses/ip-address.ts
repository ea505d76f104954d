// IP addresses as bytes: which range one lies in, and which ones probably belong to the same party.
import { isIP } from "node:net";

/** An address; one of IPv4 that is written as IPv6 is one of IPv4. */
export interface Ip {
  /** Four or sixteen. */
  readonly bytes: Uint8Array;
}

/**
 * Where an address lies: `public` can be reached from everywhere, `reserved` is never an end of a connection, anything else is the prefix
 * of a network of its own, such as `192.168.0.0/16`.
 */
export type AddressRange = string;

/** Every machine has these for itself. */
export const LOOPBACK_RANGES: readonly AddressRange[] = ["127.0.0.0/8", "::1/128"];

/** Neighbours on the same cable, and the services that hosts of virtual machines offer there. */
export const LINK_LOCAL_RANGES: readonly AddressRange[] = ["169.254.0.0/16", "fe80::/10"];

const IPV4_BYTES = 4;
const MAPPED = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);

/** Networks of their own: loopback, RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291. */
const PRIVATE_RANGES = [
  ...LOOPBACK_RANGES,
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
  ...LINK_LOCAL_RANGES,
];

/**
 * Addresses of the registries of special purposes (RFC 6890) that are no networks of their own: no one listens there, or what they lead to
 * is another address in disguise (Teredo and 6to4, which lie within the public part of IPv6).
 */
const RESERVED_RANGES = [
  "0.0.0.0/8",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
];
const PUBLIC_IPV6 = "2000::/3";

interface Prefix {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly bits: number;
}

const PRIVATE = PRIVATE_RANGES.map(prefixOf);
const RESERVED = RESERVED_RANGES.map(prefixOf);
const GLOBAL_IPV6 = prefixOf(PUBLIC_IPV6);

/** The address of a text, undefined for anything else. A zone (`%eth0`) is left out. */
export function parseIp(text: string): Ip | undefined {
  const [plain = ""] = text.split("%");
  const kind = isIP(plain);
  if (kind === 4) return { bytes: ipv4Bytes(plain) };
  if (kind !== 6) return undefined;
  const bytes = ipv6Bytes(plain);
  return { bytes: MAPPED.every((byte, index) => bytes[index] === byte) ? bytes.slice(MAPPED.length) : bytes };
}

/** The range of an address. */
export function rangeOf(ip: Ip): AddressRange | "public" | "reserved" {
  const range = PRIVATE.find((prefix) => isWithin(ip, prefix));
  if (range !== undefined) return range.name;
  if (RESERVED.some((prefix) => isWithin(ip, prefix))) return "reserved";
  return ip.bytes.length === IPV4_BYTES || isWithin(ip, GLOBAL_IPV6) ? "public" : "reserved";
}

/** The smallest network that one customer has: an IPv4 address, a /64 of IPv6. */
export function hostOf(ip: Ip): string {
  return networkOf(ip, 32, 64);
}

/** The network that one customer can easily have: a /24 of IPv4, a /48 of IPv6. */
export function subnetOf(ip: Ip): string {
  return networkOf(ip, 24, 48);
}

/** The network that one provider has: a /16 of IPv4, a /32 of IPv6. */
export function providerOf(ip: Ip): string {
  return networkOf(ip, 16, 32);
}

/** True when the address lies in a network such as `192.168.1.5/24`. */
export function isInNetwork(ip: Ip, network: string): boolean {
  return isWithin(ip, prefixOf(network));
}

function networkOf({ bytes }: Ip, ipv4Bits: number, ipv6Bits: number): string {
  const bits = bytes.length === IPV4_BYTES ? ipv4Bits : ipv6Bits;
  return `${textOf(bytes.map((byte, index) => byte & maskOf(index, bits)))}/${bits}`;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === IPV4_BYTES) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16));
  return groups.join(":").replace(/(?::0)+$/, "::");
}

function prefixOf(text: string): Prefix {
  const [address = "", bits] = text.split("/");
  const ip = parseIp(address);
  if (ip === undefined || bits === undefined) throw new TypeError(`${text} is no network`);
  return { name: text, bytes: ip.bytes, bits: Number(bits) };
}

function isWithin({ bytes }: Ip, prefix: Prefix): boolean {
  if (bytes.length !== prefix.bytes.length) return false;
  return bytes.every((byte, index) => ((byte ^ (prefix.bytes[index] ?? 0)) & maskOf(index, prefix.bits)) === 0);
}

/** The bits of a byte that belong to a prefix. */
function maskOf(index: number, bits: number): number {
  const own = Math.min(8, Math.max(0, bits - index * 8));
  return (0xff << (8 - own)) & 0xff;
}

function ipv4Bytes(text: string): Uint8Array {
  return Uint8Array.from(text.split("."), Number);
}

function ipv6Bytes(text: string): Uint8Array {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const [front = "", back] = (dotted === null ? text : `${dotted[1]}${hexGroups(dotted[2] ?? "")}`).split("::");
  const groupsOf = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const head = groupsOf(front);
  const tail = groupsOf(back ?? "");
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4Bytes(ipv4);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
