// Wallet addresses: bech32m of the 32 key bytes with the prefix `pl`. An address decodes back to its key.
import { bech32m } from "@scure/base";
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromHex, isHex, toHex } from "#shared/util/bytes.ts";

/** Human-readable part of every address. */
export const ADDRESS_PREFIX = "pl";

/** Lower-case hex of an Ed25519 public key, 64 characters. */
export type PublicKeyHex = string;

/** `pl1…`, 61 characters, of a hex Ed25519 public key. */
export function formatAddress(publicKey: PublicKeyHex): string {
  return bech32m.encodeFromBytes(ADDRESS_PREFIX, fromHex(publicKey));
}

/** Hex key of an address, or undefined when the text is not an address of this network's form. */
export function parseAddress(address: string): PublicKeyHex | undefined {
  try {
    const { prefix, bytes } = bech32m.decodeToBytes(address);
    return prefix === ADDRESS_PREFIX && bytes.length === 32 ? toHex(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Hex key of "address or hex key", the form every endpoint and command takes.
 * @throws CodedError BAD_REQUEST when the text is neither.
 */
export function parseAccount(text: string): PublicKeyHex {
  const key = isHex(text, 32) ? text.toLowerCase() : parseAddress(text);
  if (key === undefined)
    throw new CodedError("BAD_REQUEST", `"${text.slice(0, 80)}" is neither an address (pl1…) nor a hex public key of 64 characters`);
  return key;
}
