// What dishonest validators say: each lie turns a message of an otherwise honest engine into what one receiver gets instead.
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, type Proposal, proposalSignBytes, type Vote, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { CHAIN_ID, MAX_ITEMS, type MemoryChain, quickHash } from "#test/support/chain/memory-chain.ts";
import type { Random } from "#test/support/host/random.ts";

/** A message and how long it is held back. */
export interface Spoken {
  readonly message: ConsensusMessage;
  readonly delayMs: number;
}

/** Who lies, and what it knows. */
export interface LiarContext {
  readonly index: number;
  readonly size: number;
  readonly signer: ValidatorSigner;
  readonly chain: MemoryChain;
  readonly random: Random;
  /** True for the part of the receivers that get the other story at this height and round. */
  isOther(receiver: number, height: number, round: number): boolean;
  /** What others said lately. */
  readonly received: readonly ConsensusMessage[];
}

/** What a receiver gets instead of a message; nothing, when it is withheld. */
type Lie = (message: ConsensusMessage, receiver: number, liar: LiarContext) => readonly ConsensusMessage[] | Spoken;

const UNKNOWN_HASH = "ee".repeat(32);
const HOUR_MS = 3_600_000;

/** A vote of the liar. */
export function signVote({ index, signer }: LiarContext, vote: Omit<Vote, "signature" | "validatorIndex">): Vote {
  return { ...vote, validatorIndex: index, signature: signer.sign(voteSignBytes(CHAIN_ID, vote)) };
}

function signProposal({ index, signer }: LiarContext, proposal: Omit<Proposal, "signature" | "validatorIndex">): Proposal {
  return { ...proposal, validatorIndex: index, signature: signer.sign(proposalSignBytes(CHAIN_ID, proposal)) };
}

function proposalOf(liar: LiarContext, block: Block, { height, round, validRound }: Proposal): ConsensusMessage {
  const blockHash = headerHash(block.header, quickHash);
  return { type: "proposal", proposal: signProposal(liar, { height, round, validRound, blockHash }), block };
}

/** Another valid block for the same place. */
function otherBlock(block: Block): Block {
  return { ...block, header: { ...block.header, timeMs: block.header.timeMs + 1 } };
}

const truth = (message: ConsensusMessage): readonly ConsensusMessage[] => [message];

function onVotes(lie: (vote: Vote, receiver: number, liar: LiarContext) => readonly ConsensusMessage[] | Spoken): Lie {
  return (message, receiver, liar) => (message.type === "vote" ? lie(message.vote, receiver, liar) : truth(message));
}

type ProposalMessage = Extract<ConsensusMessage, { readonly type: "proposal" }>;

function onProposals(lie: (message: ProposalMessage, receiver: number, liar: LiarContext) => readonly ConsensusMessage[] | Spoken): Lie {
  return (message, receiver, liar) => (message.type === "proposal" ? lie(message, receiver, liar) : truth(message));
}

function forgedProposal(make: (block: Block, liar: LiarContext) => Block): Lie {
  return onProposals((message, _receiver, liar) => {
    // A value that was valid before is proposed as it is: a lie about it would count as one of the kind above.
    if (message.proposal.validRound !== -1 || message.block.header.height !== liar.chain.tip().height + 1) return [message];
    return [proposalOf(liar, make(message.block, liar), message.proposal)];
  });
}

function crookedVotes(vote: Vote, liar: LiarContext): readonly Vote[] {
  const other = (vote.validatorIndex + 1) % liar.size;
  return [
    { ...vote, validatorIndex: other },
    { ...vote, validatorIndex: liar.size + 3 },
    { ...vote, signature: new Uint8Array(64) },
    { ...vote, round: vote.round + 1 },
    signVote(liar, { ...vote, height: vote.height + 1, blockHash: UNKNOWN_HASH }),
    signVote(liar, { ...vote, height: Math.max(1, vote.height - 1), blockHash: UNKNOWN_HASH }),
    signVote(liar, { ...vote, round: vote.round + liar.random.between(2, 2_000_000), blockHash: null }),
  ];
}

/** Certificates that prove nothing, of votes that were received. */
function badCertificates(vote: Vote, liar: LiarContext): readonly ConsensusMessage[] {
  const received = liar.received.flatMap((message) =>
    message.type === "vote" && message.vote.height === vote.height ? [message.vote] : [],
  );
  const same = received.filter(({ round, type, blockHash }) => round === vote.round && type === vote.type && blockHash === vote.blockHash);
  const quorum = Math.floor((2 * liar.size) / 3) + 1;
  const impostors = Array.from({ length: quorum }, (_, index) => ({ ...vote, validatorIndex: index }));
  const certificates = [
    Array.from({ length: quorum }, () => vote),
    [vote, ...same].slice(0, quorum - 1),
    [vote, ...received.filter((other) => other.round !== vote.round)].slice(0, quorum),
    impostors,
    impostors.map((impostor) => ({ ...impostor, validatorIndex: impostor.validatorIndex + liar.size })),
    [],
  ];
  return certificates.map((votes) => ({ type: "certificate", votes }));
}

/** A commit without a quorum, for a block of the liar's own. */
function forgedCommit(vote: Vote, liar: LiarContext): ConsensusMessage {
  const { chain, size, signer, random } = liar;
  const tip = chain.tip();
  const block = chain.forgeBlock([`forged ${random.between(0, 1_000_000)}`], tip.timeMs + 1, signer.publicKey);
  const blockHash = headerHash(block.header, quickHash);
  const { signature } = signVote(liar, { type: "precommit", height: block.header.height, round: vote.round, blockHash });
  const bitmap = new Uint8Array(Math.ceil(size / 8)).fill(0xff >> (8 - Math.min(size, 8)));
  const commit: Commit = {
    height: block.header.height,
    round: vote.round,
    blockHash,
    bitmap,
    signatures: Array.from({ length: size }, () => signature),
  };
  return { type: "commit", commit, block };
}

const LIES = {
  twoVotes: onVotes((vote, receiver, liar) => {
    const isOther = liar.isOther(receiver, vote.height, vote.round);
    const blockHash = vote.blockHash === null ? UNKNOWN_HASH : null;
    return [{ type: "vote", vote: isOther ? signVote(liar, { ...vote, blockHash }) : vote }];
  }),
  bothVotes: onVotes((vote, _receiver, liar) => {
    const blockHash = vote.blockHash === null ? UNKNOWN_HASH : null;
    return [
      { type: "vote", vote },
      { type: "vote", vote: signVote(liar, { ...vote, blockHash }) },
    ];
  }),
  unknownBlock: onVotes((vote, _receiver, liar) => [{ type: "vote", vote: signVote(liar, { ...vote, blockHash: UNKNOWN_HASH }) }]),
  alwaysNil: onVotes((vote, _receiver, liar) => [{ type: "vote", vote: signVote(liar, { ...vote, blockHash: null }) }]),
  crooked: onVotes((vote, _receiver, liar) => [
    { type: "vote", vote },
    ...crookedVotes(vote, liar).map((wrong): ConsensusMessage => ({ type: "vote", vote: wrong })),
  ]),
  badCertificates: onVotes((vote, _receiver, liar) => [{ type: "vote", vote }, ...badCertificates(vote, liar)]),
  forgedCommits: onVotes((vote, _receiver, liar) => [{ type: "vote", vote }, forgedCommit(vote, liar)]),
  noPrevotes: onVotes((vote) => (vote.type === "prevote" ? [] : [{ type: "vote", vote }])),
  noPrecommits: onVotes((vote) => (vote.type === "precommit" ? [] : [{ type: "vote", vote }])),
  noProposals: onProposals(() => []),
  lateProposals: onProposals((message) => ({ message, delayMs: 400 })),
  lateVotes: onVotes((vote) => ({ message: { type: "vote", vote }, delayMs: 600 })),
  favourites: (message, receiver, liar) => (message.type !== "work" && liar.isOther(receiver, 0, 0) ? [] : [message]),
  twoProposals: onProposals((message, receiver, liar) => {
    const { proposal, block } = message;
    if (!liar.isOther(receiver, proposal.height, proposal.round) || proposal.validRound !== -1) return [message];
    return [proposalOf(liar, otherBlock(block), proposal)];
  }),
  falseValidRound: onProposals((message, _receiver, liar) => {
    const { proposal, block } = message;
    return [{ type: "proposal", proposal: signProposal(liar, { ...proposal, validRound: Math.max(-1, proposal.round - 1) }), block }];
  }),
  wrongRoot: forgedProposal((block) => ({ ...block, header: { ...block.header, stateRoot: UNKNOWN_HASH } })),
  foreignBody: onProposals((message) => [{ ...message, block: { ...message.block, evidence: [Uint8Array.of(1)] } }]),
  oversize: forgedProposal((block, { chain }) => {
    const texts = Array.from({ length: MAX_ITEMS + 1 }, (_, item) => `oversize ${item}`);
    return chain.forgeBlock(texts, block.header.timeMs, block.header.proposer);
  }),
  repeatedText: forgedProposal((block, { chain }) => chain.forgeBlock(chain.texts.slice(-1), block.header.timeMs, block.header.proposer)),
  futureTime: forgedProposal((block) => ({ ...block, header: { ...block.header, timeMs: block.header.timeMs + HOUR_MS } })),
  pastTime: forgedProposal((block, { chain }) => ({ ...block, header: { ...block.header, timeMs: chain.tip().timeMs } })),
  foreignProposer: forgedProposal((block) => ({ ...block, header: { ...block.header, proposer: "ab".repeat(32) } })),
  echo: (message, _receiver, { received, random }) => {
    const old = received[random.between(0, Math.max(0, received.length - 1))];
    return old === undefined ? [message] : [message, old];
  },
} as const satisfies Record<string, Lie>;

/** Name of a lie. `hasty` comes unasked: votes for whatever is proposed, without polka and against every lock. */
export type LieName = keyof typeof LIES | "hasty";

/** All lies. */
export const LIE_NAMES: readonly LieName[] = [...(Object.keys(LIES) as (keyof typeof LIES)[]), "hasty"];

/** What a receiver gets of a message, after all lies of the liar. */
export function spoken(message: ConsensusMessage, receiver: number, lies: readonly LieName[], liar: LiarContext): readonly Spoken[] {
  let result: readonly Spoken[] = [{ message, delayMs: 0 }];
  for (const name of lies) {
    if (name === "hasty") continue;
    const lie: Lie = LIES[name];
    result = result.flatMap((said) => {
      const received = lie(said.message, receiver, liar);
      if ("delayMs" in received) return [{ message: received.message, delayMs: said.delayMs + received.delayMs }];
      return received.map((instead) => ({ message: instead, delayMs: said.delayMs }));
    });
  }
  return result;
}

/** Votes that a hasty validator gives as soon as it receives a proposal. */
export function hastyVotes(message: ConsensusMessage, liar: LiarContext): readonly ConsensusMessage[] {
  if (message.type !== "proposal") return [];
  const { height, round, blockHash } = message.proposal;
  return (["prevote", "precommit"] as const).map((type) => ({ type: "vote", vote: signVote(liar, { type, height, round, blockHash }) }));
}
