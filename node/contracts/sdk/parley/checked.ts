// Arithmetic of integers that ends the call where the result does not fit, instead of wrapping around.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";
import { u128 } from "./u128";

@lazy
const OVERFLOW: string = "an integer overflows";

/** a + b of any integer type. */
export function checkedAdd<T extends number>(a: T, b: T): T {
  const sum = <T>(a + b);
  if (isSigned<T>() ? b < 0 ? sum >= a : sum < a : sum < a) revert(OVERFLOW);
  return sum;
}

/** a − b of any integer type. */
export function checkedSub<T extends number>(a: T, b: T): T {
  const difference = <T>(a - b);
  if (isSigned<T>() ? b < 0 ? difference <= a : difference > a : b > a) revert(OVERFLOW);
  return difference;
}

/** a · b of any integer type. */
export function checkedMul<T extends number>(a: T, b: T): T {
  if (a == 0 || b == 0) return 0;
  const product = <T>(a * b);
  if (isSigned<T>()) {
    // The one division that would trap: the least integer by −1.
    if (a == -1) {
      if (b == <T>minValue<T>()) revert(OVERFLOW);
    } else if (b == -1) {
      if (a == <T>minValue<T>()) revert(OVERFLOW);
    } else if (<T>(product / b) != a) {
      revert(OVERFLOW);
    }
  } else if (<T>(product / b) != a) {
    revert(OVERFLOW);
  }
  return product;
}

/** a to the power of an exponent, of any integer type. */
export function checkedPow<T extends number>(a: T, exponent: u32): T {
  let power: T = 1;
  let base = a;
  let left = exponent;
  while (left > 0) {
    if (left & 1) power = checkedMul<T>(power, base);
    left >>= 1;
    if (left > 0) base = checkedMul<T>(base, base);
  }
  return power;
}

/** The same integer in another type; one that does not fit ends the call. */
export function checkedCast<From extends number, To extends number>(integer: From): To {
  const cast = <To>integer;
  if (<From>cast != integer || (cast < 0) != (integer < 0)) revert(OVERFLOW);
  return cast;
}

/** a · b / c without a limit on the product, rounded down; a result beyond 64 bits ends the call. */
export function mulDiv(a: u64, b: u64, c: u64): u64 {
  return ((u128.from(a) * u128.from(b)) / u128.from(c)).toU64();
}

function minValue<T extends number>(): i64 {
  return (<i64>-1) << (sizeof<T>() * 8 - 1);
}
