// What a request has become: the same on both sides, in whatever order messages and blocks come, however often, once all have come; and
// never paid by words alone.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatPayments } from "#renderer/features/inbox/payments/chat-payments.ts";
import { compareWithChain, type PaymentOnChain } from "#renderer/features/inbox/payments/payment-on-chain.ts";
import { type Claim, type RequestState, requestState } from "#renderer/features/inbox/payments/request-state.ts";
import { amendMessage } from "#shared/messenger/model/amend-message.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { chatMessageOf, type MessageRecord } from "#shared/messenger/model/records.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { chatMessage } from "../chat-message.ts";

const PAYER = "11".repeat(32);
const PAYEE = "22".repeat(32);
const NOW = Date.parse("2026-11-28T12:00:00Z");
const claim = (txId: string, onChain: PaymentOnChain, at = NOW): Claim => ({ txId, amountUt: 5, at, onChain });
const stateOf = (claims: readonly Claim[], rest: { closed?: "cancelled" | "declined"; due?: number } = {}): RequestState =>
  requestState({ closed: rest.closed ?? null, due: rest.due, claims }, NOW);

describe("a request", () => {
  it.each<readonly [string, RequestState, readonly Claim[], Parameters<typeof stateOf>[1]]>([
    ["is open at first", { kind: "open", hasFailed: false }, [], {}],
    ["is overdue after its day", { kind: "overdue", hasFailed: false }, [], { due: NOW - 1 }],
    ["is open until its day ends", { kind: "open", hasFailed: false }, [], { due: NOW }],
    ["is being paid while the chain is asked", { kind: "paying", txId: "a" }, [claim("a", { kind: "checking" })], {}],
    ["is being paid while a block is waited for", { kind: "paying", txId: "a" }, [claim("a", { kind: "waiting" })], { due: 1 }],
    [
      "is open again once no block takes the payment any more",
      { kind: "open", hasFailed: false },
      [claim("a", { kind: "waiting" }, NOW - 2 * TX_WINDOW_MS)],
      {},
    ],
    ["is open again after a payment that failed, and says so", { kind: "open", hasFailed: true }, [claim("a", { kind: "failed" })], {}],
    ["is not paid by something else on the chain", { kind: "open", hasFailed: false }, [claim("a", { kind: "different" })], {}],
    ["is declined", { kind: "declined" }, [], { closed: "declined", due: 1 }],
    ["is cancelled", { kind: "cancelled" }, [claim("a", { kind: "failed" })], { closed: "cancelled" }],
    [
      "is paid in a block, whoever closed it",
      { kind: "paid", txId: "a", height: 7, amountUt: 5, count: 1 },
      [claim("b", { kind: "waiting" }), claim("a", { kind: "inBlock", height: 7 })],
      { closed: "cancelled" },
    ],
    [
      "counts a second payment",
      { kind: "paid", txId: "b", height: 6, amountUt: 5, count: 2 },
      [claim("a", { kind: "inBlock", height: 7 }), claim("b", { kind: "inBlock", height: 6 })],
      {},
    ],
  ])("%s", (_, state, claims, rest) => {
    expect(stateOf(claims, rest)).toEqual(state);
  });
});

describe("a request whose payment waits by the spending rules", () => {
  const waiting = { id: "00".repeat(8), untilMs: NOW + 1, isSigned: false };
  const of = (claims: readonly Claim[], closed: "cancelled" | "declined" | null = null): RequestState["kind"] =>
    requestState({ closed, due: NOW - 1, claims, waiting }, NOW).kind;

  it("is neither open nor overdue, but paid where the chain shows it and closed where one of the two has closed it since", () => {
    expect(of([])).toBe("waits");
    expect(of([claim("a", { kind: "failed" })])).toBe("waits");
    expect(of([claim("a", { kind: "waiting" })])).toBe("paying");
    expect(of([claim("a", { kind: "inBlock", height: 7 })])).toBe("paid");
    expect(of([], "cancelled")).toBe("cancelled");
    expect(of([], "declined")).toBe("declined");
  });
});

/** What happens to one of two requests of 5 µT. */
type Fact =
  | {
      readonly kind: "receipt";
      readonly id: string;
      readonly txId: string;
      readonly request: string;
      readonly amountUt: number;
      readonly at: number;
    }
  | { readonly kind: "close"; readonly by: string };
type OnChain = { readonly status: "ok" | "failed"; readonly amountUt: number; readonly to: string } | undefined;

const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({
    kind: fc.constant("receipt" as const),
    id: fc.constantFrom("r1", "r2", "r3", "r4"),
    txId: fc.constantFrom("tx1", "tx2", "tx3"),
    request: fc.constantFrom("one", "two"),
    amountUt: fc.constantFrom(4, 5, 6),
    at: fc.integer({ min: NOW - 3 * TX_WINDOW_MS, max: NOW }),
  }),
  fc.record({ kind: fc.constant("close" as const), by: fc.constantFrom(PAYER, PAYEE) }),
);
const onChain: fc.Arbitrary<OnChain> = fc.option(
  fc.record({
    status: fc.constantFrom("ok" as const, "failed" as const),
    amountUt: fc.constantFrom(4, 5, 6),
    to: fc.constantFrom(PAYEE, PAYER),
  }),
  { nil: undefined },
);
type Chain = Readonly<Record<string, OnChain>>;
const chain: fc.Arbitrary<Chain> = fc.record({ tx1: onChain, tx2: onChain, tx3: onChain });

/** State of the request "one" for one of the two, after facts came in an order. */
function seenBy(me: string, arrivals: readonly Fact[], known: Chain): RequestState {
  const isPayer = me === PAYER;
  const peer = isPayer ? PAYEE : PAYER;
  const messages = new Map<string, ChatMessage>();
  let record: MessageRecord = {
    conversation: peer,
    id: "one",
    direction: isPayer ? "in" : "out",
    at: NOW - 4 * TX_WINDOW_MS,
    body: { kind: "pay.request", amountUt: 5, note: "" },
    state: null,
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
  };
  const other = chatMessage("two", { id: "two", direction: record.direction, at: record.at, body: record.body });
  for (const arrival of arrivals) {
    if (arrival.kind === "close")
      record =
        amendMessage(record, PAYEE, { from: arrival.by, at: NOW, body: { kind: "pay.close", to: { author: PAYEE, id: "one" } } }) ?? record;
    else if (!messages.has(arrival.id)) {
      const { id, txId, request, amountUt, at } = arrival;
      messages.set(
        id,
        chatMessage(`${me} ${id}`, { id, at, direction: isPayer ? "out" : "in", body: { kind: "pay.receipt", txId, amountUt, request } }),
      );
    }
  }
  const message = chatMessageOf({ key: "one", record }, me);
  const { claims } = chatPayments([message, other, ...messages.values()]);
  return requestState(
    {
      closed: message.payment?.closed ?? null,
      due: undefined,
      claims: (claims.get("one") ?? []).map(({ at, body: { txId, amountUt } }) => ({
        txId,
        amountUt,
        at,
        onChain: seenOnChain(known[txId], { txId, amountUt, peer, at, direction: isPayer ? "out" : "in", me }),
      })),
    },
    NOW,
  );
}

function seenOnChain(entry: OnChain, { me, ...stated }: Parameters<typeof compareWithChain>[0] & { readonly me: string }): PaymentOnChain {
  if (entry === undefined) return { kind: "waiting" };
  const { status, amountUt, to } = entry;
  const data = { type: "TRANSFER", from: PAYER, to, amount_ut: amountUt, status, block_index: 7, time: "2026-11-28T11:00:00Z" } as const;
  return compareWithChain(stated, me, data);
}

/** Facts in another order, some of them twice. */
const shuffled = (facts: readonly Fact[]): fc.Arbitrary<readonly Fact[]> =>
  fc
    .shuffledSubarray([...facts, ...facts], { minLength: facts.length })
    .map((some) => [...some, ...facts.filter((one) => !some.includes(one))]);

/** Receipts with one id say one thing. */
const distinct = (facts: readonly Fact[]): readonly Fact[] => {
  const ids = new Set<string>();
  return facts.filter((one) => one.kind === "close" || (!ids.has(one.id) && ids.add(one.id) !== undefined));
};

describe("both sides of a request", () => {
  it("agree once they have the same messages and the same chain, in whatever order these came", () => {
    fc.assert(
      fc.property(
        fc
          .array(fact, { maxLength: 8 })
          .map(distinct)
          .chain((facts) => fc.tuple(shuffled(facts), shuffled(facts))),
        chain,
        ([atPayer, atPayee], known) => {
          expect(seenBy(PAYER, atPayer, known)).toEqual(seenBy(PAYEE, atPayee, known));
        },
      ),
      { seed: 29, numRuns: extent(500, 2_000) },
    );
  });

  it("never see it paid unless the chain shows a payment to the payee of as much", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 8 }).map(distinct), chain, fc.constantFrom(PAYER, PAYEE), (facts, known, me) => {
        const state = seenBy(me, facts, known);
        if (state.kind !== "paid") return;
        expect(known[state.txId]).toMatchObject({ status: "ok", to: PAYEE });
        expect(known[state.txId]?.amountUt).toBeGreaterThanOrEqual(5);
      }),
      { seed: 31, numRuns: extent(500, 2_000) },
    );
  });
});
