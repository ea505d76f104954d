// A chain with records of every kind on disk, as one of its operators has it, and the new chain that was exported from it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Genesis, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { createRandom } from "../host/random.ts";
import { bob, START_MS, validator } from "../worlds/ledger-world.ts";
import { CONTRACTS_GENESIS } from "./contract-calls.ts";
import { mixedBlock } from "./mixed-blocks.ts";
import { openTestChain } from "./test-chain.ts";

/** Blocks of the old chain. */
export const OLD_BLOCKS = 30;
export const NEW_CHAIN_ID = "parley-test-2";
/** What the operators agreed on. */
export const PLAN = { chainId: NEW_CHAIN_ID, validators: [{ publicKey: validator.pub }] };
const SEED = 20_260_102;

/** Makes the data folders of operators who have different numbers of the same blocks. */
export function createOldChain(root: string, blocks: readonly number[]): readonly string[] {
  const random = createRandom(SEED);
  const lists = Array.from({ length: Math.max(...blocks) }, (_, index) => mixedBlock(index + 1, random));
  return blocks.map((count, operator) => {
    const path = join(root, `operator-${operator}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "genesis.json"), JSON.stringify(CONTRACTS_GENESIS));
    using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
    for (const [index, transactions] of lists.slice(0, count).entries()) chain.commit(transactions, START_MS + 1_000 * (index + 1));
    return path;
  });
}

/** The genesis that was exported into a folder. */
export function readExported(out: string): Genesis {
  return parseGenesis(JSON.parse(readFileSync(join(out, "genesis.json"), "utf8")));
}

/** A key that has money and is no validator. */
export const newcomer = bob;
