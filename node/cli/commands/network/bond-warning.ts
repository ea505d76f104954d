// Whether a key can lock the bond of a validator, or of a relay, before anything is signed: one that cannot would still pay fees.
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { keeperBondUt } from "#shared/protocol/keepers/keeper-standing.ts";
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

/** Refuses a bond that the chain would not lock, which would cost the fee. @throws CodedError TX_REJECTED in words */
export async function refuseRelayBond(
  client: NodeClient,
  { publicKey, bondUt, feeUt }: { readonly publicKey: PublicKeyHex; readonly bondUt: AmountUt; readonly feeUt: AmountUt },
): Promise<void> {
  const { readRelay } = await import("./relay-list.ts");
  const [{ params }, { node_balance_ut: balanceUt }, relay] = await Promise.all([
    client.getGenesis({}),
    client.getNodeStats({ pubkey: publicKey }),
    readRelay(client, publicKey),
  ]);
  const least = keeperBondUt(params.validator_bond_ut ?? 0, KEEPER_RULES);
  const lockedUt = (relay?.keeper?.bond_ut ?? 0) + (relay?.keeper?.withdrawn_ut ?? 0);
  const refuse = (why: string): never => {
    throw new CodedError("TX_REJECTED", why);
  };
  if (bondUt < least) refuse(`The bond of a relay that keeps mail is ${formatAmount(least)} or more, not ${formatAmount(bondUt)}`);
  if (bondUt < lockedUt) refuse(`${formatAmount(lockedUt)} are locked already: parley relay withdraw takes a bond back, nothing lowers it`);
  const missingUt = bondUt - lockedUt + feeUt - balanceUt;
  if (missingUt > 0)
    refuse(
      `${formatAddress(publicKey)} has ${formatAmount(balanceUt)}: ${formatAmount(missingUt)} are missing for a bond of ${formatAmount(bondUt)} and the fee`,
    );
}
