// Signs a payment once and hands it over as often as needed: when the node does not answer, trying again sends the same signed
// payment, which the chain takes at most once. Only a clear refusal makes the next try a new one. A payment whose fate is unknown stays
// in the activity, so that it is not paid again by mistake.
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { useNode } from "#renderer/lib/node/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { addPending, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import { submitTransaction } from "#renderer/lib/transactions/submit-transaction.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PayIntent, SignedIntent } from "#shared/keyring/intents.ts";

/** A payment that was signed and not clearly refused. */
interface Attempt {
  readonly key: string;
  readonly signed: SignedIntent;
}

/** The way to pay. Resolves when the node has taken the payment, which is before it is in a block. */
export function useSendPayment(): UseMutationResult<SignedIntent, Error, PayIntent> {
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const node = useNode();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  const open = useRef<Attempt | undefined>(undefined);
  return useMutation({
    mutationFn: async (intent: PayIntent): Promise<SignedIntent> => {
      const key = JSON.stringify(intent);
      const signed = open.current?.key === key ? open.current.signed : await sign(intent);
      open.current = { key, signed };
      try {
        await submitTransaction(node, signed.transaction);
      } catch (error) {
        if (isRefusal(error)) open.current = undefined;
        else remember(signed);
        throw error;
      }
      open.current = undefined;
      remember(signed);
      return signed;
    },
  });

  async function sign(intent: PayIntent): Promise<SignedIntent> {
    await ensureUnlocked();
    const { chain_id: chainId } = await cache.ensureQueryData(queries.networkInfo());
    return keyring.sign({ intent, chainId });
  }
}

/** True when the node has said no: then nothing of it is on its way. Being asked to slow down is no answer to an earlier try. */
export function isRefusal(error: unknown): boolean {
  return isCodedError(error) && error.status >= 400 && error.status < 500 && error.code !== "RATE_LIMITED";
}

function remember({ transaction: { id }, summary }: SignedIntent): void {
  const isKnown = usePendingStore.getState().transactions.some((known) => known.id === id);
  if (!isKnown) addPending({ id, summary, submittedAtMs: Date.now() });
}
