// Wallet addresses: bech32m of the 32 key bytes with the prefix `pl`. An address decodes back to its key.
import { bech32m } from "@scure/base";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex, toHex } from "#shared/util/bytes.ts";

/** Human-readable part of every address. */
export const ADDRESS_PREFIX = "pl";

/** Lower-case hex of an Ed25519 public key, 64 characters. */
export type PublicKeyHex = string;

// Writing an address, by the definition of bech32m: the library's general way takes four times as long, and lists name many keys.
const KEY_DIGITS = 64;
const CHECK_SYMBOLS = 6;
const CHECK_END = 0x2bc830a3;
const CHECK_TERMS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Characters of the five-bit symbols. */
const SYMBOL_CODES = Array.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l", (symbol) => symbol.charCodeAt(0));
/** What the five bits that leave the checksum put into it. */
const CHECK_STEPS = Array.from({ length: 32 }, (_, bits) => CHECK_TERMS.reduce((sum, term, i) => sum ^ ((bits >> i) & 1 ? term : 0), 0));
const PREFIX_CODES = Array.from(ADDRESS_PREFIX, (letter) => letter.charCodeAt(0));
const PREFIX_CHECK = [...PREFIX_CODES.map((code) => code >> 5), 0, ...PREFIX_CODES.map((code) => code & 31)].reduce(nextCheck, 1);
const SEPARATOR_CODE = 0x31;

/** `pl1…`, 61 characters, of a hex Ed25519 public key. @throws Error when it is none. */
export function formatAddress(publicKey: PublicKeyHex): string {
  const codes = [...PREFIX_CODES, SEPARATOR_CODE];
  let check = PREFIX_CHECK;
  const add = (symbol: number): void => {
    codes.push(SYMBOL_CODES[symbol] as number);
    check = nextCheck(check, symbol);
  };
  let bits = 0;
  let waiting = 0;
  for (let i = 0; i < KEY_DIGITS; i += 1) {
    bits = ((bits & 0xf) << 4) | hexDigit(publicKey.charCodeAt(i));
    waiting += 4;
    if (waiting < 5) continue;
    waiting -= 5;
    add((bits >> waiting) & 31);
  }
  if (publicKey.length !== KEY_DIGITS) throw new Error(`A public key has ${KEY_DIGITS} hex digits, not ${publicKey.length}`);
  // One bit is left of 256; zeros fill its symbol.
  add((bits << (5 - waiting)) & 31);
  for (let i = 0; i < CHECK_SYMBOLS; i += 1) check = nextCheck(check, 0);
  check ^= CHECK_END;
  for (let i = CHECK_SYMBOLS - 1; i >= 0; i -= 1) codes.push(SYMBOL_CODES[(check >> (5 * i)) & 31] as number);
  return String.fromCharCode(...codes);
}

function nextCheck(check: number, symbol: number): number {
  return ((check & 0x1ffffff) << 5) ^ symbol ^ (CHECK_STEPS[check >>> 25] as number);
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw new Error("A public key is written in hex digits");
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
