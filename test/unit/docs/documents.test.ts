// Every document is readable in an editor and true in its pointers: short lines, plain words, links and paths that lead somewhere.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

const MAX_LINE_CHARS = 120;
const MAX_PARAGRAPH_LINES = 5;
/** Words of earlier texts with a standard word beside them: reports, no peer, a user, again, anyone who, transfer, continues, serves. */
const AVOIDED = /\b(told|nobody|somebody|anew|whoever|laggards?|handovers?|go(?:es)? on|going on|hand(?:s|ed|ing)? out)\b/i;
/** Its rows are the words that programs print, made from the table of codes. */
const GENERATED = "docs/errors.md";
const SOURCE_PATH = /^(?:build|electron|node|renderer|shared|test)\/[\w./-]+$/;

const inDocs = readdirSync(`${ROOT}/docs`).filter((name) => name.endsWith(".md"));
const DOCUMENTS = [
  ...["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "test/README.md", "test/vectors/README.md"],
  ...inDocs.map((name) => `docs/${name}`),
];

const read = (document: string): string => readFileSync(join(ROOT, document), "utf8");

/** Without blocks of code and code in lines: what as many backticks end as began it, within its paragraph. */
function withoutCode(text: string): string {
  const blocks = /^ *```[^`\n]*\n[\s\S]*?^ *```$/gm;
  return text.replaceAll(blocks, "").replaceAll(/(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g, "``");
}

/** The anchor that a heading gets. */
function anchorOf(heading: string): string {
  const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "");
  return text.trim().replaceAll(" ", "-");
}

function anchorsOf(document: string): readonly string[] {
  return [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

it("shows every picture that is kept for it", () => {
  const shown = DOCUMENTS.map(read).join("\n");
  const kept = readdirSync(`${ROOT}/docs/pictures`);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.filter((name) => !shown.includes(`pictures/${name})`))).toEqual([]);
});

it("takes for code what is code", () => {
  const text = ["lines between ```` ``` ```` are code", "", "words `code` words", "", "```js", "block `", "```", "", "more ` words"].join(
    "\n",
  );
  expect(withoutCode(text).split("\n")).toEqual(["lines between `` are code", "", "words `` words", "", "", "", "more ` words"]);
});

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  it("has short lines and paragraphs", () => {
    const lines = text.split("\n").filter((line) => document !== GENERATED || !line.startsWith("|"));
    const long = lines.filter((line) => [...line].length > MAX_LINE_CHARS);
    expect(long).toEqual([]);
    const paragraphs = withoutCode(text).split(/\n(?=\n|\s*[-*] |\s*\d+\. |\|)/);
    const tall = paragraphs.filter((paragraph) => paragraph.trim().split("\n").length > MAX_PARAGRAPH_LINES);
    expect(tall).toEqual([]);
  });

  it("has no conflict of a merge left in it", () => {
    expect(text.split("\n").filter((line) => /^(?:<{7} .*|={7}|>{7} .*)$/.test(line))).toEqual([]);
  });

  it("uses the field's words", () => {
    const lines = withoutCode(text).split("\n");
    expect(lines.filter((line) => AVOIDED.test(line))).toEqual([]);
  });

  it("links to pages and headings that exist", () => {
    const links = [...withoutCode(text).matchAll(/(?:\]\(|^\[[^\]]+\]: )(?!https?:)([^)#\n]*)(?:#([^)\n]+))?\)?/gm)];
    const broken = links.filter(([, path = "", anchor]) => {
      const target = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("names files and folders that exist", () => {
    const paths = [...text.matchAll(/`([^`\n]+)`/g)].map(([, path = ""]) => path).filter((path) => SOURCE_PATH.test(path));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the findings of docs/threat-model.md", () => {
  const section = read("docs/threat-model.md").split("### Findings of the first version")[1]?.split("**Groups.**")[0] ?? "";
  const rows = [...section.matchAll(/^\| ([A-Z]\d|) ?\| [^|]+ \| `([^`]+)` "([^"]+)" \|$/gm)];

  it("are all there, each with a test", () => {
    const ids = [..."123456"]
      .map((at) => `H${at}`)
      .concat(
        [..."12345678"].map((at) => `M${at}`),
        "L1",
      );
    expect(rows.map(([, id]) => id).filter((id) => id !== "")).toEqual(ids);
    expect(rows).toHaveLength(section.split("\n").filter((line) => line.startsWith("|")).length - 2);
  });

  it.each(rows.map(([, id, path = "", name = ""]) => ({ id, path, name })))("$id are shown by $path", ({ path, name }) => {
    const file = join("test/unit/shared", path);
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(read(file)).toMatch(new RegExp(`(?:it|describe|each\\(.*\\))\\(\\s*"[^"]*${name}`));
  });
});

it("README.md lists every page of docs/", () => {
  const readme = read("README.md");
  expect(inDocs.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});
