// Proof that an identity published an encryption key: the transaction in which its master key signed that. Whoever keeps the chain can
// show it, and cannot make one.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { isIdAuthentic, signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";

/** Types that publish an encryption key. */
const PUBLISHING: readonly string[] = ["LINK_DEVICE", "REGISTER_KEY"];

/** What is to be proven. */
export interface PublishedKey {
  readonly chainId: string;
  readonly masterPub: PublicKeyHex;
  /** X25519 key of a device, or the identity's own. */
  readonly key: string;
}

/** True when a transaction as JSON is one in which the master key published the key. Never throws. */
export function isKeyPublication(json: unknown, { chainId, masterPub, key }: PublishedKey): boolean {
  const tx = parsed(json, chainId);
  if (tx === undefined || tx.from !== masterPub.toLowerCase() || !PUBLISHING.includes(tx.type)) return false;
  const published = (decodePayload(tx.payload) as { readonly x25519_pub_key?: unknown } | undefined)?.x25519_pub_key;
  if (typeof published !== "string" || published.toLowerCase() !== key.toLowerCase()) return false;
  return isIdAuthentic(chainId, tx) && verifyZip215(fromBase64(tx.signature), signedBytes(tx), fromHex(tx.from));
}

function parsed(json: unknown, chainId: string): Transaction | undefined {
  try {
    return parseTransaction(json, chainId).tx;
  } catch {
    return undefined;
  }
}
