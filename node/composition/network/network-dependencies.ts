// What every kind of node hands to its network: who it is, whom to meet first, where to listen.

import { lookup } from "node:dns/promises";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import { fetchAddresses } from "#node/config/join-network.ts";
import { isHttpUrl, type P2pConfig } from "#node/config/network/p2p-config.ts";
import { parseIp, rangeOf } from "#node/network/addresses/ip-address.ts";
import type { NetworkOptions } from "#node/network/network-options.ts";
import type { Log } from "#node/observability/log.ts";
import type { Clock } from "#shared/util/clock.ts";

export interface NetworkDependencies {
  readonly p2p: P2pConfig;
  readonly folder: DataFolder;
  /** The validator that the node acts for, when that has another key. */
  readonly validator?: NetworkOptions["validator"] | undefined;
  readonly verify: NetworkOptions["verify"];
  readonly versions: NetworkOptions["versions"];
  readonly clock: Clock;
  readonly log: Log;
}

/** Options of the network; nodes that are named by the address of their HTTP interface are asked where they can be dialled. */
export async function networkOptions({
  p2p,
  folder,
  validator,
  versions,
  verify,
  clock,
  log,
}: NetworkDependencies): Promise<NetworkOptions> {
  const asked = await Promise.all(p2p.bootstrap.map((node) => (isHttpUrl(node) ? addressesOf(node, log) : [node])));
  return {
    chainId: folder.genesis.chain_id,
    genesisHash: folder.genesisHash,
    nodeKey: folder.nodeKey,
    ...(validator === undefined ? {} : { validator }),
    listen: p2p.address,
    announce: p2p.announce,
    bootstrap: asked.flat(),
    usesMdns: p2p.usesMdns,
    relay: p2p.relay,
    dialsPrivate: p2p.dialsPrivate,
    reserved: p2p.reserved,
    limitsLocal: p2p.limitsLocal,
    peersPath: folder.paths.peers,
    versions,
    verify,
    clock,
    log: log.child("network"),
  };
}

/**
 * What a node reports of itself holds its private addresses too. Those are dialled when the node itself is asked at a private address, and
 * passed over otherwise: to this node they would be machines of its own network.
 */
async function reachableOf(nodeUrl: string, addresses: readonly string[]): Promise<readonly string[]> {
  const host = new URL(nodeUrl).hostname.replace(/^\[|\]$/g, "");
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.some(({ address }) => isPrivate(address))) return addresses;
  return addresses.filter((address) => !isPrivate(/^\/ip[46]\/([^/]+)\//.exec(address)?.[1] ?? ""));
}

function isPrivate(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && rangeOf(ip) !== "public";
}

/** A node that is away now is no reason not to start: others may be there. */
async function addressesOf(nodeUrl: string, log: Log): Promise<readonly string[]> {
  try {
    return await reachableOf(nodeUrl, await fetchAddresses(nodeUrl, fetch));
  } catch (error) {
    log.warn({ err: error }, `The node at ${nodeUrl} does not report where it can be dialled`);
    return [];
  }
}
