// What a key signs for a contract without sending a transaction. Signed are the id of the chain, the id of the contract, the purpose, the
// fields, a number that is used once and a deadline: no signature is good twice, elsewhere, for something else or for ever.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, blockTime, chainId, demand, fromHex, isHexKey, isUsable, self, StorageMap, verify } from "parley";

const DOMAIN: string = "parley-contract\n";

@lazy const nonces = new StorageMap<Address, u64>("signed.nonces");

/** The number that the next signature of a key must have. */
export function nonceOf(signer: Address): u64 {
  return nonces.get(signer);
}

/** Makes the signatures void that a key gave and that were not used yet. The caller must be that key: check it. */
export function skipNonce(signer: Address): void {
  nonces.set(signer, nonces.get(signer) + 1);
}

/** Ends the call unless the key signed these fields for this purpose; its number is used up then. */
export function demandSigned(signer: Address, purpose: string, fields: string[], deadline: u64, signature: ArrayBuffer): void {
  demand(blockTime() <= deadline, "the signature has expired");
  demand(isHexKey(signer) && isUsable(signer), "only a key signs");
  demand(signature.byteLength == 64, "a signature has 64 bytes");
  const nonce = nonces.get(signer);
  const texts: string[] = [self(), purpose];
  for (let at = 0; at < fields.length; at += 1) texts.push(fields[at]);
  texts.push(nonce.toString());
  texts.push(deadline.toString());
  demand(verify(signBytes(texts), signature, fromHex(signer)), "the signature is not the signer's, or its number is not the next");
  nonces.set(signer, nonce + 1);
}

/** The domain, the chain, and a CBOR array of texts. */
function signBytes(texts: string[]): ArrayBuffer {
  const head = DOMAIN + chainId() + "\n";
  let size = head.length + headBytes(texts.length);
  for (let at = 0; at < texts.length; at += 1) {
    const length = String.UTF8.byteLength(texts[at]);
    size += headBytes(length) + length;
  }
  const bytes = new ArrayBuffer(size);
  let to = changetype<usize>(bytes);
  to += String.UTF8.encodeUnsafe(changetype<usize>(head), head.length, to);
  to = writeHead(to, 0x80, texts.length);
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at];
    to = writeHead(to, 0x60, String.UTF8.byteLength(text));
    to += String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, to);
  }
  return bytes;
}

function headBytes(length: i32): i32 {
  if (length < 24) return 1;
  return length < 256 ? 2 : 3;
}

function writeHead(to: usize, kind: u8, length: i32): usize {
  demand(length < 65_536, "a signed text is too long");
  if (length < 24) {
    store<u8>(to, kind | <u8>length);
    return to + 1;
  }
  if (length < 256) {
    store<u8>(to, kind | 24);
    store<u8>(to, <u8>length, 1);
    return to + 2;
  }
  store<u8>(to, kind | 25);
  store<u8>(to, <u8>(length >> 8), 1);
  store<u8>(to, <u8>length, 2);
  return to + 3;
}
