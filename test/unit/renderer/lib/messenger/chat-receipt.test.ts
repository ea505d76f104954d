// The receipt that a payment of the wallet leaves in the chat: always for what was paid, only for what was paid.
import { describe, expect, it, vi } from "vitest";
import { createChatReceipt, untilChatsAreKnown } from "#renderer/lib/messenger/chat-receipt.ts";
import { useSignedPayments } from "#renderer/lib/messenger/signed-payments.ts";
import { createAttempts } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { type ConversationSummary, IDLE_SNAPSHOT, type MessengerPhase } from "#shared/messenger/model/conversation.ts";
import type { PaymentFate } from "#shared/messenger/model/message.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

const BOB = "0b".repeat(32);
const TRANSACTION = { id: "tx", to: BOB } as Transaction;
const REFUSED = new CodedError("BAD_REQUEST", "no");

/** A chat with Bob that notes what is done about receipts. */
function chat({ chatOf = BOB, isFull = false, isLocked = false } = {}): {
  readonly done: string[];
  readonly receipt: ReturnType<typeof createChatReceipt>;
} {
  const done: string[] = [];
  let isRefusing = isFull;
  const conversations = [{ id: chatOf, isRequest: false, isBlocked: false } as ConversationSummary];
  const receipt = createChatReceipt({
    getSnapshot: () => ({ ...IDLE_SNAPSHOT, conversations }),
    holdPayment: async (id, { transaction, request }) => {
      if (isRefusing) {
        isRefusing = false;
        throw new CodedError("UNAVAILABLE", "too many");
      }
      done.push(`hold ${transaction.id} ${id === BOB} ${request}`);
      return "key";
    },
    setPaymentFate: async (key: string, { kind }: PaymentFate) => {
      done.push(`${kind} ${key}`);
      return true;
    },
    releasePayment: async (key) => {
      if (isLocked) throw new CodedError("MESSENGER_UNAVAILABLE", "locked meanwhile");
      done.push(`release ${key}`);
    },
    discardPayment: async (key) => void done.push(`discard ${key}`),
  });
  return { done, receipt };
}

const HELD = ["hold tx true null", "handed key"];

/** The error of a try without an answer, as the wallet's form gets it. */
async function unclear(): Promise<unknown> {
  return createAttempts()
    .run({ kind: "pay" } as Intent, {
      sign: async () => ({ transaction: TRANSACTION }) as SignedIntent,
      paths: {
        live: { submit: () => Promise.reject(new CodedError("UNAVAILABLE", "gone")) },
        client: { submitTransaction: () => Promise.reject(new CodedError("UNAVAILABLE", "gone")) },
      },
      onSubmitted: () => undefined,
    })
    .catch((error: unknown) => error);
}

describe("a payment of the wallet to a person with a chat", () => {
  it("is stored in it as handed over before a node gets it, and sent once a node has it", async () => {
    const { done, receipt } = chat();
    await receipt.signed(TRANSACTION);
    expect(done).toEqual(HELD);
    await receipt.taken(TRANSACTION);
    expect(done).toEqual([...HELD, "release key"]);
  });

  it("leaves nothing where it was refused, and a further one its own", async () => {
    const { done, receipt } = chat();
    await receipt.signed(TRANSACTION);
    await receipt.failed(REFUSED);
    expect(done.splice(0)).toEqual([...HELD, "refused key", "discard key"]);
    await receipt.failed(REFUSED);
    await receipt.signed({ ...TRANSACTION, id: "other" });
    await receipt.taken({ ...TRANSACTION, id: "other" });
    expect(done).toEqual(["hold other true null", "handed key", "release key"]);
  });

  it("is left to the chat where the answer is unclear, also when it is refused after that", async () => {
    const { done, receipt } = chat();
    const before = useSignedPayments.getState().signed;
    await receipt.signed(TRANSACTION);
    await receipt.failed(await unclear());
    await receipt.failed(REFUSED);
    expect(done).toEqual(HELD);
    expect(useSignedPayments.getState().signed).toBe(before + 2);
    await receipt.taken(TRANSACTION);
    expect(done).toEqual([...HELD, "release key"]);
  });

  it("is paid where the chat cannot store it yet, and stored once a node has it", async () => {
    const { done, receipt } = chat({ isFull: true });
    await receipt.signed(TRANSACTION);
    expect(done).toEqual([]);
    await receipt.taken(TRANSACTION);
    expect(done).toEqual([...HELD, "release key"]);
  });

  it("is left to the chat where it cannot be released, never as one that may still be left unsent", async () => {
    for (const isFull of [false, true]) {
      const { done, receipt } = chat({ isFull, isLocked: true });
      const before = useSignedPayments.getState().signed;
      await receipt.signed(TRANSACTION);
      await receipt.taken(TRANSACTION);
      expect(done).toEqual(HELD);
      expect(useSignedPayments.getState().signed).toBe(before + 1);
      await receipt.failed(REFUSED);
      expect(done, "a later error is none of this payment").toEqual(HELD);
    }
  });
});

it.each([
  ["the chats with others", { ...TRANSACTION }, "0c".repeat(32)],
  ["one's notes, when one pays oneself", { ...TRANSACTION, from: BOB }, BOB],
])("leaves nothing in %s", async (_, transaction, chatOf) => {
  const { done, receipt } = chat({ chatOf });
  await receipt.signed(transaction);
  await receipt.taken(transaction);
  await receipt.failed(REFUSED);
  expect(done).toEqual([]);
});

describe("the card of a payment of a batch", () => {
  /** A messenger that starts. */
  function starting(): { readonly port: Parameters<typeof untilChatsAreKnown>[0]; readonly enter: (phase: MessengerPhase) => void } {
    let phase: MessengerPhase = "idle";
    const listeners = new Set<() => void>();
    const subscribe = (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const enter = (next: MessengerPhase): void => {
      phase = next;
      for (const listener of [...listeners]) listener();
    };
    return { port: { getSnapshot: () => ({ ...IDLE_SNAPSHOT, phase }), subscribe }, enter };
  }

  it("waits until the messenger knows its chats, or cannot in this window", async () => {
    for (const phase of ["running", "otherTab", "failed"] as const) {
      const { port, enter } = starting();
      let isKnown = false;
      const waits = untilChatsAreKnown(port).then(() => {
        isKnown = true;
      });
      enter("starting");
      await Promise.resolve();
      expect(isKnown).toBe(false);
      enter(phase);
      await waits;
    }
  });

  it("holds no payment up for long", async () => {
    vi.useFakeTimers();
    const waits = untilChatsAreKnown(starting().port);
    vi.advanceTimersByTime(10_000);
    await waits;
    vi.useRealTimers();
  });
});
