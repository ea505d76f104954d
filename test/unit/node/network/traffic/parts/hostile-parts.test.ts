// Validators that sign, send or say of parts what costs others the most.
import { describe, expect, it } from "vitest";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import {
  decodePartMessage,
  encodePartMessage,
  type PartsHead,
  partsHeadCodec,
  partsSignBytes,
} from "#node/network/traffic/parts/part-codec.ts";
import { PARTS_LIMITS } from "#node/network/traffic/parts/parts-limits.ts";
import type { ProposalMessage } from "#node/network/traffic/parts/proposal-parts.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { proposalSignBytes, type Vote } from "#shared/protocol/chain/vote.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { CHAIN_ID, PartsWorld, PROPOSED_BYTES, sampleFrames } from "#test/support/worlds/parts-world.ts";

const HEAD = 6;

function headOf(frame: Uint8Array): Uint8Array {
  const message = decodePartMessage(frame);
  if (message === undefined || message.type === "missing") throw new Error("No head");
  return message.head;
}

function prevoteOf({ proposal: { height, round, blockHash } }: ProposalMessage, validatorIndex: number): Vote {
  return { type: "prevote", height, round, blockHash, validatorIndex, signature: new Uint8Array(64) };
}

/** The proposal of a block in the round after its first one. */
function proposedAgain(world: PartsWorld, message: ProposalMessage, by: number): ProposalMessage {
  const { height, blockHash } = message.proposal;
  const unsigned = { height, round: 1, validRound: 0, blockHash, validatorIndex: by };
  return { ...message, proposal: { ...unsigned, signature: world.member(by).signer.sign(proposalSignBytes(CHAIN_ID, unsigned)) } };
}

describe("a proposer", () => {
  it("that signs a head of more parts than there may be stops no other, and is no honest sender", () => {
    const world = new PartsWorld(7);
    const message = world.proposal(1, PROPOSED_BYTES);
    const [frame = new Uint8Array()] = sampleFrames(world, message);
    const head: PartsHead = { ...decode(partsHeadCodec, headOf(frame)), size: 4_194_304, partBytes: 1_024 };
    const { height, round, validRound, blockHash, validatorIndex, signature } = head.proposal;
    const proposal = [height, round, validRound, fromHex(blockHash), validatorIndex, signature];
    const signed = world.member(1).signer.sign(partsSignBytes(CHAIN_ID, head));
    const encoded = miniCbor([proposal, head.size, head.partBytes, head.root, head.relays, signed]);
    world.send(1, world.member(0).key, miniCbor([HEAD, encoded]));
    world.time.advance(5_000);
    expect(world.member(0).reported).toEqual([[world.member(1).key, "malformed"]]);
    expect(world.member(0).sentBytes).toBe(0);
  });

  it("that signs many heads for one round has no more of them verified than are stored", () => {
    const world = new PartsWorld(7);
    const checks = world.countChecks();
    for (let salt = 0; salt < 20; salt += 1)
      for (const frame of sampleFrames(world, world.proposal(1, PROPOSED_BYTES, { salt })).filter((bytes) => bytes[1] === HEAD))
        world.send(1, world.member(0).key, frame);
    world.time.advance(100);
    // Each has the signature of the proposal and that of its parts.
    expect(checks()).toBe(2 * PARTS_LIMITS.proposalsPerRound);
  });

  it("that gives the root of a block to one of another size hides no part of the true one", () => {
    const world = new PartsWorld(7);
    const message = world.proposal(1, PROPOSED_BYTES);
    const frames = sampleFrames(world, message);
    const head = decode(partsHeadCodec, headOf(frames.find((frame) => frame[1] === HEAD) ?? new Uint8Array()));
    const unsigned: Omit<PartsHead, "signature"> = { ...head, size: head.size - 1 };
    const signature = world.member(1).signer.sign(partsSignBytes(CHAIN_ID, unsigned));
    const falseHead = encodePartMessage({ type: "head", head: encode(partsHeadCodec, { ...unsigned, signature }) });
    for (const { key } of world.members) if (key !== world.member(1).key) world.send(1, key, falseHead);
    world.time.advance(100);
    // All but one get the block; then its proposer is gone, and another one proposes it again.
    world.way = (frame, _from, to): Uint8Array | undefined => (to === 6 ? undefined : frame);
    for (const frame of frames) for (const { key } of world.members) if (key !== world.member(1).key) world.send(1, key, frame);
    world.time.advance(1_000);
    world.member(1).isSilent = true;
    world.way = (frame): Uint8Array => frame;
    world.member(2).parts.propose(proposedAgain(world, message, 2));
    world.time.advance(6_000);
    expect(world.member(6).delivered.map((each) => each.message.proposal.round)).toEqual([1]);
  });
});

describe("a block that is proposed again", () => {
  it("reaches a validator that knows nothing of its first round, from those that know it by that", () => {
    const world = new PartsWorld(7);
    const late = world.member(6);
    late.isSilent = true;
    const message = world.proposal(1, PROPOSED_BYTES);
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    world.member(1).isSilent = true;
    late.isSilent = false;
    // The others are in the next round, and have no use for proposals of the first one.
    world.use = ({ round }): ProposalUse => (round === 1 ? "now" : "none");
    world.member(2).parts.propose(proposedAgain(world, message, 2));
    world.time.advance(3_000);
    expect(late.delivered.map((each) => each.message.proposal.round)).toEqual([1]);
  });

  it("is delivered in each of its rounds, whichever its last part came with", () => {
    const world = new PartsWorld(7);
    const message = world.proposal(1, PROPOSED_BYTES);
    const again = proposedAgain(world, message, 2);
    const late = world.member(6);
    // The late one has the head of the second round when the parts of the first one come.
    const frames = sampleFrames(world, message);
    const [head = new Uint8Array()] = sampleFrames(world, again);
    world.send(2, late.key, head);
    world.time.advance(100);
    for (const frame of frames) world.send(1, late.key, frame);
    world.time.advance(100);
    expect(late.delivered.map((each) => each.message.proposal.round).toSorted()).toEqual([0, 1]);
  });
});

describe("a validator that repeats a head", () => {
  it.each([
    ["now", 3],
    ["early", 3],
    ["early", 1],
  ] as const)("makes no other take its block again and again: %s, by %i", (use, by) => {
    const world = new PartsWorld(7);
    world.use = (): ProposalUse => use;
    const message = world.proposal(1, PROPOSED_BYTES);
    const [head = new Uint8Array()] = sampleFrames(world, message).filter((frame) => frame[1] === HEAD);
    world.member(1).parts.propose(message);
    world.time.advance(1_000);
    for (let copy = 0; copy < 500; copy += 1) {
      world.send(by, world.member(0).key, head);
      world.time.advance(2);
    }
    expect(world.member(0).delivered.length).toBeLessThan(6);
  });
});

describe("a validator that says falsely that it has a block", () => {
  it.each([1, 2, 3, 6])("is not the only one that is asked for it, with %i of its kind", (liars) => {
    const world = new PartsWorld(10);
    const message = world.proposal(1, PROPOSED_BYTES);
    const late = world.member(0);
    // No relay serves the late one, and the liars serve no one.
    world.way = (frame, from, to): Uint8Array | undefined => (to === 0 && frame[1] === 5 && from !== 1 ? undefined : frame);
    world.member(1).parts.propose(message);
    for (let index = 2; index < 2 + liars; index += 1) late.parts.noteVote(prevoteOf(message, index), world.member(index).key);
    world.time.advance(100);
    for (let index = 2; index < 2 + liars; index += 1) late.parts.noteVote(prevoteOf(message, index), world.member(index).key);
    world.time.advance(10_000);
    expect(late.delivered).toHaveLength(1);
  });
});
