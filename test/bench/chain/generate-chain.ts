// Makes the data folder of a node with a long chain, through the node's own execution and storage: one thread signs, one executes, one
// stores. Run as a program it makes the chain of a folder: see `chain-cache.ts`.
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type DataFolder, openDataFolder } from "#node/config/files/data-folder.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { commitNow, pendingList } from "../../support/chain/test-chain.ts";
import { BatchWriter } from "./batch-writer.ts";
import { type ChainRecipe, planBlocks, planSpanMs } from "./chain-recipe.ts";
import { checkChain } from "./check-chain.ts";
import { signedBlocks } from "./signed-blocks.ts";

/** All that blocks changed stays in memory: until it is stored it is nowhere else. */
const CACHE_BYTES = 8_589_934_592;

/**
 * Makes the chain in an empty folder, or continues one that was interrupted; the signal ends it with what was made by then.
 * @throws CodedError when the outcome is not what the recipe asks for.
 */
export async function generateChain(
  path: string,
  recipe: ChainRecipe,
  { say, signal }: { readonly say: (text: string) => void; readonly signal?: AbortSignal },
): Promise<void> {
  const endMs = Date.now() - 3_600_000;
  const nowMs = endMs - planSpanMs(recipe);
  const folder = openDataFolder({ path, genesisPath: undefined, isDevelopment: true, nowMs, random: (length) => randomBytes(length) });
  const { genesis, genesisHash } = folder;
  const identity = { chainId: genesis.chain_id, genesisHash };
  const database = openChainDatabase(path, identity);
  try {
    const source = pendingList();
    let stored = partsOf(recipe, database.blocks.tipHeight() ?? 0).transactions;
    const onStored = (transactions: number): void => {
      stored += transactions;
      say(`${stored} transactions are stored`);
    };
    // The first block is written here, before the thread opens the file.
    const writer = new BatchWriter({ directory: path, identity }, onStored);
    const executor = createBlockExecutor({ database, genesis, source, verify: createNativeVerifier(), writer, cacheBytes: CACHE_BYTES });
    const guard = new SignGuard(createEngineStorage(folder.paths.consensus).openGuard(), genesis.chain_id, signerOf(folder));
    const { height, timeMs: tipMs } = executor.tip();
    // One that is continued much later ends where a new one would: as that of a network that stood still meanwhile.
    const timeMs = height === 0 ? tipMs : Math.max(tipMs, endMs - partsOf(recipe, height).leftMs);
    const { faucetKey } = folder;
    assertInvariant(faucetKey !== undefined, "A development network has a faucet");
    const work = { recipe, chainId: genesis.chain_id, treasurySeed: faucetKey.secret, stored: height, timeMs };
    for await (const block of signedBlocks(work)) {
      source.pending.splice(0, source.pending.length, ...block.transactions);
      await executor.apply([nextDecided(executor, guard, folder, block.timeMs)]);
      // Messages of a thread are taken in without end while more of them come: signals and the other thread wait for this.
      await setImmediate();
      if (signal?.aborted === true) break;
    }
    await writer.stop();
    guard.flush();
    if (signal?.aborted === true) return;
    checkChain(folder, database, recipe);
  } finally {
    database.close();
  }
  const { findings } = checkFolder(path, { isFull: false, onProgress: () => undefined });
  assertInvariant(findings.length === 0, `The folder is damaged: ${JSON.stringify(findings[0])}`);
}

/** Commits what is pending, signed as the node's own engine does: its sign guard knows every vote. */
export function commitNext(executor: BlockExecutor, guard: SignGuard, folder: DataFolder, timeMs: number): void {
  const { block, commit } = nextDecided(executor, guard, folder, timeMs);
  commitNow(executor, block, commit);
}

function nextDecided(executor: BlockExecutor, guard: SignGuard, { nodeKey, genesis }: DataFolder, timeMs: number): DecidedBlock {
  const { block, hash: blockHash } = executor.buildBlock({ timeMs, proposer: nodeKey.publicKey });
  const { height } = block.header;
  const message = voteSignBytes(genesis.chain_id, { type: "precommit", height, round: 0, blockHash });
  const signature = guard.sign({ height, round: 0, step: "precommit" }, message);
  assertInvariant(signature !== undefined, `The vote for block ${height} was refused`);
  return { block, commit: { height, round: 0, blockHash, bitmap: Uint8Array.of(1), signatures: [signature] } };
}

function signerOf({ nodeKey }: DataFolder): ReturnType<typeof createValidatorSigner> {
  return createValidatorSigner(nodeKey.secret);
}

/** Transactions up to a height, and the time from there to the last block. */
function partsOf(recipe: ChainRecipe, height: number): { readonly transactions: number; readonly leftMs: number } {
  let [at, transactions, leftMs] = [0, 0, 0];
  for (const { transfers, afterMs } of planBlocks(recipe)) {
    at += 1;
    if (at > height) leftMs += afterMs;
    else transactions += transfers.length;
  }
  return { transactions, leftMs };
}
