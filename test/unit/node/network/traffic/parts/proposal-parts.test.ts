// Proposals in parts among validators in memory, some of whom are silent, lie or are late.
import { describe, expect, it } from "vitest";
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import { readBlock } from "#node/engine/consensus-network.ts";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import { cutIntoParts } from "#node/network/traffic/parts/part-assembly.ts";
import {
  decodePartMessage,
  encodePartMessage,
  type PartsHead,
  partsHeadCodec,
  partsSignBytes,
} from "#node/network/traffic/parts/part-codec.ts";
import { PARTS_LIMITS } from "#node/network/traffic/parts/parts-limits.ts";
import type { ProposalMessage } from "#node/network/traffic/parts/proposal-parts.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { proposalSignBytes } from "#shared/protocol/chain/vote.ts";
import { CHAIN_ID, forgedPart, HOP_MS, NONE, PartsWorld, PROPOSED_BYTES, sampleFrames } from "#test/support/worlds/parts-world.ts";

function isSame(a: ProposalMessage | undefined, b: ProposalMessage): boolean {
  return a !== undefined && Buffer.from(encodeConsensusMessage(a)).equals(encodeConsensusMessage(b));
}

describe.each([4, 7, 13, 40])("a proposal in parts among %i validators", (size) => {
  it("reaches all with the same block, and no one uploads more than a few blocks", () => {
    const world = new PartsWorld(size);
    const message = world.proposal(1, PROPOSED_BYTES);
    expect(world.member(1).parts.propose(message)).toBe("sent");
    world.time.advance(4 * HOP_MS);
    expect(world.haveBlock(message)).toHaveLength(size - 1);
    for (const { delivered, reported, sentBytes } of world.members) {
      expect(reported).toEqual([]);
      expect(sentBytes).toBeLessThan(4.5 * PROPOSED_BYTES);
      for (const { message: got, proposer } of delivered) {
        expect(isSame(got, message)).toBe(true);
        expect(proposer).toBe(world.member(1).key);
      }
    }
    // No part was missing, so none was requested.
    world.time.advance(5_000);
    expect(world.members.map(({ sent }) => sent[7] ?? 0).every((count) => count === 0)).toBe(true);
    expect(world.members.every(({ delivered }) => delivered.length <= 1)).toBe(true);
  });

  it.each([0, 1, 2])("reaches all while a third is silent, third %i", (shift) => {
    const world = new PartsWorld(size);
    const others = world.members.filter((_, index) => index !== 1);
    const silent = others.filter((_, at) => at % 3 === shift).slice(0, Math.floor((size - 1) / 3));
    for (const member of silent) member.isSilent = true;
    world.member(1).parts.propose(world.proposal(1, PROPOSED_BYTES));
    world.time.advance(6_000);
    for (const member of others) expect(member.delivered).toHaveLength(member.isSilent ? 0 : 1);
  });

  it("reaches all while a third passes on wrong bytes, wrong proofs or parts of other places, and pays for it", () => {
    const world = new PartsWorld(size);
    const liars = Array.from({ length: Math.floor((size - 1) / 3) }, (_, at) => size - 1 - 2 * at);
    world.way = (frame, from): Uint8Array | undefined => {
      const part = decodePartMessage(frame);
      if (!liars.includes(from) || part?.type !== "part") return frame;
      if (from % 3 === 0) return encodePartMessage({ ...part, bytes: part.bytes.with(0, (part.bytes[0] ?? 0) ^ 1) });
      if (from % 3 === 1) return encodePartMessage({ ...part, siblings: part.siblings.map((hash) => hash.toReversed()) });
      return encodePartMessage({ ...part, index: part.index ^ 1 });
    };
    const message = world.proposal(0, PROPOSED_BYTES);
    world.member(0).parts.propose(message);
    world.time.advance(6_000);
    expect(world.haveBlock(message)).toHaveLength(size - 1);
    const reported = new Set(world.members.flatMap((member) => member.reported.map(([key]) => key)));
    for (const key of reported) expect(liars.map((index) => world.member(index).key)).toContain(key);
    expect(reported.size).toBeGreaterThan(0);
  });
});

describe("proposals in parts that another process signs", () => {
  it("are sent once the signature is there, and asked for once however often they are repeated", async () => {
    const world = new PartsWorld(7);
    const signing = Promise.withResolvers<Uint8Array | undefined>();
    let asked = 0;
    let signature = (): Uint8Array => new Uint8Array();
    world.sign = (signer, bytes): Promise<Uint8Array | undefined> => {
      asked += 1;
      signature = (): Uint8Array => signer.sign(bytes);
      return signing.promise;
    };
    const message = world.proposal(1, PROPOSED_BYTES);
    for (let times = 0; times < 3; times += 1) expect(world.member(1).parts.propose(message)).toBe("sent");
    world.time.advance(10 * HOP_MS);
    expect(asked).toBe(1);
    expect(world.haveBlock(message)).toEqual([]);
    signing.resolve(signature());
    await signing.promise;
    world.time.advance(4 * HOP_MS);
    expect(world.haveBlock(message)).toHaveLength(6);
    expect(world.member(1).parts.propose(message)).toBe("repeated");
  });

  it("go whole with the next repetition when there is no signature", async () => {
    const world = new PartsWorld(7);
    world.sign = (): Promise<undefined> => Promise.resolve(undefined);
    const message = world.proposal(1, PROPOSED_BYTES);
    expect(world.member(1).parts.propose(message)).toBe("sent");
    await Promise.resolve();
    expect(world.member(1).parts.propose(message)).toBe("whole");
    const other = world.proposal(1, PROPOSED_BYTES, { salt: 1 });
    expect(world.member(1).parts.propose(other)).toBe("sent");
  });
});

describe("proposals in parts", () => {
  it("go whole when they are small, or when there are few validators", () => {
    const world = new PartsWorld(4);
    expect(world.member(0).parts.propose(world.proposal(0, 100_000))).toBe("whole");
    const few = new PartsWorld(3);
    expect(few.member(0).parts.propose(few.proposal(0, PROPOSED_BYTES))).toBe("whole");
  });

  it("are repeated as heads alone, and give what a validator lacks to that one only", () => {
    const world = new PartsWorld(7);
    const late = world.member(5);
    late.isSilent = true;
    const message = world.proposal(1, PROPOSED_BYTES);
    const { parts, sent } = world.member(1);
    parts.propose(message);
    world.time.advance(2_000);
    late.isSilent = false;
    const before = world.members.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    const heads = sent[6] ?? 0;
    expect(parts.propose(message)).toBe("repeated");
    expect((sent[6] ?? 0) - heads).toBe(6);
    world.time.advance(4_000);
    expect(late.delivered.map(({ message: got }) => isSame(got, message))).toEqual([true]);
    const after = world.members.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    expect(after - before).toBeLessThan(6 * PROPOSED_BYTES);
  });

  it("are delivered again when they are repeated, as long as the engine lacks them", () => {
    const world = new PartsWorld(4);
    const message = world.proposal(1, PROPOSED_BYTES);
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    world.use = (): ProposalUse => "none";
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    expect(world.member(0).delivered).toHaveLength(1);
    world.use = (): ProposalUse => "now";
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    expect(world.member(0).delivered).toHaveLength(2);
  });

  it("of a block that was proposed before bring no part again", () => {
    const world = new PartsWorld(7);
    const message = world.proposal(1, PROPOSED_BYTES);
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    const { height, blockHash } = message.proposal;
    const unsigned = { height, round: 1, validRound: 0, blockHash, validatorIndex: 2 };
    const signature = world.member(2).signer.sign(proposalSignBytes(CHAIN_ID, unsigned));
    const again: ProposalMessage = { ...message, proposal: { ...unsigned, signature } };
    const partsSent = (): number => world.members.reduce((sum, { sent }) => sum + (sent[5] ?? 0), 0);
    const before = partsSent();
    world.member(2).parts.propose(again);
    world.time.advance(3_000);
    expect(partsSent()).toBe(before);
    for (const index of [0, 3, 4, 5, 6]) expect(isSame(world.member(index).delivered.at(-1)?.message, again)).toBe(true);
  });

  it("are fetched from those that voted for them when the proposer is gone", () => {
    const world = new PartsWorld(7);
    const late = world.member(6);
    const message = world.proposal(1, PROPOSED_BYTES);
    // The late one gets the head and nothing else, from anybody.
    world.way = (frame, _from, to): Uint8Array | undefined => (to === 6 && frame[1] === 5 ? undefined : frame);
    world.member(1).parts.propose(message);
    world.time.advance(200);
    world.member(1).isSilent = true;
    world.way = (frame): Uint8Array => frame;
    const vote = {
      type: "prevote",
      height: 1,
      round: 0,
      blockHash: message.proposal.blockHash,
      validatorIndex: 3,
      signature: new Uint8Array(64),
    } as const;
    late.parts.noteVote(vote, world.member(3).key);
    world.time.advance(6_000);
    expect(late.delivered).toHaveLength(1);
  });

  it("of an incomplete block are like none", () => {
    const world = new PartsWorld(7);
    world.way = (frame): Uint8Array | undefined =>
      frame[1] === 5 && decodePartMessage(frame)?.type === "part" && (decodePartMessage(frame) as { index: number }).index === 3
        ? undefined
        : frame;
    world.member(1).parts.propose(world.proposal(1, PROPOSED_BYTES));
    world.time.advance(10_000);
    expect(world.members.flatMap(({ delivered }) => delivered)).toEqual([]);
    // Once the height is over nothing more is requested.
    for (const member of world.members) member.tipHeight = 5;
    const requests = world.members.map(({ sent }) => sent[7] ?? 0);
    world.time.advance(10_000);
    expect(world.members.map(({ sent }) => sent[7] ?? 0)).toEqual(requests);
    expect(world.time.pending).toBe(0);
  });
});

describe("a stranger's parts", () => {
  it.each([
    ["another's signature over the parts", (head: PartsHead): PartsHead => head, 2],
    ["a proposal that was changed", (head: PartsHead): PartsHead => ({ ...head, proposal: { ...head.proposal, blockHash: NONE } }), 1],
    ["too few relays, which would carry the load of all", (head: PartsHead): PartsHead => ({ ...head, relays: Uint8Array.of(0b101) }), 1],
  ])("with %s cost their sender score and nothing else", (_, change, by) => {
    const world = new PartsWorld(7);
    const frame = forgedPart(world, change, by);
    world.send(3, world.member(0).key, frame);
    world.time.advance(5_000);
    expect(world.member(0).reported).toEqual([[world.member(3).key, "invalid"]]);
    expect(world.member(0).sentBytes).toBe(0);
  });

  it("of the next height with a false signature are checked once a height for each sender, and cost nothing else", () => {
    const world = new PartsWorld(7);
    const checks = world.countChecks();
    world.use = (): ProposalUse => "early";
    const frame = forgedPart(world, (head) => head, 2);
    for (let copy = 0; copy < 50; copy += 1) world.send(3, world.member(0).key, frame);
    world.time.advance(1_000);
    expect([checks(), world.member(0).reported, world.member(0).sentBytes]).toEqual([1, [], 0]);
    world.member(0).tipHeight = 1;
    for (let copy = 0; copy < 50; copy += 1) world.send(3, world.member(0).key, frame);
    world.time.advance(1_000);
    expect(checks()).toBe(2);
  });

  it("are dropped when the proposal is of no use", () => {
    const world = new PartsWorld(7);
    const [frame = new Uint8Array()] = sampleFrames(world, world.proposal(1, PROPOSED_BYTES)).filter((bytes) => bytes[1] === 5);
    world.use = (): ProposalUse => "none";
    world.send(1, world.member(0).key, frame);
    world.time.advance(5_000);
    expect([world.member(0).reported, world.member(0).sentBytes]).toEqual([[], 0]);
  });

  it("take a bounded room, however many proposals one validator signs", () => {
    const world = new PartsWorld(7);
    const heads = Array.from({ length: 8 }, (_, salt) =>
      sampleFrames(world, world.proposal(1, PROPOSED_BYTES, { salt })).filter((bytes) => bytes[1] === 5),
    );
    for (const frames of heads) for (const frame of frames) world.send(1, world.member(0).key, frame);
    world.time.advance(10_000);
    // Each of the first two is passed on and requested; of the others nothing is stored.
    expect(world.member(0).delivered.length).toBeLessThanOrEqual(PARTS_LIMITS.proposalsPerRound);
    expect(world.member(0).reported).toEqual([]);
  });

  it("are served to one who requests them again and again a bounded number of times", () => {
    const world = new PartsWorld(7);
    const message = world.proposal(1, PROPOSED_BYTES);
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    const head = sampleFrames(world, message)[0] ?? new Uint8Array();
    const decoded = decodePartMessage(head);
    if (decoded?.type !== "head") throw new Error("No head");
    const { root } = decode(partsHeadCodec, decoded.head);
    const before = world.member(0).sentBytes;
    for (let request = 0; request < 200; request += 1)
      world.send(4, world.member(0).key, encodePartMessage({ type: "missing", root, parts: new Uint8Array(32).fill(255) }));
    world.time.advance(1_000);
    expect(world.member(0).sentBytes - before).toBeLessThan((PARTS_LIMITS.servedCopies + 0.5) * PROPOSED_BYTES);
    expect(world.member(0).sentBytes - before).toBeGreaterThan(PROPOSED_BYTES);
  });

  it("of a block that is none are the fault of its proposer, not of those who passed it on", () => {
    const world = new PartsWorld(7);
    const [frame = new Uint8Array()] = sampleFrames(world, world.proposal(1, PROPOSED_BYTES));
    const message = decodePartMessage(frame);
    if (message?.type !== "head") throw new Error("No head");
    const { root, parts } = cutIntoParts(new Uint8Array(5_000).fill(7), 1_024, nativeSha256);
    const unsigned = { ...decode(partsHeadCodec, message.head), size: 5_000, partBytes: 1_024, root };
    const head = encode(partsHeadCodec, { ...unsigned, signature: world.member(1).signer.sign(partsSignBytes(CHAIN_ID, unsigned)) });
    for (const part of parts)
      for (const index of [0, 2, 3, 4, 5, 6]) world.send(1, world.member(index).key, encodePartMessage({ type: "part", head, ...part }));
    world.time.advance(2_000);
    for (const { delivered, reported } of world.members.filter((_, index) => index !== 1)) {
      expect(delivered.map(({ message: got, proposer }) => [readBlock(got), proposer])).toEqual([[undefined, world.member(1).key]]);
      expect(reported).toEqual([]);
    }
  });
});
