import { expect, it } from "vitest";
import { blocksAhead, expectedWaitMs } from "#renderer/lib/transactions/sending/fee-wait.ts";

const MIB = 1_048_576;

it.each([
  [0, { transactions: 4_096, bytes: 4 * MIB }, 0],
  [4_095, { transactions: 4_096, bytes: 4 * MIB }, 0],
  [4_096, { transactions: 4_096, bytes: 4 * MIB }, 1],
  [20_000, { transactions: 4_096, bytes: 4 * MIB }, 4],
  [1_023, { transactions: 4_096, bytes: MIB }, 0],
  [1_024, { transactions: 4_096, bytes: MIB }, 1],
  [3, { transactions: 0, bytes: MIB }, 3],
])("with %i transactions waiting and room for %o, %i blocks are ahead at most", (waiting, room, ahead) => {
  expect(blocksAhead(waiting, room)).toBe(ahead);
});

it("expects a payment after the blocks ahead of it, and no block sooner than machines can vote", () => {
  expect(expectedWaitMs(0, 2_000)).toBe(2_000);
  expect(expectedWaitMs(4, 2_000)).toBe(10_000);
  expect(expectedWaitMs(1, 0)).toBe(2_000);
});
