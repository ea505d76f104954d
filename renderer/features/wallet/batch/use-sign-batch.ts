// Signs the payments of a batch in their order, and stores them: what is behind every view then hands them to the node.
import { useQueryClient } from "@tanstack/react-query";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { type BatchRow, storeBatch } from "#renderer/lib/transactions/sending/batch-store.ts";
import { useSignIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { MarkedRow } from "./mark-rows.ts";

export interface ConfirmedBatch {
  readonly rows: readonly MarkedRow[];
  readonly feeUt: AmountUt;
  /** A fee above the least one was chosen. */
  readonly isRaised: boolean;
}

/** The way to sign and store; false where another window has begun one. Nothing has left then, and when it fails. */
export function useSignBatch(): (confirmed: ConfirmedBatch) => Promise<boolean> {
  const sign = useSignIntent();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  return async ({ rows, feeUt, isRaised }) => {
    const { chain_id: chainId } = await cache.ensureQueryData(queries.networkInfo());
    const signed: BatchRow[] = [];
    for (const { to, amountUt, memo, mark } of rows) {
      assertInvariant(to !== undefined && mark === undefined, "Only checked payments are signed");
      const intent = { kind: "pay", to, amountUt, ...(memo !== "" && { memo }), ...(isRaised && { feeUt }) } as const;
      signed.push({ signed: await sign(intent), state: { kind: "waiting" } });
    }
    return await storeBatch({ chainId, rows: signed });
  };
}
