// Shares of a bill. Pure.
import { readAmount } from "#renderer/lib/transactions/amount-input.ts";
import type { PayShare } from "#shared/content/pay-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** Equal shares of an amount to the µT: what is left over goes to the first people, 1 µT each. Empty where there is less than 1 µT for each. */
export function equalShares(amountUt: AmountUt, people: readonly PublicKeyHex[]): readonly PayShare[] {
  const least = Math.floor(amountUt / people.length);
  const left = amountUt - least * people.length;
  if (people.length === 0 || least === 0) return [];
  return people.map((person, index) => ({ person, amountUt: least + Number(index < left) }));
}

/** Shares as they are typed, or how far they are from the amount. */
export type ReadShares =
  | { readonly kind: "ok"; readonly shares: readonly PayShare[] }
  | { readonly kind: "wrong" }
  | { readonly kind: "off"; readonly differenceUt: AmountUt; readonly isTooMuch: boolean };

/** Reads shares of people; a share that is empty or nothing is none. */
export function readShares(
  amountUt: AmountUt,
  typed: readonly { readonly person: PublicKeyHex; readonly amount: string }[],
  locale: string,
): ReadShares {
  const shares: PayShare[] = [];
  for (const { person, amount } of typed) {
    const read = readAmount(amount, locale);
    if (read.kind === "ok") shares.push({ person, amountUt: read.amountUt });
    else if (read.kind !== "empty" && read.kind !== "zero") return { kind: "wrong" };
  }
  const difference = amountUt - shares.reduce((sum, share) => sum + share.amountUt, 0);
  if (difference !== 0) return { kind: "off", differenceUt: Math.abs(difference), isTooMuch: difference < 0 };
  return { kind: "ok", shares };
}
