// Signs the payments of a batch in their order, and stores them: what is behind every view then hands them to the node.
import { useQueryClient } from "@tanstack/react-query";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { useBlockMs } from "#renderer/lib/keyring/use-spending.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { type BatchRow, storeBatch } from "#renderer/lib/transactions/sending/batch-store.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSignIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { PayIntent } from "#shared/keyring/intents/intents.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { MarkedRow } from "./mark-rows.ts";
import { requireRules } from "./require-rules.ts";

export interface ConfirmedBatch {
  readonly rows: readonly MarkedRow[];
  readonly feeUt: AmountUt;
  /** A fee above the least one was chosen. */
  readonly isRaised: boolean;
}

/** The way to sign and store; false where another window has begun one. Nothing has left then, and when it fails. */
export function useSignBatch(): (confirmed: ConfirmedBatch) => Promise<boolean> {
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const leastFeeUt = useLeastFee();
  const blockMs = useBlockMs();
  const sign = useSignIntent();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  return async ({ rows, feeUt, isRaised }) => {
    const { chain_id: chainId } = await cache.ensureQueryData(queries.networkInfo());
    const intents = rows.map(({ to, amountUt, memo, mark }): PayIntent => {
      assertInvariant(to !== undefined && mark === undefined, "Only checked payments are signed");
      return { kind: "pay", to, amountUt, ...(memo !== "" && { memo }), ...(isRaised && { feeUt }) };
    });
    await ensureUnlocked();
    await requireRules(keyring, intents, { leastFeeUt, blockMs: blockMs() });
    const signed: BatchRow[] = [];
    for (const intent of intents) signed.push({ signed: await sign(intent), state: { kind: "waiting" } });
    return await storeBatch({ chainId, rows: signed });
  };
}
