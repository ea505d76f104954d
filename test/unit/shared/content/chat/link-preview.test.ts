// What the sender of a link says about its page: read strictly, tied to the first link of its text, and no reason to lose that.
import { describe, expect, it } from "vitest";
import { decodeBody, encodeBody } from "#shared/content/body-codecs.ts";
import {
  firstLink,
  isPublicName,
  type LinkPreview,
  MAX_LINK_BYTES,
  MAX_PREVIEW_DESCRIPTION_CHARS,
  MAX_PREVIEW_TITLE_CHARS,
} from "#shared/content/chat/link-preview.ts";
import { MAX_PREVIEW_BYTES } from "#shared/content/content.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromBase64 } from "#shared/util/bytes.ts";

/** A WebP of one pixel. */
const PICTURE = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
const LINK = "https://parley.example/a?b=c";
const TEXT = `See ${LINK}.`;
const PREVIEW: LinkPreview = { link: LINK, title: "A page", description: "About it", picture: PICTURE };

const read = (link: CborValue, text = TEXT): unknown => decodeBody("text", encodeCbor({ text, link }));
const wire = { link: LINK, title: "A page", text: "About it", picture: fromBase64(PICTURE) };

describe("a preview of a link", () => {
  it.each([
    { kind: "text", text: TEXT, preview: PREVIEW },
    { kind: "text", text: TEXT, preview: { ...PREVIEW, description: "", picture: "" } },
    { kind: "reply", text: TEXT, preview: PREVIEW, to: { author: "11".repeat(32), id: "22".repeat(16) }, quote: "?" },
    { kind: "edit", text: TEXT, preview: PREVIEW, id: "22".repeat(16), revision: 1 },
  ] as const)("is carried by what people write: $kind", (body) => {
    expect(decodeBody(body.kind, encodeBody(body))).toEqual(body);
  });

  it("is under a key that earlier programs pass over, and leaves a text without it as it was", () => {
    expect(read(wire)).toEqual({ kind: "text", text: TEXT, preview: PREVIEW });
    expect(encodeBody({ kind: "text", text: TEXT })).toEqual(encodeCbor({ text: TEXT }));
  });

  it.each<[string, CborValue, string?]>([
    ["no map", 7],
    ["a list", [LINK, "A page"]],
    ["without a link", { title: "A page", text: "" }],
    ["without a title", { ...wire, title: "" }],
    ["of another link", { ...wire, link: "https://other.example/" }],
    ["of the beginning of the link", { ...wire, link: "https://parley.example/a" }],
    ["of what comes after the first link", { ...wire, link: "https://other.example/" }, `${LINK} https://other.example/`],
    ["of no link", { ...wire, link: "See" }],
    ["of a link in code", wire, `\`${LINK}\``],
    ["of a payment", { ...wire, link: "parley:pay?to=x" }, "parley:pay?to=x"],
    ["with a long title", { ...wire, title: "x".repeat(MAX_PREVIEW_TITLE_CHARS + 1) }],
    ["with a long description", { ...wire, text: "x".repeat(MAX_PREVIEW_DESCRIPTION_CHARS + 1) }],
    ["with a giant title", { ...wire, title: "x".repeat(100_000) }],
    ["with a title that is no text", { ...wire, title: 5 }],
    ["with a large picture", { ...wire, picture: new Uint8Array(MAX_PREVIEW_BYTES + 1) }],
    ["with a picture that is a text", { ...wire, picture: PICTURE }],
  ])("that is %s is no reason to lose the text", (_, link, text = TEXT) => {
    expect(read(link, text)).toEqual({ kind: "text", text });
  });

  it("whose picture is none, or too large for a preview, is shown without it", () => {
    const giant = fromBase64(PICTURE).with(26, 200);
    for (const picture of [new Uint8Array(9), giant])
      expect(read({ ...wire, picture })).toMatchObject({ preview: { ...PREVIEW, picture: "" } });
  });

  it.each([
    { ...PREVIEW, link: "https://other.example/" },
    { ...PREVIEW, title: "x".repeat(MAX_PREVIEW_TITLE_CHARS + 1) },
    { ...PREVIEW, title: "" },
    { ...PREVIEW, description: "x".repeat(MAX_PREVIEW_DESCRIPTION_CHARS + 1) },
    { ...PREVIEW, link: `https://parley.example/${"x".repeat(MAX_LINK_BYTES)}` },
  ])("is not written beyond its bounds", (preview) => {
    const text = preview.link.length > MAX_LINK_BYTES ? preview.link : TEXT;
    expect(() => encodeBody({ kind: "text", text, preview })).toThrow();
  });
});

describe("the first link of a text", () => {
  it.each([
    ["no link", undefined],
    ["http://parley.example/", undefined],
    ["xhttps://parley.example/", undefined],
    ["(see https://parley.example/a_(b)).", "https://parley.example/a_(b)"],
    ["https://a.example, https://b.example", "https://a.example"],
    ["`https://a.example` https://b.example", "https://b.example"],
    ["parley:pay?to=x HTTPS://B.example/", "HTTPS://B.example/"],
    ["https://a.example\u202egnp.exe", "https://a.example"],
  ])("%s", (text, link) => expect(firstLink(text)).toBe(link));
});

describe("a public name", () => {
  it.each(["parley.example", "xn--mller-kva.example", "a-b.c_d.example.co", "x.xn--p1ai"])("is %s", (host) => {
    expect(isPublicName(host)).toBe(true);
  });
  it.each([
    "",
    "localhost",
    "router",
    "a.localhost",
    "nas.local",
    "a.onion",
    "a.b.i2p",
    "1.2.3.4",
    "[::1]",
    "a.example.",
    ".example",
    "müller.example",
  ])("is not %s", (host) => expect(isPublicName(host)).toBe(false));
});
