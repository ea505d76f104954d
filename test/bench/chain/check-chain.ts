// Checks of a chain that was made: supply and balances, the root of the state, sampled signatures, and the first blocks executed again.
import type { DataFolder } from "#node/config/files/data-folder.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { genesisSupply } from "#shared/protocol/chain/genesis.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { ChainRecipe } from "./chain-recipe.ts";

/** Blocks that are executed again from genesis as a check. */
const REPLAYED_BLOCKS = 60;
/** Transactions whose signatures are checked. */
const CHECKED_SIGNATURES = 500;

/** @throws CodedError when the chain is not what the recipe asks for. */
export function checkChain({ genesis }: DataFolder, database: ChainDatabase, recipe: ChainRecipe): void {
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
    const [first] = database.blocks.encodedRecords(at);
    assertInvariant(first !== undefined, `Block ${at} is empty`);
    const tx = decodeTransaction(first.transaction);
    const signature = Buffer.from(tx.signature, "base64");
    assertInvariant(verify(signature, signedBytes(tx), fromHex(tx.from)), `The signature of ${tx.id} is wrong`);
  }
}
