// Bytes of directories, against an evaluation in another language, and what is refused.
import { describe, expect, it } from "vitest";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import {
  decodeDirectory,
  decodeDirectoryHead,
  encodeDirectory,
  KEEPERS_PER_PART,
  type ReadDirectory,
} from "#shared/protocol/keepers/directory-records.ts";
import type { MailMode } from "#shared/protocol/keepers/mail-mode.ts";
import { networkOfAddress } from "#shared/protocol/keepers/relay-network.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { hexOfRange, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { createRandom } from "#test/support/host/random.ts";

interface RecordCase {
  readonly epoch: number;
  readonly beganS: number;
  readonly mode: readonly [is: string, first: number, second?: number];
  readonly keepers: readonly Omit<Keeper, "network">[];
  readonly lastDay: number;
  readonly seeds: readonly string[];
  readonly head: string;
  /** SHA-256 of each. */
  readonly parts: readonly string[];
  readonly first: string;
}

const { records } = readVectors<{ readonly records: readonly RecordCase[] }>("keepers.json");

function modeOf([is, first, second = 0]: RecordCase["mode"]): MailMode {
  if (is === "gossip") return { is, enough: first };
  return is === "announced" ? { is, left: first, tooFew: second } : { is: "keepers", tooFew: first };
}

function directoryOf({ epoch, beganS, mode, keepers, lastDay, seeds }: RecordCase): ReadDirectory {
  const known = keepers.map((keeper) => ({ ...keeper, network: networkOfAddress(keeper.multiaddr) ?? "" }));
  return { epoch, beganS, mode: modeOf(mode), keepers: known, seeds: { lastDay, seeds } };
}

const whole = directoryOf(records.at(-1) as RecordCase);
const good = encodeDirectory(whole);
const changed = (changes: Partial<ReadDirectory>): ReturnType<typeof encodeDirectory> => encodeDirectory({ ...whole, ...changes });
const withKeeper = (change: Partial<Keeper>): ReadDirectory => ({
  ...whole,
  keepers: whole.keepers.map((keeper, at) => (at === 3 ? { ...keeper, ...change } : keeper)),
});

describe("records of a directory", () => {
  it.each(records)("have the bytes of the vectors: epoch $epoch", (given) => {
    const directory = directoryOf(given);
    const { head, parts } = encodeDirectory(directory);
    expect(toHex(head)).toBe(given.head);
    expect(parts.map((part) => toHex(sha256(part)))).toEqual(given.parts);
    expect(parts[0] === undefined ? "" : hexOfRange(parts[0], 0, Math.min(400, parts[0].length))).toBe(given.first);
    expect(decodeDirectory({ head, parts })).toEqual(directory);
    expect(decodeDirectoryHead(head).count).toBe(given.keepers.length);
  });

  it.each<[string, ReturnType<typeof encodeDirectory>]>([
    ["a part is missing", { ...good, parts: good.parts.slice(1) }],
    ["parts are in another order", { ...good, parts: good.parts.toReversed() }],
    [
      "a part is of another one",
      { ...good, parts: [...good.parts.slice(0, -1), changed(withKeeper({ weight: 2 })).parts[0] ?? good.head] },
    ],
    ["the head is of another one", { ...good, head: changed({ keepers: whole.keepers.slice(1) }).head }],
    ["keepers are not in order", changed({ keepers: whole.keepers.toReversed() })],
    ["a keeper is in it twice", changed({ keepers: [...whole.keepers.slice(0, 1), ...whole.keepers] })],
    ["an address is of no network", changed(withKeeper({ multiaddr: "/ip4/10.0.0.1/tcp/1" }))],
  ])("are refused when %s", (_name, bytes) => {
    expect(() => decodeDirectory(bytes)).toThrow(TypeError);
  });

  it.each<[string, Partial<ReadDirectory>]>([
    ["a weight beyond the greatest", withKeeper({ weight: 9 })],
    ["an address that is too long", withKeeper({ multiaddr: `/dns4/${"a".repeat(300)}.example` })],
    ["more seeds than are remembered", { seeds: { lastDay: 20_000, seeds: Array(61).fill("00".repeat(32)) } }],
    ["no seed", { seeds: { lastDay: 20_000, seeds: [] } }],
    ["seeds of days before 1970", { seeds: { lastDay: 0, seeds: Array(2).fill("00".repeat(32)) } }],
  ])("cannot be made with %s", (_name, changes) => {
    expect(() => changed(changes)).toThrow();
  });

  it("are refused with any byte changed", () => {
    const random = createRandom(7);
    for (let run = 0; run < 60; run += 1) {
      const at = random.between(0, good.parts.length);
      const bytes = Uint8Array.from(good.parts[at] ?? good.head);
      const place = random.between(0, bytes.length - 1);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.between(0, 7));
      const parts = good.parts.map((part, other) => (other === at ? bytes : part));
      const read = (): ReadDirectory => decodeDirectory({ head: at < good.parts.length ? good.head : bytes, parts });
      // A changed head may say something else, which the state's proof of it would not cover; never of other keepers.
      if (at < good.parts.length) expect(read).toThrow(TypeError);
      else expect(tryRead(read)?.keepers ?? whole.keepers).toEqual(whole.keepers);
    }
    expect(good.parts).toHaveLength(Math.ceil(130 / KEEPERS_PER_PART));
  });
});

function tryRead(read: () => ReadDirectory): ReadDirectory | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return undefined;
  }
}
