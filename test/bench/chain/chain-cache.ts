// Generated chains kept between runs: a folder for each recipe and storage schema. Runs work on copies.
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { createRandom, type Random } from "../../support/host/random.ts";
import { type ChainRecipe, SMALL_BLOCK_TXS } from "./chain-recipe.ts";

/** A generated chain and what a load needs to know of it. */
export interface GeneratedChain {
  readonly path: string;
  readonly recipe: ChainRecipe;
  readonly chainId: string;
  /** Account with the longest history. */
  readonly treasury: string;
  /** Ids of transactions of all ages, in random order. */
  readonly transactionIds: readonly string[];
  /** Heights of blocks with {@link SMALL_BLOCK_TXS} transactions. */
  readonly smallBlocks: readonly number[];
  /** Seconds that the generation took. */
  readonly generationSeconds: number;
}

const DESCRIPTION_FILE = "bench.json";
const SAMPLED_IDS = 20_000;
const SAMPLED_BLOCKS = 1_000;
const SEED = 4_711;
/** Genesis and blocks after it. */
const CHECKED_BLOCKS = 3;
/** What a thread holds of a long chain; much of it lives until it is stored. */
const GENERATOR_FLAGS = ["--max-semi-space-size=256", "--max-old-space-size=8192"];

/** The chain of a recipe, made when the cache has none for it, or one of other rules. What was interrupted is continued. */
export function cachedChain(
  cache: string,
  recipe: ChainRecipe,
  { isFresh, say }: { readonly isFresh: boolean; readonly say: (text: string) => void },
): GeneratedChain {
  const schema = hash("sha256", `${CHAIN_DATABASE.initialSchema}${CHAIN_DATABASE.migrations.length}`).slice(0, 12);
  const path = join(cache, `chain-${recipe.transactions}-${recipe.accounts}-${schema}`);
  const descriptionFile = join(path, DESCRIPTION_FILE);
  if (isFresh || !existsSync(descriptionFile) || !followsTheseRules(path)) rmSync(path, { recursive: true, force: true });
  if (!existsSync(descriptionFile)) {
    const making = `${path}.making`;
    rmSync(path, { recursive: true, force: true });
    if (isFresh || !followsTheseRules(making)) rmSync(making, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    say(`making a chain of ${recipe.transactions} transactions and ${recipe.accounts} accounts in ${path}`);
    const started = performance.now();
    makeChain(making, recipe);
    const description = describeChain(making, recipe, (performance.now() - started) / 1_000);
    // Written last and outside the folder's own files: a folder that has it is complete.
    writeFileSync(join(making, DESCRIPTION_FILE), JSON.stringify(description));
    renameSync(making, path);
  }
  return { ...(JSON.parse(readFileSync(descriptionFile, "utf8")) as Omit<GeneratedChain, "path">), path };
}

/** In a process of its own, whose threads share the work. */
function makeChain(path: string, { transactions, accounts }: ChainRecipe): void {
  const program = fileURLToPath(new URL("./generate-main.ts", import.meta.url));
  const { status, signal } = spawnSync(process.execPath, [...GENERATOR_FLAGS, program, path, String(transactions), String(accounts)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  assertInvariant(status === 0, `The chain was not finished (${signal ?? status}): the next run continues it`);
}

/** A copy of the data folder that a node may change. Files of old blocks are never changed in their place: copies share them. */
export function copyChain(chain: GeneratedChain, to: string): string {
  const history = join(chain.path, HISTORY_FOLDER);
  cpSync(chain.path, to, { recursive: true, filter: (file) => file !== history && basename(file) !== DESCRIPTION_FILE });
  if (!existsSync(history)) return to;
  mkdirSync(join(to, HISTORY_FOLDER), { mode: 0o700 });
  for (const name of readdirSync(history)) linkOrCopy(join(history, name), join(to, HISTORY_FOLDER, name));
  return to;
}

function linkOrCopy(file: string, to: string): void {
  try {
    linkSync(file, to);
  } catch (error) {
    // On another file system.
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    cpSync(file, to);
  }
}

/** True when the first blocks execute to what is stored: the rules may have changed since they were made. */
function followsTheseRules(path: string): boolean {
  if (!existsSync(join(path, "genesis.json"))) return false;
  const { database, genesis } = openChain(path);
  try {
    let checked = 0;
    for (const { isSame } of replayFromGenesis(database, genesis)) {
      checked += 1;
      if (!isSame || checked === CHECKED_BLOCKS) return isSame;
    }
    return true;
  } catch (error) {
    if (isCodedError(error)) return false;
    throw error;
  } finally {
    database.close();
  }
}

/** Opens the chain of a folder, for reading and writing. */
export function openChain(path: string): { readonly database: ChainDatabase; readonly genesis: Genesis } {
  const genesis = JSON.parse(readFileSync(join(path, "genesis.json"), "utf8")) as Genesis;
  return { database: openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) }), genesis };
}

function describeChain(path: string, recipe: ChainRecipe, generationSeconds: number): Omit<GeneratedChain, "path"> {
  const { database, genesis } = openChain(path);
  try {
    const height = database.blocks.tipHeight() ?? 0;
    const random = createRandom(SEED);
    const smallBlocks = heightsUpTo(height).filter((at) => database.blocks.summary(at)?.txCount === SMALL_BLOCK_TXS);
    const treasury = genesis.accounts[0]?.pub_key;
    assertInvariant(treasury !== undefined, "A development network has a treasury");
    return {
      recipe,
      chainId: genesis.chain_id,
      treasury,
      transactionIds: sampleIds(database, height, random),
      smallBlocks,
      generationSeconds,
    };
  } finally {
    database.close();
  }
}

/** Ids of blocks that are drawn by their size: all of a long chain would be more than memory takes. */
function sampleIds(database: ChainDatabase, height: number, random: Random): readonly string[] {
  const sizes = heightsUpTo(height).map((at) => database.blocks.summary(at)?.txCount ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const ids = Array.from({ length: SAMPLED_BLOCKS }, () => {
    const records = database.blocks.encodedRecords(1 + placeOf(sizes, random.between(0, total - 1)));
    const sampled = Array.from({ length: SAMPLED_IDS / SAMPLED_BLOCKS }, () => records[random.between(0, records.length - 1)]);
    return sampled.map((record) => (record === undefined ? "" : decodeTransaction(record.transaction).id));
  }).flat();
  return shuffled(ids, random);
}

/** Which part holds the given one of all. */
function placeOf(sizes: readonly number[], number: number): number {
  let below = 0;
  return sizes.findIndex((size) => {
    below += size;
    return number < below;
  });
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}

function heightsUpTo(height: number): readonly number[] {
  return Array.from({ length: height }, (_, i) => i + 1);
}
