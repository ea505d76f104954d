import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlockServer } from "#node/gossip/block-server.ts";
import { decodeFinalBlock, encodedFinalBlockCodec, encodeFinalBlock } from "#node/network/wire/wire-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { CHAIN_ID, quickValidators, quickVerify } from "#test/support/chain/memory-chain.ts";
import { receivedBlock } from "#test/support/nodes/test-network.ts";
import { chainOf } from "../sync/sync-bench.ts";

const FINALS = chainOf(200);
const { validators } = quickValidators(4);
let verified = 0;
let firstHeight = 0;
const server = new BlockServer({
  chainId: CHAIN_ID,
  blocks: {
    firstHeight: (): number => firstHeight,
    firstHeader: (): number => 0,
    header: (height): BlockHeader | undefined => FINALS[height - 1]?.block.header,
    encodedBlock: (height): Uint8Array | undefined => {
      const final = FINALS[height - 1];
      return final === undefined ? undefined : encodeBlock(final.block);
    },
    encodedCommit: (height): Uint8Array | undefined => {
      const final = FINALS[height - 1];
      return final === undefined ? undefined : encode(commitCodec, final.commit);
    },
    commit: (height): Commit | undefined => FINALS[height - 1]?.commit,
    lastCommit: (height): Commit | undefined => FINALS[height - 1]?.block.lastCommit ?? undefined,
  },
  tip: (): { height: number; hash: string } => ({ height: 200, hash: "ab".repeat(32) }),
  validatorsAt: (): typeof validators => validators,
  snapshots: (): readonly number[] => [150, 100],
  keepsFrom: (): number => 120,
  verify: (...signed): boolean => {
    verified += 1;
    return quickVerify(...signed);
  },
});

describe("handing out blocks", () => {
  const heights = (from: number, count: number): readonly number[] =>
    [...server.range(from, count)].map((final) => decodeFinalBlock(encode(encodedFinalBlockCodec, final))?.block.header.height ?? 0);

  it("gives a range in order, cut at the tip and at the largest response", () => {
    expect(heights(5, 3)).toEqual([5, 6, 7]);
    expect(heights(199, 10)).toEqual([199, 200]);
    expect(heights(1, 1_000)).toHaveLength(128);
  });

  it("gives the message that a block and its commit are encoded to", () => {
    const [final] = [...server.range(7, 1)].map((parts) => encode(encodedFinalBlockCodec, parts));
    expect(Buffer.from(final ?? [])).toEqual(Buffer.from(FINALS.slice(6, 7).map(encodeFinalBlock)[0] ?? []));
  });

  it.each([
    [201, 5],
    [0, 5],
    [5, 0],
  ])("gives nothing from %i for %i", (from, count) => {
    expect(heights(from, count)).toEqual([]);
  });

  it("says how far it is", () => {
    expect(server.status()).toEqual({
      height: 200,
      tipHash: "ab".repeat(32),
      firstHeight: 1,
      firstHeader: 0,
      snapshots: [150, 100],
      keepsFrom: 120,
    });
  });
});

describe("a node that holds no blocks below a height", () => {
  beforeAll(() => {
    firstHeight = 150;
  });
  afterAll(() => {
    firstHeight = 0;
  });

  it("says so, gives none of them, and judges none of them", () => {
    expect(server.status().firstHeight).toBe(150);
    expect([...server.range(149, 5)]).toEqual([]);
    expect([...server.range(150, 5)]).toHaveLength(5);
    const [old] = FINALS.slice(99, 100);
    if (old === undefined) throw new Error("a hundred blocks were expected");
    expect(server.compare(receivedBlock(old))).toBe("other");
  });
});

describe("comparing blocks", () => {
  const [final] = FINALS.slice(9, 10);
  if (final === undefined) throw new Error("ten blocks were expected");
  const { block, commit } = final;

  it("knows a block of the chain, whole and with a true commit", () => {
    expect(server.compare(receivedBlock(final))).toBe("own");
  });

  it.each([
    ["another body", { block: { ...block, evidence: [utf8("x")] }, commit }],
    ["another header", { block: { ...block, header: { ...block.header, timeMs: 1 } }, commit }],
    ["a commit of another height", { block, commit: { ...commit, height: 11 } }],
    ["a commit that proves nothing", { block, commit: { ...commit, signatures: commit.signatures.toReversed() } }],
  ])("finds %s out", (_, forged) => {
    expect(server.compare(receivedBlock(forged))).toBe("false");
  });

  it("verifies no vote that is stored, whatever choice of them comes, and every other one", () => {
    verified = 0;
    for (const each of FINALS.slice(0, 190)) expect(server.compare(receivedBlock(each))).toBe("own");
    expect(verified).toBe(0);
    const otherRound = { ...commit, round: commit.round + 1 };
    expect([server.compare(receivedBlock({ block, commit: otherRound })), verified]).toEqual(["false", 1]);
    // A vote of one validator is none of another.
    const swapped = [commit.signatures[1], commit.signatures[0], ...commit.signatures.slice(2)].flatMap((signature) => signature ?? []);
    expect([server.compare(receivedBlock({ block, commit: { ...commit, signatures: swapped } })), verified]).toEqual(["false", 2]);
  });

  it("says nothing about an unknown height", () => {
    expect(server.compare(receivedBlock({ block: { ...block, header: { ...block.header, height: 900 } }, commit }))).toBe("other");
  });
});
