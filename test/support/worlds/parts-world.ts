// Validators in memory that send each other proposals in parts, over time and frames that the test decides on.
import { createValidatorSigner, type ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { withEncodedBlock } from "#node/engine/consensus-message-codec.ts";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import type { PeerOffence } from "#node/network/peer-network.ts";
import {
  decodePartMessage,
  encodePartMessage,
  type PartsHead,
  partsHeadCodec,
  partsSignBytes,
} from "#node/network/traffic/parts/part-codec.ts";
import { type ProposalMessage, ProposalParts } from "#node/network/traffic/parts/proposal-parts.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { type Block, rootHex } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type Proposal, proposalSignBytes } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type VerifySignature, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { createRandom } from "#test/support/host/random.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

/** A block that travels in parts among four validators or more. */
export const PROPOSED_BYTES = 700_000;
export const CHAIN_ID = "parts-1";
export const NONE = "00".repeat(32);
/** Time of a frame on its way. */
export const HOP_MS = 50;

interface Delivered {
  readonly message: ProposalMessage;
  readonly proposer: PublicKeyHex;
}

/** A validator. */
export interface Member {
  readonly key: PublicKeyHex;
  readonly signer: ValidatorSigner;
  readonly parts: ProposalParts;
  readonly delivered: Delivered[];
  readonly reported: [PublicKeyHex, PeerOffence][];
  sentBytes: number;
  /** Frames by type number. */
  readonly sent: number[];
  isSilent: boolean;
  tipHeight: number;
}

/** What becomes of a frame on its way. */
export type Way = (frame: Uint8Array, from: number, to: number) => Uint8Array | undefined;

/** Validators with proposals in parts, over frames that a test may change. */
export class PartsWorld {
  readonly time = new VirtualTime();
  readonly #random = createRandom(11);
  readonly members: readonly Member[];
  way: Way = (frame) => frame;
  verify: VerifySignature = verifyZip215;
  /** How a member signs: at once, or later as with a key in another process. */
  sign: (signer: ValidatorSigner, bytes: Uint8Array) => Uint8Array | Promise<Uint8Array | undefined> = (signer, bytes) =>
    signer.sign(bytes);
  use: (proposal: Proposal, member: Member) => ProposalUse = ({ height }, { tipHeight }) =>
    height === tipHeight + 1 ? "now" : height === tipHeight + 2 ? "early" : "none";

  constructor(size: number) {
    const signers = Array.from({ length: size }, (_, n) => createValidatorSigner(new Uint8Array(32).fill(n + 1)));
    const sorted = signers.toSorted((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
    const keys = sorted.map(({ publicKey }) => publicKey);
    this.members = sorted.map((signer, index) => this.#member(signer, index, keys));
  }

  /** Counts from now on how many signatures are verified. */
  countChecks(): () => number {
    let checks = 0;
    const { verify } = this;
    this.verify = (...args): boolean => {
      checks += 1;
      return verify(...args);
    };
    return (): number => checks;
  }

  member(index: number): Member {
    const member = this.members[index];
    if (member === undefined) throw new Error(`No member ${index}`);
    return member;
  }

  /** A proposal of member `index` with a block of so many bytes. */
  proposal(index: number, bytes: number, { height = 1, round = 0, validRound = -1, salt = 0 } = {}): ProposalMessage {
    const { key, signer } = this.member(index);
    const evidence = [new Uint8Array(bytes).map((_, at) => (at * 7 + (at >> 8) + salt) & 255)];
    const header = {
      version: 1,
      chainId: CHAIN_ID,
      height,
      timeMs: 1_800_000_000_000,
      parentHash: NONE,
      lastCommitHash: NONE,
      txRoot: rootHex([]),
      stateRoot: NONE,
      receiptsRoot: NONE,
      validatorsHash: NONE,
      nextValidatorsHash: NONE,
      paramsHash: NONE,
      evidenceRoot: rootHex(evidence),
      txCount: 0,
      proposer: key,
    };
    const block: Block = { header, transactions: [], evidence, lastCommit: null };
    const unsigned = { height, round, validRound, blockHash: headerHash(header), validatorIndex: index };
    return { type: "proposal", proposal: { ...unsigned, signature: signer.sign(proposalSignBytes(CHAIN_ID, unsigned)) }, block };
  }

  /** Members that have the block of a proposal, the proposer left out. */
  haveBlock({ proposal }: ProposalMessage): readonly Member[] {
    return this.members.filter(({ delivered }) => delivered.some(({ message }) => message.proposal.blockHash === proposal.blockHash));
  }

  send(from: number, key: PublicKeyHex, frame: Uint8Array): void {
    const to = this.members.findIndex((member) => member.key === key);
    const arriving = this.way(frame, from, to);
    const receiver = this.members[to];
    if (arriving === undefined || receiver === undefined || receiver.isSilent) return;
    this.time.setTimer(HOP_MS, () => {
      if (!receiver.parts.receive(arriving, this.member(from).key)) receiver.reported.push([this.member(from).key, "malformed"]);
    });
  }

  #member(signer: ValidatorSigner, index: number, keys: readonly PublicKeyHex[]): Member {
    const parts = new ProposalParts({
      chainId: CHAIN_ID,
      ownKey: signer.publicKey,
      clock: this.time.clock(0),
      timers: this.time,
      hash: nativeSha256,
      verify: (...args): boolean => this.verify(...args),
      sign: (_proposal, bytes): Uint8Array | Promise<Uint8Array | undefined> => this.sign(signer, bytes),
      validators: (): readonly PublicKeyHex[] => keys,
      tipHeight: (): number => member.tipHeight,
      proposalUse: (proposal): ProposalUse => this.use(proposal, member),
      send: (to, frame): void => {
        member.sentBytes += to.length * frame.length;
        const type = frame[1] ?? 0;
        member.sent[type] = (member.sent[type] ?? 0) + to.length;
        for (const key of to) this.send(index, key, frame);
      },
      randomBelow: (count): number => this.#random.between(0, count - 1),
      deliver: (proposal, block, proposer): void =>
        void member.delivered.push({ message: withEncodedBlock({ type: "proposal", proposal } as const, block), proposer }),
      report: (validator, offence): void => void member.reported.push([validator, offence]),
    });
    const member: Member = {
      key: signer.publicKey,
      signer,
      parts,
      delivered: [],
      reported: [],
      sentBytes: 0,
      sent: [],
      isSilent: false,
      tipHeight: 0,
    };
    return member;
  }
}

/** The frames that a proposer sends, of which none arrives. */
export function sampleFrames(world: PartsWorld, message: ProposalMessage): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  const { way } = world;
  world.way = (frame): undefined => void frames.push(frame);
  world.member(message.proposal.validatorIndex).parts.propose(message);
  world.way = way;
  return frames;
}

/** A frame with a part whose head was changed and signed again by a member. */
export function forgedPart(world: PartsWorld, change: (head: PartsHead) => Omit<PartsHead, "signature">, by = 1): Uint8Array {
  const frame = sampleFrames(world, world.proposal(1, PROPOSED_BYTES)).find((bytes) => bytes[1] === 5) ?? new Uint8Array();
  const part = decodePartMessage(frame);
  if (part?.type !== "part") throw new Error("No part");
  const head = change(decode(partsHeadCodec, part.head));
  const signature = world.member(by).signer.sign(partsSignBytes(CHAIN_ID, head));
  return encodePartMessage({ ...part, head: encode(partsHeadCodec, { ...head, signature }) });
}
