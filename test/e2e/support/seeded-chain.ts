// A data folder with a chain as a person finds it after months: payments, contacts, tokens, NFTs, names, channels, a relay, a candidate.
// Made through the node's own execution and storage, stored under .cache by recipe and the code that makes it; runs work on copies.
import { hash, randomBytes, sign } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#build/scripts/process.ts";
import { openDataFolder } from "#node/config/files/data-folder.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { buildTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { commitNext } from "../../bench/chain/generate-chain.ts";
import { accountOfSeed, type BenchAccount } from "../../bench/load/accounts.ts";
import { pendingList } from "../../support/chain/test-chain.ts";
import { planStory, type StoryStep } from "./seeded-story.ts";

/** Size of a seeded chain. */
export interface SeededRecipe {
  readonly blocks: number;
  readonly transactions: number;
  /** People who have asked Robin or were asked by Robin. */
  readonly contacts: number;
  /** True when each of the payments is Robin's, so that the own history is as long as the chain. */
  readonly areRobins?: boolean;
}

/** For `npm test`: made within seconds. */
export const SMALL_RECIPE: SeededRecipe = { blocks: 240, transactions: 2_400, contacts: 120 };
/** What months of use leave behind: about a minute of work to make. */
export const FULL_RECIPE: SeededRecipe = { blocks: 10_000, transactions: 100_000, contacts: 2_000 };
/** One history of 100,000 rows: for the benchmark. */
export const LONG_HISTORY_RECIPE: SeededRecipe = { blocks: 1_000, transactions: 100_000, contacts: 2_000, areRobins: true };

const BLOCK_MS = 600_000;
const MARK = "seeded.json";
const CACHE = join(ROOT, ".cache", "e2e");
/** The recipe of this run: `npm run e2e -- --full` asks for the full one. */
export function recipeOfRun(): SeededRecipe {
  return process.env.PARLEY_SEEDED === "full" ? FULL_RECIPE : SMALL_RECIPE;
}

/** Code that decides what is in the data folder: a chain that other code made is not used. */
const MAKERS = [
  "node/config",
  "node/contracts",
  "node/ledger",
  "node/consensus",
  "node/state",
  "node/vm",
  "node/storage",
  "node/engine",
  "shared/protocol",
];

/** The same for what is beside this file. */
const STORY = ["seeded-chain.ts", "seeded-story.ts", "seeded-people.ts"];

/** Copies the chain of a recipe to a folder, making it first when the cache has none. */
export function copySeededChain(recipe: SeededRecipe, to: string): string {
  cpSync(cacheSeededChain(recipe), to, { recursive: true, filter: (file) => !file.endsWith(MARK) });
  return to;
}

/** Folder of the chain of a recipe in the cache, made unless it is there. Two processes must not make the same one at the same time. */
export function cacheSeededChain(recipe: SeededRecipe): string {
  const name = `chain-${recipe.blocks}-${recipe.transactions}-${recipe.contacts}${recipe.areRobins === true ? "-robins" : ""}`;
  const path = join(CACHE, `${name}-${hashOfMakers()}`);
  if (existsSync(join(path, MARK))) return path;
  dropOlder(`${name}-`);
  const making = `${path}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  makeChain(making, recipe);
  writeFileSync(join(making, MARK), JSON.stringify(recipe));
  rmSync(path, { recursive: true, force: true });
  renameSync(making, path);
  return path;
}

function hashOfMakers(): string {
  const files = MAKERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(STORY.map((name) => join(import.meta.dirname, name)));
  return hash(
    "sha256",
    files
      .toSorted()
      .map((file) => hash("sha256", readFileSync(file)))
      .join(""),
  ).slice(0, 12);
}

/** Chains of the same recipe that older code made; one that is being made is left alone. */
function dropOlder(prefix: string): void {
  if (!existsSync(CACHE)) return;
  for (const name of readdirSync(CACHE))
    if (name.startsWith(prefix) && !name.includes(".")) rmSync(join(CACHE, name), { recursive: true, force: true });
}

function makeChain(path: string, recipe: SeededRecipe): void {
  const nowMs = Date.now() - (recipe.blocks + 2) * BLOCK_MS;
  const folder = openDataFolder({ path, genesisPath: undefined, isDevelopment: true, nowMs, random: (length) => randomBytes(length) });
  const { genesis, genesisHash, faucetKey } = folder;
  assertInvariant(faucetKey !== undefined, "A development network has a faucet");
  const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash });
  try {
    const source = pendingList();
    const executor = createBlockExecutor({ database, genesis, source, verify: createNativeVerifier() });
    const guardFile = createEngineStorage(folder.paths.consensus).openGuard();
    const guard = new SignGuard(guardFile, genesis.chain_id, createValidatorSigner(folder.nodeKey.secret));
    for (const steps of planStory(recipe, accountOfSeed(faucetKey.secret))) {
      const timeMs = executor.tip().timeMs + BLOCK_MS;
      const signed = steps.map((step) => signStep(step, genesis.chain_id, timeMs));
      source.pending.splice(0, source.pending.length, ...signed);
      commitNext(executor, guard, folder, timeMs);
    }
    guard.flush();
    assertInvariant(executor.tip().height === recipe.blocks, `The chain has ${executor.tip().height} blocks`);
  } finally {
    database.close();
  }
}

function signStep({ signer, draft }: StoryStep, chainId: string, nowMs: number): Transaction {
  const context = { chainId, nowMs, random: (length: number): Uint8Array => randomBytes(length) };
  const unsigned = buildTransaction({ ...draft, from: signer.publicKey } as TransactionDraft<TransactionType>, context);
  return { ...unsigned, signature: signature(unsigned, signer) };
}

function signature(unsigned: Parameters<typeof signedBytes>[0], { privateKey }: BenchAccount): string {
  return sign(null, signedBytes(unsigned), privateKey).toString("base64");
}
