// Where a connection comes from: what limits, scores and slots count by, besides the peer id, of which anyone has as many as he likes.
import type { Multiaddr } from "@multiformats/multiaddr";
import { dialTargetOf } from "./dial-target.ts";
import { hostOf, providerOf, rangeOf, subnetOf } from "./ip-address.ts";

/** The source of a connection. */
export interface PeerSource {
  /** An IPv4 address, a /64 of IPv6. */
  readonly host: string;
  /** A /24, a /48. */
  readonly subnet: string;
  /** A /16, a /32. */
  readonly provider: string;
  /** True for an address that is not public: one machine, one network, or a program that forwards connections for the world. */
  readonly isLocal: boolean;
}

/** The source of an address; undefined when a relay stands in between, or nothing is known of it. */
export function sourceOf(address: Multiaddr): PeerSource | undefined {
  const target = dialTargetOf(address);
  if (target?.kind !== "ip") return undefined;
  const { ip } = target;
  return { host: hostOf(ip), subnet: subnetOf(ip), provider: providerOf(ip), isLocal: rangeOf(ip) !== "public" };
}
