// Before a node votes: could what it is about to sign contradict what its key has signed already?

import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners } from "#shared/protocol/chain/vote.ts";
import type { ChainTip } from "../../execution/block-application.ts";
import type { LogRecord } from "../../log/log-record.ts";
import { ownPosition } from "../../log/replay.ts";
import { comparePositions, type GuardedKey, type SignGuard, type SignPosition } from "../../log/sign-guard.ts";

/** Committed blocks that are searched for own signatures. */
export const SIGNATURE_SEARCH_BLOCKS = 10;

/** Reads commits from storage. */
export interface CommitReader {
  /** Commit of a height and the validators whose positions its bitmap means; undefined when the height is not stored. */
  readCommit(height: Height): StoredCommit | undefined;
}

/** A commit with the validators that made it. */
export interface StoredCommit {
  readonly commit: Commit;
  readonly validators: ValidatorSet;
  /** The commit of the same height in the next block, which holds precommits that came later. */
  readonly carried?: Commit;
}

/** Position of a key in a set, null when it is not in it. */
export function validatorPosition(validators: ValidatorSet, signer: GuardedKey): number | null {
  const index = validators.findIndex((validator) => validator.publicKey === signer.publicKey);
  return index === -1 ? null : index;
}

/**
 * Refuses a guard that is older than the chain's own record of this key: the data folder was restored from a backup, or the
 * key is used by another node. A guard that remembers nothing is no old one: its node abstains (see `lost-memory.ts`), unless it is the
 * only validator, whose chain could never continue.
 * @throws CodedError VALIDATOR_UNSAFE
 */
export function assertGuardIsCurrent(guard: SignGuard, signer: GuardedKey, tip: ChainTip, commits: CommitReader): void {
  if (guard.last === undefined && tip.nextValidators.length > 1) return;
  const unknown = unknownSignature(guard, signer, tip, commits);
  if (unknown === undefined) return;
  const { height } = unknown;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    `Block ${height} carries a signature of this key that its sign guard does not know: the data folder is an old copy, or the key votes on another node. Start without validator mode, or move the newest data folder here`,
    { details: { height, guardHeight: guard.last?.position.height ?? -1 } },
  );
}

/** The newest signature of the key in the last commits that its guard does not know. */
export function unknownSignature(guard: SignGuard, signer: GuardedKey, tip: ChainTip, commits: CommitReader): SignPosition | undefined {
  for (let height = tip.height; height > Math.max(0, tip.height - SIGNATURE_SEARCH_BLOCKS); height -= 1) {
    const stored = commits.readCommit(height);
    if (stored === undefined) continue;
    const { commit, carried = commit, validators } = stored;
    const unknown = [commit, carried].find((other) => isUnknownSignature(guard, signer, validators, other));
    if (unknown !== undefined) return precommitOf(unknown);
  }
  return undefined;
}

/**
 * Last height at which this node must not vote when it follows a commit with a signature of its key that its guard does not know:
 * the data folder was emptied, and what else the key has signed in the last heights is forgotten. 0 when nothing is wrong.
 */
export function abstainAfter(guard: SignGuard, signer: GuardedKey, validators: ValidatorSet, commit: Commit): Height {
  return isUnknownSignature(guard, signer, validators, commit) ? commit.height + SIGNATURE_SEARCH_BLOCKS : 0;
}

/** True when a commit holds a signature of the key that the guard does not know. */
function isUnknownSignature(guard: SignGuard, signer: GuardedKey, validators: ValidatorSet, commit: Commit): boolean {
  const index = validatorPosition(validators, signer);
  if (index === null || !commitSigners(commit, validators.length).includes(index)) return false;
  return guard.last === undefined || comparePositions(guard.last.position, precommitOf(commit)) < 0;
}

/** What a signature in a commit is of. */
export function precommitOf({ height, round }: Commit): SignPosition {
  return { height, round, step: "precommit" };
}

/**
 * Last height at which this node must not vote because the log lost what the guard remembers: a lock may be forgotten with it.
 * @throws CodedError VALIDATOR_UNSAFE when the only validator is concerned, for its chain could never continue.
 */
export function abstainThrough(guard: SignGuard, signer: GuardedKey, tip: ChainTip, restored: readonly LogRecord[]): Height {
  const last = guard.last?.position;
  if (last === undefined || last.height <= tip.height) return 0;
  const ownIndex = validatorPosition(tip.nextValidators, signer);
  const isInLog = restored.some((record) => {
    const own = ownPosition(record.input, ownIndex);
    return own !== undefined && comparePositions(own, last) >= 0;
  });
  if (isInLog) return 0;
  if (ownIndex === null || tip.nextValidators.length > 1) return last.height;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    `The only validator has signed at height ${last.height}, but its log does not record what: the chain cannot continue from this data folder. Restore its newest copy`,
    { details: { height: last.height, tipHeight: tip.height } },
  );
}
