// What a network is made of. Free of libp2p, so that the composition root can name it without loading anything.
import type { Log } from "#node/observability/log.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { NodeKey } from "./peer-name.ts";
import type { SignedSeat } from "./wire/seat.ts";
import type { NodeVersions } from "./wire/version-announcement.ts";

/**
 * Part of the node in relaying connections for others: `offer` for a node that everyone can dial, `use` for one that may be behind
 * a router and asks such nodes to be reachable through them, `off` for neither.
 */
export type RelayRole = "offer" | "use" | "off";

/**
 * What a node has to give: `full` serves blocks and proofs and passes on what the chain is made of; `light` holds no chain, receives no
 * transactions, blocks and votes, and is asked for none. Both carry mailboxes.
 */
export type NetworkRole = "full" | "light";

/** The validator that a node acts for whose own key is another one. */
export interface SeatedValidator {
  readonly publicKey: PublicKeyHex;
  /** What the validator signed of this node; undefined as long as it has not. */
  seat(): SignedSeat | undefined;
  /** Calls back when there is a new one. */
  onSeat(listener: () => void): void;
  /** Another node acts for the validator since that second. */
  onTaken(sinceSec: number): void;
  /** Signs the head of a proposal's parts; undefined when there is no signature. */
  signParts(height: Height, round: number, bytes: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Configuration and surroundings of a network. */
export interface NetworkOptions {
  readonly chainId: string;
  readonly genesisHash: HashHex;
  readonly nodeKey: NodeKey;
  /** Absent where the node's key is the one that it may vote with. */
  readonly validator?: SeatedValidator;
  /** Where to listen; undefined to dial others only. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** Multiaddresses that others should dial instead of those listened on. */
  readonly announce: readonly string[];
  /** Multiaddresses of nodes to meet first, each with `/p2p/<id>` at its end. */
  readonly bootstrap: readonly string[];
  /** Finds nodes of the same chain on the local network. */
  readonly usesMdns: boolean;
  readonly relay: RelayRole;
  /** `full` when absent. */
  readonly role?: NetworkRole;
  readonly versions: NodeVersions;
  /** False for an address that is never dialled, whatever else is said of it; for tests. */
  readonly mayDial?: (address: string) => boolean;
  /** Whether private addresses that peers report are dialled; when absent, only on a network that is private as a whole. */
  readonly dialsPrivate?: boolean | undefined;
  /** Peers that always find a slot: peer ids, or multiaddresses that are dialled too. */
  readonly reserved?: readonly string[];
  /** Whether limits, scores and bans by address apply to addresses that are not public; false when absent. */
  readonly limitsLocal?: boolean;
  /** File for addresses, anchors and scores between two runs; nothing is remembered when absent. */
  readonly peersPath?: string;
  /** The consensus rule for signatures. */
  readonly verify: VerifySignature;
  readonly clock: Clock;
  /** Processor time of this thread, ms; what the runtime says by default. */
  readonly workedMs?: () => number;
  readonly log: Log;
}

/** The key that this node may vote with. */
export function votingKeyOf({ nodeKey, validator }: Pick<NetworkOptions, "nodeKey" | "validator">): PublicKeyHex {
  return validator?.publicKey ?? nodeKey.publicKey;
}
