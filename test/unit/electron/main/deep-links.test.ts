import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepLinkOfArguments, parseDeepLink } from "#electron/main/protocol/parse-deep-link.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const ADDRESS = formatAddress(KEY);

describe("parseDeepLink", () => {
  it.each([
    [`parley:pay?to=${ADDRESS}&amount=1.5`, `/wallet/send?${new URLSearchParams({ to: `parley:pay?to=${ADDRESS}&amount=1.5` })}`],
    [`parley://pay/?to=${ADDRESS}`, `/wallet/send?${new URLSearchParams({ to: `parley://pay/?to=${ADDRESS}` })}`],
    [`parley:contact?id=${ADDRESS}`, `/contacts/new?to=${ADDRESS}`],
    [`PARLEY:contact?id=${KEY}`, `/contacts/new?to=${ADDRESS}`],
    ["parley:tx?id=tx1abc", "/explorer/tx/tx1abc"],
    ["parley:group#Ab-_09", "/inbox/join#Ab-_09"],
    ["PARLEY://group/#Ab-_09", "/inbox/join#Ab-_09"],
  ])("%s opens %s", (link, path) => expect(parseDeepLink(link)).toBe(path));

  it.each([
    "parley:",
    "parley:pay",
    "parley:contact?id=pl1missing",
    `parley:contact?id=${ADDRESS}&id=${ADDRESS}`,
    "parley:tx?id=../settings",
    "parley:tx?id=a%2Fb",
    "parley:tx?id=",
    `parley://user:secret@pay?to=${ADDRESS}`,
    `parley:settings?id=${ADDRESS}`,
    "parley:group",
    "parley:group#",
    "parley:group#a/../b",
    "parley:group#a%2Fb",
    `parley:group#${"a".repeat(513)}`,
    `https://parley/pay?to=${ADDRESS}`,
    "app://parley/settings",
    `parley:tx?id=${"a".repeat(3000)}`,
  ])("does not know %s", (link) => expect(parseDeepLink(link)).toBeUndefined());

  it("only ever opens one of four views", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.webUrl(),
          fc.string({ maxLength: 200 }).map((text) => `parley:${text}`),
        ),
        (text) => {
          expect(parseDeepLink(text) ?? "/wallet/send?").toMatch(
            /^\/(wallet\/send\?|contacts\/new\?to=pl1|explorer\/tx\/[\w%.-]+$|inbox\/join#[\w-]+$)/,
          );
        },
      ),
    );
  });

  it("is found among the arguments of a second start", () => {
    expect(deepLinkOfArguments(["/usr/bin/parley", "--flag", "parley:tx?id=1"])).toBe("parley:tx?id=1");
    expect(deepLinkOfArguments(["/usr/bin/parley"])).toBeUndefined();
  });
});
