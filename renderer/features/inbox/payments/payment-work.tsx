// Sends the payments that were signed in chats, in whatever view one is. The shell mounts it.
import { useEffect } from "react";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useSignedPayments } from "#renderer/lib/messenger/signed-payments.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { addPending, confirmTaken, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import { submitTransaction } from "#renderer/lib/transactions/sending/submit-transaction.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type SenderPorts, sendHeldPayments } from "./payment-sender.ts";

/** How often what has no clear answer is tried again. */
const AGAIN_MS = 10_000;

/** Renders nothing. */
export function PaymentWork(): null {
  const messenger = useMessenger();
  const node = useNode();
  const { phase, isOnline } = useMessengerSnapshot();
  const signed = useSignedPayments((payments) => payments.signed);
  const isRunning = phase === "running";
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was signed just now is sent at once
  useEffect(() => {
    if (messenger === undefined || !isRunning) return undefined;
    return keepSending(portsOf(messenger, node));
  }, [messenger, node, isRunning, isOnline, signed]);
  return null;
}

/** One run at a time, again while something is left. */
let runs: Promise<unknown> = Promise.resolve();

function keepSending(ports: SenderPorts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const run = (): void => {
    runs = runs
      .then(() => (hasEnded ? false : sendHeldPayments(ports)))
      .catch(() => true)
      .then((isLeft) => {
        if (isLeft && !hasEnded) timer = setTimeout(run, AGAIN_MS);
      });
  };
  run();
  return (): void => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

function portsOf(messenger: Messenger, node: ReturnType<typeof useNode>): SenderPorts {
  return {
    messenger,
    isOnline: () => messenger.getSnapshot().isOnline,
    submit: (transaction) => submitTransaction(node, transaction),
    isOnChain: async (txId): Promise<boolean> => {
      try {
        await node.client.getChainTransaction({ tx_id: txId });
        return true;
      } catch (error) {
        if (isCodedError(error, "NOT_FOUND")) return false;
        throw error;
      }
    },
    chainMs: async (): Promise<number> => Date.parse((await node.client.getStatus({})).sync.tip_time),
    nowMs: () => Date.now(),
    onTaken: notePending,
  };
}

/** The wallet shows it until its block does. */
function notePending({ id, from, to, amount, fee }: Transaction): void {
  if (usePendingStore.getState().transactions.some((known) => known.id === id)) {
    confirmTaken(id);
    return;
  }
  const figures = { amountUt: amount, feeUt: fee, maxGasUt: 0, totalUt: amount + fee };
  const summary = { kind: "pay", from, to, toAddress: formatAddress(to), ...figures, publicText: null, sentence: "" } as const;
  addPending({ id, summary, submittedAtMs: Date.now() });
}
