// Consensus messages that go by gossip pass through nodes that do not vote: they forward what a validator has signed, nothing else.
import { isCertificate } from "#node/consensus/votes.ts";
import { type ConsensusMessage, readBlock } from "#node/engine/consensus-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type Block, rootHex } from "#shared/protocol/chain/block.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { proposalSignBytes, type Vote, verifyCommit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { fromHex } from "#shared/util/bytes.ts";

export interface ConsensusSigners {
  readonly chainId: string;
  /** Keys of the validators of the next height, in ascending order. */
  readonly validators: readonly PublicKeyHex[];
  readonly verify: VerifySignature;
}

/** A message that can be checked by the keys alone; `work` carries transactions, which have a topic of their own. */
export type SignedConsensusMessage = Exclude<ConsensusMessage, { readonly type: "work" }>;

/** Height that a signed message speaks of. */
export function signedHeight(message: SignedConsensusMessage): Height {
  switch (message.type) {
    case "proposal":
      return message.proposal.height;
    case "vote":
      return message.vote.height;
    case "certificate":
      return message.votes[0]?.height ?? 0;
    default:
      return message.commit.height;
  }
}

/** True when validators have signed the message and its block is the one that they signed. */
export function isSignedByValidators(message: SignedConsensusMessage, signers: ConsensusSigners): boolean {
  switch (message.type) {
    case "vote":
      return isVoteSigned(message.vote, signers);
    case "certificate":
      return isCertificate(message.votes, signers.validators.length) && message.votes.every((vote) => isVoteSigned(vote, signers));
    case "proposal": {
      const { proposal } = message;
      const bytes = proposalSignBytes(signers.chainId, proposal);
      return isSigned(signers, proposal.validatorIndex, proposal.signature, bytes) && isBlockOf(message, proposal.blockHash);
    }
    default: {
      const set = signers.validators.map((publicKey) => ({ publicKey, bondUt: 0 }));
      return verifyCommit(signers.chainId, set, message.commit, signers.verify) && isBlockOf(message, message.commit.blockHash);
    }
  }
}

function isVoteSigned(vote: Vote, signers: ConsensusSigners): boolean {
  return isSigned(signers, vote.validatorIndex, vote.signature, voteSignBytes(signers.chainId, vote));
}

function isSigned({ validators, verify }: ConsensusSigners, validatorIndex: number, signature: Uint8Array, message: Uint8Array): boolean {
  const key = validators[validatorIndex];
  return key !== undefined && verify(signature, message, fromHex(key));
}

/** Decodes the block, which may be large, last of all. */
function isBlockOf(message: { readonly block: Block }, blockHash: HashHex): boolean {
  const block = readBlock(message);
  if (block === undefined) return false;
  const { header, transactions, evidence } = block;
  return (
    headerHash(header, nativeSha256) === blockHash &&
    rootHex(transactions.map(encodeTransaction), nativeSha256) === header.txRoot &&
    rootHex(evidence, nativeSha256) === header.evidenceRoot
  );
}
