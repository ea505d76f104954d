// What of a block that gossip brings counts: only one that is proven says that its height is decided, and only such a body is read.
import { expect, it } from "vitest";
import type { ReceivedBlock, ValidationResult } from "#node/network/peer-network.ts";
import { BlockWindow } from "#node/sync/block-window.ts";
import type { DecidedProof } from "#node/sync/decided-proof.ts";
import { GossipedBlocks, type GossipedBlocksDependencies } from "#node/sync/gossiped-blocks.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import { chainOf } from "./sync-bench.ts";

const BLOCKS = chainOf(8);

interface Seen {
  readonly proven: number[];
  readonly hinted: number[];
  read: number;
  applied: number;
}

interface World {
  readonly seen: Seen;
  readonly window: BlockWindow;
  readonly validate: (at: number) => Promise<ValidationResult>;
}

/** A node at a height, for which a header is as proven as is said. */
function world(height: number, proof: DecidedProof): World {
  const seen: Seen = { proven: [], hinted: [], read: 0, applied: 0 };
  const window = new BlockWindow();
  const dependencies: GossipedBlocksDependencies = {
    chain: {
      height: () => height,
      applyBatch: async () => {
        seen.applied += 1;
        return "committed";
      },
      compare: () => "other",
      proveHeader: async () => proof,
      prove: async () => proof,
      prepare: async () => proof,
      isWhole: () => true,
      prepareBody: () => Promise.resolve(),
    },
    window,
    onProven: (proven) => void seen.proven.push(proven),
    onHeight: (_, hinted) => void seen.hinted.push(hinted),
  };
  const gossiped = new GossipedBlocks(dependencies);
  const received = (at: number): ReceivedBlock => {
    const final = BLOCKS.find(({ block }) => block.header.height === at);
    if (final === undefined) throw new Error(`no block ${at}`);
    const block: ReceivedBlock = {
      header: final.block.header,
      commit: final.commit,
      encoded: encodeBlock(final.block),
      read: () => {
        seen.read += 1;
        return final.block;
      },
    };
    return block;
  };
  const made: World = { seen, window, validate: async (at) => await gossiped.validate(received(at), "peer") };
  return made;
}

it("a block of a height to come that is not proven proves no height, and its body is not read", async () => {
  const { seen, validate, window } = world(2, "unknown");
  await validate(6);
  expect(seen).toEqual({ proven: [], hinted: [6], read: 0, applied: 0 });
  expect(window.size).toBe(0);
});

it("one that is proven proves its height, and waits for those before it", async () => {
  const { seen, validate, window } = world(2, "proven");
  await validate(6);
  expect(seen).toEqual({ proven: [6], hinted: [6], read: 1, applied: 0 });
  expect(window.get(6)?.peer).toBe("peer");
});

it("the next block is followed where it is proven, and costs its bringer where it is not", async () => {
  const proven = world(2, "proven");
  expect(await proven.validate(3)).toBe("accept");
  expect(proven.seen).toMatchObject({ proven: [3], applied: 1 });
  for (const proof of ["false", "unknown"] as const) {
    const other = world(2, proof);
    expect(await other.validate(3)).toBe("reject");
    expect(other.seen).toEqual({ proven: [], hinted: [], read: 0, applied: 0 });
  }
});
