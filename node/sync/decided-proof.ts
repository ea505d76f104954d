// Whether a block that comes from outside is decided, before anything of its body is looked at, stored or checked: what the validators
// known now have signed costs no more than their signatures, and what they have not signed costs its bringer.

import type { BlockPreparation } from "#node/crypto/block-preparation.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { isBodyOf, isCommitOf } from "#node/engine/execution/final-block.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";

/**
 * `proven`: signed by the validators of the height after the tip (and whole, where its body is looked at); `false`: it names that set, and
 * is not; `unknown`: it names another set, which only the blocks before it can prove.
 */
export type DecidedProof = "proven" | "false" | "unknown";

export interface DecidedProofDependencies {
  readonly chainId: string;
  /** Validators of the height after the tip. */
  validators(): ValidatorSet;
  /** Checks signatures in other threads, for {@link verify} to know them. */
  readonly preparation: Pick<BlockPreparation, "prepareCommit" | "prepareDecided">;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
}

/** Blocks of any height above the tip, judged by the validators known now. */
export interface DecidedProofs {
  /** Whether a header is that of a decided block, as far as those validators can tell. */
  proveHeader(header: BlockHeader, commit: Commit): Promise<DecidedProof>;
  /** Whether a block is decided, as far as those validators can tell. Nothing else of it is checked. */
  prove(decided: DecidedBlock): Promise<DecidedProof>;
  /** Whether a body is that of its header, which is proven. */
  isWhole(decided: DecidedBlock): boolean;
  /** Has the signatures of a decided block's transactions checked in other threads. */
  prepareBody(block: Block): Promise<void>;
  /** The same as {@link DecidedProofs.prove}; what is proven has the signatures of its transactions checked in other threads, so that following it is quick. */
  prepare(decided: DecidedBlock): Promise<DecidedProof>;
}

export function createDecidedProofs(dependencies: DecidedProofDependencies): DecidedProofs {
  const { chainId, preparation, verify, hash } = dependencies;
  const proveHeader = async (header: BlockHeader, commit: Commit): Promise<DecidedProof> => {
    const validators = dependencies.validators();
    if (header.validatorsHash !== validatorsHash(validators, nativeSha256)) return "unknown";
    const context = { chainId, validators, state: { height: header.height }, verify, hash };
    if (!isCommitOf(header, commit, context)) return "false";
    await preparation.prepareCommit(commit, validators);
    return verifyCommit(chainId, validators, commit, verify) ? "proven" : "false";
  };
  const isWhole = ({ block, commit }: DecidedBlock): boolean =>
    isBodyOf(block, commit.blockHash, { state: { height: block.header.height }, hash });
  const prove = async (decided: DecidedBlock): Promise<DecidedProof> => {
    const proof = await proveHeader(decided.block.header, decided.commit);
    return proof === "proven" && !isWhole(decided) ? "false" : proof;
  };
  return {
    proveHeader,
    prove,
    isWhole,
    prepareBody: (block): Promise<void> => preparation.prepareDecided(block),
    async prepare(decided): Promise<DecidedProof> {
      const proof = await prove(decided);
      if (proof === "proven") await preparation.prepareDecided(decided.block);
      return proof;
    },
  };
}
