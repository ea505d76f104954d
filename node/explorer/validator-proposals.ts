// Changes of the validator set that wait for approvals, as the next block would count them: expired approvals and those of keys that
// have left the set are gone already.
import { readValidators } from "#node/ledger/records/records.ts";
import { decodeApprovals, type PendingApproval } from "#node/ledger/records/validator-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { ListOf, ListPage } from "#node/queries/read-queries.ts";
import { quorumOf } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { APPROVAL_LIFETIME_S } from "#shared/protocol/primitives/limits.ts";
import { VALIDATOR_ACTION_CODES, type ValidatorAction } from "#shared/protocol/transactions/authorisations.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";

/** A change with who approves it. */
export interface ValidatorProposal {
  readonly action: ValidatorAction;
  readonly publicKey: PublicKeyHex;
  /** In ascending order of the approvers. */
  readonly approvals: readonly (PendingApproval & { readonly isValidator: boolean; readonly expiresAt: number })[];
  /** Approvals of validators with which the change happens. */
  readonly required: number;
}

/** Records that one request looks at, at most: forgotten proposals keep theirs. */
const MAX_SCANNED = 2_000;
const NO_PREFIX = new Uint8Array(0);

/** Pending changes after the one named `add:<key>` or `remove:<key>`, additions first, by key. A short page may have a next one. */
export function pendingProposals(state: StateReader, nowSec: number, { limit, after }: ListPage): ListOf<ValidatorProposal> {
  const members = new Set(readValidators(state).map(({ publicKey }) => publicKey));
  const required = quorumOf(members.size);
  const items: ValidatorProposal[] = [];
  let last = after === undefined ? undefined : keyOf(after);
  for (let looked = 0; looked < MAX_SCANNED; looked += 1) {
    const entry = state.next("approval", NO_PREFIX, last);
    if (entry === undefined) return { items, next: undefined };
    last = entry.key;
    const action = entry.key[0] === VALIDATOR_ACTION_CODES.add ? "add" : "remove";
    const publicKey = toHex(entry.key.subarray(1));
    const approvals = decodeApprovals(entry.value)
      .map((approval) => ({ ...approval, isValidator: members.has(approval.approver), expiresAt: approval.at + APPROVAL_LIFETIME_S }))
      .filter(({ approver, isValidator, expiresAt }) => (isValidator || approver === publicKey) && expiresAt > nowSec);
    if (approvals.length > 0 && items.push({ action, publicKey, approvals, required }) === limit) break;
  }
  return { items, next: last === undefined ? undefined : idOf(last) };
}

function keyOf(id: string): Uint8Array {
  const [action, publicKey = ""] = id.split(":");
  return concatBytes(Uint8Array.of(VALIDATOR_ACTION_CODES[action as ValidatorAction]), fromHex(publicKey));
}

function idOf(key: Uint8Array): string {
  return `${key[0] === VALIDATOR_ACTION_CODES.add ? "add" : "remove"}:${toHex(key.subarray(1))}`;
}
