// Which links are shown with a preview, and under which name.
import { describe, expect, it } from "vitest";
import { hostOfLink } from "#renderer/features/inbox/messages/cards/link/link-host.ts";

describe("the host of a preview", () => {
  it.each([
    ["https://page.example/a?b=c#d", "page.example"],
    ["HTTPS://PAGE.example:8443/", "page.example:8443"],
    ["https://ex\u0430mple.org/", "xn--exmple-4nf.org"],
    ["https://b\u00e4nk.example/", "xn--bnk-qla.example"],
  ])("of %s is %s", (link, host) => expect(hostOfLink(link)).toBe(host));

  it.each([
    "http://page.example/",
    "https://page.example@evil.example/",
    "https://localhost/",
    "https://localhost:3000/",
    "https://nas.local/",
    "https://192.168.1.1/",
    "https://[::1]/",
    "https://0x7f000001/",
    "https://abcdef.onion/",
    "parley:pay?to=x",
    "page.example",
  ])("of %s is none", (link) => expect(hostOfLink(link)).toBeUndefined());
});
