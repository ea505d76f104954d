// Lines of payments to several people: fields in every form, what is wrong with a line, and whom a text means.
import { describe, expect, it } from "vitest";
import { type KnownPeople, markRows, usernamesOf } from "#renderer/features/wallet/batch/mark-rows.ts";
import { MAX_BATCH_CHARS, readRows, type TypedRow } from "#renderer/features/wallet/batch/read-rows.ts";
import { textOfFile } from "#renderer/features/wallet/batch/text-of-file.ts";
import { MAX_BATCH_ROWS } from "#renderer/lib/transactions/sending/batch-store.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { actor, alice, bob, carol } from "#test/support/worlds/ledger-world.ts";

function rowsOf(text: string, locale = "en"): readonly TypedRow[] {
  const typed = readRows(text, locale);
  if (typed.kind === "tooLong") throw new Error("too long");
  return typed.rows;
}

const short = (text: string, locale = "en"): unknown =>
  rowsOf(text, locale).map(({ recipient, amount, memo, problem }) => [
    recipient,
    amount.kind === "ok" ? amount.amountUt : amount.kind,
    memo,
    ...(problem === undefined ? [] : [problem]),
  ]);

describe("the lines of a batch", () => {
  it.each([
    ["@anna; 1.5; Rent", "en", [["@anna", 1_500_000, "Rent"]]],
    ["@anna;1,5;Miete", "de", [["@anna", 1_500_000, "Miete"]]],
    ["@anna\t1,5\tMiete; warm", "de", [["@anna", 1_500_000, "Miete; warm"]]],
    ["@anna, 2, for May", "en", [["@anna", 2_000_000, "for May"]]],
    [
      "@anna;3\r\n\r\nbob ; 4 T ;\r\n",
      "en",
      [
        ["@anna", 3_000_000, ""],
        ["bob", 4_000_000, ""],
      ],
    ],
    ['"Anna; B.";5;"said ""hi""\nand left"', "en", [["Anna; B.", 5_000_000, 'said "hi"\nand left']]],
    ["Name;Amount;Memo\n@anna;6;", "en", [["@anna", 6_000_000, ""]]],
    ["An;Betrag (T)\n@anna;6", "de", [["@anna", 6_000_000, ""]]],
    [
      "Anna;five\n@bob;2",
      "en",
      [
        ["Anna", "malformed", ""],
        ["@bob", 2_000_000, ""],
      ],
    ],
    [
      "@anna;0;\n@anna;x1;\n@anna;1.2345678;",
      "en",
      [
        ["@anna", "zero", ""],
        ["@anna", "malformed", ""],
        ["@anna", "decimals", ""],
      ],
    ],
    ["@anna", "en", [["@anna", "empty", "", "noAmount"]]],
    ["@anna,1,5", "de", [["@anna", 1_000_000, "5", "commas"]]],
    ["@anna,1,5,Miete", "de", [["@anna", 1_000_000, "5", "commas"]]],
    ["@anna,1,000.50", "en", [["@anna", 1_000_000, "000.50", "commas"]]],
    ["@anna,1.000,50", "de", [["@anna", "ambiguous", "50", "commas"]]],
    ["@anna,1,5 T", "de", [["@anna", 1_000_000, "5 T", "commas"]]],
    ["@anna,1 T,2026", "en", [["@anna", 1_000_000, "2026"]]],
    [
      "@a;five\n@bob;2",
      "en",
      [
        ["@a", "malformed", ""],
        ["@bob", 2_000_000, ""],
      ],
    ],
    [
      "Anna;;Rent\n@bob;2",
      "en",
      [
        ["Anna", "empty", "Rent", "noAmount"],
        ["@bob", 2_000_000, ""],
      ],
    ],
    ["@anna;1;a;b", "en", [["@anna", 1_000_000, "a", "tooManyFields"]]],
    [`@anna;1;${"ä".repeat(129)}`, "en", [["@anna", 1_000_000, "ä".repeat(129), "memoTooLong"]]],
    ["", "en", []],
    ["\n ;\n", "en", []],
  ] as const)("%j in %s", (text, locale, expected) => {
    expect(short(text, locale)).toEqual(expected);
  });

  it("are numbered as they stand, over line breaks in quotes and empty lines", () => {
    expect(rowsOf('@a;1;"x\ny"\n\n@b;2').map(({ line }) => line)).toEqual([1, 4]);
  });

  it("are a hundred at most, in a text of bounded length, and nothing of a longer one is used", () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, n) => `@anna;${n + 1}`).join("\n");
    expect(rowsOf(lines(MAX_BATCH_ROWS))).toHaveLength(100);
    expect(readRows(lines(MAX_BATCH_ROWS + 1), "en")).toEqual({ kind: "tooLong" });
    expect(readRows("x".repeat(MAX_BATCH_CHARS + 1), "en")).toEqual({ kind: "tooLong" });
    expect(rowsOf('"'.repeat(MAX_BATCH_CHARS)).length).toBeLessThanOrEqual(MAX_BATCH_ROWS);
  });
});

describe("the file of a batch", () => {
  it.each([
    ["UTF-8 with its mark", [0xef, 0xbb, 0xbf, 0x4d, 0xc3, 0xbc]],
    ["Windows-1252, as spreadsheets save it", [0x4d, 0xfc]],
    ["UTF-16", [0xff, 0xfe, 0x4d, 0x00, 0xfc, 0x00]],
  ])("is read as %s", (_, bytes) => {
    expect(textOfFile(Uint8Array.from(bytes))).toBe("Mü");
  });
});

describe("the recipients of a batch", () => {
  const people: KnownPeople = {
    account: alice.pub,
    paid: { people: [{ publicKey: bob.pub, lastPaidAt: "2026-01-01T00:00:00Z", count: 2 }], entriesRead: 2 },
    contacts: new Map([
      [carol.pub, "Carol"],
      [actor(20).pub, "Sam"],
      [actor(21).pub, "Ѕam"],
    ]),
    owners: new Map<string, string | null | "failed">([
      ["anna", actor(30).pub],
      ["none", null],
      ["away", "failed"],
    ]),
  };
  const marked = (text: string): unknown =>
    markRows(rowsOf(text), people).map(({ to, mark, repeats, isSelf, isFirst }) => ({
      ...{ to, mark },
      ...(repeats > 0 && { repeats }),
      ...(isSelf && { isSelf }),
      ...(isFirst && { isFirst }),
    }));

  it.each([
    [formatAddress(bob.pub), { to: bob.pub, mark: undefined }],
    [bob.pub.toUpperCase(), { to: bob.pub, mark: undefined }],
    ["carol", { to: carol.pub, mark: undefined, isFirst: true }],
    ["@anna", { to: actor(30).pub, mark: undefined, isFirst: true }],
    [formatAddress(alice.pub), { to: alice.pub, mark: undefined, isSelf: true }],
    ["@none", { to: undefined, mark: "unknownName" }],
    ["@away", { to: undefined, mark: "unreachable" }],
    ["@other", { to: undefined, mark: "looking" }],
    ["Sam", { to: undefined, mark: "ambiguousName" }],
    ["Саrоl", { to: undefined, mark: "unknownName" }],
    ["Car", { to: undefined, mark: "unknownName" }],
    [`${formatAddress(bob.pub).slice(0, -1)}q`, { to: undefined, mark: "badAddress" }],
  ])("%s", (recipient, expected) => {
    expect(marked(`${recipient};1`)).toEqual([expected]);
  });

  it("that come again are marked, and so is what cannot be paid", () => {
    expect(marked(`${bob.pub};1\n${formatAddress(bob.pub)};0\n${bob.pub};2`)).toEqual([
      { to: bob.pub, mark: undefined },
      { to: bob.pub, mark: "amount", repeats: 1 },
      { to: bob.pub, mark: undefined, repeats: 2 },
    ]);
  });

  it("are looked up once for each @name", () => {
    expect(usernamesOf(rowsOf("@anna;1\n@Anna;2\nbob;3\n@other;4"))).toEqual(["anna", "other"]);
  });
});
