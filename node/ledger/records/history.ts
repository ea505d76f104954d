// The history of an account: a counter and a rolling hash over the ids of its entries, so that a served list can be proven complete.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Sha256, sha256 } from "#shared/protocol/primitives/hash.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import type { StateView } from "../state-view.ts";
import { readAccount, writeAccount } from "./records.ts";

/**
 * Accounts in whose history a transaction is listed: the sender, and unless it failed the recipient and whom else it touched.
 * A failed payment is no event for the one who was not paid.
 */
export function touchedAccounts(tx: Pick<Transaction, "from" | "to">, receipt: Pick<Receipt, "isOk" | "touched">): readonly PublicKeyHex[] {
  if (!receipt.isOk) return [tx.from];
  return tx.to === "" || tx.to === tx.from ? [tx.from, ...receipt.touched] : [tx.from, tx.to, ...receipt.touched];
}

/** The rolling hash after further entries: for each, SHA-256 of the one before (32 zero bytes at first) and the id's ASCII bytes. */
export function historyHashAfter(previous: Uint8Array, entryIds: readonly string[], hash: Sha256 = sha256): Uint8Array {
  let last = previous;
  for (const entryId of entryIds) last = hash(concatBytes(last, utf8(entryId)));
  return last;
}

/** Appends entry ids to the history of an account. */
export function appendHistory(view: StateView, publicKey: PublicKeyHex, entryIds: readonly string[], hash?: Sha256): void {
  const account = readAccount(view, publicKey);
  writeAccount(view, publicKey, {
    balanceUt: account.balanceUt,
    historyCount: account.historyCount + entryIds.length,
    historyHash: historyHashAfter(account.historyHash, entryIds, hash),
  });
}
