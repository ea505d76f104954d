// What an account can pay now: its balance without what is on its way.
import { useQuery } from "@tanstack/react-query";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";
import { usePending } from "#renderer/lib/transactions/use-pending.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

export interface Spendable {
  /** Balance without what is on its way. */
  readonly availableUt: AmountUt;
  /** The most that can be paid: the fee must stay. */
  readonly maxUt: AmountUt;
}

/** What can be paid, or undefined while the balance is unknown. */
export function useSpendable(feeUt: AmountUt): Spendable | undefined {
  const { masterPub } = useAccount();
  const { data } = useQuery(useNodeQueries().balance(masterPub));
  const leaving = onTheWayUt(usePending(masterPub));
  if (data === undefined) return undefined;
  const availableUt = Math.max(0, data.balanceUt - leaving);
  return { availableUt, maxUt: Math.max(0, availableUt - feeUt) };
}

/** What is on its way out of the account and cannot be spent again, µT. */
export function onTheWayUt(pending: readonly PendingTransaction[]): AmountUt {
  return pending.filter(({ state }) => state.kind === "submitted").reduce((sum, { summary }) => sum + outgoingUt(summary), 0);
}

function outgoingUt(summary: PendingTransaction["summary"]): AmountUt {
  return summary.to === summary.from ? summary.feeUt : summary.totalUt;
}
