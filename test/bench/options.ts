// Command line of the benchmark.
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Parts of the benchmark, in the order in which they run. */
export const SUITES = [
  "start",
  "cli",
  "memory",
  "disk",
  "retention",
  "reindex",
  "replay",
  "reads",
  "transfers",
  "mailbox",
  "gateway",
  "interface",
  "network",
  "light",
  "join",
  "messages",
  "messenger",
  "long-chat",
  "desktop",
  "vm",
  "codec",
  "profile",
] as const;
/** One of {@link SUITES}. */
export type SuiteName = (typeof SUITES)[number];

/** What the person asked for. */
export interface BenchOptions {
  readonly suites: readonly SuiteName[];
  /** Compares with other programs, as far as they can be installed. */
  readonly withPeers: boolean;
  /** Transactions and accounts of the generated chain. */
  readonly transactions: number;
  readonly accounts: number;
  /** Quiet samples of each measurement. */
  readonly repeats: number;
  /** Folder of generated chains. */
  readonly cache: string;
  /** Makes the chain again even when the cache has it. */
  readonly isFresh: boolean;
}

export const USAGE = `npm run bench -- [--scale] [--no-peers] [--only ${SUITES.join(",")}] [--transactions N] [--accounts N] [--repeats N] [--cache DIR] [--fresh]`;

interface Size {
  readonly transactions: number;
  readonly accounts: number;
  readonly repeats: number;
}

/** Done within minutes. */
const SMALL: Size = { transactions: 40_000, accounts: 10_000, repeats: 1 };
/** The size of the published figures (`--scale`). */
const FULL: Size = { transactions: 1_000_000, accounts: 100_000, repeats: 5 };

/** Options of the given arguments. @throws Error naming what is wrong. */
export function parseOptions(args: readonly string[], root: string): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      only: { type: "string", default: SUITES.join(",") },
      peers: { type: "boolean", default: true },
      scale: { type: "boolean", default: false },
      transactions: { type: "string" },
      accounts: { type: "string" },
      repeats: { type: "string" },
      cache: { type: "string", default: join(root, ".cache", "bench") },
      fresh: { type: "boolean", default: false },
    },
  });
  const size = values.scale ? FULL : SMALL;
  const transactions = count(values.transactions, size.transactions, "--transactions");
  const accounts = count(values.accounts, size.accounts, "--accounts");
  if (accounts * 2 > transactions) throw new Error("--transactions must be at least twice --accounts: the first ones fund the accounts");
  return {
    suites: suites(values.only),
    withPeers: values.peers,
    transactions,
    accounts,
    repeats: count(values.repeats, size.repeats, "--repeats"),
    cache: values.cache,
    isFresh: values.fresh,
  };
}

function suites(text: string): readonly SuiteName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !SUITES.some((suite) => suite === name));
  if (unknown !== undefined) throw new Error(`--only knows ${SUITES.join(", ")}, not "${unknown}"`);
  return SUITES.filter((suite) => names.includes(suite));
}

function count(text: string | undefined, otherwise: number, name: string): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} is a whole number above 0, not "${text}"`);
  return value;
}
