// docs/contracts.md names every id, method, argument and price as the code has them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { nativeContract } from "#node/ledger/contracts/native/native-contracts.ts";
import { NATIVE_CONTRACTS, nativeContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/contracts.md", import.meta.url)), "utf8");

describe("docs/contracts.md", () => {
  it("names the native contracts and their ids", () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| `([0-9a-f]{16})` \|$/gm)].map(([, name, id]) => `${name} ${id}`);
    expect(rows).toEqual(NATIVE_CONTRACTS.map((name) => `${name} ${nativeContractId(name)}`));
  });

  it("has the price of every operation", () => {
    const section = page.split("\n## ").find((text) => text.startsWith("Gas")) ?? "";
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, gas]) => `${name} ${gas}`);
    expect(rows).toEqual(Object.entries(GAS).map(([name, gas]) => `${name} ${gas.toLocaleString("en-US")}`));
  });

  it.each(NATIVE_CONTRACTS)("lists the methods of %s with their arguments", (name) => {
    const section = page.split("\n### ").find((text) => text.startsWith(`\`${name}\``)) ?? "";
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| /gm)].map(([, method, args]) => `${method}: ${args?.replaceAll("`", "")}`);
    const methods = nativeContract(name)?.abi.methods ?? [];
    expect([...rows].sort()).toEqual(
      methods.map((method) => `${method.name}: ${method.args.map((arg) => `${arg.name} ${arg.type}`).join(", ")}`).sort(),
    );
  });

  it("shows an interface that the chain accepts", () => {
    expect(parseContractAbi(/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? "")).toBeDefined();
  });
});
