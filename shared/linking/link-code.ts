// The code that one device shows and another one reads or is typed: fifteen symbols in three groups. Twelve carry a secret of 60 bits,
// two name the network, the last one finds slips. Anyone who sees the code can take part in the linking: the two digits distinguish the
// devices of one person from those of others.
import { CodedError } from "#shared/errors/coded-error.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

/** Symbols of the secret. */
export const SECRET_SYMBOLS = 12;
const NETWORK_SYMBOLS = 2;
const GROUP = 5;
/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_SYMBOLS = SECRET_SYMBOLS + NETWORK_SYMBOLS + 1;
const LINK_PREFIX = "parley:link?code=";

/** A code as both devices use it: the twelve symbols of its secret. */
export type LinkSecret = string;

/** A fresh code for a network, in three groups. */
export function createLinkCode(chainId: string, random: RandomBytes): string {
  const secret = [...random(SECRET_SYMBOLS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  const body = secret + networkSymbols(chainId);
  return groups(body + checkSymbol(body));
}

/** What the picture of a code says. */
export function formatLinkPicture(code: string): string {
  return LINK_PREFIX + code;
}

/**
 * Secret of a code as it was read or typed: any case, with or without hyphens and spaces, O for 0 and I or L for 1.
 * @throws CodedError LINK_CODE_INVALID for a slip, LINK_OTHER_NETWORK for the code of another network.
 */
export function parseLinkCode(text: string, chainId: string): LinkSecret {
  const trimmed = text.trim();
  const bare = trimmed.startsWith(LINK_PREFIX) ? trimmed.slice(LINK_PREFIX.length) : trimmed;
  const symbols = bare.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const body = symbols.slice(0, -1);
  const isWhole = symbols.length === CODE_SYMBOLS && [...symbols].every((symbol) => ALPHABET.includes(symbol));
  if (!isWhole || symbols.at(-1) !== checkSymbol(body))
    throw new CodedError("LINK_CODE_INVALID", `A code has ${CODE_SYMBOLS} letters and digits; this one has a typo`);
  if (body.slice(SECRET_SYMBOLS) !== networkSymbols(chainId))
    throw new CodedError("LINK_OTHER_NETWORK", "This code was made on another network: choose the same one on both devices");
  return body.slice(0, SECRET_SYMBOLS);
}

function networkSymbols(chainId: string): string {
  return symbolsOf(`parley link network\n${chainId}`, NETWORK_SYMBOLS);
}

function checkSymbol(body: string): string {
  return symbolsOf(`parley link check\n${body}`, 1);
}

function symbolsOf(text: string, count: number): string {
  return [...sha256(utf8(text)).subarray(0, count)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

function groups(symbols: string): string {
  return [0, 1, 2].map((index) => symbols.slice(index * GROUP, (index + 1) * GROUP)).join("-");
}
