// Blocks of all kinds of transactions, contracts of several authors, and blocks without any: the same for the same random numbers.
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { createRandom } from "../host/random.ts";
import { alice, bob, START_MS } from "../worlds/ledger-world.ts";
import { transactionOf } from "./chain-traffic.ts";
import { callNative, deployEmpty } from "./contract-calls.ts";

/** The transactions of the block of a height, a second after those of the height before. */
export function mixedBlock(height: number, random: ReturnType<typeof createRandom>): readonly Transaction[] {
  const nowMs = START_MS + 1_000 * height;
  if (height === 1)
    return [
      callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] }),
      deployEmpty(alice),
      deployEmpty(bob, { contract: "inn" }),
    ];
  if (height === 2)
    return [callNative(alice, "nfts", "mint", { args: ["one", "One", ""] }), callNative(bob, "nfts", "mint", { args: ["two", "Two", ""] })];
  if (height % 7 === 0) return [];
  return Array.from({ length: random.between(1, 5) }, () =>
    transactionOf([random.between(0, 19), random.between(0, 4), random.between(0, 4), random.between(0, 200)], nowMs),
  );
}
