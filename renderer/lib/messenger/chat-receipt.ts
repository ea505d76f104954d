// The receipt of a payment that is made elsewhere, in the chat with the person who is paid: stored before a node is given the payment, sent
// when a node has it, removed where it was refused. What has no clear answer the chat asks about by itself, also after a reload.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessageKey } from "#shared/messenger/model/message.ts";
import { problemOf } from "#shared/messenger/model/problem.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { isUncertain } from "../transactions/sending/intent-attempts.ts";
import { hasOpenChat } from "./has-open-chat.ts";
import { sendSignedNow } from "./signed-payments.ts";

type ReceiptPort = Pick<Messenger, "getSnapshot" | "holdPayment" | "setPaymentFate" | "releasePayment" | "discardPayment">;

/** What one form does about receipts. Nothing rejects: a payment is not stopped by its receipt. */
export interface ChatReceipt {
  /** Before a node is given the payment. */
  readonly signed: (transaction: Transaction) => Promise<void>;
  /** A node has it. */
  readonly taken: (transaction: Transaction) => Promise<void>;
  /** It could not be handed over, or not for certain. */
  readonly failed: (error: unknown) => Promise<void>;
}

/** The receipts of a form that makes one payment after the other. */
export function createChatReceipt(messenger: ReceiptPort): ChatReceipt {
  let held: { readonly id: string; readonly key: MessageKey; isUnclear: boolean } | undefined;
  /** Noted as handed over before a node gets it: the chat does not offer to leave it unsent while a node may have it. */
  const holdHanded = async (transaction: Transaction): Promise<void> => {
    const key = await messenger.holdPayment(transaction.to, { transaction, note: "", request: null, after: null });
    held = { id: transaction.id, key, isUnclear: false };
    await messenger.setPaymentFate(key, { kind: "handed" });
  };
  // Notes to oneself are no chat with anyone.
  const hasChat = ({ from, to }: Transaction): boolean => from !== to && hasOpenChat(messenger.getSnapshot(), to);
  return {
    signed: async (transaction): Promise<void> => {
      held = undefined;
      if (!hasChat(transaction)) return;
      await quietly(() => holdHanded(transaction));
    },
    taken: async (transaction): Promise<void> => {
      const isReleased = await quietly(async () => {
        if (held?.id !== transaction.id && hasChat(transaction)) await holdHanded(transaction);
        if (held?.id === transaction.id) await messenger.releasePayment(held.key);
      });
      held = undefined;
      // Where it was stored, the chat finds that a node has it.
      if (!isReleased) sendSignedNow();
    },
    failed: async (error): Promise<void> => {
      if (held === undefined) return;
      if (!isCodedError(error) || isUncertain(error) || held.isUnclear) {
        // A refusal after that says nothing about the first try.
        held.isUnclear = true;
        sendSignedNow();
        return;
      }
      const { key } = held;
      held = undefined;
      await quietly(async () => {
        await messenger.setPaymentFate(key, { kind: "refused", problem: problemOf(error) });
        await messenger.discardPayment(key);
      });
    },
  };
}

/** How long a payment waits for its card while the messenger starts. */
const START_MS = 10_000;

/** Ends once it is known which chats there are, or that this window does not learn it: a batch goes on as soon as the keyring is open. */
export function untilChatsAreKnown({ getSnapshot, subscribe }: Pick<Messenger, "getSnapshot" | "subscribe">): Promise<void> {
  const isStarting = (): boolean => getSnapshot().phase === "idle" || getSnapshot().phase === "starting";
  if (!isStarting()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, START_MS);
    const stop = subscribe(() => {
      if (!isStarting()) end();
    });
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

/** False where it failed: a receipt is stored later, when a node has the payment; else that is in the wallet alone. */
async function quietly(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
