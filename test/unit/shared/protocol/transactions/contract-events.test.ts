// Which lines of a log are events: the vectors that every node agrees on, and arbitrary lines.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { parseContractEvent } from "#shared/protocol/transactions/contract-events.ts";

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
