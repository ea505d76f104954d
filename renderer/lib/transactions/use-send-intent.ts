// From an intent to the node: unlock if need be, sign in the keyring, submit, follow. The view shows the summary and asks first.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Intent, SignedIntent } from "#shared/keyring/intents.ts";
import { useKeyring } from "../keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "../keyring/unlock-context.tsx";
import { useNode } from "../node/node-context.tsx";
import { useNodeQueries } from "../node/queries.ts";
import { addPending } from "./pending-store.ts";
import { submitTransaction } from "./submit-transaction.ts";

/**
 * Signs and submits an intent; resolves when the node has taken it, which is before it is in a block: follow it with
 * `usePendingTransaction(signed.transaction.id)`. Use it as the `mutationFn` of a `useMutation`.
 * @throws CodedError for `errorInWords`.
 */
export type SendIntent = (intent: Intent) => Promise<SignedIntent>;

/** The way to send intents. */
export function useSendIntent(): SendIntent {
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const node = useNode();
  const queryClient = useQueryClient();
  const queries = useNodeQueries();
  return useCallback(
    async (intent) => {
      await ensureUnlocked();
      const { chain_id: chainId } = await queryClient.ensureQueryData(queries.networkInfo());
      const signed = await keyring.sign({ intent, chainId });
      await submitTransaction(node, signed.transaction);
      addPending({ id: signed.transaction.id, summary: signed.summary, submittedAtMs: Date.now() });
      return signed;
    },
    [keyring, ensureUnlocked, node, queryClient, queries],
  );
}
