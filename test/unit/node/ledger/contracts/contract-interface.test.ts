import { expect, test } from "vitest";
import { KEPT_INTERFACES, keptContract } from "#node/ledger/contracts/contract-interface.ts";
import { readContractBytes, writeContract } from "#node/ledger/records/contract-records.ts";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { emptyState } from "#test/support/worlds/ledger-world.ts";

const idOf = (name: string): string => Buffer.from(name).toString("hex").padStart(16, "0");

/** Bytes of a record, another array each time. */
function stored(name: string, method: string): Uint8Array {
  const state = emptyState();
  writeContract(state, {
    id: idOf(name),
    deployerPub: "aa".repeat(32),
    deployedAt: 1,
    native: "",
    abiJson: JSON.stringify({ contract: "test", version: "1", methods: [{ name: method, args: [] }] }),
    wasmSize: 1,
    wasmWeight: 1,
    vmVersion: 1,
    codeHash: "bb".repeat(32),
  });
  return readContractBytes(state, idOf(name)) ?? new Uint8Array(0);
}

const read = (name: string, method: string): ContractAbi => keptContract(idOf(name), stored(name, method)).abi;
const methodOf = (method: string): string | undefined => read("c0", method).methods[0]?.name;

test("a record is decoded once as long as its bytes are the same and others are not read in between", () => {
  const [bytes, same, other] = [stored("c0", "run"), stored("c0", "run"), stored("c1", "run")];
  const first = keptContract(idOf("c0"), bytes);
  expect(keptContract(idOf("c0"), bytes)).toBe(first);
  expect(keptContract(idOf("c1"), other).record.id).toBe(idOf("c1"));
  expect(keptContract(idOf("c0"), bytes)).toBe(first);
  expect(keptContract(idOf("c0"), same).record).toEqual(first.record);
  // The bytes alone say nothing of the id under which they stand.
  for (const name of ["c1", "c0", "c1"]) expect(keptContract(idOf(name), bytes).record.id).toBe(idOf(name));
});

test("an interface is parsed once as long as it is among the last that were read", () => {
  const first = read("c0", "run");
  expect(read("c0", "run")).toBe(first);
  for (let other = 1; other < KEPT_INTERFACES; other += 1) read(`c${other}`, "run");
  expect(read("c0", "run")).toBe(first);
  for (let other = 1; other <= KEPT_INTERFACES; other += 1) read(`d${other}`, "run");
  expect(read("c0", "run")).not.toBe(first);
  expect(read("c0", "run")).toEqual(first);
});

test("contracts of one id on two chains keep their own interfaces", () => {
  expect(["one", "two", "one"].map((method) => methodOf(method))).toEqual(["one", "two", "one"]);
});
