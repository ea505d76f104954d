import { describe, expect, it } from "vitest";
import type { ReceivedBlock } from "#node/network/peer-network.ts";
import { BlockWindow, PEER_BYTES, RANGE_BLOCKS, WINDOW_BLOCKS, WINDOW_BYTES } from "#node/sync/block-window.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { forgedTransactions } from "#test/siege/attacks/forged-transactions.ts";
import { CHAIN_ID } from "#test/support/chain/memory-chain.ts";
import { chainOf } from "./sync-bench.ts";

const BLOCKS = chainOf(RANGE_BLOCKS + 2);
const MIB = 1_048_576;

/** The block of a height, so many bytes long, which nothing has looked at yet. */
function blockOf(height: number, bytes: number): ReceivedBlock {
  const [final] = BLOCKS;
  if (final === undefined) throw new Error("a block was expected");
  const header = { ...final.block.header, height };
  return { header, commit: final.commit, encoded: new Uint8Array(bytes), read: () => final.block };
}

function blocksWithTransactions(): readonly Block[] {
  const [first] = BLOCKS;
  if (first === undefined) throw new Error("a block was expected");
  return [{ ...first.block, transactions: forgedTransactions(CHAIN_ID, 3) }];
}

describe("blocks that wait above the tip", () => {
  it("take a fixed share of memory for each peer, and the next block always has room", () => {
    const window = new BlockWindow();
    for (let height = 500; height > 1; height -= 1) window.add(blockOf(height, MIB), "one", { tip: 1 });
    expect(window.bytes).toBeLessThanOrEqual(PEER_BYTES);
    expect(window.size).toBe(15);
    // Lower ones have displaced higher ones.
    expect(window.get(2)).toBeDefined();
    expect(window.get(500)).toBeUndefined();
    window.add(blockOf(3, 40 * MIB), "two", { tip: 2 });
    expect(window.get(3)?.peer).toBe("one");
    window.remove(3);
    window.add(blockOf(3, 40 * MIB), "two", { tip: 2 });
    expect(window.get(3)?.peer).toBe("two");
  });

  it("count with their bytes, and with more once they are read, which happens once", () => {
    const window = new BlockWindow();
    let read = 0;
    const [block] = blocksWithTransactions();
    const received: ReceivedBlock = {
      ...blockOf(2, MIB),
      read: () => {
        read += 1;
        return block;
      },
    };
    window.add(received, "a", { tip: 1 });
    const before = window.bytes;
    expect([before >= MIB, read]).toEqual([true, 0]);
    const waiting = window.get(2);
    if (waiting === undefined) throw new Error("the block waits");
    expect([window.read(waiting), window.read(waiting), read]).toEqual([block, block, 1]);
    expect(window.bytes - before).toBe(3 * 512);
    window.remove(2);
    expect(window.bytes).toBe(0);
  });

  it("take a fixed share of memory in all, however many peers there are", () => {
    const window = new BlockWindow();
    for (let height = 3; height < 500; height += 1) window.add(blockOf(height, MIB), `peer ${height}`, { tip: 1 });
    expect(window.bytes).toBeLessThanOrEqual(WINDOW_BYTES);
    expect(window.get(400)).toBeUndefined();
    window.add(blockOf(2, MIB), "last", { tip: 1 });
    expect(window.get(2)?.peer).toBe("last");
    expect(window.bytes).toBeLessThanOrEqual(WINDOW_BYTES);
  });

  it("lie within the window, and come once", () => {
    const window = new BlockWindow();
    window.add(blockOf(1, 1), "a", { tip: 1 });
    window.add(blockOf(2 + WINDOW_BLOCKS, 1), "a", { tip: 1 });
    expect(window.size).toBe(0);
    window.add(blockOf(1 + WINDOW_BLOCKS, 1), "a", { tip: 1 });
    window.add(blockOf(1 + WINDOW_BLOCKS, 9), "b", { tip: 1 });
    expect(window.get(1 + WINDOW_BLOCKS)?.peer).toBe("a");
  });

  it("are asked for in ranges that fit, by the size of the newest", () => {
    const window = new BlockWindow();
    expect(window.nextRange(1, 500)).toEqual({ from: 2, count: RANGE_BLOCKS });
    for (let height = 2; height < 40; height += 1) {
      window.add(blockOf(height, MIB), "a", { tip: height - 1 });
      window.remove(height);
    }
    const range = window.nextRange(40, 500);
    expect(range).toEqual({ from: 41, count: 8 });
    for (let next = range; next !== undefined && next.count > 1; next = window.nextRange(40, 500)) window.ask(next, "a");
    const asked = [...window.asked].reduce((sum, { count }) => sum + count, 0);
    expect(asked * MIB).toBeLessThanOrEqual(WINDOW_BYTES + PEER_BYTES);
  });
});
