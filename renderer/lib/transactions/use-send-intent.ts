// From an intent to the node: unlock if need be, sign in the keyring, submit, follow. The view shows the summary and asks first.
// An intent is signed once and submitted as often as needed: when the node does not respond, trying again sends the same signed
// transaction, which the chain takes at most once. Only a clear refusal makes the next try a new one. What has an unknown fate stays
// among the pending, so that it is not paid again by mistake.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { useConfirmed } from "../keyring/confirm-context.tsx";
import { useKeyring } from "../keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "../keyring/unlock-context.tsx";
import { useNode } from "../node/access/node-context.tsx";
import { useNodeQueries } from "../node/queries.ts";
import { addPending, type ChatPurpose, confirmTaken, usePendingStore } from "./pending-store.ts";
import { submitTransaction } from "./submit-transaction.ts";

/**
 * Signs and submits an intent; resolves when the node has taken it, which is before it is in a block: follow it with
 * `usePendingTransaction(signed.transaction.id)`. Use it as the `mutationFn` of a `useMutation`.
 * @throws CodedError for `errorInWords`; {@link isRefusal} separates a refusal from an unknown outcome.
 */
export type SendIntent = (intent: Intent) => Promise<SignedIntent>;

/** A transaction that was signed and not clearly refused. */
interface Attempt {
  readonly key: string;
  readonly signed: SignedIntent;
}

/** The way to send intents; a payment of a chat leaves its receipt there. */
export function useSendIntent(chat?: ChatPurpose): SendIntent {
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const confirmed = useConfirmed();
  const node = useNode();
  const queryClient = useQueryClient();
  const queries = useNodeQueries();
  const open = useRef<Attempt | undefined>(undefined);
  const sign = useCallback(
    async (intent: Intent): Promise<SignedIntent> => {
      await ensureUnlocked();
      const { chain_id: chainId } = await queryClient.ensureQueryData(queries.networkInfo());
      return confirmed((password) => keyring.sign({ intent, chainId, ...(password !== undefined && { password }) }));
    },
    [keyring, ensureUnlocked, confirmed, queryClient, queries],
  );
  return useCallback(
    async (intent) => {
      const key = JSON.stringify(intent);
      const signed = open.current?.key === key ? open.current.signed : await sign(intent);
      open.current = { key, signed };
      try {
        await submitTransaction(node, signed.transaction);
      } catch (error) {
        if (isRefusal(error)) open.current = undefined;
        else remember(signed, chat, true);
        throw error;
      }
      open.current = undefined;
      remember(signed, chat, false);
      return signed;
    },
    [node, sign, chat],
  );
}

/** True when the node has refused: then nothing of it is on its way. Being asked to slow down is no response to an earlier try. */
export function isRefusal(error: unknown): boolean {
  return isCodedError(error) && error.status >= 400 && error.status < 500 && error.code !== "RATE_LIMITED";
}

function remember({ transaction: { id }, summary }: SignedIntent, chat: ChatPurpose | undefined, isUncertain: boolean): void {
  const isKnown = usePendingStore.getState().transactions.some((known) => known.id === id);
  if (isKnown && !isUncertain) confirmTaken(id);
  if (isKnown) return;
  addPending({ id, summary, submittedAtMs: Date.now(), ...(chat !== undefined && { chat }), ...(isUncertain && { isUncertain }) });
}
