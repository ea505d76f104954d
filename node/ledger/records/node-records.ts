// Records of nodes: the wallet that gets their earnings, relays and their claims, and what counts for reputation.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const keyCodec = array(hex(32));
const relayCodec = record({
  x25519Pub: hex(32),
  feePerMessageUt: integer(),
  /** "" when none was given. */
  multiaddr: textUpTo(),
});
const countersCodec = record({
  heartbeats: integer(),
  /** Unix seconds of the last heartbeat that counted; 0 before the first. */
  lastHeartbeatAt: integer(),
  /** RELAY_PROOF transactions that paid something. */
  relayProofs: integer(),
  slashCount: integer(),
});

/** What a relay announced last. */
export type Relay = { readonly publicKey: PublicKeyHex } & TypeOf<typeof relayCodec>;

/** What counts for the reputation of a node, but for the blocks that it proposed. */
export type NodeCounters = TypeOf<typeof countersCodec>;

const NO_COUNTERS: NodeCounters = { heartbeats: 0, lastHeartbeatAt: 0, relayProofs: 0, slashCount: 0 };

/** Key that gets the earnings of a node: its bound wallet, else the node itself. */
export function readWallet(reader: StateReader, nodePub: PublicKeyHex): PublicKeyHex {
  const value = reader.get("wallet", fromHex(nodePub));
  return value === undefined ? nodePub : decodeRecord(keyCodec, value);
}

/** CBOR [wallet] under the node's key; a node bound to itself has no record. */
export function writeWallet(view: StateView, nodePub: PublicKeyHex, walletPub: PublicKeyHex): void {
  if (walletPub === nodePub) view.delete("wallet", fromHex(nodePub));
  else view.set("wallet", fromHex(nodePub), encode(keyCodec, walletPub));
}

/** The relay of a key, or undefined when it never registered. */
export function readRelay(reader: StateReader, publicKey: PublicKeyHex): Relay | undefined {
  const key = fromHex(publicKey);
  const value = reader.get("relay", key);
  return value === undefined ? undefined : decodeRelay(key, value);
}

/** Relay of a key and value of the namespace `relay`. */
export function decodeRelay(key: Uint8Array, value: Uint8Array): Relay {
  return { publicKey: toHex(key), ...decodeRecord(relayCodec, value) };
}

/** CBOR [x25519, fee, multiaddr] under the relay's key. */
export function writeRelay(view: StateView, relay: Relay): void {
  view.set("relay", fromHex(relay.publicKey), encode(relayCodec, relay));
}

/** True when the fee of a sender's envelope was paid. */
export function isClaimed(reader: StateReader, senderPub: PublicKeyHex, envelopeId: string): boolean {
  return reader.get("relay_claim", claimKey(senderPub, envelopeId)) !== undefined;
}

/** CBOR [relay] under sender ‖ envelope id. */
export function writeClaim(view: StateView, senderPub: PublicKeyHex, envelopeId: string, relayPub: PublicKeyHex): void {
  view.set("relay_claim", claimKey(senderPub, envelopeId), encode(keyCodec, relayPub));
}

/** Counters of a node; zeros when it never did anything. */
export function readNodeCounters(reader: StateReader, nodePub: PublicKeyHex): NodeCounters {
  const value = reader.get("node", fromHex(nodePub));
  return value === undefined ? NO_COUNTERS : decodeRecord(countersCodec, value);
}

/** CBOR [heartbeats, last heartbeat, relay proofs, slash count] under the node's key. */
export function writeNodeCounters(view: StateView, nodePub: PublicKeyHex, counters: NodeCounters): void {
  view.set("node", fromHex(nodePub), encode(countersCodec, counters));
}

function claimKey(senderPub: PublicKeyHex, envelopeId: string): Uint8Array {
  return concatBytes(fromHex(senderPub), utf8(envelopeId));
}
