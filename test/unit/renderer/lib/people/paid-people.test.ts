import { describe, expect, it } from "vitest";
import { NOBODY_PAID, paidIn, readPaidPeople } from "#renderer/lib/people/paid-people.ts";
import { checkRecipient, isPlain } from "#renderer/lib/people/use-recipient-check.ts";
import type { AddressDetail, TransactionEntry } from "#shared/api/schemas/chain.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

const ME = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const ANNA = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const BORIS = "ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1";
const IMITATION_OF_ME = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";

function entry(number: number, changes: Partial<TransactionEntry> = {}): TransactionEntry {
  return {
    id: `tx${number}`,
    type: "TRANSFER",
    from: ME,
    from_addr: "",
    to: ANNA,
    to_addr: "",
    amount_ut: 5,
    amount: "",
    fee_ut: 1_000,
    gas_fee_ut: 0,
    fee: "",
    time: `2026-01-01T00:00:${String(number % 60).padStart(2, "0")}Z`,
    block_index: number,
    block_hash: "",
    status: "ok",
    ...changes,
  };
}

/** A node with a history, newest first, that counts its responses. */
function nodeWith(history: readonly TransactionEntry[]): {
  readonly getAddress: (input: { limit?: number; offset?: number }) => Promise<AddressDetail>;
  calls: number;
} {
  const node = {
    calls: 0,
    getAddress: ({ limit = 50, offset = 0 }: { limit?: number; offset?: number }): Promise<AddressDetail> => {
      node.calls += 1;
      const transactions = history.slice(offset, offset + limit);
      const next_offset = offset + transactions.length;
      const counts = { tx_count: history.length, offset, limit, next_offset, has_more: next_offset < history.length };
      return Promise.resolve({ address: "", pub_key: ME, balance_ut: 0, balance: "", ...counts, transactions });
    },
  };
  return node;
}

describe("whom an account has paid", () => {
  it("counts payments that one made oneself; a contact request makes a person known, and counts as no payment", () => {
    const people = paidIn([entry(3), entry(2, { type: "CONTACT_REQUEST", to: BORIS }), entry(1)], ME);
    expect(people).toEqual([
      { publicKey: ANNA, lastPaidAt: entry(3).time, count: 2 },
      { publicKey: BORIS, lastPaidAt: entry(2).time, count: 0 },
    ]);
  });

  it.each([
    ["received", entry(1, { from: ANNA, to: ME })],
    ["failed", entry(1, { status: "failed" })],
    ["paid to oneself", entry(1, { to: ME })],
    ["accepting a contact", entry(1, { type: "ACCEPT_CONTACT" })],
  ])("does not count what was %s", (_, ignored) => {
    expect(paidIn([ignored], ME)).toEqual([]);
  });

  it("reads every page of a long history", async () => {
    const history = Array.from({ length: 2_500 }, (_, index) => entry(2_500 - index, index === 2_499 ? { to: BORIS } : {}));
    const node = nodeWith(history);
    const paid = await readPaidPeople(node, ME, NOBODY_PAID, {});
    expect(node.calls).toBe(3);
    expect(paid.entriesRead).toBe(2_500);
    expect(paid.people.map(({ publicKey, count }) => [publicKey, count])).toEqual([
      [ANNA, 2_499],
      [BORIS, 1],
    ]);
  });

  it("reads only what is new the next time, and counts nothing twice", async () => {
    const old = Array.from({ length: 2_500 }, (_, index) => entry(2_500 - index));
    const before = await readPaidPeople(nodeWith(old), ME, NOBODY_PAID, {});
    const node = nodeWith([entry(2_501, { to: BORIS }), ...old]);
    const after = await readPaidPeople(node, ME, before, {});
    expect(node.calls).toBe(1);
    expect(after.people.map(({ publicKey, count }) => [publicKey, count])).toEqual([
      [BORIS, 1],
      [ANNA, 2_500],
    ]);
  });

  it("starts over when the history is shorter than before, as on a new network", async () => {
    const before = await readPaidPeople(nodeWith([entry(2), entry(1)]), ME, NOBODY_PAID, {});
    const after = await readPaidPeople(nodeWith([entry(1, { to: BORIS })]), ME, before, {});
    expect(after.people.map(({ publicKey }) => publicKey)).toEqual([BORIS]);
  });

  it("takes an account that the chain has never seen for one that has paid no one", async () => {
    const getAddress = (): Promise<never> => Promise.reject(new CodedError("NOT_FOUND", "unknown"));
    expect(await readPaidPeople({ getAddress }, ME, NOBODY_PAID, {})).toEqual(NOBODY_PAID);
  });

  it("fails when the history cannot be read, so that no recipient counts as checked", async () => {
    const getAddress = (): Promise<never> => Promise.reject(new CodedError("UNAVAILABLE", "gone"));
    await expect(readPaidPeople({ getAddress }, ME, NOBODY_PAID, {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("the check of a recipient", () => {
  const paid = { people: [{ publicKey: ME, lastPaidAt: "", count: 3 }], entriesRead: 3 };

  it("knows who was paid before", () => {
    expect(checkRecipient(ME, paid, [])).toEqual({ kind: "paidBefore", paid: paid.people[0] });
  });

  it("marks the first payment", () => {
    expect(checkRecipient(ANNA, paid, [])).toEqual({ kind: "firstTime", lookAlike: undefined });
  });

  it("marks the first payment to a person who only got a contact request, and still stops at their imitation", () => {
    const asked = { people: [{ publicKey: ME, lastPaidAt: "", count: 0 }], entriesRead: 1 };
    expect(checkRecipient(ME, asked, [])).toEqual({ kind: "firstTime", lookAlike: undefined });
    expect(checkRecipient(IMITATION_OF_ME, asked, [])).toMatchObject({ lookAlike: { known: ME } });
  });

  it("stops at an imitation of a paid person, even when it is a contact", () => {
    const stopped = { kind: "firstTime", lookAlike: { known: ME, candidate: IMITATION_OF_ME } };
    expect(checkRecipient(IMITATION_OF_ME, paid, [])).toEqual(stopped);
    expect(checkRecipient(IMITATION_OF_ME, paid, [IMITATION_OF_ME])).toEqual(stopped);
  });

  it("stops at an imitation of a contact", () => {
    const noPayments = { people: [], entriesRead: 0 };
    expect(checkRecipient(IMITATION_OF_ME, noPayments, [ME])).toMatchObject({ lookAlike: { known: ME } });
  });

  it("leaves nothing to look at for those who were paid before and for contacts, unless they look like another", () => {
    expect(isPlain(checkRecipient(ME, paid, []), false)).toBe(true);
    expect(isPlain(checkRecipient(ANNA, paid, [ANNA]), true)).toBe(true);
    expect(isPlain(checkRecipient(ANNA, paid, []), false)).toBe(false);
    expect(isPlain(checkRecipient(IMITATION_OF_ME, paid, [IMITATION_OF_ME]), true)).toBe(false);
    for (const kind of ["none", "checking", "self"] as const) expect(isPlain({ kind }, true)).toBe(false);
  });
});
