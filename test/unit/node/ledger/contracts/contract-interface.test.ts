import { expect, test } from "vitest";
import { contractInterface, KEPT_INTERFACES } from "#node/ledger/contracts/contract-interface.ts";
import type { ContractRecord } from "#node/ledger/records/contract-records.ts";

const record = (id: string, method: string): ContractRecord => ({
  id,
  deployerPub: "aa".repeat(32),
  deployedAt: 1,
  native: "",
  abiJson: JSON.stringify({ contract: "test", version: "1", methods: [{ name: method, args: [] }] }),
  wasmSize: 1,
  wasmWeight: 1,
  vmVersion: 1,
  codeHash: "bb".repeat(32),
});

const methodOf = (given: ContractRecord): string | undefined => contractInterface(given).methods[0]?.name;

test("an interface is parsed once as long as it is among the last that were read", () => {
  const first = contractInterface(record("c0", "run"));
  expect(contractInterface(record("c0", "run"))).toBe(first);
  for (let other = 1; other < KEPT_INTERFACES; other += 1) contractInterface(record(`c${other}`, "run"));
  expect(contractInterface(record("c0", "run"))).toBe(first);
  for (let other = 1; other <= KEPT_INTERFACES; other += 1) contractInterface(record(`d${other}`, "run"));
  expect(contractInterface(record("c0", "run"))).not.toBe(first);
  expect(contractInterface(record("c0", "run"))).toEqual(first);
});

test("contracts of one id on two chains keep their own interfaces", () => {
  expect(["one", "two", "one"].map((method) => methodOf(record("c0", method)))).toEqual(["one", "two", "one"]);
});
