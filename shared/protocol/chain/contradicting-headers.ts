// Which two headers of one height no honest validator precommits, in whatever rounds: it votes only on the block that it decided before,
// and only for what executing the transactions on that block gives. Two valid blocks of one parent prove nothing: locks may move.
import { DOWNTIME_VERSION } from "../primitives/limits.ts";
import { type BlockHeader, type HashHex, headerHash } from "./header.ts";

/** Follows from the block below, whatever the block holds. */
const GIVEN = ["version", "chainId", "height", "parentHash", "validatorsHash", "paramsHash"] as const;
/** What a proposer chooses and execution depends on. */
const CHOSEN = ["timeMs", "txRoot", "txCount", "evidenceRoot", "proposer"] as const;
/** Follows from what is given and chosen. */
const OUTCOME = ["stateRoot", "receiptsRoot", "nextValidatorsHash"] as const;

/** True when at most one of two headers of a height can have passed the checks of one validator. */
export function areContradicting(one: BlockHeader, other: BlockHeader): boolean {
  if (one.height !== other.height) return false;
  const differs = (field: keyof BlockHeader): boolean => one[field] !== other[field];
  if (GIVEN.some(differs)) return true;
  // Since validators are set aside, execution depends on the commit that the block carries.
  const chosen = one.version < DOWNTIME_VERSION ? CHOSEN : [...CHOSEN, "lastCommitHash" as const];
  return !chosen.some(differs) && OUTCOME.some(differs);
}

/** True when each header names the next one of the list as its parent. */
export function areLinked(headers: readonly BlockHeader[], hash: (header: BlockHeader) => HashHex = headerHash): boolean {
  return headers.every((header, index) => {
    const parent = headers[index + 1];
    return parent === undefined || (header.height === parent.height + 1 && header.parentHash === hash(parent));
  });
}
