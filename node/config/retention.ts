// How much a node keeps: of the old blocks all, or those of some days, or so many; of mail so many bytes.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";

/** What is kept of the blocks' transactions; undefined: all. */
export type RetentionConfig = { readonly days: number } | { readonly blocks: number } | undefined;

/** What a node keeps that knows the accounts of its person, unless something else is said. */
export const PERSONAL_RETENTION = "30d";

/** Fewest blocks: those that may be rolled back, and a file of old ones more. Two hours stay in any case. */
export const LEAST_RETAINED_BLOCKS = 1_128;
/** Ten thousand years of one block a second are more. */
const MOST_RETAINED_BLOCKS = 1_000_000_000;
/** A century. */
const MOST_RETAINED_DAYS = 36_500;

/** The retention of a text. @throws CodedError CONFIG_INVALID saying what may be written */
export function parseRetention(text: string): RetentionConfig {
  if (text === "all") return undefined;
  const [, digits, unit] = /^(\d{1,10})(d|blocks)$/.exec(text) ?? [];
  const number = Number(digits);
  if (unit === "d" && number >= 1 && number <= MOST_RETAINED_DAYS) return { days: number };
  if (unit === "blocks" && number >= LEAST_RETAINED_BLOCKS && number <= MOST_RETAINED_BLOCKS) return { blocks: number };
  throw new CodedError("CONFIG_INVALID", `--retain is "${text}": ${reasonOf(unit)}`);
}

/** Most own accounts: each file of old blocks that is dropped is looked through for every one. */
export const MOST_OWN_ACCOUNTS = 64;

/** Keys of own accounts. @throws CodedError CONFIG_INVALID naming the one that is wrong */
export function parseOwnAccounts(texts: readonly string[]): readonly PublicKeyHex[] {
  const named = texts.map((text) => text.trim()).filter((text) => text !== "");
  if (named.length > MOST_OWN_ACCOUNTS) throw new CodedError("CONFIG_INVALID", `--own names more than ${MOST_OWN_ACCOUNTS} accounts`);
  return [...new Set(named.map(accountOf))];
}

/** The text of a retention. */
export function formatRetention(retention: RetentionConfig): string {
  if (retention === undefined) return "all";
  return "days" in retention ? `${retention.days}d` : `${retention.blocks}blocks`;
}

function reasonOf(unit: string | undefined): string {
  if (unit === "d") return `a node keeps 1d to ${MOST_RETAINED_DAYS}d, or all`;
  if (unit === "blocks")
    return `a node keeps at least ${LEAST_RETAINED_BLOCKS}blocks, which it needs itself, and at most ${MOST_RETAINED_BLOCKS}blocks, or all`;
  return "write all, days like 30d, or a number of blocks like 100000blocks";
}

const MIB = 1_048_576;
const UNITS: Readonly<Record<string, number>> = { MiB: MIB, GiB: 1_024 * MIB };
/** What one mailbox may hold, twice. */
const LEAST_MAIL_BYTES = 128 * MIB;
/** A pebibyte. */
const MOST_MAIL_BYTES = MIB * MIB * 1_024;

/** Bytes of the envelopes that a node holds; undefined for the default. @throws CodedError CONFIG_INVALID saying what may be written */
export function parseMailDisk(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = sizeInBytes(text) ?? 0;
  if (bytes >= LEAST_MAIL_BYTES && bytes <= MOST_MAIL_BYTES) return bytes;
  throw new CodedError("CONFIG_INVALID", `--mail-disk is "${text}": write a size like 16GiB or 512MiB, from 128MiB on`);
}

/** Bytes of a size like 16GiB or 512MiB; undefined for another text. */
export function sizeInBytes(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,10})(MiB|GiB)$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 0);
}

function accountOf(text: string): PublicKeyHex {
  try {
    return parseAccount(text);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `--own: "${text}" is no address and no public key of an account`, { cause });
  }
}
