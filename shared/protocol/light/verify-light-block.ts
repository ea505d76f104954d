// Whether a block follows from one that is trusted: by the rule for the next block, or by the rule for skipping some. Pure; no clock.
// Every validator has one vote. Signatures are checked last: what is cheap decides first.

import { type BlockHeader, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { isMoreThanThird, type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners, verifyCommit } from "#shared/protocol/chain/vote.ts";
import { isAmount } from "#shared/protocol/primitives/amount.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { isHex } from "#shared/util/bytes.ts";

/** How long after its time a block may be the start of trust, ms: bonds stay locked a week longer. */
export const TRUSTING_PERIOD_MS = 1_209_600_000;
/** How far the time of a block may be ahead of the own clock, ms: little beside the trusting period, and clocks of desktops go wrong. */
export const CLOCK_DRIFT_MS = 60_000;

/** What blocks are checked with. */
export interface LightRules {
  readonly chainId: string;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
  readonly trustingPeriodMs: number;
  readonly clockDriftMs: number;
  /** Versions of headers that the program has; those of this release by default. */
  readonly knownVersions?: readonly number[] | undefined;
}

/**
 * What came of a check.
 * - `tooFarApart`: too few of the trusted validators signed; a block in between may help.
 * - `expired`: the trusted block is older than the trusting period, so it proves nothing any more.
 * - `early`: all is well but the time, which is ahead of the own clock.
 * - `missingVersion`: all is well, but the network has a version since that this program lacks.
 * - `contradiction`: validators that are trusted signed what cannot stand on the same chain as the trusted block.
 */
export type VerificationResult =
  | { readonly outcome: "verified"; readonly block: TrustedBlock }
  | { readonly outcome: "contradiction"; readonly block: TrustedBlock; readonly reason: string }
  | { readonly outcome: "invalid"; readonly reason: string }
  | { readonly outcome: "missingVersion"; readonly version: number; readonly height: Height }
  | { readonly outcome: "tooFarApart" }
  | { readonly outcome: "expired" }
  | { readonly outcome: "early" };

/** A block whose parts belong together. */
type Checked = { readonly block: TrustedBlock & { readonly commit: Commit } } | { readonly reason: string };

const invalid = (reason: string): VerificationResult => ({ outcome: "invalid", reason });

/** Whether `offered` follows from `trusted`, which must be below it. */
export function verifyLightBlock(trusted: TrustedBlock, proposed: LightBlock, nowMs: number, rules: LightRules): VerificationResult {
  if (isExpired(trusted.header, nowMs, rules)) return { outcome: "expired" };
  const checked = checkParts(proposed, rules);
  if ("reason" in checked) return invalid(checked.reason);
  const { header, commit, validators } = checked.block;
  if (header.height <= trusted.header.height) return invalid(`height ${header.height} is not above ${trusted.header.height}`);
  const isNext = header.height === trusted.header.height + 1;
  const isExpectedSet = isNext && header.validatorsHash === trusted.header.nextValidatorsHash;
  if (!isExpectedSet && !hasTrustedThird(trusted.validators, validators, commit))
    return isNext ? invalid("the validators are not those that the trusted block names") : { outcome: "tooFarApart" };
  if (!verifyCommit(rules.chainId, validators, commit, rules.verify)) return invalid("the commit does not verify");
  const reason = contradictionOf(trusted, header);
  if (reason !== undefined) return { outcome: "contradiction", block: checked.block, reason };
  if (isNewer(header, rules)) return { outcome: "missingVersion", version: header.version, height: header.height };
  return header.timeMs > nowMs + rules.clockDriftMs ? { outcome: "early" } : { outcome: "verified", block: checked.block };
}

/** A block that is known by its hash, with its commit checked; or why it is none. */
export function checkBlockOfHash(proposed: LightBlock, hash: string, rules: LightRules): TrustedBlock | { readonly reason: string } {
  const checked = checkParts(proposed, rules);
  if ("reason" in checked) return checked;
  const { block } = checked;
  if (isNewer(block.header, rules)) return { reason: unknownVersion(block.header) };
  if (block.hash !== hash) return { reason: "it is another block of that height" };
  return verifyCommit(rules.chainId, block.validators, block.commit, rules.verify) ? block : { reason: "the commit does not verify" };
}

/** True when a block is too old to be the start of trust. */
export function isExpired(header: BlockHeader, nowMs: number, { trustingPeriodMs }: Pick<LightRules, "trustingPeriodMs">): boolean {
  return header.timeMs + trustingPeriodMs <= nowMs;
}

/** Validators of the trusted set that a commit names as signers; none counts twice. */
export function trustedSigners(trusted: ValidatorSet, validators: ValidatorSet, commit: Commit): number {
  const signers = new Set(commitSigners(commit, validators.length).map((index) => validators[index]?.publicKey));
  return trusted.filter(({ publicKey }) => signers.has(publicKey)).length;
}

function hasTrustedThird(trusted: ValidatorSet, validators: ValidatorSet, commit: Commit): boolean {
  return isMoreThanThird(trustedSigners(trusted, validators, commit), trusted.length);
}

/** The parts of a block belong to each other and to the network. Says nothing about signatures. */
function checkParts({ header, commit, validators }: LightBlock, rules: LightRules): Checked {
  const { chainId, hash } = rules;
  if (header.chainId !== chainId) return { reason: "it belongs to another chain" };
  if (!versionsOf(rules).includes(header.version) && !isNewer(header, rules)) return { reason: unknownVersion(header) };
  if (!isCanonicalSet(validators)) return { reason: "the validators are not in order, or one is there twice" };
  if (validatorsHash(validators, hash) !== header.validatorsHash) return { reason: "the validators are not those of the header" };
  if (commit === null) return { reason: "no validator signed it" };
  const ownHash = headerHash(header, hash);
  if (commit.height !== header.height || commit.blockHash !== ownHash) return { reason: "the commit is one of another block" };
  return { block: { header, commit, validators, hash: ownHash } };
}

function versionsOf({ knownVersions = KNOWN_VERSIONS }: Pick<LightRules, "knownVersions">): readonly number[] {
  return knownVersions;
}

/** True for a header of a later version than the program has: its signatures say whether it is one of the network. */
function isNewer({ version }: BlockHeader, rules: Pick<LightRules, "knownVersions">): boolean {
  return version > Math.max(...versionsOf(rules));
}

function unknownVersion({ version }: BlockHeader): string {
  return `version ${version} of headers is unknown`;
}

function isCanonicalSet(validators: ValidatorSet): boolean {
  return (
    validators.length > 0 &&
    validators.every(({ publicKey, bondUt }, index) => {
      const before = validators[index - 1];
      if (!isHex(publicKey, 32) || publicKey !== publicKey.toLowerCase() || !isAmount(bondUt)) return false;
      return before === undefined || before.publicKey < publicKey;
    })
  );
}

/** Why a higher block that its validators signed cannot stand on the chain of the trusted one. */
function contradictionOf(trusted: TrustedBlock, header: BlockHeader): string | undefined {
  if (header.timeMs <= trusted.header.timeMs) return "its time is not after that of a block below it";
  if (header.height > trusted.header.height + 1) return undefined;
  if (header.parentHash !== trusted.hash) return "its parent is another block";
  return header.validatorsHash === trusted.header.nextValidatorsHash ? undefined : "its validators are not those that its parent names";
}
