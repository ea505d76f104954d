import { describe, expect, it } from "vitest";
import { formatContactLink, parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const ADDRESS = formatAddress(KEY);

describe("what a recipient field holds", () => {
  it.each([
    ["an address", ADDRESS],
    ["an address in capitals, as scanners give it", ADDRESS.toUpperCase()],
    ["an address in groups with a line break", `${ADDRESS.slice(0, 20)} ${ADDRESS.slice(20, 40)}\n${ADDRESS.slice(40)}`],
    ["a hex key", KEY],
    ["the link of a contact", `parley:contact?id=${ADDRESS}`],
    ["the link of a contact, as scanners give it", `PARLEY://CONTACT?id=${ADDRESS.toUpperCase()}`],
    ["a hex key in capitals", `  ${KEY.toUpperCase()} `],
  ])("takes %s", (_, text) => {
    expect(parseRecipient(text)).toEqual({ kind: "account", request: { to: KEY } });
  });

  it("takes the link that others are invited with, which holds the address and nothing else", () => {
    expect(formatContactLink(KEY)).toBe(`parley:contact?id=${ADDRESS}`);
    expect(parseRecipient(formatContactLink(KEY))).toEqual({ kind: "account", request: { to: KEY } });
  });

  it("takes a payment link with its amount and memo", () => {
    const link = `parley:pay?to=${ADDRESS}&amount=1.5&memo=Rent`;
    expect(parseRecipient(link)).toEqual({ kind: "account", request: { to: KEY, amountUt: 1_500_000, memo: "Rent" } });
  });

  it.each([
    ["a mistyped character", ADDRESS.replace(/.$/, (last) => (last === "q" ? "p" : "q")), "checksum"],
    ["a missing character", ADDRESS.slice(0, -1), "checksum"],
    ["a key of small order", "00".repeat(32), "unusable"],
    ["a link without a recipient", "parley:pay?amount=5", "badLink"],
    ["a contact's link without an address", "parley:contact?id=", "badLink"],
    ["a contact's link with two addresses", `parley:contact?id=${ADDRESS}&id=${ADDRESS}`, "badLink"],
    ["a contact's link with a key of small order", `parley:contact?id=${"00".repeat(32)}`, "unusable"],
    ["a link with a wrong amount", `parley:pay?to=${ADDRESS}&amount=1,5`, "badLink"],
  ] as const)("names the problem of %s", (_, text, kind) => {
    expect(parseRecipient(text)).toEqual({ kind });
  });

  it.each(["", "Anna", "pl1", "@anna"])("takes %j for a name to look for", (text) => {
    expect(parseRecipient(text)).toEqual({ kind: "search", text });
  });
});
