// The Host header: refuses names that are not this node's, so that a web page cannot reach it by DNS rebinding.
import { isAddressLiteral, isLoopbackAddress } from "./client-address.ts";

/** Which names the node answers to. */
export interface HostPolicy {
  /** Host that the server listens on. */
  readonly listenHost: string;
  readonly allowedHosts: readonly string[];
}

/** Decides about the value of a Host header. */
export type HostCheck = (host: string | undefined) => boolean;

const HOST_PATTERN = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;
const ALL_INTERFACES = new Set(["", "::", "0.0.0.0"]);
const REMEMBERED_HOSTS = 64;

/**
 * Loopback names, the host listened on and the allowed ones pass, with any port. A server on all interfaces also answers to any IP
 * address: rebinding needs a name.
 */
export function createHostCheck(policy: HostPolicy): HostCheck {
  const names = new Set(["localhost", ...policy.allowedHosts.map(hostName), hostName(policy.listenHost)]);
  const isOpenToAddresses = ALL_INTERFACES.has(policy.listenHost);
  const accepted = new Set<string>();
  return (host) => {
    if (host === undefined) return false;
    if (accepted.has(host)) return true;
    const name = HOST_PATTERN.exec(host.toLowerCase())?.[1];
    if (name === undefined) return false;
    const isAddress = isAddressLiteral(name);
    if (!names.has(name) && !(isAddress && (isOpenToAddresses || isLoopbackAddress(name.replace(/^\[(.*)\]$/, "$1"))))) return false;
    if (accepted.size < REMEMBERED_HOSTS) accepted.add(host);
    return true;
  };
}

/** Name of a host that may carry a port, an IPv6 address in brackets. */
function hostName(host: string): string {
  const lower = host.toLowerCase();
  const bracketed = lower.includes(":") && !lower.startsWith("[") && isAddressLiteral(lower) ? `[${lower}]` : lower;
  return HOST_PATTERN.exec(bracketed)?.[1] ?? lower;
}
