// Contracts that compilers made, for mutants: ours in C and Rust, and the examples of the SDK, which are built when they are asked for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildContract } from "#node/contracts/build-contract.ts";
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { projectRoot } from "../../nodes/run-program.ts";
import { alice } from "../../worlds/ledger-world.ts";
import type { Random } from "./statements.ts";

export interface ContractModule {
  readonly code: Uint8Array;
  /** JSON of arguments that some method takes. */
  readonly argumentsFor: (random: Random) => string;
}

type Type = ContractAbi["methods"][number]["args"][number]["type"];

const VECTORS = ["kernels", "vault", "tally", "faults", "templates/c", "templates/rust"] as const;
const EXAMPLES = ["token", "auction", "escrow", "nft", "multisig", "spending", "timelock", "vesting", "counter", "proxy"] as const;
const built = new Map<string, Promise<ContractModule>>();
/** For modules without an interface. */
const ANY: readonly (readonly Type[])[] = [[], ["string", "u64", "bool"], ["u64", "string"], ["u64", "json", "bool"]];
const VALUES: Readonly<Record<Type, readonly string[]>> = {
  string: [`"${alice.pub}"`, '"text"', '"7"', '""'],
  u64: ["0", "1", "7", "1000000", "18446744073709551615"],
  bool: ["true", "false"],
  json: ["[1,2]", '{"a":[2,null]}', '"7"', "null"],
};

/** One contract after the other, by a number. */
export async function contractModule(number: number): Promise<ContractModule> {
  const index = number % (VECTORS.length + EXAMPLES.length);
  const vector = VECTORS[index];
  if (vector !== undefined) {
    const code = readFileSync(join(projectRoot, `test/vectors/contracts/${vector}.wasm`));
    return { code, argumentsFor: (random) => argumentsOf(ANY, random) };
  }
  const name = EXAMPLES[index - VECTORS.length] ?? EXAMPLES[0];
  const known = built.get(name) ?? exampleModule(name);
  built.set(name, known);
  return known;
}

/** Arguments for something that is no contract. */
export function anyArguments(random: Random): string {
  return argumentsOf(ANY, random);
}

async function exampleModule(name: string): Promise<ContractModule> {
  const { code, abi } = await buildContract(join(projectRoot, "node/contracts/examples", name), () => undefined);
  const methods = abi.methods.map(({ args }) => args.map(({ type }) => type));
  return { code, argumentsFor: (random) => argumentsOf(methods, random) };
}

function argumentsOf(methods: readonly (readonly Type[])[], random: Random): string {
  const types = methods[random(Math.max(1, methods.length))] ?? [];
  return `[${types.map((type) => VALUES[type][random(VALUES[type].length)] ?? "null").join()}]`;
}
