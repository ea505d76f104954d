// Behind every view: a batch of payments is read when the keyring opens, and goes on where it was.
import { useEffect } from "react";
import { openDurableRecords } from "#renderer/storage/durable-records.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type SealedStore, useWhileOpen } from "../../keyring/use-while-open.ts";
import { useNode } from "../../node/access/node-context.tsx";
import { useChainId } from "../../node/known-chain.ts";
import { addPending, usePendingStore } from "../pending-store.ts";
import { type Batch, type BatchRowState, closeBatch, noteRow, openBatch, reloadBatch, useBatchStore } from "./batch-store.ts";
import { type BatchSteps, type NodeTip, runBatch } from "./run-batch.ts";
import { type SubmitPaths, submitTransaction } from "./submit-transaction.ts";

const AGAIN_MS = 3_000;
/** A pool that keeps payments for long is asked more and more rarely, up to once a minute. */
const MAX_DOUBLINGS = 4;
/** Of the windows of one browser, one works on the batch. */
const LOCK = "parley.batch";

const sealedBatch: SealedStore = {
  open: async (keys): Promise<void> => {
    try {
      await openBatch(keys, await openDurableRecords());
    } catch (error) {
      useBatchStore.setState({ error });
    }
  },
  close: closeBatch,
  storageKey: () => undefined,
};

/** Hears that a node has a payment, before that is noted: where the program ends in between, it hears it once more. Does not reject. */
export type OnTaken = (transaction: Transaction) => Promise<void>;

/** Keeps the batch going while it is mounted and the keyring is open. Another `onTaken` begins its work again; without one it waits. */
export function useBatchWork(onTaken: OnTaken | undefined): void {
  useWhileOpen(sealedBatch);
  const node = useNode();
  const chainId = useChainId();
  useEffect(() => {
    // Another window may have begun one, and ended: then this one goes on with it.
    const look = (): void => {
      if (!document.hidden) void reloadBatch().catch(() => undefined);
    };
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return (): void => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  const isWaiting = useBatchStore(({ batch }) => batch?.chainId === chainId && isUnfinished(batch));
  useEffect(() => {
    if (!isWaiting || onTaken === undefined) return undefined;
    const ending = new AbortController();
    const work = async (): Promise<void> => {
      const batch = await reloadBatch();
      if (batch !== undefined && batch.chainId === chainId && !ending.signal.aborted)
        await runBatch(batch, stepsOf(node, ending.signal, onTaken));
    };
    const { locks } = navigator as { readonly locks?: LockManager };
    void (locks === undefined ? work() : locks.request(LOCK, { signal: ending.signal }, work)).catch(() => undefined);
    return (): void => ending.abort();
  }, [isWaiting, node, chainId, onTaken]);
}

/** True while something of it can still become of a payment. */
function isUnfinished(batch: Batch | undefined): boolean {
  return batch?.rows.some(({ state }) => state.kind === "waiting" || state.kind === "taken") === true;
}

/** What a node takes and knows of payments that are handed to it. */
export function nodeSteps(node: SubmitPaths & Pick<ReturnType<typeof useNode>, "client">): Pick<BatchSteps, "submit" | "find" | "tip"> {
  return {
    submit: (transaction) => submitTransaction(node, transaction),
    find: async (txid): Promise<BatchRowState | undefined> => {
      try {
        const found = await node.client.getTransaction({ txid });
        if (found.status === "pending") return { kind: "taken" };
        return found.status === "failed" ? { kind: "refused", reason: found.error ?? found.status } : { kind: "inBlock" };
      } catch (error) {
        if (isCodedError(error, "NOT_FOUND")) return undefined;
        throw error;
      }
    },
    tip: async (): Promise<NodeTip> => {
      const { sync } = await node.client.getStatus({});
      return { timeMs: Date.parse(sync.tip_time), isLive: sync.state === "live" };
    },
  };
}

function stepsOf(node: SubmitPaths & Pick<ReturnType<typeof useNode>, "client">, signal: AbortSignal, onTaken: OnTaken): BatchSteps {
  return {
    signal,
    ...nodeSteps(node),
    onState: async ({ signed }, state): Promise<void> => {
      const { id } = signed.transaction;
      const isListed = usePendingStore.getState().transactions.some((known) => known.id === id);
      if (state.kind === "taken" && !isListed) addPending({ id, summary: signed.summary, submittedAtMs: Date.now() });
      const { batch } = useBatchStore.getState();
      const known = batch?.rows.find(({ signed: { transaction } }) => transaction.id === id)?.state.kind;
      if (known === state.kind) return;
      if (known === "waiting" && (state.kind === "taken" || state.kind === "inBlock")) await onTaken(signed.transaction);
      await noteRow(id, state);
    },
    pause: (rounds) => pauseFor(AGAIN_MS * 2 ** Math.min(rounds, MAX_DOUBLINGS), signal),
    nowMs: () => Date.now(),
  };
}

/** Resolves after the delay, or when the signal says so. */
export function pauseFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
