// Values of options and arguments: read when the command line is parsed, refused in words that name the option.
import { InvalidArgumentError } from "commander";
import { MODULE_LIMITS } from "#node/vm/module/module-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { parseAmountArgument } from "./amount-argument.ts";
import { isBookName } from "./names/address-book.ts";

const MAX_U64 = (1n << 64n) - 1n;
const MAX_COUNT = 999_999;
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const USERNAME = /^@[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Of an option that may be given again: its values so far, which begin as [], and this one. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** An amount in µT. */
export function amountValue(text: string): AmountUt {
  return read(text, parseAmountArgument);
}

/** The fee of a transaction in µT. */
export function feeValue(text: string): AmountUt {
  return read(text, (value) => {
    const fee = parseAmountArgument(value);
    if (fee < 1) throw new InvalidArgumentError("The fee is at least 1 µT.");
    return fee;
  });
}

/** An address, a hex public key, `@username` or a name that may be in the address book, as it was written; names are resolved later. */
export function accountValue(text: string): string {
  return read(text, (value) => {
    if (!value.startsWith("@")) {
      if (!isBookName(value)) parseAccount(value);
    } else if (!USERNAME.test(value)) throw new InvalidArgumentError("A username has letters, digits and . _ - only.");
    return value;
  });
}

/** A username without its @, in lower case as the registry stores it. */
export function usernameValue(text: string): string {
  if (!USERNAME.test(`@${withoutAt(text)}`)) throw new InvalidArgumentError("A username has letters, digits and . _ - only.");
  return withoutAt(text).toLowerCase();
}

/** A contract id in lower case. */
export function contractIdValue(text: string): string {
  if (!isContractId(text)) throw new InvalidArgumentError("A contract id has 16 hex characters.");
  return text.toLowerCase();
}

/** A contract id in lower case, or what can be the name of a contract; names are resolved later. */
export function contractValue(text: string): string {
  if (isContractId(text)) return text.toLowerCase();
  if (!/^[A-Za-z_]/.test(text)) throw new InvalidArgumentError("A contract id has 16 hex characters, and a name begins with a letter.");
  return text;
}

/** A height of the chain. */
export function heightValue(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("A height is a whole number, 0 or more.");
  return Number(text);
}

/** Gas of a transaction. */
export function gasValue(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > MAX_GAS_LIMIT)
    throw new InvalidArgumentError(`Gas is a whole number from 1 to ${MAX_GAS_LIMIT}.`);
  return Number(text);
}

/** Pages of a contract's memory. */
export function pagesValue(text: string): number {
  if (!/^[1-9]\d?$/.test(text) || Number(text) > MODULE_LIMITS.pages)
    throw new InvalidArgumentError(`Pages are a whole number from 1 to ${MODULE_LIMITS.pages}.`);
  return Number(text);
}

/** Decimal digits of an unsigned 64-bit integer. */
export function uint64Value(text: string): string {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) > MAX_U64) throw new InvalidArgumentError(`It is a whole number from 0 to ${MAX_U64}.`);
  return BigInt(text).toString();
}

/** How many of something. */
export function countValue(text: string): number {
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MAX_COUNT) throw new InvalidArgumentError(`It is a whole number from 1 to ${MAX_COUNT}.`);
  return Number(text);
}

/** Reader of a time of at most so many seconds. */
export function durationValue(mostS: number): (text: string) => number {
  return (text) => {
    const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
    const seconds = Number(count) * UNIT_SECONDS[(unit ?? "s") as keyof typeof UNIT_SECONDS];
    if (count === undefined || seconds > mostS)
      throw new InvalidArgumentError(`Use a duration like 90s, 30m, 12h or 7d, at most ${Math.floor(mostS / UNIT_SECONDS.d)}d.`);
    return seconds;
  };
}

function withoutAt(text: string): string {
  return text.startsWith("@") ? text.slice(1) : text;
}

/** What a function makes of a text; its refusal in the words of an option. */
export function read<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof CodedError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
