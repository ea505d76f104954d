// Exact checks: what has a shape, what nearly has it, and that no value makes a check throw.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEYRING_METHODS } from "#shared/keyring/keyring-schema.ts";
import { bytes, exactly, flag, listOf, matching, nullable, oneKindOf, optional, text, whole } from "#shared/keyring/shapes.ts";
import { extent } from "#test/support/host/test-extent.ts";

const KEY = "ab".repeat(32);

describe("shapes", () => {
  it("bound texts and numbers at both ends", () => {
    expect([text(3, 1)(""), text(3, 1)("a"), text(3, 1)("abc"), text(3, 1)("abcd"), text(3)(3)]).toEqual([false, true, true, false, false]);
    expect([0, 1, 24, 25, 1.5, Number.NaN, "1", 2 ** 53].map(whole(1, 24))).toEqual([false, true, true, false, false, false, false, false]);
    expect([2 ** 53, Number.POSITIVE_INFINITY, -1, 2 ** 53 - 1].map(whole(0))).toEqual([false, false, false, true]);
    expect([matching(/^[a-f]{2}$/)("ab"), matching(/^[a-f]{2}$/)("ab\n"), matching(/^[a-f]{2}$/)(["ab"])]).toEqual([true, false, false]);
  });

  it("take bytes as bytes only", () => {
    expect([new Uint8Array(2), new Uint8Array(3), [1, 2], new ArrayBuffer(2)].map(bytes(2))).toEqual([true, false, false, false]);
  });

  it("tell null, missing and present apart", () => {
    expect([null, undefined, true].map(nullable(flag))).toEqual([true, false, true]);
    expect([null, undefined, true].map(optional(flag))).toEqual([false, true, true]);
  });

  it("check every item of a list, holes too", () => {
    const holes: unknown[] = [];
    holes[1] = true;
    expect([[], [true], [true, 1], holes, [true, true, true], { length: 0 }].map(listOf(flag, 2))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("want each field and no other, and no field of a prototype", () => {
    const shape = exactly({ a: flag, b: optional(flag) });
    const inherited: unknown = Object.create({ a: true });
    expect([{ a: true }, { a: true, b: false }, {}, { a: true, c: 1 }, inherited, [true], null].map(shape)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(exactly({})({ toString: 1 })).toBe(false);
  });

  it("choose fields by kind, never by what every object has", () => {
    const shape = oneKindOf({ pay: { to: flag } });
    expect(
      [{ kind: "pay", to: true }, { kind: "pay" }, { kind: "constructor" }, { kind: "__proto__", to: true }, { to: true }].map(shape),
    ).toEqual([true, false, false, false, false]);
  });
});

describe("the shapes of the keyring", () => {
  const accepted: readonly [keyof typeof KEYRING_METHODS, unknown][] = [
    ["status", undefined],
    ["sign", { chainId: "c", intent: { kind: "pay", to: KEY, amountUt: 1, memo: "hi", feeUt: 1_000 } }],
    ["sign", { chainId: "c", intent: { kind: "closeChannel", to: KEY, channelId: KEY.slice(0, 32), paidUt: 0 } }],
    ["seal", { requests: [{ plaintext: new Uint8Array(3), recipients: [KEY], sentAt: 1, hidesSender: true }] }],
    ["setAutoLock", { walletIdleMs: null, fullIdleMs: 60_000 }],
    ["confirmPhrase", { answers: [{ position: 24, word: "zoo" }] }],
    ["signDeletion", { chainId: "chain", ids: ["any id"], height: 9 }],
    ["ownBoxes", { boxes: [{ chainId: "chain", peer: KEY, generation: 2 ** 32 - 1 }] }],
    ["signOpenings", { boxes: [{ chainId: "chain", peer: KEY, generation: 0 }], isClosing: true, untilSec: 1, height: 2 }],
    ["signGroupEntry", { chainId: "chain", entry: new Uint8Array(200) }],
    ["inboxProof", { method: "GET", path: "/relay/inbox?after=1", relayPub: KEY }],
  ];

  it.each(accepted)("accept a call of %s", (method, input) => {
    expect(KEYRING_METHODS[method](input)).toBe(true);
  });

  it("refuse each of these with a field too many, and with any field gone wrong", () => {
    for (const [method, input] of accepted) {
      if (input === undefined) continue;
      const fields = input as Readonly<Record<string, unknown>>;
      expect(KEYRING_METHODS[method]({ ...fields, more: 1 })).toBe(false);
      for (const name of Object.keys(fields)) expect(KEYRING_METHODS[method]({ ...fields, [name]: Symbol("wrong") })).toBe(false);
    }
  });

  it("never throw, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(KEYRING_METHODS)),
        fc.anything({ withNullPrototype: true, withSparseArray: true }),
        (shape, value) => {
          expect(typeof shape(value)).toBe("boolean");
        },
      ),
      { seed: 5, numRuns: extent(500, 2_000) },
    );
  });
});
