// Names of topics and protocols. All but the status protocol carry the chain id: nodes of other chains have nothing in common
// with this one, and learn so from the status.

/** Topics of gossip. */
export const TOPICS = ["tx", "blocks", "relay", "boxes", "deletions", "version", "consensus"] as const;

export type Topic = (typeof TOPICS)[number];

/** Protocols of one chain. */
export interface ProtocolNames {
  readonly topics: Readonly<Record<Topic, string>>;
  readonly consensus: string;
  readonly blocks: string;
  readonly mailbox: string;
  /** The same without open boxes, for nodes of earlier versions. */
  readonly secondMailbox: string;
  /** The same without deletions too. */
  readonly firstMailbox: string;
  /** Mail at its keepers. */
  readonly mail: string;
  /** Public cards of devices, which nodes of earlier versions do not know. */
  readonly cards: string;
  /** Mail of nodes that keepers shall not know, through carriers; nodes of earlier versions do not know it either. */
  readonly carry: string;
  /** What keepers sign of their slots, which nodes of earlier versions do not know either. */
  readonly digests: string;
  /** Renewals of what is watched at keepers, likewise. */
  readonly watches: string;
  readonly light: string;
  readonly snapshot: string;
  readonly kademlia: string;
  /** Prefix of identify, ping and AutoNAT, without slashes at its ends. */
  readonly prefix: string;
  /** Service tag of mDNS. */
  readonly mdns: string;
}

/** Exchange of chain and height; the same on every chain. */
export const STATUS_PROTOCOL = "/parley/status/3";
/** The same without the height from which on a node keeps all, for nodes of earlier versions. */
export const SECOND_STATUS_PROTOCOL = "/parley/status/2";
/** The same without first header and snapshots too, for nodes of still earlier ones. */
export const FIRST_STATUS_PROTOCOL = "/parley/status/1";

/** Topics that only nodes take part in which hold the chain. */
export const CHAIN_TOPICS: readonly Topic[] = ["tx", "blocks", "consensus"];

/** Names of a chain. */
export function protocolNames(chainId: string): ProtocolNames {
  const prefix = `parley/${chainId}`;
  return {
    topics: {
      tx: `/${chainId}/tx/v1`,
      blocks: `/${chainId}/blocks/v1`,
      relay: `/${chainId}/relay/v1`,
      boxes: `/${chainId}/boxes/v1`,
      deletions: `/${chainId}/deletions/v1`,
      version: `/${chainId}/version/v1`,
      consensus: `/${chainId}/consensus/v1`,
    },
    consensus: `/${prefix}/consensus/1`,
    blocks: `/${prefix}/blocks/1`,
    mailbox: `/${prefix}/mailbox/3`,
    secondMailbox: `/${prefix}/mailbox/2`,
    firstMailbox: `/${prefix}/mailbox/1`,
    mail: `/${prefix}/mail/1`,
    cards: `/${prefix}/cards/2`,
    carry: `/${prefix}/carry/1`,
    digests: `/${prefix}/digests/1`,
    watches: `/${prefix}/watches/1`,
    light: `/${prefix}/light/1`,
    snapshot: `/${prefix}/snapshot/1`,
    kademlia: `/${prefix}/kad/1`,
    prefix,
    mdns: `_parley-${chainId}._udp.local`,
  };
}
