// Lets the keyring hold what the spending rules make wait: it is signed when its time is over, and can be cancelled in the wallet.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useConfirmed } from "#renderer/lib/keyring/confirm-context.tsx";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { refreshSpending, useBlockMs } from "#renderer/lib/keyring/use-spending.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { WaitingChat } from "#shared/keyring/intents/spending/spending-api.ts";
import { useToasts } from "../feedback/toast.tsx";

/** A press that lets it wait, and what became of it. */
export interface Hold {
  readonly mutate: () => void;
  /** It is being stored, or it is. */
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** What goes with letting it wait. */
export interface HoldOptions {
  /** It is a payment of this chat. */
  readonly chat?: WaitingChat | undefined;
  /** What has to be stored before. */
  readonly onHold?: (() => Promise<void>) | undefined;
}

/** The way to let an intent wait; `onHeld` once the keyring has stored it. */
export function useHoldPayment(intent: Intent, onHeld: () => void, { chat, onHold }: HoldOptions = {}): Hold {
  const t = useMessages();
  const toasts = useToasts();
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const queries = useNodeQueries();
  const leastFeeUt = useLeastFee();
  const blockMs = useBlockMs();
  // Two presses within one picture are one, and none follows what waits already, until the view is gone.
  const isRunning = useRef(false);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      await ensureUnlocked();
      const { chain_id: chainId } = await cache.ensureQueryData(queries.networkInfo());
      await onHold?.();
      await confirmed((password) =>
        keyring.holdPayment({ intent, chainId, leastFeeUt, blockMs: blockMs(), chat, ...(password !== undefined && { password }) }),
      );
      await refreshSpending(cache);
    },
    onSuccess: () => {
      toasts.show({ title: t("spending.heldTitle"), description: t("spending.heldText") });
      onHeld();
    },
    onError: () => {
      isRunning.current = false;
    },
  });
  const hold = (): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate();
  };
  return { mutate: hold, isPending: isPending || isSuccess, error };
}
