// Reports of validators, and votes of validators about relays that lied, must reach a block however full the pool is, also those that cost
// nothing. There are few of them: one for each validator of the set of either kind.
import { interpretTransaction } from "#node/ledger/check-transaction.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { presentKey } from "#node/ledger/records/rotation-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** The validator of the set that a report is about; undefined for a report of anyone else and for every other transaction. */
export function reportedMember(tx: Transaction, state: StateReader): PublicKeyHex | undefined {
  const interpretation = tx.type === "SLASH" ? interpretTransaction(tx) : undefined;
  if (interpretation?.isOk !== true) return undefined;
  const { evidence } = interpretation.payload as PayloadOf<"SLASH">;
  const offender = presentKey(state, evidence.validator_pub);
  return readValidators(state).some(({ publicKey }) => publicKey === offender) ? offender : undefined;
}

/** What a transaction does that no fee may keep out, the same text for another one that does it too; undefined for every other. */
export function urgentCause(tx: Transaction, state: StateReader): string | undefined {
  if (tx.type !== "SUSPEND_RELAY") return reportedMember(tx, state);
  return readValidators(state).some(({ publicKey }) => publicKey === tx.from) ? `vote ${tx.from}` : undefined;
}
