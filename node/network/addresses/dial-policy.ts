// Which addresses are dialled. Peers report addresses at will; a node that dialled them all would scan the networks behind it for them.
import { networkInterfaces } from "node:os";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { LRUCache } from "lru-cache";
import { type DialTarget, dialTargetOf, endpointOf } from "./dial-target.ts";
import { type AddressRange, type Ip, isInNetwork, LINK_LOCAL_RANGES, LOOPBACK_RANGES, parseIp, rangeOf } from "./ip-address.ts";
import { isServicePort } from "./refused-ports.ts";

/** What the policy is made of. */
export interface DialPolicyOptions {
  /** Multiaddresses of bootstrap and reserved peers. */
  readonly configured: readonly string[];
  /** Host that the node listens on; undefined when it dials only. */
  readonly listenHost: string | undefined;
  /** Multiaddresses under which it is to be reached. */
  readonly announce: readonly string[];
  /** Whether private addresses that peers report are dialled; undefined when the addresses above decide. */
  readonly dialsPrivate: boolean | undefined;
  /** Networks of this machine, such as `192.168.1.5/24`. */
  readonly ownNetworks?: () => readonly string[];
}

/** Addresses of the local network, and those that a configured name leads to, that are remembered. */
const REMEMBERED = 256;
const WILDCARDS = ["::", "0.0.0.0"];

/**
 * Configured addresses are dialled whatever they are, others when they are public and no port of another service. Private ones that peers report are dialled in the ranges
 * in which the node itself stands, and only when everything that it is configured with is private; see docs/network.md.
 */
export class DialPolicy {
  readonly #configured: ReadonlySet<string>;
  readonly #ownNetworks: () => readonly string[];
  readonly #ranges: ReadonlySet<AddressRange>;
  readonly #dialsPrivate: boolean;
  readonly #remembered = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(options: DialPolicyOptions) {
    this.#configured = new Set(options.configured.map(endpointOf));
    this.#ownNetworks = options.ownNetworks ?? networksOfMachine;
    const ranges = privateRangesOf(options, this.#ownNetworks());
    this.#dialsPrivate = options.dialsPrivate ?? ranges !== undefined;
    this.#ranges = this.#dialsPrivate ? new Set(ranges ?? ownRanges(options)) : new Set();
  }

  /** True for an address that the operator gave, or one that its name leads to: names in it may lead anywhere. */
  isConfigured(address: Multiaddr | string): boolean {
    const endpoint = endpointOf(address);
    return this.#configured.has(endpoint) || this.#remembered.has(endpoint);
  }

  /** True when the address may be dialled. A name may; what it leads to is asked of {@link mayReach} when it is known. */
  mayDial(address: Multiaddr): boolean {
    const target = dialTargetOf(address);
    return target !== undefined && (this.isConfigured(address) || this.#mayTarget(target));
  }

  /** True for an address of a machine that a stranger may lead this node to. */
  mayReach(ip: Ip): boolean {
    const range = rangeOf(ip);
    if (range === "public") return true;
    if (range === "reserved") return false;
    if (this.#ranges.has(range)) return true;
    // With the setting alone every private network counts, but never this machine itself, nor the services of its host.
    return this.#dialsPrivate && this.#ranges.size === 0 && ![...LOOPBACK_RANGES, ...LINK_LOCAL_RANGES].includes(range);
  }

  /** An address that was announced on the local network (mDNS): dialled when it is one of the networks that this machine is part of. */
  learnLocal(address: Multiaddr): void {
    const target = dialTargetOf(address);
    if (target?.kind !== "ip" || isServicePort(target.port)) return;
    const isLoopback = LOOPBACK_RANGES.includes(rangeOf(target.ip));
    if (isLoopback ? this.mayReach(target.ip) : this.#isNear(target.ip)) this.#remembered.set(endpointOf(address), true);
  }

  /** An address that a configured name leads to. */
  learnConfigured(address: Multiaddr): void {
    this.#remembered.set(endpointOf(address), true);
  }

  #mayTarget(target: DialTarget): boolean {
    switch (target.kind) {
      case "ip":
        return this.mayReach(target.ip) && !isServicePort(target.port);
      case "name":
        return !isServicePort(target.port);
      case "records":
        return false;
      case "relayed":
        return target.relay === undefined || this.#mayTarget(target.relay);
    }
  }

  #isNear(ip: Ip): boolean {
    return this.#ownNetworks().some((network) => isInNetwork(ip, network));
  }
}

/** Networks of the interfaces of this machine. */
function networksOfMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).flatMap(({ cidr }) => cidr ?? []));
}

/** Ranges of what is configured when all of it is private; undefined when any of it is not, or nothing says so. */
function privateRangesOf(options: DialPolicyOptions, networks: readonly string[]): readonly AddressRange[] | undefined {
  const { configured, announce, listenHost } = options;
  const targets = [...configured, ...announce].map((address) => dialTargetOf(multiaddr(address)));
  const ranges = targets.map((target) => (target?.kind === "ip" ? rangeOf(target.ip) : "public"));
  const isWildcard = listenHost !== undefined && WILDCARDS.includes(listenHost);
  if (listenHost !== undefined && !isWildcard) ranges.push(rangeOfHost(listenHost));
  if (ranges.length === 0 || ranges.some((range) => range === "public" || range === "reserved")) return undefined;
  const isPublicMachine = networks.some((network) => rangeOfHost(network.split("/")[0] ?? "") === "public");
  return isWildcard && isPublicMachine ? undefined : ranges;
}

function ownRanges({ listenHost }: DialPolicyOptions): readonly AddressRange[] {
  const range = listenHost === undefined ? "reserved" : rangeOfHost(listenHost);
  return LOOPBACK_RANGES.includes(range) ? [range] : [];
}

function rangeOfHost(host: string): AddressRange {
  const ip = parseIp(host === "localhost" ? "127.0.0.1" : host);
  return ip === undefined ? "public" : rangeOf(ip);
}
