// docs/contract-abi.schema.json accepts what the chain accepts, as far as a schema can say it.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Check } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { parseContractAbi } from "#shared/protocol/transactions/contracts.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const schema = JSON.parse(readFileSync(`${root}/docs/contract-abi.schema.json`, "utf8")) as object;
const accepts = (value: unknown): boolean => Check(schema, value);
const method = { name: "add", args: [{ name: "n", type: "u64" }] };
const abi = { contract: "counter", version: "1.0.0", methods: [method] };

describe("docs/contract-abi.schema.json", () => {
  it.each(readdirSync(`${root}/node/contracts/examples`))("accepts the interface of the example %s, as the chain does", (example) => {
    const text = readFileSync(`${root}/node/contracts/examples/${example}/abi.json`, "utf8");
    expect(parseContractAbi(text)).toBeDefined();
    expect(accepts(JSON.parse(text))).toBe(true);
  });

  it.each<[string, unknown, boolean]>([
    ["the example", abi, true],
    ["flags", { ...abi, methods: [{ ...method, payable: true, view: false }] }, true],
    ["no methods", { contract: "a", version: "1" }, false],
    ["another field", { ...abi, author: "me" }, false],
    ["another field of a method", { ...abi, methods: [{ ...method, gas: 1 }] }, false],
    ["a name in upper case", { ...abi, contract: "Counter" }, false],
    ["a long name", { ...abi, contract: "c".repeat(65) }, false],
    ["a method that is no identifier", { ...abi, methods: [{ ...method, name: "add-it" }] }, false],
    ["an unknown type", { ...abi, methods: [{ name: "a", args: [{ name: "n", type: "f64" }] }] }, false],
    ["an argument without a type", { ...abi, methods: [{ name: "a", args: [{ name: "n" }] }] }, false],
    [
      "17 arguments",
      { ...abi, methods: [{ name: "a", args: Array.from({ length: 17 }, (_, i) => ({ name: `n${i}`, type: "u64" })) }] },
      false,
    ],
    ["129 methods", { ...abi, methods: Array.from({ length: 129 }, (_, i) => ({ name: `m${i}`, args: [] })) }, false],
    ["a flag that is a number", { ...abi, methods: [{ ...method, view: 1 }] }, false],
    ["a long version", { ...abi, version: "1".repeat(33) }, false],
  ])("and the chain agree on %s", (_name, value, expected) => {
    expect([accepts(value), parseContractAbi(JSON.stringify(value)) !== undefined]).toEqual([expected, expected]);
  });
});

describe("interfaces that every node must agree on", () => {
  interface Case {
    readonly name: string;
    readonly abi_json: string;
    readonly is_accepted: boolean;
    readonly is_beyond_schema: boolean;
  }
  const { cases } = JSON.parse(readFileSync(`${root}/test/vectors/contracts/interfaces.json`, "utf8")) as {
    readonly cases: readonly Case[];
  };

  it.each(cases.map((found) => [found.name, found] as const))("agrees on %s", (_name, { abi_json, is_accepted, is_beyond_schema }) => {
    expect(parseContractAbi(abi_json) !== undefined).toBe(is_accepted);
    expect(accepts(JSON.parse(abi_json))).toBe(is_accepted || is_beyond_schema);
  });
});
