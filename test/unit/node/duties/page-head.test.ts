// What is read of a page: the few tags that say what it is, whatever else is in it, in time that grows with its length.
import { describe, expect, it } from "vitest";
import { readHead, textOfPage } from "#node/duties/pages/page-head.ts";
import { MAX_PAGE_DESCRIPTION_CHARS, MAX_PAGE_TITLE_CHARS } from "#shared/api/schemas/web.ts";
import { MAX_PREVIEW_DESCRIPTION_CHARS, MAX_PREVIEW_TITLE_CHARS } from "#shared/content/chat/link-preview.ts";
import { utf8 } from "#shared/util/bytes.ts";

const NOTHING = { title: "", description: "", picture: undefined };

describe("the head of a page", () => {
  it("says title, description and picture, as it does for others rather than in its window", () => {
    const html = `<!doctype html><html><head><title>In the window</title>
      <META content='A "quoted" story' PROPERTY=og:title><meta name="description" content="Plain">
      <meta property="og:description" content="What&#39;s
        new"><meta property="og:image" content="/a.png?x=1&amp;y=2"><meta property="og:image" content="/b.png"></head>`;
    expect(readHead(html)).toEqual({ title: 'A "quoted" story', description: "What's new", picture: "/a.png?x=1&y=2" });
    expect(readHead("<title>Only \n this</title>")).toEqual({ ...NOTHING, title: "Only this" });
    expect(readHead('<title>T</title><meta property="og:title" content="  ">').title).toBe("T");
  });

  it.each([
    ["a comment", '<!-- <meta property="og:title" content="x"> --><title>T</title>'],
    ["a script", `<script>"<meta property='og:title' content='x'>"</script><title>T</title>`],
    ["a style", "<STYLE><title>x</title></STYLE><title>T</title>"],
    ["a drawing", "<svg><title>x</title></svg><title>T</title>"],
    ["the body", '<title>T</title></head><body><meta property="og:title" content="x">'],
    ["a body without an end of the head", '<title>T</title><body><meta property="og:title" content="x">'],
    ["a value", `<meta name="other" content="<meta property='og:title' content='x'>"><title>T</title>`],
    ["another title", "<title>T</title><title>x</title>"],
    ["a tag that leads elsewhere", '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/"><title>T</title>'],
  ])("is not read in %s", (_, html) => expect(readHead(html)).toEqual({ ...NOTHING, title: "T" }));

  it.each([
    ["", ""],
    ["<", ""],
    ["<title>T", ""],
    ["<!-- <title>T</title>", ""],
    ['<meta property="og:title" content="x', ""],
    ["<title>&#0;&#x110000;&#xd800;&#9999999;</title>", "\ufffd".repeat(4)],
    ["<title>&amp;lt;b&amp;gt; &unknown; &constructor;</title>", "&lt;b&gt; &unknown; &constructor;"],
    ["<title>&Auml;&auml;&ndash;&hellip; a &amp b</title>", "Ää–… a & b"],
    ["<title>a\u0000b\u0085c</title>", "a b c"],
    ["<title><b>bold</b></title>", "<b>bold</b>"],
    ["<title>\ud800</title>", "\ufffd"],
  ])("of %j says %j", (html, title) => expect(readHead(html).title).toBe(title));

  it("is cut where it is longer than a preview", () => {
    const { title, description } = readHead(`<title>${"😀".repeat(400)}</title><meta name=description content="${"d".repeat(5_000)}">`);
    expect(title).toBe(`${"😀".repeat(MAX_PAGE_TITLE_CHARS - 1)}…`);
    expect([...description]).toHaveLength(MAX_PAGE_DESCRIPTION_CHARS);
    expect([MAX_PAGE_TITLE_CHARS, MAX_PAGE_DESCRIPTION_CHARS]).toEqual([MAX_PREVIEW_TITLE_CHARS, MAX_PREVIEW_DESCRIPTION_CHARS]);
  });

  it.each([
    ["opened tags", "<a "],
    ["nested elements", "<div>"],
    ["opened comments", "<!--"],
    ["signs", "<"],
    ["unclosed quotes", "<a '"],
    ["scripts", "<script></script>"],
    ["scripts without an end", "<script>"],
    ["attributes", '<meta a="b" '],
    ["blanks in a tag", "<meta                                                                "],
    ["references", "<title>&amp;"],
    ["encodings", "<meta charset="],
  ])("of half a megabyte of %s is read at once", (_, piece) => {
    const html = piece.repeat(Math.ceil(524_288 / piece.length));
    const startMs = performance.now();
    readHead(html);
    textOfPage(utf8(html), "text/html");
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});

describe("the text of a page", () => {
  it("is read at once whatever a header says", () => {
    const blanks = " ".repeat(100_000);
    const startMs = performance.now();
    expect(textOfPage(utf8("é"), `text/html; charset=${blanks}!`)).toBe("é");
    expect(textOfPage(utf8("é"), `text/html; charset${blanks}=${blanks}latin1`)).toBe("é");
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  const german = Uint8Array.from([...utf8("<title>Stra"), 0xdf, ...utf8("e</title>")]);
  it.each([
    ["text/html; charset=ISO-8859-1", german, "Straße"],
    ['text/html; charset="windows-1252"', german, "Straße"],
    ["text/html", Uint8Array.from([...utf8("<meta charset=latin1>"), ...german]), "Straße"],
    ["text/html", Uint8Array.from([...utf8("<meta http-equiv=content-type content='text/html; charset=latin1'>"), ...german]), "Straße"],
    ["text/html", german, "Stra\ufffde"],
    ["text/html; charset=no-such-thing", german, "Stra\ufffde"],
    ["text/html; charset=latin1", Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8("<title>Straße</title>")]), "Straße"],
    ["text/html", Uint8Array.from([...utf8("<meta charset=utf-16>"), ...utf8("<title>Straße</title>")]), "Straße"],
    ["text/html", Uint8Array.from([0xff, 0xfe, ...[..."<title>ß</title>"].flatMap((c) => [c.charCodeAt(0), 0])]), "ß"],
  ])("as %s", (contentType, bytes, title) => expect(readHead(textOfPage(bytes, contentType)).title).toBe(title));
});
