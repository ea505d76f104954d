// Fees that a relay can collect: of the claims in its mailbox, those that were not paid yet and that their senders can pay.
import { isClaimed } from "#node/ledger/records/node-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { StoredClaim } from "#node/storage/mailbox/relay-claim-repository.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { RelayClaim } from "#shared/protocol/transactions/payload.ts";

/** What can be claimed, in order of arrival, and what cannot. */
export interface ClaimableFees {
  readonly claims: readonly RelayClaim[];
  /** Claims whose senders cannot pay now. */
  readonly unaffordable: number;
  /** `seq` of what was paid, to this relay or another: it can be forgotten. */
  readonly paid: readonly number[];
}

/** What can be claimed on a state. */
export function claimableFees(state: StateReader, stored: readonly StoredClaim[]): ClaimableFees {
  const claims: RelayClaim[] = [];
  const paid: number[] = [];
  const balances = new Map<string, AmountUt>();
  let unaffordable = 0;
  for (const { seq, ...claim } of stored) {
    const { sender_pub: sender, envelope_id, fee_ut } = claim;
    if (isClaimed(state, sender, envelope_id)) {
      paid.push(seq);
      continue;
    }
    const balanceUt = balances.get(sender) ?? readAccount(state, sender).balanceUt;
    if (balanceUt < fee_ut) {
      unaffordable += 1;
      continue;
    }
    balances.set(sender, balanceUt - fee_ut);
    claims.push(claim);
  }
  return { claims, unaffordable, paid };
}
