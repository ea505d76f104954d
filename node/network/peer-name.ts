// Peer ids and node keys: an Ed25519 peer id holds the key itself, so each follows from the other.
import { privateKeyFromRaw, publicKeyFromRaw } from "@libp2p/crypto/keys";
import type { PeerId, PrivateKey } from "@libp2p/interface";
import { peerIdFromPublicKey, peerIdFromString } from "@libp2p/peer-id";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import type { PeerName } from "./peer-network.ts";

/** Ed25519 key of a node. */
export interface NodeKey {
  readonly publicKey: PublicKeyHex;
  /** Seed, 32 bytes. */
  readonly secret: Uint8Array;
}

/** The key as libp2p takes it. */
export function libp2pKey({ publicKey, secret }: NodeKey): PrivateKey {
  return privateKeyFromRaw(concatBytes(secret, fromHex(publicKey)));
}

/** Peer id of a node key. @throws Error when the key is no Ed25519 key. */
export function peerIdOf(nodeKey: PublicKeyHex): PeerId {
  return peerIdFromPublicKey(publicKeyFromRaw(fromHex(nodeKey)));
}

/** Name of the node with a key. */
export function peerNameOf(nodeKey: PublicKeyHex): PeerName {
  return peerIdOf(nodeKey).toString();
}

/** Node key in a peer's name, null when its id carries no Ed25519 key. */
export function nodeKeyOf(peer: PeerName): PublicKeyHex | null {
  try {
    const id = peerIdFromString(peer);
    return id.type === "Ed25519" ? toHex(id.publicKey.raw) : null;
  } catch {
    return null;
  }
}
