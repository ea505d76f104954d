// Authentication on the WebSocket: what a master key signs to answer the nonce of the node's `hello`.
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { fromHex } from "#shared/util/bytes.ts";

/** Bytes that `auth` signs: domain `parley-ws` over the 32 bytes of the nonce. @throws Error when the nonce is not hex. */
export function socketAuthBytes(chainId: string, nonce: string): Uint8Array {
  return domainBytes("webSocket", chainId, fromHex(nonce));
}
