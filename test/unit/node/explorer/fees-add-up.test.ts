// What lists say of amounts and fees, against what the ledger has: balances of all accounts, totals of blocks, pushes of the WebSocket.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const BLOCKS = 30;
const PEOPLE = [1, 2, 3, 4].map(actor);
const BEGIN_UT = 3_000_000;
const GENESIS_HERE = { ...GENESIS, accounts: PEOPLE.map(({ pub }) => ({ pub_key: pub, balance_ut: BEGIN_UT })) };
const clock = { nowMs: (): number => START_MS + 1_000 * BLOCKS, monotonicMs: (): number => 0 };

/** Payments, calls with and without an amount, deployments, and each of them so that it is refused. */
function randomTransaction(random: Random, nowMs: number): Transaction {
  const personAt = (index: number): Actor => PEOPLE[index % PEOPLE.length] ?? validator;
  const index = random.between(0, PEOPLE.length - 1);
  const [from, to] = [personAt(index), personAt(index + random.between(1, PEOPLE.length - 1)).pub];
  switch (random.between(0, 6)) {
    case 0:
      return callNative(from, "username_registry", "register", { args: [`name${random.between(0, 5)}`], amountUt: 10_000 });
    case 1:
      return callNative(from, "username_registry", "register", { args: ["name"], amountUt: random.between(1, 9_999) });
    case 2:
      return callNative(from, "tokens", "issue", { args: [`t${random.between(0, 9)}`, "T", "T", 0, 5] });
    case 3:
      return deployEmpty(from, { contract: `shop${random.between(0, 99)}` });
    case 4:
      return signed(from, { type: "CONTACT_REQUEST", to, amount: 5_000 + random.between(0, 99), payload: {}, nowMs });
    default: {
      const amount = random.chance(0.2) ? BEGIN_UT * 10 : random.between(1, 200_000);
      return signed(from, { type: "TRANSFER", to, amount, fee: 1_000 + random.between(0, 500), payload: {}, nowMs });
    }
  }
}

/** What the entries of a history say that came to an account, less what went. */
function sumOf(entries: readonly TransactionEntry[], account: string): number {
  return entries.reduce((sum, { from, to, amount_ut: amountUt, fee_ut: feeUt, status }) => {
    const movedUt = status === "ok" ? amountUt : 0;
    return sum + (to === account ? movedUt : 0) - (from === account ? movedUt + feeUt : 0);
  }, 0);
}

describe.each([1, 2, 3])("a random history, seed %i", (seed) => {
  let folder: TemporaryFolder;
  let chain: TestChain;
  let queries: ReadQueries;
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    chain = openTestChain(folder.path, { genesis: GENESIS_HERE, verify: () => true });
    const random = createRandom(seed);
    for (let height = 1; height <= BLOCKS; height += 1) {
      const timeMs = START_MS + 1_000 * height;
      chain.commit(
        Array.from({ length: random.between(1, 5) }, () => randomTransaction(random, timeMs)),
        timeMs,
      );
    }
    queries = createReadQueries(chain.database, clock);
  });
  afterAll(async () => {
    chain.close();
    await folder.remove();
  });

  it("adds up to the balance of each account, by lists of both versions", async () => {
    const begins = new Map([...PEOPLE.map(({ pub }) => [pub, BEGIN_UT] as const), [validator.pub, 0]]);
    for (const [account, beginUt] of begins) {
      const { balanceUt, transactions } = await queries.explorer.accountHistory(account, { limit: 1_000, offset: 0 });
      expect(beginUt + sumOf(transactions, account)).toBe(balanceUt);
      const feed = await queries.explorer.accountFeed(account, { limit: 1_000, order: "desc" });
      expect(feed.map(({ id, fee_ut, gas_fee_ut }) => [id, fee_ut, gas_fee_ut])).toEqual(
        transactions.map(({ id, fee_ut, gas_fee_ut }) => [id, fee_ut, gas_fee_ut]),
      );
    }
  });

  it("has the fees of its blocks in their transactions, by every way to see one", async () => {
    const seen = { gas: 0, refused: 0 };
    for (const { index, total_fees_ut: totalFeesUt } of await queries.explorer.listBlocks({ limit: 100 })) {
      const block = await queries.explorer.getBlock(index);
      const transactions = block?.transactions ?? [];
      expect(transactions.reduce((sum, { fee_ut: feeUt }) => sum + feeUt, 0)).toBe(totalFeesUt);
      for (const { id, fee_ut, gas_fee_ut, status } of transactions) {
        const detail = await queries.explorer.getTransaction(id);
        expect(detail).toMatchObject({ fee_ut, gas_fee_ut });
        expect((await queries.explorer.chainTransaction(id))?.tx).toMatchObject({ fee_ut, gas_fee_ut });
        expect(gas_fee_ut).toBe(gasPriceUt(detail?.gas_used ?? Number.NaN));
        seen.gas += gas_fee_ut > 0 ? 1 : 0;
        seen.refused += status === "failed" ? 1 : 0;
      }
    }
    const { buckets } = await queries.explorer.chart({ resolution: "hour", limit: 48 });
    const blocks = await queries.explorer.listBlocks({ limit: 100 });
    expect(buckets.reduce((sum, { fees_ut: feesUt }) => sum + feesUt, 0)).toBe(
      blocks.reduce((sum, { total_fees_ut: feesUt }) => sum + feesUt, 0),
    );
    expect(seen.gas).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
