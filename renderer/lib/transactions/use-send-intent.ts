// From an intent to the node: unlock if need be, sign in the keyring, submit, follow. The view shows the summary and asks first.
// What has an unknown fate stays among the pending, so that it is not paid again by mistake.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { useConfirmed } from "../keyring/confirm-context.tsx";
import { useKeyring } from "../keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "../keyring/unlock-context.tsx";
import { useBlockMs } from "../keyring/use-spending.ts";
import { useNode } from "../node/access/node-context.tsx";
import { useNodeQueries } from "../node/queries.ts";
import { addPending, confirmTaken, usePendingStore } from "./pending-store.ts";
import type { Attempts } from "./sending/intent-attempts.ts";
import { useLeastFee } from "./sending/use-least-fee.ts";

/**
 * Signs and submits an intent; resolves when the node has taken it, which is before it is in a block: follow it with
 * `usePendingTransaction(signed.transaction.id)`. Use it as the `mutationFn` of a `useMutation`.
 * @throws CodedError for `errorInWords`; `isUncertain` separates an unknown outcome from a refusal.
 */
export type SendIntent = (intent: Intent) => Promise<SignedIntent>;

/** The way to have an intent signed: unlocks if need be, and lets the person confirm where that is asked for. */
export function useSignIntent(): SendIntent {
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const confirmed = useConfirmed();
  const queryClient = useQueryClient();
  const queries = useNodeQueries();
  const leastFeeUt = useLeastFee();
  const blockMs = useBlockMs();
  return useCallback(
    async (intent) => {
      await ensureUnlocked();
      const { chain_id: chainId } = await queryClient.ensureQueryData(queries.networkInfo());
      return confirmed((password) =>
        keyring.sign({ intent, chainId, leastFeeUt, blockMs: blockMs(), ...(password !== undefined && { password }) }),
      );
    },
    [keyring, ensureUnlocked, confirmed, queryClient, queries, leastFeeUt, blockMs],
  );
}

/** The way to send intents. `onSigned` ends before a node gets what was signed; what it refuses is not sent. */
export function useSendIntent(onSigned?: (signed: SignedIntent) => Promise<void>): SendIntent {
  const node = useNode();
  const sign = useSignIntent();
  const attempts = useRef<Attempts>(undefined);
  return useCallback(
    async (intent) => {
      // Loaded before anything is signed, and after the first load of the page.
      const { createAttempts } = await import("./sending/intent-attempts.ts");
      attempts.current ??= createAttempts();
      const signFirst: SendIntent = async (draft) => {
        const signed = await sign(draft);
        await onSigned?.(signed);
        return signed;
      };
      return await attempts.current.run(intent, { sign: signFirst, paths: node, onSubmitted: remember });
    },
    [node, sign, onSigned],
  );
}

function remember({ transaction: { id }, summary }: SignedIntent, isUncertain: boolean): void {
  const isKnown = usePendingStore.getState().transactions.some((known) => known.id === id);
  if (isKnown && !isUncertain) confirmTaken(id);
  if (isKnown) return;
  addPending({ id, summary, submittedAtMs: Date.now(), ...(isUncertain && { isUncertain }) });
}
