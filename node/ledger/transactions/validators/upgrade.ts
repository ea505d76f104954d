// UPGRADE: approves a change of the network's parameters or version. With more than two thirds of the set it is pending, and active from the
// first height that its sender named whose parent is a day after the approval. Another one takes its place, an empty one cancels it.

import { isQuorum } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { APPROVAL_LIFETIME_S, LARGE_PAYLOAD_BYTES, MAX_VERSION, TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import {
  PARAM_BOUNDS,
  PARAM_NAMES,
  type ParamName,
  reachableValues,
  type Upgrade,
  upgradeId,
  upgradeOf,
} from "#shared/protocol/primitives/params.ts";
import { upgradeSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import {
  readPendingUpgrade,
  readUpgradedAt,
  readUpgradeProposals,
  type UpgradeProposal,
  writePendingUpgrade,
  writeUpgradedAt,
  writeUpgradeProposals,
} from "../../records/params-records.ts";
import { readValidators } from "../../records/records.ts";
import type { PendingApproval } from "../../records/validator-records.ts";
import type { StateReader } from "../../state-view.ts";
import { type FieldRule, integerField, objectField, optional, type PayloadFields } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";
import { COSIGNATURES_FIELD } from "./validator-changes.ts";

/** Latest time of a cosignature after the block's. */
const CLOCK_SKEW_S = TX_WINDOW_MS / 1000;

const FIELDS: PayloadFields<PayloadOf<"UPGRADE">> = {
  set: objectField(
    Object.fromEntries(PARAM_NAMES.map((name) => [name, optional(boundedField(name))])) as Record<ParamName, FieldRule<number>>,
  ),
  version: optional(integerField(1, MAX_VERSION)),
  at_height: integerField(1, Number.MAX_SAFE_INTEGER),
  cosigs: COSIGNATURES_FIELD,
};

export const upgrade: TransactionRule<"UPGRADE"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: FIELDS,
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  signatures: (_tx, payload, chainId) =>
    (payload.cosigs ?? []).map((cosig) => ({
      signature: fromBase64(cosig.signature),
      message: upgradeSignBytes(chainId, changeOf(payload), cosig.signed_at),
      publicKey: fromHex(cosig.validator_pub),
    })),
  failure: (state, { from }, payload, context): FailureCode | undefined => {
    const { params } = context;
    const change = changeOf(payload);
    const isReachable = ({ name, value }: Upgrade["set"][number]): boolean => {
      const [least, most] = reachableValues(name as ParamName, params[name as ParamName]);
      return value >= least && value <= most;
    };
    if (!change.set.every(isReachable)) return "UPGRADE_OUT_OF_REACH";
    if (change.version !== null && change.version <= params.version) return "UPGRADE_VERSION";
    const isChange = change.version !== null || change.set.some(({ name, value }) => params[name as ParamName] !== value);
    if (!isChange && readPendingUpgrade(state) === undefined) return "UPGRADE_EMPTY";
    return tallyUpgrade(state, change, { from, payload }, context).isEffective ? undefined : "NO_APPROVAL";
  },
  apply: (view, { from }, payload, context) => {
    const change = changeOf(payload);
    const { proposals, latestAt, hasQuorum } = tallyUpgrade(view, change, { from, payload }, context);
    writeUpgradeProposals(view, hasQuorum ? [] : proposals);
    if (!hasQuorum) return undefined;
    const isCancelled = change.set.length === 0 && change.version === null;
    const approvedAt = blockSeconds(context);
    writePendingUpgrade(view, isCancelled ? undefined : { upgrade: change, approvedAt });
    // Clocks of those who cosign may be ahead: what they signed for this decision must not count again after the next one.
    writeUpgradedAt(view, Math.max(readUpgradedAt(view), approvedAt, latestAt));
    return undefined;
  },
};

/** Proposals once a transaction is counted. */
interface UpgradeTally {
  /** Those with approvals, this one's included: each validator approves one at a time. */
  readonly proposals: readonly UpgradeProposal[];
  /** Unix seconds of the latest approval of the change. */
  readonly latestAt: number;
  /** True when the transaction brings at least one approval that counts. */
  readonly isEffective: boolean;
  /** True when more than two thirds of the set approve. */
  readonly hasQuorum: boolean;
}

/**
 * Counts a transaction's approvals together with those on chain. A later approval of another change withdraws an earlier one, so there are no
 * more proposals than validators.
 */
function tallyUpgrade(
  state: StateReader,
  change: Upgrade,
  { from, payload }: Pick<Transaction, "from"> & { readonly payload: PayloadOf<"UPGRADE"> },
  context: TransactionContext,
): UpgradeTally {
  const now = blockSeconds(context);
  const id = upgradeId(change);
  const members = new Set(readValidators(state).map(({ publicKey }) => publicKey));
  const isCounted = ({ approver, at }: PendingApproval): boolean => members.has(approver) && at > now - APPROVAL_LIFETIME_S;
  const proposals = readUpgradeProposals(state).map((proposal) => ({ ...proposal, approvals: proposal.approvals.filter(isCounted) }));
  const given = new Map(proposals.flatMap(({ approvals }) => approvals.map(({ approver, at }) => [approver, at] as const)));
  const upgradedAt = readUpgradedAt(state);
  const cosigned = (payload.cosigs ?? [])
    .map((cosig) => ({ approver: cosig.validator_pub, at: cosig.signed_at }))
    .filter(({ approver, at }) => at > upgradedAt && at <= now + CLOCK_SKEW_S && at >= (given.get(approver) ?? 0));
  const brought = latestOf([{ approver: from, at: now }, ...cosigned].filter(isCounted));
  const others = proposals.map(({ upgrade: other, approvals }) => ({
    upgrade: other,
    approvals: approvals.filter(({ approver }) => upgradeId(other) === id || !brought.has(approver)),
  }));
  const earlier = others.find(({ upgrade: other }) => upgradeId(other) === id)?.approvals ?? [];
  const approvals = sortedApprovals(latestOf([...earlier, ...approvalsOf(brought)]));
  const own = { upgrade: change, approvals };
  const isNew = !others.some(({ upgrade: other }) => upgradeId(other) === id);
  const counted = [...others.map((other) => (upgradeId(other.upgrade) === id ? own : other)), ...(isNew ? [own] : [])];
  return {
    proposals: counted.filter((proposal) => proposal.approvals.length > 0),
    latestAt: approvals.reduce((latest, { at }) => Math.max(latest, at), 0),
    isEffective: brought.size > 0,
    hasQuorum: isQuorum(approvals.length, members.size),
  };
}

function latestOf(approvals: readonly PendingApproval[]): ReadonlyMap<PublicKeyHex, number> {
  const latest = new Map<PublicKeyHex, number>();
  for (const { approver, at } of approvals) latest.set(approver, Math.max(at, latest.get(approver) ?? 0));
  return latest;
}

function approvalsOf(latest: ReadonlyMap<PublicKeyHex, number>): readonly PendingApproval[] {
  return [...latest].map(([approver, at]) => ({ approver, at }));
}

function sortedApprovals(latest: ReadonlyMap<PublicKeyHex, number>): readonly PendingApproval[] {
  return approvalsOf(latest).toSorted((a, b) => (a.approver < b.approver ? -1 : 1));
}

function changeOf({ set, version, at_height: atHeight }: PayloadOf<"UPGRADE">): Upgrade {
  return upgradeOf(set, version, atHeight);
}

function boundedField(name: ParamName): FieldRule<number> {
  const [least, most] = PARAM_BOUNDS[name];
  return integerField(least, most);
}
