// How the node meets other nodes: flags over config.json over defaults. Without any of it the node stays alone.
import { resolve } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ConfigFile } from "../files/config-file.ts";
import { isLoopback, type ListenAddress, parseListenAddress } from "../listen-address.ts";

/** Part in relaying connections: offering it to others, using it to be reachable, or neither. */
export const P2P_RELAY_ROLES = ["offer", "use", "off"] as const;

/** A role of {@link P2P_RELAY_ROLES}. */
export type P2pRelayRole = (typeof P2P_RELAY_ROLES)[number];

/** Configuration of the network. */
export interface P2pConfig {
  /** Where peers connect to; undefined to dial others only. */
  readonly address: ListenAddress | undefined;
  /** Nodes to meet first: multiaddresses with a peer id, or addresses of HTTP interfaces that list such. */
  readonly bootstrap: readonly string[];
  /** Multiaddresses under which others reach the node, where they differ from what it listens on. */
  readonly announce: readonly string[];
  readonly usesMdns: boolean;
  readonly relay: P2pRelayRole;
  /** Whether private addresses that peers report are dialled; undefined when the network decides that by its other settings. */
  readonly dialsPrivate: boolean | undefined;
  /** Peers that always find a slot: peer ids, or multiaddresses with one, which are dialled too. */
  readonly reserved: readonly string[];
  /** Whether limits, scores and bans by address apply to loopback and private addresses. */
  readonly limitsLocal: boolean;
  /** True when the node makes snapshots of the state for others. */
  readonly makesSnapshots: boolean;
  /** How a node without blocks gets to the newest one; undefined: by the age of the chain. */
  readonly sync: SyncWay | undefined;
}

/** `snapshot`: begin with the state of a block that peers serve; `replay`: execute every block from genesis on. */
export const SYNC_WAYS = ["snapshot", "replay"] as const;

export type SyncWay = (typeof SYNC_WAYS)[number];

/** Flags of the network as given. */
export interface P2pFlags {
  /** A node that is joined by the address of its HTTP interface is one to meet. */
  readonly genesis?: string;
  readonly p2pAddr?: string;
  /** Comma-separated. */
  readonly bootstrap?: string;
  /** Comma-separated. */
  readonly announce?: string;
  /** `on` or `off`. */
  readonly mdns?: string;
  readonly p2pRelay?: string;
  /** `on` or `off`. */
  readonly p2pPrivate?: string;
  /** Comma-separated. */
  readonly reservedPeers?: string;
  /** `on` or `off`. */
  readonly p2pLimitLocal?: string;
  /** `on` or `off`. */
  readonly snapshots?: string;
  readonly sync?: string;
}

/** The network's configuration, undefined when the node is to stay alone. @throws CodedError CONFIG_INVALID naming what is wrong. */
export function p2pConfig(flags: P2pFlags, file: ConfigFile): P2pConfig | undefined {
  const text = flags.p2pAddr ?? file.p2p_addr;
  const address = text === undefined ? undefined : parseListenAddress(text);
  const bootstrap = bootstrapOf(flags, file);
  const announce = addressList("--announce", flags.announce ?? file.announce);
  const mdns = onOrOff("--mdns", flags.mdns);
  const dialsPrivate = onOrOff("--p2p-private", flags.p2pPrivate) ?? file.p2p_private;
  const relay = oneOf("--p2p-relay", flags.p2pRelay, P2P_RELAY_ROLES);
  const limitsLocal = onOrOff("--p2p-limit-local", flags.p2pLimitLocal) ?? file.p2p_limit_local ?? false;
  const makesSnapshots = onOrOff("--snapshots", flags.snapshots) ?? file.snapshots ?? true;
  const sync = oneOf("--sync", flags.sync, SYNC_WAYS) ?? file.sync;
  const reserved = reservedPeers(listOf(flags.reservedPeers ?? file.reserved_peers));
  if (address === undefined && bootstrap.length === 0) return undefined;
  // What only programs of this machine reach needs neither the local network nor a way around a router.
  const isLocal = address !== undefined && isLoopback(address);
  return {
    address,
    bootstrap,
    announce,
    usesMdns: mdns ?? file.mdns ?? !isLocal,
    relay: relay ?? file.p2p_relay ?? (isLocal ? "off" : "use"),
    dialsPrivate,
    reserved,
    limitsLocal,
    makesSnapshots,
    sync,
  };
}

/** Where a new data folder gets its network from: a genesis file, or a node by the address of its HTTP interface. */
export function networkToJoin(genesis: string | undefined): {
  readonly genesisPath: string | undefined;
  readonly joinUrl: string | undefined;
} {
  if (genesis === undefined) return { genesisPath: undefined, joinUrl: undefined };
  return isHttpUrl(genesis) ? { genesisPath: undefined, joinUrl: genesis } : { genesisPath: resolve(genesis), joinUrl: undefined };
}

/** True for the address of an HTTP interface. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function bootstrapOf({ bootstrap, genesis }: P2pFlags, file: ConfigFile): readonly string[] {
  const given = listOf(bootstrap ?? file.bootstrap);
  const peers = addressList(
    "--bootstrap",
    given.filter((node) => !isHttpUrl(node)),
  );
  for (const peer of peers)
    if (!/\/p2p\/[A-Za-z0-9]+$/.test(peer))
      throw new CodedError("CONFIG_INVALID", `--bootstrap: "${peer}" does not end with /p2p/ and the id of a node`);
  return [...new Set([...given, ...(genesis !== undefined && isHttpUrl(genesis) ? [genesis] : [])])];
}

function reservedPeers(peers: readonly string[]): readonly string[] {
  for (const peer of peers)
    if (!/^(?:\/\S+\/p2p\/)?[A-Za-z0-9]{46,}$/.test(peer))
      throw new CodedError(
        "CONFIG_INVALID",
        `--reserved-peers: "${peer}" is no id of a node, and no multiaddress that ends with /p2p/ and one`,
      );
  return peers;
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : (value ?? []);
  return items.filter((item) => item !== "");
}

function addressList(name: string, value: string | readonly string[] | undefined): readonly string[] {
  const addresses = listOf(value);
  for (const address of addresses)
    if (!/^\/(?:ip4|ip6|dns|dns4|dns6|dnsaddr)\/[^\s/]+\/\S+$/.test(address))
      throw new CodedError("CONFIG_INVALID", `${name}: "${address}" is no multiaddress like /ip4/203.0.113.7/tcp/9100`);
  return [...addresses];
}

/** @throws CodedError CONFIG_INVALID */
export function onOrOff(name: string, value: string | undefined): boolean | undefined {
  const found = oneOf(name, value, ["on", "off"] as const);
  return found === undefined ? undefined : found === "on";
}

function oneOf<T extends string>(name: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new CodedError("CONFIG_INVALID", `${name} is "${value}": write ${choices.join(" or ")}`);
  return found;
}
