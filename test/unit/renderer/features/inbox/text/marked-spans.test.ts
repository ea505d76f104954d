import { describe, expect, it } from "vitest";
import { type Block, MAX_CHIPS, MAX_MARKS, markedBlocks, type Span } from "#renderer/features/inbox/text/marked-spans.ts";
import type { Mention } from "#shared/content/chat/mention-content.ts";
import { MAX_TEXT_BYTES } from "#shared/content/content.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { createRandom } from "#test/support/host/random.ts";

describe("marks in a written message", () => {
  it.each([
    ["plain words", "plain words"],
    ["*bold* and _italic_ and ~struck~", "<b>bold</b> and <i>italic</i> and <s>struck</s>"],
    ["**bold** and __italic__ and ~~struck~~", "<b>bold</b> and <i>italic</i> and <s>struck</s>"],
    ["*bold with _italic_ in it*", "<b>bold with <i>italic</i> in it</b>"],
    ["_*~all~*_", "<i><b><s>all</s></b></i>"],
    ['(*in brackets*), *before a comma*, "*quoted*"', '(<b>in brackets</b>), <b>before a comma</b>, "<b>quoted</b>"'],
    ["*größer*", "<b>größer</b>"],
    ["*𝔘 letters beyond the first plane 𝔘*", "<b>𝔘 letters beyond the first plane 𝔘</b>"],
    ["`code with *stars*`", "<c>code with *stars*</c>"],
    ["first\n*second*\nthird", "first\n<b>second</b>\nthird"],
  ])("%j", (text, shown) => {
    expect(html(text)).toBe(shown);
  });

  it("names people outside of code and links, whatever signs their names have", () => {
    const mention = (text: string, name: string, person: string): Mention => ({ start: text.indexOf(name), length: name.length, person });
    const text = "Hi *@Ann_*\n> @Bob_Smith_\n`@Cy` https://a.example/(@Di)\n```\n@Ed\n```";
    const names = [
      mention(text, "@Ann_", "a"),
      mention(text, "@Bob_Smith_", "b"),
      ...["@Cy", "@Di", "@Ed"].map((name) => mention(text, name, "no")),
    ];
    expect(markedBlocks(text, names).map(blockHtml).join("")).toBe(
      "Hi <b><@a></b><q><@b></q><c>@Cy</c> <a https://a.example/(@Di)>https://a.example/(@Di)</a><pre>@Ed</pre>",
    );
  });

  it.each([
    "2*3*4",
    "snake_case_name and a_b",
    "2*3* and a_b_",
    "5 * 3 * 2",
    "* a list",
    "*unclosed",
    "unopened*",
    "*over two\nlines*",
    "***three***",
    "**",
    "* *",
    "𝔘*x*𝔘",
    "~/folder ~/other",
    "`unclosed code",
    "one _two* three",
  ])("leaves %j as it was typed", (text) => {
    expect(html(text)).toBe(text);
  });

  it("closes what was opened first where marks cross", () => {
    expect(html("*one _two* three_")).toBe("<b>one _two</b> three_");
  });

  it("quotes lines, and shows a block of code as it is", () => {
    expect(html("> said *so*\n> twice\nanswer")).toBe("<q>said <b>so</b>\ntwice</q>answer");
    expect(html("see\n```js\nconst a = *b*;\n\n> c\n```\nend")).toBe("see<pre>const a = *b*;\n\n> c</pre>end");
    expect(html("```\nnever closed")).toBe("```\nnever closed");
    expect(html("```\n```")).toBe("```\n```");
  });
});

describe("links in a written message", () => {
  it.each([
    ["see https://parley.example/a_b_c", "see <a https://parley.example/a_b_c>https://parley.example/a_b_c</a>"],
    ["(https://parley.example/a_(b)).", "(<a https://parley.example/a_(b)>https://parley.example/a_(b)</a>)."],
    ["https://parley.example, then", "<a https://parley.example/>https://parley.example</a>, then"],
    ["*https://parley.example*", "<b><a https://parley.example/>https://parley.example</a></b>"],
    ["_see https://parley.example/x_y_", "<i>see <a https://parley.example/x_y>https://parley.example/x_y</a></i>"],
    ["HTTPS://PARLEY.EXAMPLE/", "<a https://parley.example/>HTTPS://PARLEY.EXAMPLE/</a>"],
    ["pay parley:pay?to=pl1abc&amount=3.", "pay <p>parley:pay?to=pl1abc&amount=3</p>."],
    ["come (parley:group#Ab_9-_).", "come (<g>Ab_9-_</g>)."],
    ["parley://group/#ab, then", "<g>ab</g>, then"],
  ])("%j", (text, shown) => {
    expect(html(text)).toBe(shown);
  });

  it("shows in ASCII what an address with letters of another script opens", () => {
    expect(html("https://pаrley.example/")).toMatch(/^<a https:\/\/xn--prley-/);
  });

  it.each([
    "http://parley.example/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://name:word@parley.example/",
    "xhttps://parley.example/",
    "https://",
    "parley:link?code=1",
    "parley:group#",
    "xparley:group#ab",
  ])("opens no %j", (text) => {
    expect(html(text)).toBe(text);
  });

  it("ends an address before letters that cannot be seen or turn the direction", () => {
    expect(html("https://parley.example/\u202Egnp.exe")).toBe("<a https://parley.example/>https://parley.example/</a>\u202Egnp.exe");
  });
});

describe("addresses in a written message", () => {
  const key = toHex(ed25519PublicKey(new Uint8Array(32).fill(3)));
  const address = formatAddress(key);
  const mistyped = `${address.slice(0, -1)}${address.endsWith("q") ? "p" : "q"}`;

  it.each([
    [`pay ${address}.`, `pay <${key.slice(0, 4)} ${address}>.`],
    [address.toUpperCase(), `<${key.slice(0, 4)} ${address.toUpperCase()}>`],
    [`*${address}*`, `<b><${key.slice(0, 4)} ${address}></b>`],
    [`parley:contact?id=${address}, a friend`, `<${key.slice(0, 4)} parley:contact?id=${address}>, a friend`],
    [mistyped, mistyped],
    [`${address}q`, `${address}q`],
    [`x${address}`, `x${address}`],
    [`\`${address}\``, `<c>${address}</c>`],
    ["parley:contact?id=pl1abc", "parley:contact?id=pl1abc"],
  ])("%j", (text, shown) => {
    expect(html(text)).toBe(shown);
  });

  it("are chips up to a number, with payment links, and text beyond it", () => {
    const shown = html(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? address : `parley:pay?to=${address}`)).join(" "));
    expect(shown.match(/<(?:p|[0-9a-f]{4} )/g)).toHaveLength(MAX_CHIPS);
    expect(shown.match(/pl1/g)).toHaveLength(200);
  });
});

describe("whatever is typed", () => {
  it("loses nothing, for 3,000 random texts of signs", () => {
    const random = createRandom(7);
    const pieces = [
      "*",
      "**",
      "_",
      "__",
      "~",
      "`",
      "```",
      "\n",
      "> ",
      " ",
      "a",
      "ß",
      "𝔘",
      "https://a.example/",
      "(",
      ")",
      ".",
      "parley:pay?to=x",
    ];
    for (let run = 0; run < 3_000; run += 1) {
      const text = Array.from({ length: random.between(0, 30) }, () => pieces[random.between(0, pieces.length - 1)]).join("");
      const shown = letters(markedBlocks(text));
      const signs = /[*_~`>\s]/g;
      expect(shown.replace(signs, ""), JSON.stringify(text)).toBe(text.replace(signs, ""));
    }
  });

  it.each(["\n", "> a\nb\n", "```\na\n```\n", "> *a*\n", "a\n", "`a` ", "*a* b\n"])(
    "is few pieces, also the longest text of %j",
    (piece) => {
      const blocks = markedBlocks(piece.repeat(Math.floor(MAX_TEXT_BYTES / piece.length)));
      const pieces = blocks.flatMap((block) => (block.kind === "code" ? [block] : [block, ...block.spans]));
      expect(pieces.length).toBeLessThanOrEqual(4 * MAX_MARKS);
    },
  );

  it.each([
    "*a ",
    "*a* ",
    "_*~a~*_ ",
    "`a` ",
    "`",
    "https://a.example ",
    "(",
    "https://a.example/((((",
    "```\n",
    "```x\n",
    "> a\n",
    "*",
    "* ",
    "𝔘*",
  ])("marks at most so many of the longest text of %j", (piece) => {
    const text = piece.repeat(Math.floor(MAX_TEXT_BYTES / piece.length));
    const blocks = markedBlocks(text);
    expect(markCount(blocks)).toBeLessThanOrEqual(MAX_MARKS);
  });
});

const TAGS = { bold: "b", italic: "i", struck: "s" } as const;

function html(text: string): string {
  return markedBlocks(text).map(blockHtml).join("");
}

function blockHtml(block: Block): string {
  if (block.kind === "code") return `<pre>${block.text}</pre>`;
  const inner = block.spans.map(spanHtml).join("");
  return block.kind === "quotation" ? `<q>${inner}</q>` : inner;
}

function spanHtml(span: Span): string {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return `<c>${span.text}</c>`;
    case "link":
      return `<a ${span.url}>${span.text}</a>`;
    case "payment":
      return `<p>${span.text}</p>`;
    case "invite":
      return `<g>${span.data}</g>`;
    case "mention":
      return `<@${span.person}>`;
    case "address":
      return `<${span.person.slice(0, 4)} ${span.text}>`;
    default:
      return `<${TAGS[span.kind]}>${span.spans.map(spanHtml).join("")}</${TAGS[span.kind]}>`;
  }
}

function letters(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === "code" ? block.text : block.spans.map(lettersOf).join(""))).join("\n");
}

function lettersOf(span: Span): string {
  if (span.kind === "mention") return `@${span.person}`;
  return "text" in span ? span.text : span.spans.map(lettersOf).join("");
}

function markCount(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + (block.kind === "code" ? 0 : countOf(block.spans)), 0);
}

function countOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + (span.kind === "text" ? 0 : 1) + ("spans" in span ? countOf(span.spans) : 0), 0);
}
