// A payment of a chat that has waited by the spending rules and was signed: from now on it is a payment of the chat like any other, with a
// receipt and the mark on its request. Doing so again, after whatever ended in between, changes nothing.
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { WaitingChat } from "#shared/keyring/intents/spending/spending-api.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/**
 * Stores the payment in its chat. Resolves with what speaks against paying any more: the request was cancelled, declined, or paid from elsewhere.
 * @throws CodedError for what may go away by itself.
 */
export async function holdWaited(
  messenger: Pick<Messenger, "holdPayment">,
  transaction: Transaction,
  { note, request, after }: WaitingChat,
): Promise<CodedError | undefined> {
  const hold = (by: Pick<WaitingChat, "request" | "after">): Promise<string> =>
    messenger.holdPayment(transaction.to, { transaction, note, ...by, unlessDeclined: true });
  try {
    await hold({ request, after });
  } catch (error) {
    if (!isCodedError(error)) throw error;
    if (error.code === "PAYMENT_UNDER_WAY" || error.code === "BAD_REQUEST") return error;
    if (error.code !== "NOT_FOUND" || request === null) throw error;
    // The request was deleted here. What was confirmed is paid all the same.
    await hold({ request: null, after: null });
  }
  return undefined;
}
