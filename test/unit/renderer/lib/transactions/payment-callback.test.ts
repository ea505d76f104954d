// Callbacks of payment links, those of attackers first.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callbackAddress, callbackHost, parseCallback } from "#renderer/lib/transactions/payment-callback.ts";
import { parsePaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { extent } from "#test/support/host/test-extent.ts";

const KEY = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const ID = `tx1${"0a".repeat(40)}`;
const linkWith = (callback: string): string => `parley:pay?${new URLSearchParams({ to: formatAddress(KEY), amount: "1", callback })}`;

describe("a callback", () => {
  it.each([
    ["https://shop.example/paid", `https://shop.example/paid?tx=${ID}`],
    ["https://shop.example", `https://shop.example/?tx=${ID}`],
    ["https://shop.example/paid?order=7&x=%20", `https://shop.example/paid?order=7&x=%20&tx=${ID}`],
    ["https://shop.example:8443/?", `https://shop.example:8443/?tx=${ID}`],
    ["https://shop.example/app#/orders/7", `https://shop.example/app?tx=${ID}#/orders/7`],
  ])("%s gets the id of the transaction alone", (callback, address) => {
    const parsed = parsePaymentLink(linkWith(callback))?.callback ?? "";
    expect(callbackAddress(parsed, ID)).toBe(address);
  });

  it.each([
    ["a script", "javascript:alert(1)//https://shop.example"],
    ["a script in other letters", "JaVaScRiPt:alert(1)"],
    ["data", "data:text/html,<script>alert(1)</script>"],
    ["a file", "file:///etc/passwd"],
    ["no TLS", "http://shop.example/paid"],
    ["no scheme", "//shop.example/paid"],
    ["a path", "/wallet/send?to=x"],
    ["the interface itself", "app://parley/wallet/send"],
    ["another link of Parley", `parley:pay?to=${KEY}`],
    ["a WebSocket", "wss://shop.example"],
    ["a blob", "blob:https://shop.example/1"],
    ["a name before the host", "https://shop.example@evil.example/"],
    ["a name and a password", "https://user:secret@shop.example/"],
    ["a host after a backslash", "https://shop.example\\@evil.example/"],
    ["a tab in the host", "https://shop.example\t.evil.example/"],
    ["a new line in the host", "https://shop.example\n.evil.example/"],
    ["blanks before it", "  https://shop.example"],
    ["a character that cannot be seen", "https://shop\u200b.example/"],
    ["text that turns around", "https://shop.example/\u202egnp.exe"],
    ["letters of another script", "https://shор.example/"],
    ["a dot of another script", "https://shop。example/"],
    ["slashes of another script", "https://shop.example⁄@evil.example/"],
    ["an id of its own", "https://shop.example/paid?tx=tx1other"],
    ["an id in other letters", "https://shop.example/paid?%74x=tx1other"],
    ["no host", "https:///paid"],
    ["a host that is none", "https://[::1"],
    ["endless text", `https://shop.example/${"x".repeat(1_100)}`],
    ["nothing", ""],
  ])("%s makes the link unreadable", (_, callback) => {
    expect(parseCallback(callback)).toBeUndefined();
    expect(parsePaymentLink(linkWith(callback))).toBeUndefined();
  });

  it("given twice makes the link unreadable", () => {
    const link = `${linkWith("https://shop.example")}&callback=https%3A%2F%2Fevil.example`;
    expect(parsePaymentLink(link)).toBeUndefined();
  });

  it("shows its host in full, with its port, as the network sees it", () => {
    expect(callbackHost(parseCallback("https://shop.example.com.evil.example:444/a@b") ?? "")).toBe("shop.example.com.evil.example:444");
    expect(callbackHost(parseCallback("https://xn--shp-jxa.example/") ?? "")).toBe("xn--shp-jxa.example");
  });

  it("never leads anywhere but to its own host over TLS, whatever is written", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc.string(),
          fc.webUrl().map((url) => url.replace("http:", "https:")),
        ),
        (text) => {
          const callback = parseCallback(text);
          if (callback === undefined) return;
          const address = new URL(callbackAddress(callback, ID));
          expect([address.protocol, address.host, address.username]).toEqual(["https:", callbackHost(callback), ""]);
          expect(address.searchParams.getAll("tx")).toEqual([ID]);
          const before = new URL(callback);
          expect(address.pathname + address.hash).toBe(before.pathname + before.hash);
        },
      ),
      { seed: 17, numRuns: extent(500, 2_000) },
    );
  });
});
