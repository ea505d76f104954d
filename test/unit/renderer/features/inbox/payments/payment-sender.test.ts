// Signed payments on their way to a node: noted before they leave, tried again as the same, given up only when no block can take them.
import { beforeEach, expect, it } from "vitest";
import { type SenderPorts, sendHeldPayments } from "#renderer/features/inbox/payments/payment-sender.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HeldMessage } from "#shared/messenger/commands/payments.ts";
import type { PaymentFate } from "#shared/messenger/model/message.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

const SIGNED = "2026-11-28T08:00:00Z";
const transaction: Transaction = {
  id: "tx1",
  type: "TRANSFER",
  from: "11".repeat(32),
  to: "22".repeat(32),
  amount: 5,
  fee: 1,
  payload: "",
  timestamp: SIGNED,
  signature: "",
};

let fate: PaymentFate | "released" | "taken back";
let log: string[];
let nowMs: number;
let chainMs: number;
let isOnline: boolean;
let chain: Set<string>;
let answer: () => void;

const ports: SenderPorts = {
  messenger: {
    heldPayments: async (): Promise<readonly HeldMessage[]> =>
      typeof fate === "string" ? [] : [{ key: "k", conversation: transaction.to, transaction, request: null, fate }],
    releasePayment: async (): Promise<void> => {
      fate = "released";
    },
    setPaymentFate: async (_key, next): Promise<boolean> => {
      if (fate === "taken back") return false;
      fate = next;
      log.push(next.kind);
      return true;
    },
  },
  isOnline: () => isOnline,
  submit: async ({ id }): Promise<void> => {
    log.push(`submit ${id}`);
    answer();
  },
  isOnChain: async (id) => chain.has(id),
  chainMs: async () => chainMs,
  nowMs: () => nowMs,
  onTaken: ({ id }) => log.push(`taken ${id}`),
};

beforeEach(() => {
  fate = { kind: "unsent" };
  log = [];
  nowMs = Date.parse(SIGNED) + 1_000;
  chainMs = Date.parse(SIGNED);
  isOnline = true;
  chain = new Set();
  answer = (): void => undefined;
});

const refuse = (code: "TX_INSUFFICIENT_BALANCE" | "UNAVAILABLE" | "TX_TIMESTAMP" | "RATE_LIMITED"): (() => never) => {
  return () => {
    throw new CodedError(code, "no");
  };
};

it("is noted as handed over before a node gets it, and is released when that has it", async () => {
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(log).toEqual(["handed", "submit tx1", "taken tx1"]);
  expect(fate).toBe("released");
});

it("waits untouched while the node is away", async () => {
  isOnline = false;
  expect(await sendHeldPayments(ports)).toBe(true);
  expect([log, fate]).toEqual([[], { kind: "unsent" }]);
});

it.each(["UNAVAILABLE", "RATE_LIMITED"] as const)(
  "without a clear answer (%s) it stays handed over, and the same is sent again",
  async (code) => {
    answer = refuse(code);
    expect(await sendHeldPayments(ports)).toBe(true);
    expect(fate).toEqual({ kind: "handed" });
    answer = (): void => undefined;
    expect(await sendHeldPayments(ports)).toBe(false);
    expect(log).toEqual(["handed", "submit tx1", "submit tx1", "taken tx1"]);
  },
);

it("is over when a node refuses it at once", async () => {
  answer = refuse("TX_INSUFFICIENT_BALANCE");
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(fate).toMatchObject({ kind: "refused", problem: { code: "TX_INSUFFICIENT_BALANCE" } });
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(log).toEqual(["handed", "submit tx1", "refused"]);
});

it("is not over by a refusal after a try without an answer: that one may be on its way", async () => {
  fate = { kind: "handed" };
  answer = refuse("TX_INSUFFICIENT_BALANCE");
  expect(await sendHeldPayments(ports)).toBe(true);
  expect(fate).toEqual({ kind: "handed" });
});

it("is not sent again once it is on the chain, also when the node refused it meanwhile", async () => {
  fate = { kind: "handed" };
  chain.add("tx1");
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(log).toEqual(["taken tx1"]);
  fate = { kind: "unsent" };
  answer = refuse("TX_INSUFFICIENT_BALANCE");
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(fate).toBe("released");
});

it("expires after its hour when no node was given it", async () => {
  nowMs = Date.parse(SIGNED) + TX_WINDOW_MS + 1;
  expect(await sendHeldPayments(ports)).toBe(false);
  expect([log, fate]).toEqual([["expired"], { kind: "expired" }]);
});

it("expires by the chain's time alone once it was handed over: the clock here may be years ahead", async () => {
  fate = { kind: "handed" };
  answer = refuse("TX_TIMESTAMP");
  nowMs = Date.parse(SIGNED) + 3 * 365 * 86_400_000;
  chainMs = Date.parse(SIGNED) + TX_WINDOW_MS;
  expect(await sendHeldPayments(ports)).toBe(true);
  expect(fate).toEqual({ kind: "handed" });
  chainMs += 1;
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(fate).toEqual({ kind: "expired" });
});

it("is taken rather than over when a block brought it last of all", async () => {
  fate = { kind: "handed" };
  chainMs = Date.parse(SIGNED) + 2 * TX_WINDOW_MS;
  chain.add("tx1");
  expect(await sendHeldPayments(ports)).toBe(false);
  expect(fate).toBe("released");
});

it("a payment that cannot be looked up now is left for later", async () => {
  fate = { kind: "handed" };
  const blind: SenderPorts = { ...ports, isOnChain: () => Promise.reject(new CodedError("UNAVAILABLE", "away")) };
  expect(await sendHeldPayments(blind)).toBe(true);
  expect([log, fate]).toEqual([[], { kind: "handed" }]);
});

it("one that was taken back while others were being sent goes to no node", async () => {
  const first = {
    key: "first",
    conversation: transaction.to,
    transaction: { ...transaction, id: "tx0" },
    request: null,
    fate: { kind: "unsent" },
  } as const;
  const second = { ...first, key: "second", transaction };
  answer = (): void => {
    fate = "taken back";
  };
  const messenger = {
    ...ports.messenger,
    heldPayments: async (): Promise<readonly HeldMessage[]> => [first, second],
    releasePayment: async (): Promise<void> => undefined,
  };
  expect(await sendHeldPayments({ ...ports, messenger })).toBe(false);
  expect(log).toEqual(["handed", "submit tx0", "taken tx0"]);
});
