// Statements: periods of the person's own time zone, sums that fit the balance, and nothing of a history that is not complete.
import { describe, expect, it } from "vitest";
import { makeStatement, type Statement, type WholeHistory } from "#renderer/features/wallet/activity/statement/make-statement.ts";
import { customPeriod, dayText, periodOf } from "#renderer/features/wallet/activity/statement/period.ts";
import { readWholeHistory } from "#renderer/features/wallet/activity/statement/read-history.ts";
import { statementCsv } from "#renderer/features/wallet/activity/statement/statement-csv.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { Output } from "#shared/api/api.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";

const ME = "aa".repeat(32);
const YOU = "bb".repeat(32);
const at = (month: number, day: number): number => new Date(2026, month - 1, day, 12).getTime();

function entry(timeMs: number, fields: Partial<TransactionEntry>): TransactionEntry {
  const block = Math.floor(timeMs / 1_000);
  return {
    ...{ id: `tx${block}`, type: "TRANSFER", from: YOU, from_addr: "", to: ME, to_addr: "", amount_ut: 0, amount: "", fee_ut: 10, fee: "" },
    ...{ time: new Date(timeMs).toISOString(), block_index: block, block_hash: "", status: "ok" },
    ...fields,
  } as TransactionEntry;
}

const came = (timeMs: number, amountUt: number): TransactionEntry => entry(timeMs, { amount_ut: amountUt });
const went = (timeMs: number, amountUt: number, fields: Partial<TransactionEntry> = {}): TransactionEntry =>
  entry(timeMs, { from: ME, to: YOU, amount_ut: amountUt, ...fields });

const MARCH = { fromMs: new Date(2026, 2, 1).getTime(), toMs: new Date(2026, 3, 1).getTime() };
const ENTRIES = [
  came(at(1, 5), 1_000),
  went(at(2, 28), 100),
  came(MARCH.fromMs, 500),
  went(at(3, 10), 200),
  went(at(3, 11), 300, { status: "failed" }),
  went(at(3, 12), 40, { to: ME }),
  went(at(3, 13), 50, { to: "", type: "CALL_CONTRACT" }),
  went(MARCH.toMs, 7),
];
/** 1000 − 110 + 500 − 210 − 10 − 10 − 60 − 17. */
const BALANCE = 1_083;

function statementOf(changes: Partial<WholeHistory> = {}): Statement {
  const made = makeStatement(
    { account: ME, balanceUt: BALANCE, entries: ENTRIES.toReversed(), missingBelow: undefined, ...changes },
    MARCH,
  );
  if (!("lines" in made)) throw new Error("incomplete");
  return made;
}

describe("a statement", () => {
  it("begins and ends with the balances of its period, whose entries add up between them", () => {
    const { lines, ...sums } = statementOf();
    expect(sums).toEqual({
      ...{
        account: ME,
        period: MARCH,
        openingUt: 890,
        closingUt: 1_100,
        receivedUt: 500,
        sentUt: 250,
        feesUt: 40,
        otherUt: 0,
        unlistedUt: 0,
      },
    });
    expect(lines.map(({ movedUt, feeUt }) => [movedUt, feeUt])).toEqual([
      [500, 0],
      [-200, 10],
      [0, 10],
      [0, 10],
      [-50, 10],
    ]);
    expect(sums.openingUt + sums.receivedUt - sums.sentUt - sums.feesUt).toBe(sums.closingUt);
  });

  it("says what no entry names, and counts it before the period", () => {
    expect(statementOf({ balanceUt: BALANCE + 77 })).toMatchObject({ openingUt: 967, closingUt: 1_177, otherUt: 0, unlistedUt: 77 });
  });

  it("has no balance below 0: what cannot be older moved in the period", () => {
    const { openingUt, closingUt, otherUt, unlistedUt, lines } = statementOf({ balanceUt: BALANCE - 900 });
    expect({ openingUt, closingUt, otherUt, unlistedUt }).toEqual({ openingUt: 0, closingUt: 200, otherUt: -10, unlistedUt: -900 });
    const t = createTranslate("en", en);
    const words = { name: "", memo: "", label: "" };
    const text = statementCsv(t, statementOf({ balanceUt: BALANCE - 900 }), () => words);
    expect(text.trimEnd().split("\r\n")).toHaveLength(lines.length + 4);
    expect(text).toContain('"Other movements",,,-0.00001,,0.0002,');
  });

  it("is made of a node without older blocks only where its period is whole", () => {
    const since = (count: number): WholeHistory => ({ account: ME, balanceUt: BALANCE, entries: ENTRIES.slice(count), missingBelow: 9 });
    expect(makeStatement(since(1), MARCH)).toMatchObject({ openingUt: 890, closingUt: 1_100, unlistedUt: undefined });
    for (const count of [2, 3, 8]) expect(makeStatement(since(count), MARCH)).toEqual({ missingBelow: 9 });
  });

  it("as CSV has the balance after each entry, and texts that no spreadsheet runs", () => {
    const t = createTranslate("en", en);
    const words = { name: '=Anna "A"', memo: "Miete für Mai\nund mehr", label: "名前" };
    const lines = statementCsv(t, statementOf(), () => words)
      .trimEnd()
      .split("\r\n");
    expect(lines).toHaveLength(8);
    expect(lines[0]).toMatch(/^\uFEFF"Time \(UTC\)"/);
    expect(lines[1]).toContain('"Opening balance"');
    const balances = lines.slice(1).map((line) => line.split(",")[6]);
    expect(balances).toEqual(["0.00089", "0.00139", "0.00118", "0.00117", "0.00116", "0.0011", "0.0011"]);
    expect(lines[2]).toContain(`"'=Anna ""A""","pl1`);
  });
});

describe("periods", () => {
  const now = new Date(2026, 0, 31, 23, 59).getTime();
  it.each([
    ["thisMonth", "2026-01-01", "2026-02-01"],
    ["lastMonth", "2025-12-01", "2026-01-01"],
    ["thisQuarter", "2026-01-01", "2026-04-01"],
    ["lastQuarter", "2025-10-01", "2026-01-01"],
    ["thisYear", "2026-01-01", "2027-01-01"],
    ["lastYear", "2025-01-01", "2026-01-01"],
  ] as const)("%s", (kind, from, to) => {
    const { fromMs, toMs } = periodOf(kind, now);
    expect([dayText(fromMs), dayText(toMs)]).toEqual([from, to]);
  });

  it("of chosen days hold both of them, and are none in another order", () => {
    expect(customPeriod("2026-03-01", "2026-03-31")).toEqual(MARCH);
    expect(customPeriod("2026-03-01", "2026-03-01")?.toMs).toBe(new Date(2026, 2, 2).getTime());
    for (const [from, to] of [
      ["2026-03-02", "2026-03-01"],
      ["2026-02-30", "2026-03-01"],
      ["", "2026-03-01"],
      ["2026-03-01", "x"],
    ] as const)
      expect(customPeriod(from, to)).toBeUndefined();
  });
});

describe("reading a history", () => {
  it("begins again when entries come meanwhile, and gives up an account that never rests", async () => {
    const client = (counts: readonly number[]): Parameters<typeof readWholeHistory>[0] => {
      let calls = 0;
      return {
        getAddress: async ({ offset = 0 }): Promise<Output<"getAddress">> => {
          const count = counts[Math.min(calls, counts.length - 1)] ?? 0;
          calls += 1;
          const transactions = Array.from({ length: Math.min(1_000, count - offset) }, (_, n) => came(1_000 * (count - offset - n), 1));
          return {
            tx_count: count,
            has_more: offset + transactions.length < count,
            transactions,
            balance_ut: count,
          } as unknown as Output<"getAddress">;
        },
      };
    };
    const history = await readWholeHistory(client([1_500, 1_501, 1_501]), ME);
    expect([history.entries.length, history.balanceUt]).toEqual([1_501, 1_501]);
    await expect(readWholeHistory(client([1_500, 1_501, 1_502, 1_503, 1_504, 1_505]), ME)).rejects.toMatchObject({ code: "BUSY" });
  });
});
