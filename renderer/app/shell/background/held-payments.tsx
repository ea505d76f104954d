// Behind every view: what has waited by the spending rules is signed and handed to the node when its time is over and the wallet is open. A
// payment of a chat is handed to its chat, which sends it.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { holdWaited } from "#renderer/features/inbox/payments/hold-waited.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { refreshSpending, useBlockMs, useSpending } from "#renderer/lib/keyring/use-spending.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { sendSignedNow } from "#renderer/lib/messenger/signed-payments.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { addPending, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import type { BatchRowState } from "#renderer/lib/transactions/sending/batch-store.ts";
import { runBatch } from "#renderer/lib/transactions/sending/run-batch.ts";
import { nodeSteps, pauseFor } from "#renderer/lib/transactions/sending/use-batch-work.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";
import type { WaitingChat } from "#shared/keyring/intents/spending/spending-api.ts";

/** Before the node is asked again. */
const AGAIN_MS = 3_000;
/** Before the keyring is asked again for what the daily limit holds back. */
const LIMIT_AGAIN_MS = 60_000;

/** Renders nothing. */
export function HeldPayments(): null {
  const t = useMessages();
  const toasts = useToasts();
  const node = useNode();
  const chainId = useChainId();
  const cache = useQueryClient();
  const blockMs = useBlockMs();
  const { keyring, status } = useKeyringValue();
  const { data } = useSpending();
  const isOpen = status?.state === "unlocked";
  const messenger = useMessenger();
  const isRunning = useMessengerValue(({ phase }) => phase === "running");
  const ready =
    data?.waiting
      .filter(({ leftMs, chat, ...payment }) => payment.chainId === chainId && leftMs === 0 && (chat === null || isRunning))
      .map(({ id }) => id) ?? [];
  const forget = async (id: string, client: QueryClient): Promise<void> => {
    await keyring.cancelHeldPayment({ id, isOver: true }).catch(() => undefined);
    await refreshSpending(client);
  };
  const sendInChat = async ({ id, signed, chat }: SignedInChat): Promise<void> => {
    if (messenger === undefined) return;
    const refusal = await holdWaited(messenger, signed.transaction, chat);
    if (refusal !== undefined) toasts.show({ title: t("spending.notSent"), description: t("spending.overtaken"), tone: "danger" });
    await forget(id, cache);
    sendSignedNow();
  };
  const sendOne = useEffectEvent(async (id: string, signal: AbortSignal): Promise<void> => {
    const waiting = data?.waiting.find((payment) => payment.id === id);
    if (chainId === undefined || waiting === undefined) return;
    const signed = await keyring.signHeldPayment({ id, blockMs: blockMs() }).catch((error: unknown) => {
      // What the limit holds back goes out when there is room; another window may have been faster.
      if (!isCodedError(error)) throw error;
      return undefined;
    });
    if (signed === undefined) return;
    if (waiting.chat !== null) {
      await sendInChat({ id, signed, chat: waiting.chat });
      return;
    }
    const ending = new AbortController();
    const stop = AbortSignal.any([signal, ending.signal]);
    await runBatch(
      { chainId, rows: [{ signed, state: { kind: "waiting" } }] },
      {
        ...nodeSteps(node),
        signal: stop,
        onState: async (_, state): Promise<void> => {
          note(signed, state);
          if (state.kind === "refused") toasts.show({ title: t("spending.notSent"), description: state.reason, tone: "danger" });
          if (state.kind === "expired") toasts.show({ title: t("spending.notSent"), description: t("spending.expired"), tone: "danger" });
          // A node may lose what it took: it is handed over again until a block has it.
          if (state.kind === "taken") return;
          await forget(id, cache);
          ending.abort();
        },
        pause: () => pauseFor(AGAIN_MS, stop),
        nowMs: () => Date.now(),
      },
    );
  });
  const key = isOpen ? ready.join(" ") : "";
  useEffect(() => {
    const ending = new AbortController();
    const run = async (): Promise<void> => {
      while (key !== "" && !ending.signal.aborted) {
        for (const id of key.split(" ")) if (!ending.signal.aborted) await sendOne(id, ending.signal).catch(() => undefined);
        await pauseFor(LIMIT_AGAIN_MS, ending.signal);
      }
    };
    void run().catch(() => undefined);
    return (): void => ending.abort();
  }, [key]);
  return null;
}

interface SignedInChat {
  readonly id: string;
  readonly signed: SignedIntent;
  readonly chat: WaitingChat;
}

function note({ transaction: { id }, summary }: SignedIntent, state: BatchRowState): void {
  const isListed = usePendingStore.getState().transactions.some((known) => known.id === id);
  if ((state.kind === "taken" || state.kind === "inBlock") && !isListed) addPending({ id, summary, submittedAtMs: Date.now() });
}
