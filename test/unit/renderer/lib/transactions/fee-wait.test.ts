import { expect, it } from "vitest";
import { blocksAhead } from "#renderer/lib/transactions/sending/fee-wait.ts";

it.each([
  [0, 4_096, 0],
  [4_095, 4_096, 0],
  [4_096, 4_096, 1],
  [20_000, 4_096, 4],
  [3, 0, 3],
])("with %i transactions waiting and %i in a block, %i blocks are ahead", (waiting, room, ahead) => {
  expect(blocksAhead(waiting, room)).toBe(ahead);
});
