// Typed storage, JSON and base64 of the SDK, against what JavaScript makes of the same.
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { type TestAccount, TestChain, type TestContract } from "#node/contracts/testing/test-chain.ts";
import { toHex } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { abiOf, buildSource } from "#test/support/vm/source-contract.ts";

const SOURCE = `
import {
  argBool, argString, argU64, fromBase64, fromHex, isLowerHex, JsonReader, JsonWriter, log, lowerCase, pairKey, returnJson, returnString, StorageMap, StorageQueue,
  StorageSet, StorageValue, toBase64, toHex, u256,
} from "parley";

const balances = new StorageMap<string, u64>("balances");
const levels = new StorageMap<i32, u256>("levels");
const names = new StorageSet<string>("names");
const waiting = new StorageQueue<string>("waiting");
const open = new StorageValue<bool>("open");

export function set(): void { balances.set(argString(0), argU64(1)); }
export function get(): void { returnString(balances.get(argString(0)).toString() + " " + balances.getOr(argString(0), 7).toString() + " " + balances.has(argString(0)).toString()); }
export function remove(): void { balances.remove(argString(0)); }
export function levels_of(): void {
  const reader = JsonReader.of(argString(0));
  reader.startList();
  for (let isFirst = true; reader.hasItem(isFirst); isFirst = false) {
    const level = reader.integer<i32>();
    levels.set(level, u256.from(<u64>(level + 1000)));
  }
}
export function levels_after(): void {
  const after = JsonReader.of(argString(0)).integer<i32>();
  const limit = <i32>argU64(1);
  const found = after == i32.MIN_VALUE ? levels.first(limit) : levels.after(after, limit);
  const writer = new JsonWriter().startList();
  for (let at = 0; at < found.length; at += 1) writer.startList().integer<i32>(found[at]).u256(levels.get(found[at])).endList();
  returnJson(writer.endList().toString());
}
export function name(): void { if (argBool(1)) names.add(argString(0)); else names.remove(argString(0)); }
export function names_first(): void {
  const found = names.first(<i32>argU64(0));
  const writer = new JsonWriter().startList();
  for (let at = 0; at < found.length; at += 1) writer.string(found[at]);
  returnJson(writer.endList().toString());
}
export function push(): void { waiting.push(argString(0)); }
export function pop(): void { log(waiting.peek()); returnString(waiting.pop()); }
export function waits(): void { returnString(waiting.length.toString()); }
export function toggle(): void { open.set(!open.get()); returnString(open.get().toString() + open.exists().toString()); }
export function bad_name(): void { new StorageMap<string, u64>(argString(0)); }
export function pair(): void { returnString(pairKey(argString(0), argString(1))); }
export function base64(): void { returnString(toBase64(fromHex(argString(0)))); }
export function unbase64(): void { returnString(toHex(fromBase64(argString(0)))); }
export function lower(): void { returnString(lowerCase(argString(0))); }
export function is_hex(): void { returnString(isLowerHex(argString(0)).toString()); }
export function say(): void { log(argString(0)); }
export function copy(): void {
  const reader = JsonReader.of(argString(0));
  const writer = new JsonWriter();
  copyValue(reader, writer);
  reader.end();
  returnJson(writer.toString());
}
function copyValue(reader: JsonReader, writer: JsonWriter): void {
  const raw = reader.raw();
  const inner = JsonReader.of(raw);
  const first = raw.charCodeAt(0);
  if (first == 0x5b) {
    inner.startList();
    writer.startList();
    for (let isFirst = true; inner.hasItem(isFirst); isFirst = false) copyValue(inner, writer);
    writer.endList();
  } else if (first == 0x7b) {
    inner.startObject();
    writer.startObject();
    let isFirst = true;
    while (true) {
      const member = inner.member(isFirst);
      if (member === null) break;
      isFirst = false;
      writer.name(member);
      copyValue(inner, writer);
    }
    writer.endObject();
  } else if (first == 0x22) writer.string(inner.string());
  else if (inner.isNull()) writer.null();
  else if (first == 0x74 || first == 0x66) writer.bool(inner.bool());
  else writer.integer<i64>(inner.integer<i64>());
}`;

const METHODS = {
  set: ["string", "u64"],
  get: ["string"],
  remove: ["string"],
  levels_of: ["string"],
  levels_after: ["string", "u64"],
  name: ["string", "bool"],
  names_first: ["u64"],
  push: ["string"],
  pop: [],
  waits: [],
  toggle: [],
  bad_name: ["string"],
  pair: ["string", "string"],
  base64: ["string"],
  unbase64: ["string"],
  lower: ["string"],
  is_hex: ["string"],
  say: ["string"],
  copy: ["string"],
};

const GAS = { gas: 40_000_000 };
let built: BuiltContract;
let contract: TestContract;
let alice: TestAccount;

beforeAll(async () => {
  built = await buildSource(SOURCE, abiOf(METHODS));
}, 60_000);

beforeEach(() => {
  const chain = new TestChain();
  alice = chain.account("alice", 10 ** 12);
  contract = chain.deployBuilt(alice, built);
});

const call = (method: string, ...args: readonly (string | number | bigint | boolean)[]): unknown => {
  const { isOk, reason, result } = contract.call(alice, method, args, GAS);
  return isOk ? result : `refused: ${reason}`;
};

describe("typed storage", () => {
  it("keeps values by key, apart from those of other collections whatever the keys are", () => {
    call("set", "a", 2n ** 64n - 1n);
    call("set", "", 5);
    call("set", "names:x", 9);
    call("name", "a", true);
    call("push", "first");
    expect([call("get", "a"), call("get", ""), call("get", "b")]).toEqual([
      "18446744073709551615 18446744073709551615 true",
      "5 5 true",
      "0 7 false",
    ]);
    expect(call("names_first", 10)).toEqual(["a"]);
    expect(contract.u64("balances:a")).toBe(2n ** 64n - 1n);
    call("set", "a", 0);
    expect(call("get", "a")).toBe("0 0 true");
    call("remove", "a");
    expect(call("get", "a")).toBe("0 7 false");
  });

  it("goes through keys in the order of the integers, a page at a time", () => {
    const levels = [5, -1, 2 ** 31 - 1, 0, -(2 ** 31), 256, -300];
    call("levels_of", JSON.stringify(levels));
    const sorted = levels.toSorted((a, b) => a - b);
    const keys = (page: unknown): readonly number[] => (page as [number, string][]).map(([key]) => key);
    expect(keys(call("levels_after", String(-(2 ** 31)), 10))).toEqual(sorted);
    expect(keys(call("levels_after", "-1", 2))).toEqual([0, 5]);
    expect(keys(call("levels_after", "1", 2))).toEqual([5, 256]);
    expect(call("levels_after", "0", 1)).toEqual([[5, "1005"]]);
    expect(call("levels_after", "0", 0)).toBe("refused: a page has 1 to 100 entries");
    expect(call("levels_after", "0", 101)).toBe("refused: a page has 1 to 100 entries");
  });

  it("has a queue that gives back in order, and a set without doubles", () => {
    for (const text of ["one", "", "three"]) call("push", text);
    expect([call("waits"), call("pop"), call("pop"), call("waits")]).toEqual(["3", "one", "", "1"]);
    call("push", "four");
    expect([call("pop"), call("pop"), call("pop"), call("waits")]).toEqual(["three", "four", "refused: waiting has no such entry", "0"]);
    for (const [name, isIn] of [
      ["b", true],
      ["a", true],
      ["b", true],
      ["c", true],
      ["a", false],
    ] as const)
      call("name", name, isIn);
    expect(call("names_first", 100)).toEqual(["b", "c"]);
    expect([call("toggle"), call("toggle")]).toEqual(["truetrue", "falsetrue"]);
  });

  it("refuses names in which keys could meet those of others", () => {
    for (const name of ["", "a:b", ":", "x".repeat(65)]) expect(call("bad_name", name)).toMatch(/^refused: a collection's name/);
    expect(new Set([call("pair", "a", "bc"), call("pair", "ab", "c"), call("pair", "", "abc"), call("pair", "abc", "")]).size).toBe(4);
  });
});

describe("base64", () => {
  it("is that of JavaScript", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(contract.view("base64", [toHex(bytes)])).toBe(text);
        expect(contract.view("unbase64", [text])).toBe(toHex(bytes));
      }),
      { numRuns: extent(20, 60) },
    );
  });

  it.each(["A", "AA", "AAA", "AA=", "A===", "====", "AB==", "AAB=", "AA==AA==", "A A=", "AA-_", "AAä="])("is not %j", (text) => {
    expect(call("unbase64", text)).toBe("refused: a text is no base64");
  });
});

describe("texts of hex", () => {
  const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  it("come into lower case, and nothing else does", () => {
    const all = String.fromCharCode(...Array.from({ length: 0x17f }, (_, code) => code + 1), 0x2028, 0xff21, 0xfffd);
    expect(contract.view("lower", [all])).toBe(asciiLower(all));
    for (const character of all) expect(contract.view("is_hex", [character])).toBe(String(/^[0-9a-f]$/.test(character)));
    expect(contract.view("is_hex", [""])).toBe("true");
  });
});

describe("JSON", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom('"', "\\", "\u0000\u001f", "\u2028", "😀", "{[:,"));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.constant(null), fc.boolean(), fc.maxSafeInteger(), text, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  }));

  it("is read and written like JavaScript does", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (json, space) => {
        expect(contract.view("copy", [JSON.stringify(json, null, space)])).toEqual(JSON.parse(JSON.stringify(json)));
      }),
      { numRuns: extent(50, 150) },
    );
    expect(call("copy", '"\\u00e4\\ud83d\\ude00\\/\\b\\f\\n\\r\\t"')).toBe("ä😀/\b\f\n\r\t");
  });

  it.each([
    "",
    "[",
    "]",
    "[1",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "{a:1}",
    "nul",
    "nulll",
    "tru",
    "1.5",
    "1e3",
    "-",
    "-0",
    "01",
    "+1",
    '"',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"\n"',
    "9223372036854775808",
    "99999999999999999999",
    "1 1",
    "[".repeat(40) + "]".repeat(40),
  ])("refuses %j", (json) => {
    expect(call("copy", json)).toMatch(/^refused: a JSON text: .* should stand at byte \d+$/);
  });
});
