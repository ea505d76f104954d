import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { openChain } from "../bench/chain/chain-cache.ts";
import { planBlocks } from "../bench/chain/chain-recipe.ts";
import { generateChain } from "../bench/chain/generate-chain.ts";
import { numberedAccount } from "../bench/load/accounts.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/host/temporary-folder.ts";

const RECIPE = { transactions: 5_000, accounts: 40 };
const BLOCKS = [...planBlocks(RECIPE)];

let folder: TemporaryFolder;
let storedAtFirst = 0;
const said: string[] = [];

/** Transfers of the chain by their numbers, as the plan has them. */
function transfers(): readonly { readonly from: string; readonly to: string; readonly amount: number }[] {
  const { database } = openChain(folder.path);
  try {
    const heights = Array.from({ length: database.blocks.tipHeight() ?? 0 }, (_, index) => index + 1);
    return heights.flatMap((height) =>
      (database.blocks.get(height)?.block.transactions ?? []).map(({ from, to, amount }) => ({ from, to, amount })),
    );
  } finally {
    database.close();
  }
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const say = (text: string): void => void said.push(text);
  await generateChain(folder.path, RECIPE, { say, signal: AbortSignal.abort() });
  storedAtFirst = transfers().length;
  // The end of this one is checked: supply, balances, signatures, first blocks and the folder.
  await generateChain(folder.path, RECIPE, { say });
});

afterAll(() => folder.remove());

describe("generateChain", () => {
  it("stores what was made when it is interrupted", () => {
    expect(storedAtFirst).toBe(BLOCKS[0]?.transfers.length);
    expect(said).toEqual([`${storedAtFirst} transactions are stored`, `${RECIPE.transactions} transactions are stored`]);
  });

  it("goes on where it was interrupted, by the same plan", () => {
    const planned = BLOCKS.flatMap((block) => block.transfers);
    const keyOf = new Map(Array.from({ length: RECIPE.accounts }, (_, n) => [n, numberedAccount(n).publicKey] as const));
    expect(transfers().map(({ to, amount }) => [to, amount])).toEqual(planned.map(({ to, amountUt }) => [keyOf.get(to), amountUt]));
    const paid = transfers().slice(RECIPE.accounts);
    expect(paid.map(({ from }) => from)).toEqual(planned.slice(RECIPE.accounts).map(({ from }) => keyOf.get(Number(from))));
  });

  it("leaves the folder of a node without defects, every block executed again", () => {
    const { findings, height, transactions } = checkFolder(folder.path, { isFull: true, onProgress: () => undefined });
    expect(findings).toEqual([]);
    expect({ height, transactions }).toEqual({ height: BLOCKS.length, transactions: RECIPE.transactions });
  });
});
