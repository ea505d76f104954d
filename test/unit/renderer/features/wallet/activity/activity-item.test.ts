import { describe, expect, it } from "vitest";
import { onTheWayUt } from "#renderer/components/transactions/use-spendable.ts";
import { ACTIVITY_KINDS, isOfKind, matchesText } from "#renderer/features/wallet/activity/activity-filter.ts";
import { balanceChange, itemOfEntry, mergeActivity } from "#renderer/features/wallet/activity/activity-item.ts";
import { activitySentence, stateInWords } from "#renderer/features/wallet/activity/activity-words.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";

const ME = "aa".repeat(32);
const ANNA = "bb".repeat(32);
const t = createTranslate("en", en);

function entry(changes: Partial<TransactionEntry>): TransactionEntry {
  return {
    id: "tx1",
    type: "TRANSFER",
    from: ME,
    from_addr: "",
    to: ANNA,
    to_addr: "",
    amount_ut: 5_000_000,
    amount: "",
    fee_ut: 1_000,
    gas_fee_ut: 0,
    fee: "",
    time: "2026-01-01T00:00:00Z",
    block_index: 7,
    block_hash: "",
    status: "ok",
    ...changes,
  };
}

function pending(id: string, state: PendingTransaction["state"], to: string = ANNA): PendingTransaction {
  const amounts = { amountUt: 2_000_000, feeUt: 1_000, maxGasUt: 0, totalUt: 2_001_000 };
  const summary = { kind: "pay" as const, from: ME, to, toAddress: null, ...amounts, publicText: null, sentence: "" };
  return { id, summary, submittedAtMs: 1, state };
}

describe("an entry of the activity", () => {
  it.each([
    ["a payment sent", entry({}), "Paid Anna", { direction: "out", amountUt: 5_000_000 }],
    ["a payment received", entry({ from: ANNA, to: ME }), "Received from Anna", { direction: "in", amountUt: 5_000_000 }],
    ["a payment to oneself", entry({ to: ME }), "Paid yourself", { direction: "out", amountUt: 1_000 }],
    ["a failed payment", entry({ status: "failed" }), "Payment · Anna", { direction: "out", amountUt: 1_000 }],
    ["a contact request sent", entry({ type: "CONTACT_REQUEST" }), "Contact request to Anna", { direction: "out", amountUt: 5_000_000 }],
    [
      "a contact request received",
      entry({ type: "CONTACT_REQUEST", from: ANNA, to: ME }),
      "Contact request from Anna",
      { direction: "in", amountUt: 5_000_000 },
    ],
    [
      "accepting a person",
      entry({ type: "ACCEPT_CONTACT", amount_ut: 0 }),
      "Accepted Anna as a contact",
      { direction: "out", amountUt: 1_000 },
    ],
    ["being accepted", entry({ type: "ACCEPT_CONTACT", amount_ut: 0, from: ANNA, to: ME }), "Anna accepted your request", undefined],
    ["being blocked", entry({ type: "BLOCK_CONTACT", amount_ut: 0, from: ANNA, to: ME }), "Anna blocked you", undefined],
    [
      "publishing keys",
      entry({ type: "REGISTER_KEY", to: "", amount_ut: 0 }),
      "Published your encryption key",
      { direction: "out", amountUt: 1_000 },
    ],
    [
      "a block reward",
      entry({ type: "BLOCK_REWARD", from: "", to: ME, fee_ut: 0 }),
      "Block reward",
      { direction: "in", amountUt: 5_000_000 },
    ],
    [
      "a kind of a later version",
      entry({ type: "SOMETHING_NEW" }),
      "Other transaction with Anna",
      { direction: "out", amountUt: 5_000_000 },
    ],
  ])("says what %s was and did", (_, given, sentence, change) => {
    const item = itemOfEntry(given, ME);
    expect(activitySentence(t, item, "Anna")).toBe(sentence);
    expect(balanceChange(item)).toEqual(change);
  });

  it("says in which block it is, or that it failed there", () => {
    expect(stateInWords(t, itemOfEntry(entry({}), ME).state)).toBe("In block 7 · final");
    expect(stateInWords(t, itemOfEntry(entry({ status: "failed" }), ME).state)).toBe("Failed in block 7");
  });
});

describe("the activity", () => {
  it("puts what is submitted on top until the history shows it", () => {
    const submitted = [pending("new", { kind: "submitted" }), pending("tx1", { kind: "inBlock", blockIndex: 7 })];
    const items = mergeActivity(submitted, [entry({})], ME);
    expect(items.map(({ id, state }) => [id, state.kind])).toEqual([
      ["new", "submitted"],
      ["tx1", "inBlock"],
    ]);
  });

  it("counts as on the way only what no block holds yet", () => {
    const states = [
      pending("a", { kind: "submitted" }),
      pending("b", { kind: "inBlock", blockIndex: 1 }),
      pending("c", { kind: "expired" }),
      pending("d", { kind: "failed", blockIndex: 1, reason: "" }),
    ];
    expect(onTheWayUt(states)).toBe(2_001_000);
    expect(onTheWayUt([pending("e", { kind: "submitted" }, ME)])).toBe(1_000);
  });

  it("moves nothing for what expired, and the fee for what failed", () => {
    const [expired, failed] = mergeActivity(
      [pending("a", { kind: "expired" }), pending("b", { kind: "failed", blockIndex: 1, reason: "" })],
      [],
      ME,
    );
    expect(expired && balanceChange(expired)).toBeUndefined();
    expect(failed && balanceChange(failed)).toEqual({ direction: "out", amountUt: 1_000 });
  });
});

describe("the filter", () => {
  const sent = itemOfEntry(entry({ id: "tx-sent" }), ME);
  const received = itemOfEntry(entry({ id: "tx-received", from: ANNA, to: ME }), ME);
  const linked = itemOfEntry(entry({ id: "tx-linked", type: "LINK_DEVICE", to: "", amount_ut: 0 }), ME);

  it("shows each entry under All and exactly one other kind", () => {
    for (const item of [sent, received, linked]) {
      expect(ACTIVITY_KINDS.filter((kind) => isOfKind(item, kind))).toHaveLength(2);
    }
    expect(isOfKind(sent, "sent")).toBe(true);
    expect(isOfKind(received, "received")).toBe(true);
    expect(isOfKind(linked, "other")).toBe(true);
  });

  it.each(["anna", "RENT", "tx-sent", "5 t", "payment", "pl1hwamh", "anna rent"])("finds an entry by %j", (query) => {
    expect(matchesText(sent, query, { label: "Rent May", peerName: "Anna", kindName: "Payment", amount: "12,5 T" })).toBe(true);
  });

  it("needs every word", () => {
    expect(matchesText(sent, "anna june", { label: "Rent May", peerName: "Anna", kindName: "Payment", amount: "12,5 T" })).toBe(false);
    expect(matchesText(sent, "", { label: undefined, peerName: undefined, kindName: "", amount: "" })).toBe(true);
  });
});
