// Who brings mail, as it is counted: networks of clients and of nodes.
import { parseIp, subnetOf } from "#node/network/addresses/ip-address.ts";
import type { PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";

/** What a node brings counts as its network's (/24, /48), where its address counts, else as its own. */
export function nodeSource(network: Pick<PeerNetwork, "partyOf"> | undefined, peer: PeerName): MailSource {
  const name = network?.partyOf(peer).name ?? peer;
  const [address = ""] = name.split("/");
  const ip = parseIp(address);
  return { party: `node ${ip === undefined ? name : subnetOf(ip)}`, tag: "" };
}
