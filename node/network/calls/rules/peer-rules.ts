// Where a relay of calls sends to. A relay that sends anywhere brings everyone with a credential into its operator's network: so
// only public addresses, none of this machine, and no ports of services. A relay of a private network has another rule.
import { networkInterfaces } from "node:os";
import { LINK_LOCAL_RANGES, parseIp, rangeOf } from "../../addresses/ip-address.ts";
import type { Endpoint } from "../wire/stun-values.ts";
import { CALL_RELAY_LIMITS } from "./call-relay-limits.ts";

/** How long the addresses of this machine count as read, milliseconds. */
const RENEW_MS = 10_000;

/** Judges addresses of other sides. */
export class PeerRules {
  readonly #allowsPrivate: boolean;
  readonly #readOwn: () => readonly string[];
  #own: ReadonlySet<string> = new Set();
  #readAtMs = Number.NEGATIVE_INFINITY;

  /** `announced` is where others reach this machine, which may be no address of its own. */
  constructor(allowsPrivate: boolean, announced: string, readOwn: () => readonly string[] = ownAddresses) {
    this.#allowsPrivate = allowsPrivate;
    this.#readOwn = (): readonly string[] => [announced, ...readOwn()];
  }

  /** Whether an allocation may name an address. Of IPv4 alone: a relayed address is one. */
  isAllowed(address: string, nowMs: number): boolean {
    const ip = parseIp(address);
    if (ip === undefined || ip.bytes.length !== 4) return false;
    const range = rangeOf(ip);
    const isOwn = this.#isOwn(ip.bytes.join("."), nowMs);
    // Whatever range it is of: a relay of a private network also serves programs of its machine.
    if (isOwn) return this.#allowsPrivate;
    // Among neighbours on the cable are services of hosts of virtual machines: those are reached in no network.
    if (range === "reserved" || LINK_LOCAL_RANGES.includes(range)) return false;
    return range === "public" || this.#allowsPrivate;
  }

  /** Whether there can be a device of a call at a port. */
  isPort(port: number): boolean {
    return port >= CALL_RELAY_LIMITS.leastPort;
  }

  /** Services of this machine are never reached from inside. */
  #isOwn(address: string, nowMs: number): boolean {
    if (nowMs - this.#readAtMs >= RENEW_MS) {
      this.#own = new Set(this.#readOwn());
      this.#readAtMs = nowMs;
    }
    return this.#own.has(address);
  }
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
}

/** An endpoint as a key of a map; an address of IPv4 in IPv6 is one of IPv4. */
export function endpointKey({ address, port }: Endpoint): string {
  return `${plainAddress(address)}:${port}`;
}

/** An address of IPv4 without the clothes of IPv6. */
export function plainAddress(address: string): string {
  const ip = parseIp(address);
  return ip?.bytes.length === 4 ? ip.bytes.join(".") : address;
}
