// Contracts that a test writes as AssemblyScript: built by the real compiler into a folder that goes away.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildContract } from "#node/contracts/build-contract.ts";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** Builds a source, with the ABI given or with what the source declares. @throws CodedError with what the compiler printed. */
export async function buildSource(source: string, abi?: object): Promise<BuiltContract> {
  await using folder = await createTemporaryFolder();
  writeFileSync(join(folder.path, "contract.ts"), source);
  if (abi !== undefined) writeFileSync(join(folder.path, "abi.json"), JSON.stringify(abi));
  const printed: string[] = [];
  try {
    return await buildContract(folder.path, (line) => printed.push(line));
  } catch (error) {
    throw new Error(`${String(error)}\n${printed.join("\n")}`, { cause: error });
  }
}

/** ABI whose methods take arguments of the types given. */
export function abiOf(methods: Readonly<Record<string, readonly string[]>>): object {
  const args = (types: readonly string[]): object[] => types.map((type, index) => ({ name: `a${index}`, type }));
  return {
    contract: "test",
    version: "1.0.0",
    methods: Object.entries(methods).map(([name, types]) => ({ name, args: args(types) })),
  };
}
