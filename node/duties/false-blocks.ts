// What a block that contradicts the own chain proves against those who signed it: the votes with which they built this chain, beside it.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { encode } from "#shared/codec/codec.ts";
import { areContradicting } from "#shared/protocol/chain/contradicting-headers.ts";
import { type BlockHeader, type Height, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { MAX_LINKED_HEADERS, MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Misconduct } from "#shared/protocol/transactions/payload.ts";
import { fromHex, toBase64 } from "#shared/util/bytes.ts";

/** The own chain, as far as it is stored. */
export interface DecidedChain {
  readonly chainId: string;
  tipHeight(): Height;
  header(height: Height): BlockHeader | undefined;
  commit(height: Height): Commit | undefined;
  /** The commit of the same height in the block above, with precommits that came later. */
  carriedCommit(height: Height): Commit | undefined;
  validatorsAt(height: Height): ValidatorSet;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
}

/** The chain of a database. */
export function decidedChain(
  chainId: string,
  { blocks, validatorSets }: Pick<ChainDatabase, "blocks" | "validatorSets">,
  verify: VerifySignature,
): DecidedChain {
  return {
    chainId,
    tipHeight: () => blocks.tipHeight() ?? 0,
    header: (height) => blocks.header(height),
    commit: (height) => blocks.commit(height),
    carriedCommit: (height) => blocks.lastCommit(height + 1),
    validatorsAt: (height) => validatorSets.at(height),
    verify,
    hash: nativeSha256,
  };
}

/** A precommit as a commit holds it. */
interface SignedVote {
  readonly height: Height;
  readonly round: number;
  readonly signature: Uint8Array;
}

/** Votes of one validator for two blocks. */
interface TwoVotes {
  readonly key: PublicKeyHex;
  /** For the first of the own headers. */
  readonly vote: SignedVote;
  readonly other: SignedVote;
}

/** A block that is not the own one of its height, with its votes by key. */
interface FalseBlock {
  readonly own: BlockHeader;
  readonly header: BlockHeader;
  readonly votes: ReadonlyMap<PublicKeyHex, SignedVote>;
}

/**
 * Evidence against each signer that also signed the own block of that height, or one of the {@link MAX_LINKED_HEADERS} − 1 above it.
 * Nothing of the block has to be checked before; nothing is proven by a block that could have been decided as well.
 */
export function misconductOf(block: LightBlock, chain: DecidedChain): readonly Misconduct[] {
  const found = falseBlockOf(block, chain);
  if (found === undefined) return [];
  const waiting = new Map(found.votes);
  const evidence: Misconduct[] = [];
  const search = (commitAt: CommitAt): boolean => collectProofs({ found, waiting, evidence, commitAt }, chain);
  if (!search((at) => chain.commit(at))) return evidence;
  // A validator that sends its precommits late stands in blocks above only, which cost more to read.
  const isTrue = [...waiting].every(([key, vote]) => isSigned(vote, key, found.header, chain));
  const isMember = (at: Height): boolean => chain.validatorsAt(at).some(({ publicKey }) => waiting.has(publicKey));
  if (isTrue) search((at) => (isMember(at) ? chain.carriedCommit(at) : undefined));
  return evidence;
}

type CommitAt = (height: Height) => Commit | undefined;

interface Search {
  readonly found: FalseBlock;
  /** Votes for the false block whose signers are not proven guilty. */
  readonly waiting: Map<PublicKeyHex, SignedVote>;
  readonly evidence: Misconduct[];
  readonly commitAt: CommitAt;
}

/** Adds what the commits of the own chain prove. False at a vote for the false block that its validator did not sign. */
function collectProofs({ found, waiting, evidence, commitAt }: Search, chain: DecidedChain): boolean {
  const headers: BlockHeader[] = [];
  const { height } = found.header;
  const end = Math.min(chain.tipHeight(), height + MAX_LINKED_HEADERS - 1);
  for (let at = height; at <= end && waiting.size > 0; at += 1) {
    const header = chain.header(at);
    if (header === undefined) break;
    headers.unshift(header);
    for (const votes of contradictingVotes(commitAt(at), waiting, chain)) {
      // Only one that makes up blocks sends a signature that is none: no more work for it.
      if (!isSigned(votes.other, votes.key, found.header, chain)) return false;
      const proof = proofOf(found, headers, votes);
      if (proof !== undefined) evidence.push(proof);
    }
  }
  return true;
}

/** Those of the own votes of a height whose signers also voted for the false block; these wait no longer. */
function contradictingVotes(commit: Commit | undefined, waiting: Map<PublicKeyHex, SignedVote>, chain: DecidedChain): readonly TwoVotes[] {
  if (commit === undefined) return [];
  return [...votesOf(commit, chain.validatorsAt(commit.height))].flatMap(([key, vote]): readonly TwoVotes[] => {
    const other = waiting.get(key);
    waiting.delete(key);
    return other === undefined ? [] : [{ key, vote, other }];
  });
}

/** Cheap checks come first: sending a block costs its sender little. */
function falseBlockOf(
  { header, commit, validators }: LightBlock,
  { header: headerAt, tipHeight, chainId, hash }: DecidedChain,
): FalseBlock | undefined {
  const { height } = header;
  if (height < 1 || height > tipHeight() || header.chainId !== chainId || commit === null || commit.height !== height) return undefined;
  if (validators.length > MAX_VALIDATORS || commit.signatures.length > validators.length) return undefined;
  const own = headerAt(height);
  if (own === undefined || headerHash(header, hash) !== commit.blockHash || headerHash(own, hash) === commit.blockHash) return undefined;
  return { own, header, votes: votesOf(commit, validators) };
}

function votesOf(
  { height, round, bitmap, blockHash, signatures }: Commit,
  validators: ValidatorSet,
): ReadonlyMap<PublicKeyHex, SignedVote> {
  const signers = commitSigners({ height, round, bitmap, blockHash, signatures }, validators.length);
  return new Map(
    signers.flatMap((index, position): readonly (readonly [PublicKeyHex, SignedVote])[] => {
      const [validator, signature] = [validators[index], signatures[position]];
      return validator === undefined || signature === undefined ? [] : [[validator.publicKey, { height, round, signature }]];
    }),
  );
}

function isSigned(
  { height, round, signature }: SignedVote,
  key: PublicKeyHex,
  header: BlockHeader,
  { chainId, verify, hash }: DecidedChain,
): boolean {
  const message = voteSignBytes(chainId, { type: "precommit", height, round, blockHash: headerHash(header, hash) });
  return verify(signature, message, fromHex(key));
}

function proofOf({ own, header }: FalseBlock, headers: readonly BlockHeader[], { key, vote, other }: TwoVotes): Misconduct | undefined {
  const isOneHeight = headers.length === 1;
  if (isOneHeight && vote.round === other.round)
    return {
      validator_pub: key,
      height: vote.height,
      round: vote.round,
      step: "precommit",
      first: { block_hash: headerHash(own), signature: toBase64(vote.signature) },
      second: { block_hash: headerHash(header), signature: toBase64(other.signature) },
    };
  if (!areContradicting(own, header)) return undefined;
  // Of two votes of one height the earlier one is the first.
  if (isOneHeight && other.round < vote.round) return headerEvidence(key, { headers: [header], vote: other }, { header: own, vote });
  return headerEvidence(key, { headers, vote }, { header, vote: other });
}

function headerEvidence(
  key: PublicKeyHex,
  first: { readonly headers: readonly BlockHeader[]; readonly vote: SignedVote },
  second: { readonly header: BlockHeader; readonly vote: SignedVote },
): Misconduct {
  const encoded = (header: BlockHeader): string => toBase64(encode(headerCodec, header));
  return {
    validator_pub: key,
    height: second.header.height,
    round: second.vote.round,
    step: "header",
    first: { round: first.vote.round, headers: first.headers.map(encoded), signature: toBase64(first.vote.signature) },
    second: { header: encoded(second.header), signature: toBase64(second.vote.signature) },
  };
}
