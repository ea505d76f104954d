// Holds a batch to the spending rules as a whole, before anything of it is signed: what is signed counts, though it may never leave.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PayIntent } from "#shared/keyring/intents/intents.ts";
import { requireAllowed } from "#shared/keyring/intents/spending/judge-spending.ts";
import type { KeyringApi } from "#shared/keyring/keyring-api.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";

/** The network as the rules are judged by it. */
export interface RulesContext {
  readonly leastFeeUt: AmountUt;
  readonly blockMs: number | undefined;
}

/** @throws CodedError SPENDING_LIMIT, SPENDING_DELAY, SPENDING_RECIPIENT where the keyring would refuse one of them. */
export async function requireRules(
  keyring: Pick<KeyringApi<unknown>, "spending" | "judgeSpending" | "summarize">,
  intents: readonly PayIntent[],
  { leastFeeUt, blockMs }: RulesContext,
): Promise<void> {
  const { rules, leftUt } = await keyring.spending({ blockMs });
  if (rules.dailyUt === null && rules.delay === null && rules.only === null) return;
  let totalUt = 0;
  for (const intent of intents) {
    requireAllowed(await keyring.judgeSpending({ intent, leastFeeUt, blockMs }));
    totalUt += (await keyring.summarize({ intent, leastFeeUt })).totalUt;
  }
  if (leftUt !== null && totalUt > leftUt)
    throw new CodedError("SPENDING_LIMIT", `Together ${formatAmount(totalUt)}: ${formatAmount(leftUt)} of the daily limit left`);
}
