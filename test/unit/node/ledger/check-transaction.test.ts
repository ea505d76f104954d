// The stateless check: what a transaction must look like before anybody looks at the state.
import { describe, expect, it } from "vitest";
import { checkTimeWindow, checkTransaction } from "#node/ledger/check-transaction.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { signBytes } from "#shared/protocol/transactions/sign-bytes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { transactionId, ZERO_SALT } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { alice, bob, CHAIN_ID, deviceKey, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const options = { chainId: CHAIN_ID, verify: verifyZip215 };
const transfer = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });

/** The transaction changed and signed again under an id of its sender's choice. */
function resigned(change: Partial<Transaction>): Transaction {
  return signTransaction({ ...transfer, id: "own-id", ...change }, alice.seed);
}

const json = (text: string): string => toBase64(utf8(text));

describe("checkTransaction", () => {
  it("accepts a transaction signed by its sender under a self-certifying id, an id of its own, and none", () => {
    expect(checkTransaction(transfer, options)).toBeUndefined();
    expect(checkTransaction(resigned({}), options)).toBeUndefined();
    const withoutId = { ...transfer, id: transactionId(CHAIN_ID, ZERO_SALT, transfer) };
    const signature = toBase64(signEd25519(signBytes({ ...transfer, id: "" }), alice.seed));
    expect(checkTransaction({ ...withoutId, signature }, options)).toBeUndefined();
  });

  it("takes an optional field of null for one left out", () => {
    expect(checkTransaction(resigned({ payload: json('{"memo":null}') }), options)).toBeUndefined();
    expect(checkTransaction(resigned({ payload: json('{"note":null}') }), options)?.message).toContain("unknown field note");
    const key = { type: "REGISTER_KEY", to: "", amount: 0, payload: json('{"x25519_pub_key":null}') } as const;
    expect(checkTransaction(resigned(key), options)?.message).toContain("x25519_pub_key");
  });

  it.each([
    ["a changed amount", { amount: 2 }],
    ["a changed recipient", { to: alice.pub }],
    ["a changed timestamp", { timestamp: "2026-01-01T00:00:01Z" }],
    ["a changed payload", { payload: json('{"memo":"x"}') }],
    ["another sender", { from: bob.pub }],
  ])("refuses a signature over %s", (_name, change) => {
    const problem = checkTransaction({ ...resigned({}), ...change }, options);
    expect(problem?.code).toBe("TX_SIGNATURE");
    expect(problem?.message).toContain("signature");
  });

  it("refuses a tx1 id that is another transaction's or another chain's", () => {
    expect(checkTransaction(resigned({ id: transfer.id, amount: 2 }), options)?.code).toBe("TX_ID_MISMATCH");
    expect(checkTransaction(resigned({ id: "tx1" }), options)?.code).toBe("TX_ID_MISMATCH");
    expect(checkTransaction(transfer, { ...options, chainId: "parley-other" })?.code).toBe("TX_ID_MISMATCH");
  });

  it("refuses keys of small order and points that are none", () => {
    const identity = `01${"00".repeat(31)}`;
    const noPoint = `02${"00".repeat(31)}`;
    expect(checkTransaction({ ...resigned({}), from: identity }, options)?.message).toContain("from");
    expect(checkTransaction(resigned({ to: identity }), options)?.message).toContain("to is not");
    expect(checkTransaction(resigned({ to: noPoint }), options)?.message).toContain("to is not");
  });

  it.each<[string, Partial<Transaction>, string]>([
    ["a fee below the minimum", { fee: 999 }, "fee"],
    ["a transfer of nothing", { amount: 0 }, "amount"],
    ["a transfer without a recipient", { to: "" }, "to is required"],
    ["a registration with a recipient", { type: "REGISTER_KEY", amount: 0 }, "to must be empty"],
    ["a registration with an amount", { type: "REGISTER_KEY", to: "" }, "amount must be 0"],
    ["a registration without key", { type: "REGISTER_KEY", to: "", amount: 0 }, "x25519_pub_key is required"],
    ["a contact request below 5000 µT", { type: "CONTACT_REQUEST", amount: 4_999 }, "amount must be at least 5000"],
    ["a contact request to oneself", { type: "CONTACT_REQUEST", amount: 5_000, to: alice.pub }, "another key"],
    ["a block of oneself", { type: "BLOCK_CONTACT", amount: 0, to: alice.pub }, "another key"],
    ["an acceptance with an amount", { type: "ACCEPT_CONTACT", amount: 1 }, "amount must be 0"],
    ["an acceptance with a field", { type: "ACCEPT_CONTACT", amount: 0, payload: json('{"a":1}') }, "unknown field a"],
    ["an unknown field", { payload: json('{"memo":"x","note":"y"}') }, "unknown field note"],
    ["__proto__ as a field", { payload: json('{"__proto__":{"memo":"x"}}') }, "unknown field __proto__"],
    ["a field named like a method", { payload: json('{"toString":"x"}') }, "unknown field toString"],
    ["a memo that is no text", { payload: json('{"memo":5}') }, "payload.memo"],
    ["a memo with an unpaired surrogate", { payload: json('{"memo":"\\ud800"}') }, "payload.memo"],
    ["a memo of 257 bytes", { payload: json(`{"memo":"${"é".repeat(128)}x"}`) }, "payload.memo"],
    ["a key twice", { payload: json('{"memo":"x","memo":"y"}') }, "repeated keys"],
    ["a key twice in two spellings", { payload: json('{"memo":"x","\\u006demo" : "y"}') }, "repeated keys"],
    ["a list", { payload: json("[]") }, "JSON object"],
    ["null", { payload: json("null") }, "JSON object"],
    ["no JSON", { payload: json("{memo:1}") }, "JSON object"],
    ["a byte order mark", { payload: json("\ufeff{}") }, "JSON object"],
    ["bytes that are no UTF-8", { payload: toBase64(Uint8Array.of(0x7b, 0xff, 0x7d)) }, "JSON object"],
    ["deep nesting", { payload: json(`{"memo":${"[".repeat(1_000)}${"]".repeat(1_000)}}`) }, "JSON object"],
    ["a payload above the cap", { payload: json(`{"memo":"x"${" ".repeat(4_096)}}`) }, "at most 4096 bytes"],
  ])("refuses %s", (_name, change, words) => {
    expect(checkTransaction(resigned(change), options)?.message).toContain(words);
  });

  it.each<[string, Partial<Transaction>]>([
    ["no payload", { payload: "" }],
    ["white space in the payload", { payload: json(' { "memo" : "a:b\\"{[" } ') }],
    ["a payload at the cap", { payload: json(`{"memo":"x"${" ".repeat(4_084)}}`) }],
    ["a memo of 256 bytes", { payload: json(`{"memo":"${"é".repeat(128)}"}`) }],
    ["an intro of 280 characters", { type: "CONTACT_REQUEST", amount: 5_000, payload: json(`{"intro":"${"😀".repeat(280)}"}`) }],
    ["escapes of other JSON libraries", { payload: json('{"memo":"\\u003ca\\u003e \\ud83d\\ude00"}') }],
  ])("accepts %s", (_name, change) => {
    expect(checkTransaction(resigned(change), options)).toBeUndefined();
  });

  it("refuses an intro of 281 characters", () => {
    const long = resigned({ type: "CONTACT_REQUEST", amount: 5_000, payload: json(`{"intro":"${"x".repeat(281)}"}`) });
    expect(checkTransaction(long, options)?.message).toContain("payload.intro");
  });

  describe("LINK_DEVICE", () => {
    const link = (key: string, name: string): Transaction =>
      resigned({
        type: "LINK_DEVICE",
        to: "",
        amount: 0,
        payload: json(JSON.stringify({ x25519_pub_key: key, device_name: name })),
      });

    it.each([
      ["upper case", deviceKey(1).toUpperCase(), "x"],
      ["63 characters", deviceKey(1).slice(1), "x"],
      ["a key of small order", "00".repeat(32), "x"],
      ["a key with the high bit set", `${deviceKey(1).slice(0, 62)}ff`, "x"],
      ["a name of 65 bytes", deviceKey(1), "x".repeat(65)],
      ["a control character in the name", deviceKey(1), "a\nb"],
      ["a direction override in the name", deviceKey(1), "a\u202eb"],
      ["an unpaired surrogate in the name", deviceKey(1), "a\ud800"],
    ])("refuses %s", (_name, key, name) => {
      expect(checkTransaction(link(key, name), options)?.message).toContain("payload.");
    });

    it.each([["x".repeat(64)], ["Büro 💻"], [""]])("accepts the name %j", (name) => {
      expect(checkTransaction(link(deviceKey(1), name), options)).toBeUndefined();
    });
  });
});

describe("checkTimeWindow", () => {
  const HOUR = 3_600_000;
  it.each([
    [-HOUR, false],
    [-HOUR + 1000, true],
    [0, true],
    [HOUR, true],
    [HOUR + 1000, false],
  ])("a timestamp %i ms from the block's time: allowed %s", (offset, isAllowed) => {
    const problem = checkTimeWindow({ timestamp: formatTimestamp(START_MS + offset) }, START_MS);
    expect(problem === undefined).toBe(isAllowed);
    if (!isAllowed) expect(problem?.message).toContain("timestamp");
  });
});
