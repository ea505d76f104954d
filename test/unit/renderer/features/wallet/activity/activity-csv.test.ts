import { describe, expect, it } from "vitest";
import type { ActivityItem } from "#renderer/features/wallet/activity/activity-item.ts";
import { activityCsv } from "#renderer/features/wallet/activity/csv/activity-csv.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { textCell } from "#shared/text/csv.ts";

const t = createTranslate("en", en);
const PEER = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";

const payment: ActivityItem = {
  id: "tx1",
  kind: "transfer",
  direction: "out",
  peer: PEER,
  amountUt: 12_500_000,
  feeUt: 1_000,
  timeMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  state: { kind: "inBlock", blockIndex: 42 },
};

describe("the CSV of the history", () => {
  it("has a mark for the encoding, a heading, and one line an entry with plain numbers", () => {
    const lines = activityCsv(t, [payment, { ...payment, id: "tx2", direction: "in", feeUt: 0 }], () => ({
      label: "Lunch",
      peerName: "Anna",
      memo: "Thanks",
    }));
    const [head, first, second, end] = lines.split("\r\n");
    expect(head).toBe(
      '\uFEFF"Time (UTC)","Kind","Other address","Other name","Amount (T)","Fee (T)","State","Block","Transaction","Memo","Label"',
    );
    expect(first).toBe(
      `"2026-01-02T03:04:05.000Z","Payment","${formatAddress(PEER)}","Anna",-12.5,0.001,"final",42,"tx1","Thanks","Lunch"`,
    );
    expect(second).toContain('"Anna",12.5,0,"final"');
    expect(end).toBe("");
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\uff1d1+1", "\u00a0@x", "|x"])(
    "lets no text become a formula: %j",
    (text) => {
      expect(textCell(text)).toBe(`"'${text}"`);
      expect(activityCsv(t, [payment], () => ({ label: text, peerName: text, memo: text }))).not.toContain(`,"${text}`);
    },
  );

  it("keeps quotes, commas and line breaks inside their cell", () => {
    expect(textCell('say "hi", twice\nplease')).toBe('"say ""hi"", twice\nplease"');
  });
});
