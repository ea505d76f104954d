// A payment of a chat that has waited becomes one of the chat, unless its request no longer asks for it.
import { describe, expect, it } from "vitest";
import { holdWaited } from "#renderer/features/inbox/payments/hold-waited.ts";
import { waitingFor } from "#renderer/features/inbox/payments/use-waiting-payment.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { WaitingPayment } from "#shared/keyring/intents/spending/spending-api.ts";
import type { SignedPayment } from "#shared/messenger/commands/payments.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

const TRANSACTION = { id: "tx", to: "22".repeat(32) } as Transaction;
const CHAT = { request: "key", after: "old", note: "Tea" };

/** A messenger that fails once with a code. */
function messengerThat(code?: ErrorCode): {
  readonly held: SignedPayment[];
  holdPayment(id: string, payment: SignedPayment): Promise<string>;
} {
  const held: SignedPayment[] = [];
  let failure = code;
  return {
    held,
    holdPayment: async (id, payment): Promise<string> => {
      const fails = failure;
      failure = undefined;
      if (fails !== undefined) throw new CodedError(fails, "no");
      expect(id).toBe(TRANSACTION.to);
      held.push(payment);
      return "receipt";
    },
  };
}

describe("a payment that has waited", () => {
  it("is stored with note and request", async () => {
    const messenger = messengerThat();
    expect(await holdWaited(messenger, TRANSACTION, CHAT)).toBeUndefined();
    expect(messenger.held).toEqual([{ transaction: TRANSACTION, ...CHAT, unlessDeclined: true }]);
  });

  it("is stored without its request where that was deleted", async () => {
    const messenger = messengerThat("NOT_FOUND");
    expect(await holdWaited(messenger, TRANSACTION, CHAT)).toBeUndefined();
    expect(messenger.held).toEqual([{ transaction: TRANSACTION, note: "Tea", request: null, after: null, unlessDeclined: true }]);
  });

  it.each(["PAYMENT_UNDER_WAY", "BAD_REQUEST"] as const)("is not paid after %s", async (code) => {
    const messenger = messengerThat(code);
    expect(await holdWaited(messenger, TRANSACTION, CHAT)).toMatchObject({ code });
    expect(messenger.held).toEqual([]);
  });

  it("is tried again after what may go away", async () => {
    await expect(holdWaited(messengerThat("UNAVAILABLE"), TRANSACTION, CHAT)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("the payment that waits for a request", () => {
  it("is found by the request, with the moment until which it waits", () => {
    const waiting = { id: "a", leftMs: 60_000, isSigned: false, chat: CHAT } as WaitingPayment;
    const list = [{ ...waiting, id: "b", chat: null }, waiting];
    expect(waitingFor(list, "key", 1_000)).toEqual({ id: "a", untilMs: 61_000, isSigned: false });
    expect(waitingFor(list, "other", 1_000)).toBeUndefined();
  });
});
