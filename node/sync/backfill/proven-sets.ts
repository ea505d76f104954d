// Who signed old blocks: the sets of validators that their headers name by a hash. Those of blocks that are here are known; others come from
// peers, and the hash proves them.
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { FillPlan } from "#node/storage/snapshots/backfill/segment-fill.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import { withoutFailure } from "./backfill-peers.ts";
import type { PlannedSegment } from "./segment-plan.ts";

export interface ProvenSetsDependencies {
  readonly database: Pick<ChainDatabase, "validatorSets">;
  readonly requester: Pick<LightRequester, "lightBlock" | "report">;
  /** Peers that may have an old block, the best first. */
  readonly having: (height: Height) => readonly PeerName[];
}

/** The sets of a segment, by the first height that each votes on. @throws CodedError UPSTREAM_FAILED where no peer has one */
export async function provenSets(
  dependencies: ProvenSetsDependencies,
  { headers, last }: PlannedSegment,
  signal: AbortSignal,
): Promise<Pick<FillPlan, "sets" | "isSameSetAbove">> {
  const { validatorSets } = dependencies.database;
  const above = validatorSets.at(last + 1);
  const known = new Map<HashHex, ValidatorSet>([[validatorsHash(above), above]]);
  const sets: { readonly fromHeight: Height; readonly validators: ValidatorSet }[] = [];
  for (const [index, { header }] of headers.entries()) {
    if (headers[index - 1]?.header.validatorsHash === header.validatorsHash) continue;
    const validators = known.get(header.validatorsHash) ?? (await fetchSet(dependencies, header, signal));
    known.set(header.validatorsHash, validators);
    sets.push({ fromHeight: header.height, validators });
  }
  return { sets, isSameSetAbove: headers.at(-1)?.header.validatorsHash === validatorsHash(above) };
}

async function fetchSet(
  { database, requester, having }: ProvenSetsDependencies,
  header: BlockHeader,
  signal: AbortSignal,
): Promise<ValidatorSet> {
  const { height, validatorsHash: wanted } = header;
  // Of blocks of which no more than the header is here, the set may be known.
  const own = database.validatorSets.at(height);
  if (validatorsHash(own) === wanted) return own;
  for (const peer of having(height).slice(0, BACKFILL_LIMITS.peersPerRequest)) {
    const block = await withoutFailure(requester.lightBlock(peer, height, signal));
    if (block === undefined) continue;
    if (validatorsHash(block.validators) === wanted) return block.validators;
    requester.report(peer, "lie");
  }
  throw new CodedError("UPSTREAM_FAILED", `No connected node has served the validators of block ${height}`);
}
