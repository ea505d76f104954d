// Status of a key as a validator: its bond, what keeps it out, and how often commits of the newest blocks hold its signature.
import { readSetAside } from "#node/ledger/records/absence-records.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding, readValidatorRecord } from "#node/ledger/records/validator-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { commitSigners } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ChainReads } from "./chain-reads.ts";

/** Blocks that participation looks at, at most. */
export const MAX_PARTICIPATION_BLOCKS = 100;

/** A key that is or was a validator. */
export interface ValidatorStatus {
  readonly isInSet: boolean;
  /** Bond in the set, or on its way back. */
  readonly bondUt: AmountUt;
  /** Unix seconds from which a bond outside the set can be fetched; undefined in the set, and without a bond. */
  readonly bondAvailableAt: number | undefined;
  /** True when it was set aside for its absence: its own transaction brings it back. */
  readonly isSetAside: boolean;
  /** Unix seconds before which it cannot return; 0 when it was never punished. */
  readonly bannedUntil: number;
  readonly commitsExpected: number;
  readonly commitsSigned: number;
  /** The same, block by block. */
  readonly recentCommits: RecentCommits;
}

/** Commits of the newest blocks, of the newest one first: `1` with its signature, `0` without, `-` where it was not in the set. */
export interface RecentCommits {
  readonly height: Height;
  readonly marks: string;
}

/** The status of a key; undefined when it never was a validator. */
export function validatorStatus(database: ChainReads, publicKey: PublicKeyHex, windowBlocks: number): ValidatorStatus | undefined {
  const state: StateReader = database.state;
  const record = readValidatorRecord(state, publicKey);
  const member = readValidators(state).find((validator) => validator.publicKey === publicKey);
  if (member === undefined && record.terms.length === 0) return undefined;
  const unbonding = readUnbonding(state, publicKey);
  return {
    isInSet: member !== undefined,
    bondUt: member?.bondUt ?? unbonding?.amountUt ?? 0,
    bondAvailableAt: member === undefined ? unbonding?.availableAt : undefined,
    isSetAside: readSetAside(state, publicKey) !== undefined,
    bannedUntil: record.bannedUntil,
    ...participation(database, publicKey, Math.min(windowBlocks, MAX_PARTICIPATION_BLOCKS)),
  };
}

function participation(
  database: ChainReads,
  publicKey: PublicKeyHex,
  blocks: number,
): Pick<ValidatorStatus, "commitsExpected" | "commitsSigned" | "recentCommits"> {
  const tip = database.blocks.tipHeight() ?? 0;
  // Block 0 has no commit.
  const heights = Array.from(
    { length: Math.min(blocks, tip - Math.max(1, database.blocks.firstHeight()) + 1) },
    (_, offset) => tip - offset,
  );
  const marks = heights.map((height) => markOf(hasSigned(database, publicKey, height)));
  return {
    commitsExpected: marks.filter((mark) => mark !== "-").length,
    commitsSigned: marks.filter((mark) => mark === "1").length,
    recentCommits: { height: tip, marks: marks.join("") },
  };
}

function markOf(isSigned: boolean | undefined): "1" | "0" | "-" {
  if (isSigned === undefined) return "-";
  return isSigned ? "1" : "0";
}

/** Undefined where the key was not in the set. */
function hasSigned(database: ChainReads, publicKey: PublicKeyHex, height: Height): boolean | undefined {
  const validators = database.validatorSets.at(height);
  const index = validators.findIndex((validator) => validator.publicKey === publicKey);
  if (index === -1) return undefined;
  const commit = database.blocks.commit(height);
  return commit !== undefined && commitSigners(commit, validators.length).includes(index);
}
