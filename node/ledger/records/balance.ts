// Moving µT between accounts. Callers check first: an account that cannot pay is a broken invariant here.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, addAmounts } from "#shared/protocol/primitives/amount.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { StateView } from "../state-view.ts";
import { readAccount, writeAccount } from "./records.ts";

/** Adds µT to an account. */
export function credit(view: StateView, publicKey: PublicKeyHex, amountUt: AmountUt): void {
  const account = readAccount(view, publicKey);
  const balanceUt = addAmounts(account.balanceUt, amountUt);
  assertInvariant(balanceUt !== undefined, "A balance exceeds the largest supply");
  writeAccount(view, publicKey, { ...account, balanceUt });
}

/** Takes µT from an account. */
export function debit(view: StateView, publicKey: PublicKeyHex, amountUt: AmountUt): void {
  const account = readAccount(view, publicKey);
  assertInvariant(account.balanceUt >= amountUt, "A balance would become negative");
  writeAccount(view, publicKey, { ...account, balanceUt: account.balanceUt - amountUt });
}

/** Moves µT from one account to another, which may be the same. */
export function move(view: StateView, from: PublicKeyHex, to: PublicKeyHex, amountUt: AmountUt): void {
  debit(view, from, amountUt);
  credit(view, to, amountUt);
}
