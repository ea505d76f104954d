// The history of an account: a counter and a rolling hash over the ids of its entries, so that a served list can be proven complete.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { sha256 } from "#shared/protocol/hash.ts";
import type { Receipt } from "#shared/protocol/receipt.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import { readAccount, writeAccount } from "./records.ts";
import type { StateView } from "./state-view.ts";

/**
 * Accounts in whose history a transaction stands: the sender, and unless it failed the recipient and whom else it touched.
 * A failed payment is no event for the one who was not paid.
 */
export function touchedAccounts(tx: Pick<Transaction, "from" | "to">, receipt: Pick<Receipt, "isOk" | "touched">): readonly PublicKeyHex[] {
  if (!receipt.isOk) return [tx.from];
  return tx.to === "" || tx.to === tx.from ? [tx.from, ...receipt.touched] : [tx.from, tx.to, ...receipt.touched];
}

/** Next rolling hash: SHA-256 of the previous one (32 zero bytes at first) followed by the id's ASCII bytes. */
export function nextHistoryHash(previous: Uint8Array, entryId: string): Uint8Array {
  return sha256(concatBytes(previous, utf8(entryId)));
}

/** Appends entry ids to the history of an account. */
export function appendHistory(view: StateView, publicKey: PublicKeyHex, entryIds: readonly string[]): void {
  const account = readAccount(view, publicKey);
  writeAccount(view, publicKey, {
    balanceUt: account.balanceUt,
    historyCount: account.historyCount + entryIds.length,
    historyHash: entryIds.reduce(nextHistoryHash, account.historyHash),
  });
}
