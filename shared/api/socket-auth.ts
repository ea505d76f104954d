// Authentication on the WebSocket: an Ed25519 signature over the nonce of the node's `hello`.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { domainBytes } from "#shared/protocol/domains.ts";
import { signEd25519 } from "#shared/protocol/signature.ts";
import { fromHex, toBase64 } from "#shared/util/bytes.ts";

/** Bytes that `auth` signs: domain `parley-ws` over the 32 bytes of the nonce. @throws Error when the nonce is not hex. */
export function socketAuthBytes(chainId: string, nonce: string): Uint8Array {
  return domainBytes("webSocket", chainId, fromHex(nonce));
}

/** Fields of an `auth` frame, signed with the master key's 32-byte seed. */
export function signSocketAuth(
  hello: { readonly chain_id: string; readonly nonce: string },
  key: { readonly publicKey: PublicKeyHex; readonly seed: Uint8Array },
): { readonly pub: PublicKeyHex; readonly sig: string } {
  return { pub: key.publicKey, sig: toBase64(signEd25519(socketAuthBytes(hello.chain_id, hello.nonce), key.seed)) };
}
