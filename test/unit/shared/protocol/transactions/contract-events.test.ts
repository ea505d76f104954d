// Which lines of a log are events: the vectors that every node agrees on, and arbitrary lines.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { isEventOf, parseContractEvent, readEventFields } from "#shared/protocol/transactions/contract-events.ts";

const { cases } = JSON.parse(readFileSync(`${ROOT}/test/vectors/contracts/events.json`, "utf8")) as {
  readonly cases: readonly { readonly line: string; readonly event: object | null }[];
};

describe("lines of a contract's log", () => {
  it.each(cases.map(({ line, event }) => [line, event] as const))("%j", (line, event) => {
    expect(parseContractEvent(line) ?? null).toEqual(event);
  });

  it("give back what was written, whatever the values are", () => {
    const value = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ maxLength: 96 }));
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z_]\w{0,9}$/), { maxLength: 3 });
    fc.assert(
      fc.property(names, fc.array(value, { minLength: 3, maxLength: 3 }), fc.jsonValue(), (fields, values, data) => {
        const index = fields.map((field, at) => ({ field, value: values[at] ?? "" }));
        const members = index.map((entry) => `${JSON.stringify(entry.field)}:${JSON.stringify(entry.value)}`).join(",");
        const line = `{"event":"Paid","index":{${members}},"data":{"x":${JSON.stringify(data)}}}`;
        expect(parseContractEvent(line)).toEqual({ name: "Paid", index });
      }),
    );
  });

  it("are read as fields, with all digits of integers", () => {
    const line = `{"event":"Paid","index":{"to":"a\\"b"},"data":{"amount":18446744073709551615,"note":"x, {y}","list":[1,{"a":"b:c"},[]],"none":null,"more":{}}}`;
    expect(readEventFields(line)).toEqual([
      { name: "to", text: 'a"b', isIndexed: true },
      { name: "amount", text: "18446744073709551615", isIndexed: false },
      { name: "note", text: "x, {y}", isIndexed: false },
      { name: "list", text: '[1,{"a":"b:c"},[]]', isIndexed: false },
      { name: "none", text: "null", isIndexed: false },
      { name: "more", text: "{}", isIndexed: false },
    ]);
    expect(readEventFields('{"event":"Paid","index":{},"data":{}}')).toEqual([]);
    for (const other of ["paid", '{"event":"Paid","index":{},"data":{oops}}', '{"event":"Paid","index":{},"data":{"a":1},"b":{}}'])
      expect(readEventFields(other)).toBeUndefined();
  });

  it("are read as fields that give back the values, whatever they are", () => {
    const key = fc.string({ maxLength: 8 }).filter((name) => name !== "__proto__");
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (data) => {
        const fields = readEventFields(`{"event":"E","index":{},"data":${JSON.stringify(data)}}`) ?? [];
        const values = fields.map(({ name, text }) => [name, typeof data[name] === "string" ? text : (JSON.parse(text) as unknown)]);
        expect(Object.fromEntries(values)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it("are those of a filter by name and by the values of fields", () => {
    const line = '{"event":"Paid","index":{"to":"a\\u0062","id":"7"},"data":{}}';
    const of = (event: string, ...where: readonly (readonly [string, string])[]): boolean =>
      isEventOf(line, { event, where: where.map(([field, value]) => ({ field, value })) });
    expect([of("Paid"), of("Paid", ["to", "ab"]), of("Paid", ["to", "ab"], ["id", "7"])]).toEqual([true, true, true]);
    expect([of("Pai"), of("Paid", ["to", "a"]), of("Paid", ["to", "ab"], ["id", "8"]), of("Paid", ["by", "ab"])]).toEqual([
      ...[false, false, false, false],
    ]);
    expect(isEventOf('{"event":"Paid","index":{}', { event: "Paid", where: [] })).toBe(false);
  });

  it("take no time that grows faster than the line", () => {
    const members = '"a":"\\\\",'.repeat(120);
    for (const line of [
      `{"event":"E","index":{${members}`,
      `{"event":"E","index":{"a":"${'\\"'.repeat(480)}`,
      `{"event":"E","index":{},"data":{${"}".repeat(980)}x`,
    ])
      expect(parseContractEvent(line)).toBeUndefined();
  });
});
