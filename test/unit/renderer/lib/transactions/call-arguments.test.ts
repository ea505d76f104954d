import { describe, expect, it } from "vitest";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { argumentsJson, checkArgument } from "#renderer/lib/transactions/call-arguments.ts";
import type { ArgumentAbi } from "#shared/protocol/transactions/contracts.ts";

const ARGS: readonly ArgumentAbi[] = [
  { name: "who", type: "string" },
  { name: "amount", type: "u64" },
  { name: "sure", type: "bool" },
  { name: "more", type: "json" },
];

describe("arguments of a call", () => {
  it("become the list that the ledger reads, integers exact", () => {
    const json = argumentsJson(ARGS, ['a "quoted" name', "18446744073709551615", "true", '{"a":[1,null]}']);
    expect(json).toBe('["a \\"quoted\\" name",18446744073709551615,true,{"a":[1,null]}]');
    expect(parseArguments(json ?? "")).toEqual(['a "quoted" name', 2n ** 64n - 1n, true, new Map([["a", [1n, null]]])]);
  });

  it("are none when one of them is wrong", () => {
    expect(argumentsJson(ARGS, ["x", "-1", "true", "{}"])).toBeUndefined();
    expect(checkArgument({ name: "n", type: "u64" }, "18446744073709551616")).toEqual({ problem: "number" });
    expect(checkArgument({ name: "n", type: "u64" }, "1.5")).toEqual({ problem: "number" });
    expect(checkArgument({ name: "j", type: "json" }, "{")).toEqual({ problem: "json" });
  });

  it("may be none at all", () => expect(argumentsJson([], [])).toBe("[]"));
});
