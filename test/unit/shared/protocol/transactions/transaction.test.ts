import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { formatTimestamp, parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import { canonicalText } from "#shared/protocol/transactions/sign-bytes.ts";
import { TRANSACTION_TYPES, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { decodeTransaction, encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { isIdAuthentic, transactionId } from "#shared/protocol/transactions/transaction-id.ts";
import { concatBytes, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";

const CHAIN_ID = "parley-test";
const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const transaction: fc.Arbitrary<Transaction> = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).filter((id) => !id.startsWith("reward-")),
  type: fc.constantFrom(...TRANSACTION_TYPES),
  from: bytes(32).map(toHex),
  to: fc.oneof(fc.constant(""), bytes(32).map(toHex)),
  amount: fc.maxSafeNat(),
  fee: fc.maxSafeNat(),
  payload: fc.uint8Array({ maxLength: 60 }).map(toBase64),
  timestamp: fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => formatTimestamp(seconds * 1000)),
  signature: bytes(64).map(toBase64),
});
const sample: Transaction = {
  id: "a",
  type: "TRANSFER",
  from: "11".repeat(32),
  to: "22".repeat(32),
  amount: 1,
  fee: 1_000,
  payload: "e30=",
  timestamp: "2026-01-01T00:00:00Z",
  signature: toBase64(new Uint8Array(64)),
};

describe("transactions", () => {
  it("decoding takes back what encoding wrote, and parsing leaves a normal one as it is", () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        expect(decodeTransaction(encodeTransaction(tx))).toEqual(tx);
        expect(parseTransaction(JSON.parse(JSON.stringify(tx)), CHAIN_ID).tx).toEqual(tx);
      }),
      { seed: 1 },
    );
  });

  it("one that was decoded has the encoding that its fields have", () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const decoded = decodeTransaction(encodeTransaction(tx));
        expect(toHex(encodeTransaction(decoded))).toBe(toHex(encodeTransaction({ ...decoded })));
      }),
      { seed: 5 },
    );
  });

  it("canonical bytes are what every JSON library writes", () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const { id, type, from, to, amount, fee, payload, timestamp } = tx;
        expect(canonicalText(tx)).toBe(JSON.stringify({ id, type, from, to, amount, fee, payload, timestamp }));
      }),
      { seed: 2 },
    );
  });

  it("parsing normalises hex, fills in defaults and gives an id", () => {
    const { from, signature, timestamp } = sample;
    const { tx, memo } = parseTransaction({ type: "TRANSFER", from: "AB".repeat(32), to: null, signature, timestamp }, CHAIN_ID);
    expect(tx).toEqual({ ...sample, from: "ab".repeat(32), to: "", amount: 0, fee: 0, payload: "", id: tx.id });
    expect(tx.id).toMatch(/^tx10{16}[0-9a-f]{64}$/);
    expect(isIdAuthentic(CHAIN_ID, tx)).toBe(true);
    expect(memo).toBeUndefined();
    expect(from).toHaveLength(64);
  });

  it("a self-certifying id belongs to one content on one chain", () => {
    const tx = { ...sample, id: transactionId(CHAIN_ID, fromHex("0102030405060708"), sample) };
    expect(isIdAuthentic(CHAIN_ID, tx)).toBe(true);
    expect(isIdAuthentic("parley-other", tx)).toBe(false);
    for (const change of [
      { amount: 2 },
      { fee: 1 },
      { to: "" },
      { payload: "" },
      { type: "BLOCK_CONTACT" as const },
      { id: tx.id.replace("0102", "0103") },
    ])
      expect(isIdAuthentic(CHAIN_ID, { ...tx, ...change })).toBe(false);
    expect(isIdAuthentic(CHAIN_ID, sample)).toBe(true);
    expect(isIdAuthentic(CHAIN_ID, { ...sample, id: tx.id.toUpperCase().replace("TX1", "tx1") })).toBe(false);
  });

  const fields = [
    sample.id,
    sample.type,
    fromHex(sample.from),
    fromHex(sample.to),
    1,
    1_000,
    new Uint8Array(),
    sample.timestamp,
    new Uint8Array(64),
  ];
  it.each<[string, number, unknown]>([
    ["an id that would break out of the canonical text", 0, 'a","type":"TRANSFER'],
    ["an empty id", 0, ""],
    ["an id of 129 characters", 0, "a".repeat(129)],
    ["the id of a reward", 0, "reward-1"],
    ["an unknown type", 1, "BLOCK_REWARD"],
    ["a from of 31 bytes", 2, new Uint8Array(31)],
    ["an empty from", 2, new Uint8Array()],
    ["a to of 31 bytes", 3, new Uint8Array(31)],
    ["a negative amount", 4, -1],
    ["a negative fee", 5, -1],
    ["a timestamp that is none", 7, "2026-02-30T00:00:00Z"],
    ["a signature of 63 bytes", 8, new Uint8Array(63)],
    ["a text where bytes belong", 8, "x"],
  ])("bytes with %s are no transaction", (_name, index, value) => {
    expect(decodeTransaction(encodeCbor(fields as string[]))).toMatchObject({ id: "a" });
    expect(() => decodeTransaction(encodeCbor(fields.with(index, value as string) as string[]))).toThrow("transaction");
  });

  it("bytes that were changed are no transaction, or the bytes of another one", () => {
    const long = { ...sample, amount: 70_000, fee: 5_000_000_000, payload: Buffer.alloc(300, 1).toString("base64") };
    const encoded = encodeTransaction(long);
    expect(decodeTransaction(encoded)).toEqual(long);
    const change = fc.tuple(fc.nat(encoded.length - 1), fc.nat(255), fc.constantFrom("put", "insert", "cut", "end"));
    fc.assert(
      fc.property(change, ([at, byte, kind]) => {
        const rest = kind === "insert" ? encoded.subarray(at) : encoded.subarray(at + 1);
        const changed =
          kind === "end"
            ? encoded.slice(0, at)
            : concatBytes(encoded.subarray(0, at), kind === "cut" ? new Uint8Array() : Uint8Array.of(byte), rest);
        let decoded: Transaction;
        try {
          decoded = decodeTransaction(changed);
        } catch (error) {
          expect(error).toMatchObject({ code: "TX_MALFORMED" });
          return;
        }
        // A copy has no encoding that was kept.
        expect(Buffer.compare(encodeTransaction({ ...decoded }), changed)).toBe(0);
        expect(Buffer.compare(encodeTransaction(decoded), changed)).toBe(0);
      }),
      { seed: 9, numRuns: extent(1_000, 4_000) },
    );
  });

  it.each([
    ["the count of fields", 0, "9809"],
    ["an amount", 1, "1801"],
    ["an amount", 1, "190001"],
    ["an amount", 1, "1a00000001"],
    ["an amount", 1, "1b0000000000000001"],
    ["an amount", 1, "fb3ff0000000000000"],
    ["an amount", 1, "c240"],
    ["an amount", 1, "1bffffffffffffffff"],
  ])("%s in another form is refused (%i, %s)", (_what, position, form) => {
    const encoded = Buffer.from(encodeTransaction({ ...sample, amount: 1 }));
    const at = position === 0 ? 0 : encoded.indexOf(Buffer.from(encodeCbor(sample.fee))) - 1;
    expect(encoded[at]).toBe(position === 0 ? 0x89 : 1);
    const changed = Buffer.concat([encoded.subarray(0, at), Buffer.from(form, "hex"), encoded.subarray(at + 1)]);
    expect(() => decodeTransaction(changed)).toThrow("transaction");
  });

  it("timestamps are read back to the second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (time) => {
        expect(parseTimestamp(formatTimestamp(time))).toBe(time - (time % 1000));
        expect(formatTimestamp(time)).toBe(new Date(time).toISOString().replace(/\.\d{3}/, ""));
      }),
      { seed: 3 },
    );
  });

  it("a text is a timestamp when it has the form and the calendar has the time", () => {
    const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
    const [two, character] = [fc.integer({ min: 0, max: 99 }), fc.constantFrom("0", "9", "-", ":", "T", "Z", "t", "+", "/", " ", "٣")];
    const time = fc.tuple(fc.integer({ min: 1960, max: 2110 }), two, two, two, two, two).map(([year, ...rest]) => {
      const [month, day, hour, minute, second] = rest.map((n, i) => String(n % ([14, 33, 26, 62, 62][i] ?? 1)).padStart(2, "0"));
      return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
    });
    const spoiled = fc.tuple(time, fc.nat(20), character).map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(time, spoiled), (text) => {
        const ms = Date.parse(text);
        const isTime = form.test(text) && !Number.isNaN(ms) && ms >= 0 && new Date(ms).toISOString() === text.replace("Z", ".000Z");
        expect(parseTimestamp(text)).toBe(isTime ? ms : undefined);
      }),
      { seed: 5, numRuns: extent(750, 3_000) },
    );
  });
});
