// Whether a candidate can pay the bond of a validator, before anything is signed: who cannot would enter nowhere and still pay fees.
import type { NodeClient } from "#shared/api/client.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";

/** Words when a candidate's balance, less what it pays before, does not cover the bond; undefined when it does or it votes already. */
export async function bondWarning(client: NodeClient, candidate: PublicKeyHex, paidBeforeUt: AmountUt): Promise<string | undefined> {
  const [{ params }, { node_balance_ut: balanceUt, validator }] = await Promise.all([
    client.getGenesis({}),
    client.getNodeStats({ pubkey: candidate }),
  ]);
  const bondUt = params.validator_bond_ut ?? 0;
  // A bond on its way back counts towards a new one.
  const missingUt = bondUt - (validator?.bond_ut ?? 0) - (balanceUt - paidBeforeUt);
  if (validator?.in_set === true || missingUt <= 0) return undefined;
  const fee = paidBeforeUt === 0 ? "" : ` and pays a fee of ${formatAmount(paidBeforeUt)} now`;
  return `${formatAddress(candidate)} has ${formatAmount(balanceUt)}${fee}; the bond of a validator is ${formatAmount(bondUt)}: ${formatAmount(missingUt)} are missing. The approval that would let it in fails until they are there.`;
}
