// What a multiaddress leads to. Only the few forms that this network uses are known: TCP to an address or a name, and through a relay.
import type { Multiaddr } from "@multiformats/multiaddr";
import { type Ip, parseIp } from "./ip-address.ts";

/** The end of a dial. */
export type DialTarget =
  | { readonly kind: "ip"; readonly ip: Ip; readonly host: string; readonly port: number }
  | { readonly kind: "name"; readonly name: string; readonly port: number }
  /** A name whose records hold multiaddresses. */
  | { readonly kind: "records"; readonly name: string }
  /** Through a relay; undefined when it is only named by its peer id. */
  | { readonly kind: "relayed"; readonly relay: DialTarget | undefined };

interface Component {
  readonly name: string;
  readonly value?: string;
}

const NAMES = ["dns", "dns4", "dns6"];
const ADDRESSES = ["ip4", "ip6", ...NAMES];
const RELAY = "p2p-circuit";

/** The target of an address, undefined for any form that is not known: sockets of this machine, other transports, relays behind relays. */
export function dialTargetOf(address: Multiaddr): DialTarget | undefined {
  let components: readonly Component[];
  try {
    components = address.getComponents();
  } catch {
    return undefined;
  }
  const relayAt = components.findIndex(({ name }) => name === RELAY);
  if (relayAt === -1) return directTarget(withoutPeer(components));
  if (withoutPeer(components.slice(relayAt + 1)).length > 0) return undefined;
  const relay = withoutPeer(components.slice(0, relayAt));
  // Without the peer id of the relay no relay could be asked.
  if (relay.length === relayAt) return undefined;
  if (relay.length === 0) return { kind: "relayed", relay: undefined };
  const target = directTarget(relay);
  return target === undefined ? undefined : { kind: "relayed", relay: target };
}

/** An address without the peer at its end. */
export function endpointOf(address: Multiaddr | string): string {
  return address.toString().replace(/\/p2p\/[^/]+$/, "");
}

function withoutPeer(components: readonly Component[]): readonly Component[] {
  return components.at(-1)?.name === "p2p" ? components.slice(0, -1) : components;
}

function directTarget(components: readonly Component[]): DialTarget | undefined {
  const [end, tcp, ...others] = components[0]?.name === "ip6zone" ? components.slice(1) : components;
  if (end?.name === "dnsaddr" && tcp === undefined) return { kind: "records", name: end.value ?? "" };
  if (end === undefined || tcp?.name !== "tcp" || others.length > 0) return undefined;
  const [host, port] = [end.value ?? "", Number(tcp.value)];
  if (host === "" || port === 0) return undefined;
  // A name may be an address, which no one looks up.
  const ip = ADDRESSES.includes(end.name) ? parseIp(host) : undefined;
  if (ip !== undefined) return { kind: "ip", ip, host, port };
  return NAMES.includes(end.name) ? { kind: "name", name: host, port } : undefined;
}
