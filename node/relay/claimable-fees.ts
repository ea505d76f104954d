// Fees that a relay can collect: of the envelopes in its mailbox, those that were not paid yet and that their senders can pay.
import { isClaimed } from "#node/ledger/node-records.ts";
import { readAccount } from "#node/ledger/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { PaidEnvelope } from "#node/storage/folder-readers.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import type { RelayClaim } from "#shared/protocol/payload.ts";

/** Claims in order of arrival, and how many envelopes their senders cannot pay now. */
export interface ClaimableFees {
  readonly claims: readonly RelayClaim[];
  readonly unaffordable: number;
}

/** What can be claimed on a state. An envelope that stands in several mailboxes is paid once. */
export function claimableFees(state: StateReader, envelopes: readonly PaidEnvelope[]): ClaimableFees {
  const claims = new Map<string, RelayClaim>();
  const balances = new Map<string, AmountUt>();
  let unaffordable = 0;
  for (const { id, recipient_pub, sender_ed25519_pub: sender, fee_ut, fee_sig } of envelopes) {
    const name = `${sender} ${id}`;
    if (claims.has(name) || isClaimed(state, sender, id)) continue;
    const balanceUt = balances.get(sender) ?? readAccount(state, sender).balanceUt;
    if (balanceUt < fee_ut) {
      unaffordable += 1;
      continue;
    }
    balances.set(sender, balanceUt - fee_ut);
    claims.set(name, { envelope_id: id, recipient_pub, sender_pub: sender, fee_ut, fee_sig });
  }
  return { claims: [...claims.values()], unaffordable };
}
