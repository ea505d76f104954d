// Validators that are gone: each block counts who is missing from the commit that it carries, and every thousandth sets those aside that
// missed nearly all of them. They lose nothing and return by themselves. Part of executing a block, before its transactions.
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DOWNTIME_BLOCKS, DOWNTIME_MISSED, DOWNTIME_VERSION, LEAST_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import type { TransactionContext } from "./context.ts";
import { readAbsences, writeAbsences, writeSetAside } from "./records/absence-records.ts";
import { readValidators } from "./records/records.ts";
import { presentKey } from "./records/rotation-records.ts";
import type { StateReader, StateView } from "./state-view.ts";
import { leaveSet } from "./transactions/validators/validator-changes.ts";

/** The commit of the parent that a block carries, with the set that made it. */
export interface CarriedCommit {
  /** Null in the first block. */
  readonly commit: Commit | null;
  readonly validators: ValidatorSet;
}

/** Begins a block: counts who is missing from the commit, and at every thousandth height sets validators aside. */
export function countAbsences(
  view: StateView,
  carried: CarriedCommit,
  context: Pick<TransactionContext, "height" | "timeMs" | "params">,
): void {
  if (context.params.version < DOWNTIME_VERSION) return;
  const counts = countedWith(view, carried);
  if (context.height % DOWNTIME_BLOCKS !== 0) {
    if (counts !== undefined) writeAbsences(view, entriesOf(counts));
    return;
  }
  for (const publicKey of absentees(readValidators(view), counts ?? countsOf(view))) {
    const member = readValidators(view).find((validator) => validator.publicKey === publicKey);
    if (member === undefined) continue;
    leaveSet(view, member, [], context);
    writeSetAside(view, publicKey, context.height);
  }
  writeAbsences(view, []);
}

/** The counts once a commit is counted; undefined when it changes nothing. A key that was replaced meanwhile counts as the new one. */
function countedWith(view: StateReader, { commit, validators }: CarriedCommit): ReadonlyMap<PublicKeyHex, number> | undefined {
  if (commit === null) return undefined;
  const signers = new Set(commitSigners(commit, validators.length));
  const missing = validators.flatMap(({ publicKey }, index) => (signers.has(index) ? [] : [presentKey(view, publicKey)]));
  const members = new Set(readValidators(view).map(({ publicKey }) => publicKey));
  const before = readAbsences(view);
  if (missing.length === 0 && before.every(({ publicKey }) => members.has(publicKey))) return undefined;
  const counts = new Map(before.map(({ publicKey, missed }) => [publicKey, missed]));
  for (const key of missing) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map([...counts].filter(([key]) => members.has(key)));
}

/** Those who missed most come first, the lower keys among equals; at most a third of the set, and none below the least number. */
function absentees(validators: ValidatorSet, counts: ReadonlyMap<PublicKeyHex, number>): readonly PublicKeyHex[] {
  const most = Math.max(0, Math.min(Math.floor(validators.length / 3), validators.length - LEAST_VALIDATORS));
  const missedOf = (publicKey: PublicKeyHex): number => counts.get(publicKey) ?? 0;
  return validators
    .map(({ publicKey }) => publicKey)
    .filter((publicKey) => missedOf(publicKey) >= DOWNTIME_MISSED)
    .toSorted((a, b) => missedOf(b) - missedOf(a) || (a < b ? -1 : 1))
    .slice(0, most);
}

function countsOf(view: StateReader): ReadonlyMap<PublicKeyHex, number> {
  return new Map(readAbsences(view).map(({ publicKey, missed }) => [publicKey, missed]));
}

function entriesOf(counts: ReadonlyMap<PublicKeyHex, number>): readonly { readonly publicKey: PublicKeyHex; readonly missed: number }[] {
  return [...counts].map(([publicKey, missed]) => ({ publicKey, missed }));
}
