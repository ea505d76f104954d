// What becomes of transactions, and the publishing of one's keys. Loaded apart: nothing of it is due before the view is there.
import { useFollowPending } from "#renderer/lib/transactions/use-pending.ts";
import { useOutcomes } from "./use-outcomes.ts";
import { useRegistration } from "./use-registration.ts";

/** Shows nothing. */
export function TransactionWork(): null {
  useFollowPending();
  useOutcomes();
  useRegistration();
  return null;
}
