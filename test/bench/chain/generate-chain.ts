// Makes the data folder of a node with a long chain, through the node's own execution and storage, and checks what came out.
import { randomBytes } from "node:crypto";
import { type DataFolder, openDataFolder } from "#node/config/files/data-folder.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { genesisSupply } from "#shared/protocol/chain/genesis.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { commitNow, pendingList } from "../../support/chain/test-chain.ts";
import { accountOfSeed, type BenchAccount, numberedAccount, signedTransfer } from "../load/accounts.ts";
import { type AccountNumber, type BlockPlan, type ChainRecipe, planBlocks, planSpanMs } from "./chain-recipe.ts";
import { sealGenerated } from "./seal-generated.ts";

/** Blocks that are executed again from genesis as a check. */
const REPLAYED_BLOCKS = 60;
/** Transactions whose signatures are checked. */
const CHECKED_SIGNATURES = 500;
const PROGRESS_EVERY_TXS = 100_000;

/** Makes the chain in an empty folder, or continues one that was interrupted. @throws CodedError when the outcome is not what the recipe asks for. */
export function generateChain(path: string, recipe: ChainRecipe, say: (text: string) => void): void {
  const nowMs = Date.now() - planSpanMs(recipe) - 3_600_000;
  const folder = openDataFolder({ path, genesisPath: undefined, isDevelopment: true, nowMs, random: (length) => randomBytes(length) });
  const { genesis, genesisHash } = folder;
  const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash });
  try {
    commitBlocks(folder, database, { recipe, say });
    checkChain(folder, database, recipe);
  } finally {
    database.close();
  }
}

interface Work {
  readonly recipe: ChainRecipe;
  readonly say: (text: string) => void;
}

function commitBlocks(folder: DataFolder, database: ChainDatabase, { recipe, say }: Work): void {
  const { genesis, faucetKey } = folder;
  assertInvariant(faucetKey !== undefined, "A development network has a faucet");
  const treasury = accountOfSeed(faucetKey.secret);
  const accounts = Array.from({ length: recipe.accounts }, (_, n) => numberedAccount(n));
  const accountOf = (number: AccountNumber): BenchAccount => (number === "treasury" ? treasury : accounts[number]) ?? treasury;
  const source = pendingList();
  const executor = createBlockExecutor({ database, genesis, source, verify: createNativeVerifier() });
  const guardFile = createEngineStorage(folder.paths.consensus).openGuard();
  const guard = new SignGuard(guardFile, genesis.chain_id, createValidatorSigner(folder.nodeKey.secret));
  const stored = executor.tip().height;
  let height = 0;
  let made = 0;
  for (const plan of planBlocks(recipe)) {
    height += 1;
    if (height <= stored) {
      made += plan.transfers.length;
      continue;
    }
    const timeMs = executor.tip().timeMs + plan.afterMs;
    source.pending.splice(0, source.pending.length, ...signedBlock(plan, { chainId: genesis.chain_id, timeMs, accountOf }));
    commitNext(executor, guard, folder, timeMs);
    const before = made;
    made += plan.transfers.length;
    if (Math.floor(made / PROGRESS_EVERY_TXS) === Math.floor(before / PROGRESS_EVERY_TXS)) continue;
    say(`${made} transactions`);
    sealGenerated(database.file);
  }
  sealGenerated(database.file);
  guard.flush();
}

function signedBlock(
  { transfers }: BlockPlan,
  context: { readonly chainId: string; readonly timeMs: number; readonly accountOf: (number: AccountNumber) => BenchAccount },
): readonly Transaction[] {
  const { chainId, timeMs: nowMs, accountOf } = context;
  return transfers.map(({ from, to, amountUt }) =>
    signedTransfer(accountOf(from), { to: accountOf(to).publicKey, chainId, amountUt, nowMs }),
  );
}

/** Commits what is pending, signed as the node's own engine does: its sign guard knows every vote. */
export function commitNext(executor: BlockExecutor, guard: SignGuard, { nodeKey, genesis }: DataFolder, timeMs: number): void {
  const { block, hash: blockHash } = executor.buildBlock({ timeMs, proposer: nodeKey.publicKey });
  const { height } = block.header;
  const message = voteSignBytes(genesis.chain_id, { type: "precommit", height, round: 0, blockHash });
  const signature = guard.sign({ height, round: 0, step: "precommit" }, message);
  assertInvariant(signature !== undefined, `The vote for block ${height} was refused`);
  commitNow(executor, block, { height, round: 0, blockHash, bitmap: Uint8Array.of(1), signatures: [signature] });
}

function checkChain({ genesis }: DataFolder, database: ChainDatabase, recipe: ChainRecipe): void {
  const { totalTransfers, height } = new Explorer(database).netStats();
  assertInvariant(totalTransfers === recipe.transactions, `The chain has ${totalTransfers} transfers`);
  const supply = readSupply(database.state);
  assertInvariant(
    supply === genesisSupply(genesis) + height * genesis.params.block_reward_ut,
    "The supply is not the one of genesis and rewards",
  );
  let held = readValidators(database.state).reduce((sum, { bondUt }) => sum + bondUt, 0);
  for (const { key } of database.state.scan("account")) held += readAccount(database.state, toHex(key)).balanceUt;
  assertInvariant(held === supply, `Accounts and bonds hold ${held} µT of ${supply}`);
  checkSignatures(database, height);
  let replayed = 0;
  for (const { isSame } of replayFromGenesis(database, genesis)) {
    assertInvariant(isSame, `Block ${replayed} executes to another header`);
    replayed += 1;
    if (replayed > REPLAYED_BLOCKS) break;
  }
}

function checkSignatures(database: ChainDatabase, height: number): void {
  const verify = createNativeVerifier();
  const step = Math.max(1, Math.floor(height / CHECKED_SIGNATURES));
  for (let at = 1; at <= height; at += step) {
    const tx = database.blocks.get(at)?.block.transactions[0];
    assertInvariant(tx !== undefined, `Block ${at} is empty`);
    const signature = Buffer.from(tx.signature, "base64");
    assertInvariant(verify(signature, signedBytes(tx), fromHex(tx.from)), `The signature of ${tx.id} is wrong`);
  }
}
