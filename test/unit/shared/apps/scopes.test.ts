import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireAppName } from "#shared/apps/scopes/app-name.ts";
import { fixRecipients, requireNarrower } from "#shared/apps/scopes/narrow-scopes.ts";
import { formatScopes, parseScopes, type ScopeInput } from "#shared/apps/scopes/parse-scopes.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

const keyOf = (seed: number): string => toHex(ed25519PublicKey(new Uint8Array(32).fill(seed)));
const BOB = keyOf(1);
const EVE = keyOf(2);
const CONTRACT = "00112233445566aa";
const normal = (...inputs: readonly ScopeInput[]): readonly string[] => formatScopes(parseScopes(inputs));

describe("scopes", () => {
  it.each<readonly [ScopeInput, string]>([
    ["read", "read"],
    ["wallet", "wallet"],
    ["wallet:labels=yes", "wallet:labels=yes"],
    ["wallet:labels=no", "wallet"],
    ["submit", "submit"],
    ["invoices", "invoices"],
    ["contacts.read", "contacts.read"],
    ["messages.read", "messages.read:in=chosen"],
    ["messages.send:to=replies,rate=20/day", "messages.send:to=replies,rate=20/day"],
    ["pay:to=@Bobby|@bobby,total=10.50T/day,each=2 T", "pay:each=2T,total=10.5T/day,to=@bobby,ask=over"],
    [
      `pay:each=0.001,total=1T/month,to=${BOB.toUpperCase()},ask=never`,
      `pay:each=0.001T,total=1T/month,to=${formatAddress(BOB)},ask=never`,
    ],
    ["pay:each=1T,total=1T/hour,to=any,ask=always", "pay:each=1T,total=1T/hour,to=any,ask=always"],
    [{ name: "pay", each: "2T", total: "10T/week", to: ["@carol", "@anna"] }, "pay:each=2T,total=10T/week,to=@anna|@carol,ask=over"],
    [
      `call:contract=${CONTRACT.toUpperCase()},methods=mint|burn,each=1T,total=3T/week`,
      `call:contract=${CONTRACT},methods=burn|mint,each=1T,total=3T/week,ask=over`,
    ],
  ])("reads %j", (input, expected) => {
    expect(normal(input)).toEqual([expected]);
    expect(normal(expected)).toEqual([expected]);
  });

  it.each<readonly [ScopeInput]>([
    [""],
    ["all"],
    ["Read"],
    ["read:x=1"],
    ["read:"],
    ["devices"],
    ["keys"],
    ["settings"],
    ["pay"],
    ["pay:each=2T"],
    ["pay:each=2T,total=10T/day"],
    ["pay:each=2T,total=10T,to=any"],
    ["pay:each=2T,total=10T/year,to=any"],
    ["pay:each=2T,total=10T/toString,to=any"],
    ["pay:each=20T,total=10T/day,to=any"],
    ["pay:each=0T,total=10T/day,to=any"],
    ["pay:each=-1T,total=10T/day,to=any"],
    ["pay:each=1e3T,total=10T/day,to=any"],
    ["pay:each=9999999999999T,total=10T/day,to=any"],
    ["pay:each=2T,each=2T,total=10T/day,to=any"],
    ["pay:each=2T,total=10T/day,to="],
    ["pay:each=2T,total=10T/day,to=any|@bobby"],
    ["pay:each=2T,total=10T/day,to=@b"],
    ["pay:each=2T,total=10T/day,to=pl1nonsense"],
    [`pay:each=2T,total=10T/day,to=${"00".repeat(32)}`],
    ["pay:each=2T,total=10T/day,to=any,ask=sometimes"],
    ["call:contract=12,methods=a,each=1T,total=1T/day"],
    [`call:contract=${CONTRACT},methods=,each=1T,total=1T/day`],
    [`call:contract=${CONTRACT},methods=a b,each=1T,total=1T/day`],
    ["messages.send:to=anyone,rate=5/day"],
    ["messages.send:to=replies,rate=501/day"],
    ["messages.send:to=replies,rate=0/day"],
    ["messages.read:in=all"],
    [{ name: "pay", each: "2T", total: "10T/day", to: ["any|@bobby"] }],
    [{ name: "read:x", labels: "yes" }],
    [{ name: "wallet", labels: "yes,x=1" }],
    [{ labels: "yes" }],
  ])("refuses %j", (input) => {
    expect(() => parseScopes([input])).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });

  it("refuses none, too many, and one twice, but takes one for each contract", () => {
    const call = (contract: string): string => `call:contract=${contract},methods=a,each=1T,total=1T/day`;
    for (const inputs of [[], Array<string>(17).fill("read"), ["read", "read"], [call(CONTRACT), call(CONTRACT)]])
      expect(() => parseScopes(inputs)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
    expect(parseScopes([call(CONTRACT), call("ff".repeat(8))])).toHaveLength(2);
  });

  it("asks always where messages are read beside what spends", () => {
    const scopes = [
      "messages.read",
      "pay:each=1T,total=2T/day,to=any,ask=never",
      `call:contract=${CONTRACT},methods=a,each=1T,total=1T/day`,
    ];
    expect(normal(...scopes)).toEqual([
      "pay:each=1T,total=2T/day,to=any,ask=always",
      `call:contract=${CONTRACT},methods=a,each=1T,total=1T/day,ask=always`,
      "messages.read:in=chosen",
    ]);
  });

  it("throws nothing but coded errors, and what it reads is a fixed point", () => {
    const piece = fc.constantFrom(
      "pay",
      "call",
      "wallet",
      ":",
      "each",
      "total",
      "to",
      "=",
      ",",
      "1T",
      "/day",
      "any",
      "@bobby",
      "|",
      "ask",
      "x",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        let texts: readonly string[];
        try {
          texts = normal(pieces.join(""));
        } catch (error) {
          expect(error).toMatchObject({ code: "BAD_REQUEST" });
          return;
        }
        expect(normal(...texts)).toEqual(texts);
      }),
    );
  });
});

describe("granting", () => {
  const asked = parseScopes(["wallet", "messages.send:to=replies,rate=50/day", "pay:each=2T,total=10T/day,to=@bobby|@evelyn,ask=over"]);

  it("puts keys in place of names, and refuses unknown ones", () => {
    const fixed = fixRecipients(asked, [
      { name: "@bobby", key: BOB },
      { name: "@evelyn", key: EVE },
    ]);
    expect(formatScopes(fixed)[1]).toContain(`to=${[BOB, EVE].toSorted().map(formatAddress).join("|")}`);
    expect(formatScopes(parseScopes(formatScopes(fixed)))).toEqual(formatScopes(fixed));
    expect(() => fixRecipients(asked, [{ name: "@bobby", key: BOB }])).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });

  it.each([
    ["wallet"],
    ["pay:each=1T,total=10T/day,to=@bobby,ask=over"],
    ["pay:each=2T,total=9T/day,to=@bobby|@evelyn,ask=always"],
    ["pay:each=2T,total=10T/day,to=@evelyn,ask=never"],
    ["messages.send:to=replies,rate=1/day"],
  ])("narrows to %s", (scope) => {
    expect(() => requireNarrower(parseScopes([scope]), asked)).not.toThrow();
  });

  it.each([
    ["read"],
    ["wallet:labels=yes"],
    ["pay:each=2.000001T,total=10T/day,to=@bobby"],
    ["pay:each=2T,total=11T/day,to=@bobby"],
    ["pay:each=2T,total=10T/hour,to=@bobby"],
    ["pay:each=2T,total=9T/week,to=@bobby"],
    ["pay:each=2T,total=10T/day,to=@carol"],
    ["pay:each=2T,total=10T/day,to=any"],
    ["messages.send:to=chosen,rate=1/day"],
    ["messages.send:to=replies,rate=51/day"],
    ["messages.read"],
    [`call:contract=${CONTRACT},methods=a,each=1T,total=1T/day`],
  ])("refuses %s as wider", (scope) => {
    expect(() => requireNarrower(parseScopes([scope]), asked)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });

  it("does not let a question be taken away", () => {
    const always = parseScopes(["pay:each=2T,total=10T/day,to=any,ask=always"]);
    for (const ask of ["over", "never"])
      expect(() => requireNarrower(parseScopes([`pay:each=2T,total=10T/day,to=any,ask=${ask}`]), always)).toThrow();
  });
});

describe("names of programs", () => {
  it.each(["Till", "Echo bot 2", "Kasse", "会計 app", "x".repeat(32)])("takes %s", (name) => {
    expect(requireAppName(name, ["Other"])).toBe(name);
  });

  it.each([
    "",
    "   ",
    " Till",
    "Till ",
    "Ti  ll",
    "...",
    "x".repeat(33),
    "Till\u202e",
    "Ti\u200bll",
    "T\u00a0ill",
    "Ti\nll",
    "Tіll",
    "Parley",
    "PARLEY",
    "Pаrley",
    "Parley Wallet",
    "The Par1ey",
    "P a r l e y",
    "echo bot",
    "Echo b0t",
    "Echobot",
  ])("refuses %j beside Echo bot", (name) => {
    expect(() => requireAppName(name, ["Echo bot"])).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});
