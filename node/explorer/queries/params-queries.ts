// The parameters of the network in the words of the public interface: what holds, what is approved, what waits for approvals.
import {
  dueSeconds,
  type PendingUpgrade,
  readParams,
  readPendingUpgrade,
  readUpgradeProposals,
  type UpgradeProposal,
} from "#node/ledger/records/params-records.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { ParametersQuery } from "#node/queries/read-queries.ts";
import type * as schema from "#shared/api/schemas/params.ts";
import { quorumOf } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { APPROVAL_LIFETIME_S } from "#shared/protocol/primitives/limits.ts";
import { type NetworkParams, PARAM_NAMES, reachableValues, type Upgrade, upgradeId } from "#shared/protocol/primitives/params.ts";
import type { AddressCache } from "../address-cache.ts";

/** The newest block, and what is read of the chain after it. */
export interface ParametersSource {
  readonly state: StateReader;
  readonly addresses: Pick<AddressCache, "of">;
  readonly height: number;
  readonly timeMs: number;
}

/** Everything about parameters, as the next block would count it: expired approvals and those of former validators are gone already. */
export function networkParameters(source: ParametersSource, { first, knownVersions }: ParametersQuery): schema.NetworkParameters {
  const { state, height } = source;
  const params = readParams(state, first);
  const pending = readPendingUpgrade(state);
  return {
    height,
    params: { ...params },
    reachable: reachableOf(params),
    known_versions: [...knownVersions],
    ...(pending === undefined ? {} : { pending: pendingUpgrade(pending) }),
    proposals: proposalsOf(source),
  };
}

/** An approved change in the words of the interface. */
export function pendingUpgrade(pending: PendingUpgrade): schema.PendingUpgrade {
  return { ...changeOf(pending.upgrade), approved_at: pending.approvedAt, not_before: dueSeconds(pending) };
}

function reachableOf(params: NetworkParams): schema.NetworkParameters["reachable"] {
  const entries = PARAM_NAMES.map((name) => {
    const [least, most] = reachableValues(name, params[name]);
    return [name, { least, most }] as const;
  });
  return Object.fromEntries(entries);
}

function proposalsOf({ state, addresses, timeMs }: ParametersSource): schema.UpgradeProposal[] {
  const proposals = readUpgradeProposals(state);
  if (proposals.length === 0) return [];
  const members: ReadonlySet<PublicKeyHex> = new Set(readValidators(state).map(({ publicKey }) => publicKey));
  const now = Math.floor(timeMs / 1_000);
  const isCounted = ({ approver, at }: UpgradeProposal["approvals"][number]): boolean =>
    members.has(approver) && at + APPROVAL_LIFETIME_S > now;
  return proposals.flatMap(({ upgrade, approvals }) => {
    const counted = approvals.filter(isCounted);
    if (counted.length === 0) return [];
    return [
      {
        ...changeOf(upgrade),
        approvals: counted.map(({ approver, at }) => ({
          pub_key: approver,
          address: addresses.of(approver),
          is_validator: true,
          approved_at: at,
          expires_at: at + APPROVAL_LIFETIME_S,
        })),
        approval_count: counted.length,
        approvals_required: quorumOf(members.size),
      },
    ];
  });
}

function changeOf(upgrade: Upgrade): Omit<schema.PendingUpgrade, "approved_at" | "not_before"> {
  const { set, version, atHeight } = upgrade;
  return {
    id: upgradeId(upgrade),
    set: Object.fromEntries(set.map(({ name, value }) => [name, value])),
    ...(version === null ? {} : { version }),
    at_height: atHeight,
  };
}
