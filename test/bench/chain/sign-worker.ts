// Entry of the thread that signs the blocks of a chain that is being made, some blocks ahead of the one that executes them.
import { parentPort, workerData } from "node:worker_threads";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type ChainRecipe, planBlocks } from "./chain-recipe.ts";
import { SigningAccounts } from "./signing-accounts.ts";

/** What the thread is started with. */
export interface SigningWork {
  readonly recipe: ChainRecipe;
  readonly chainId: string;
  readonly treasurySeed: Uint8Array;
  /** Blocks that are there, and the time of the last one. */
  readonly stored: number;
  readonly timeMs: number;
}

/** Transfers of the next block; undefined behind the last one. */
export type SignedBlock = { readonly timeMs: number; readonly transactions: readonly Transaction[] } | undefined;

const work = workerData as SigningWork;
const blocks = signedBlocks(work);

// Each message asks for one block more.
parentPort?.on("message", () => {
  const next = blocks.next();
  parentPort?.postMessage(next.done === true ? undefined : next.value);
  if (next.done === true) parentPort?.close();
});

function* signedBlocks({ recipe, chainId, treasurySeed, stored, timeMs: storedMs }: SigningWork): Generator<SignedBlock, undefined> {
  const accounts = new SigningAccounts(chainId, treasurySeed, recipe.accounts);
  let [height, number, timeMs] = [0, 0, storedMs];
  for (const { afterMs, transfers } of planBlocks(recipe)) {
    height += 1;
    if (height > stored) {
      timeMs += afterMs;
      const [first, at] = [number, timeMs];
      yield { timeMs, transactions: transfers.map((transfer, index) => accounts.transfer(transfer, first + index, at)) };
    }
    number += transfers.length;
  }
}
