// The catalogues beside the code: every word of the interface comes from them, every language has every message, and none is left over.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { Message } from "#renderer/lib/messages/format-message.ts";
import { languageOf, localeOf } from "#renderer/lib/messages/languages.ts";

const RENDERER = join(ROOT, "renderer");
const english: Readonly<Record<string, Message>> = en;
const german: Readonly<Record<string, Message | undefined>> = de;

/** Attributes that people read or have read out. */
const SPOKEN = new Set(["label", "title", "text", "placeholder", "hint", "description", "alt", "aria-label", "confirmLabel", "sentence"]);

describe("the German catalogue", () => {
  it("has every message of the English one and no other", () => {
    expect(Object.keys(english).filter((key) => german[key] === undefined)).toEqual([]);
    expect(Object.keys(german).filter((key) => english[key] === undefined)).toEqual([]);
  });

  it("uses the placeholders of the English one, in texts and in plurals", () => {
    const different = Object.entries(german).filter(([key, message]) => placeholders(message) !== placeholders(english[key]));
    expect(different.map(([key]) => key)).toEqual([]);
  });

  it("has the plural forms that the language needs", () => {
    const plurals = Object.entries(english).filter(([, message]) => typeof message !== "string");
    expect(plurals.filter(([key]) => typeof german[key] !== "object").map(([key]) => key)).toEqual([]);
  });
});

describe("the language in use", () => {
  it("is the chosen one, else the first of the person's that is complete, else English", () => {
    expect(languageOf("de", ["en-GB"])).toBe("de");
    expect(languageOf("system", ["fr-FR", "de-AT", "en"])).toBe("de");
    expect(languageOf("system", ["fr-FR"])).toBe("en");
  });

  it("writes dates the way of the person's region", () => {
    expect(localeOf("de", ["en-GB", "de-AT"])).toBe("de-AT");
    expect(localeOf("en", ["de-AT"])).toBe("en");
  });
});

describe("the code", () => {
  it("uses every message", () => {
    const code = sources(RENDERER)
      .filter((path) => !/messages\/(en|de)\//.test(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const literal = new Set([...code.matchAll(/["'`]([a-z]+\.[\w.]+)["'`]/g)].map(([, key]) => key));
    const built = [...code.matchAll(/`([a-z]+\.[^`\s]*\$\{[^`]*)`/g)].map(([, template = ""]) => patternOf(template));
    const unused = Object.keys(english).filter((key) => !literal.has(key) && !built.some((pattern) => pattern.test(key)));
    expect(unused).toEqual([]);
  });

  it("holds no word outside of the catalogue", () => {
    const files = sources(RENDERER).filter((path) => path.endsWith(".tsx") && !path.includes("/gallery/"));
    expect(files.flatMap((path) => hardCoded(path, readFileSync(path, "utf8")))).toEqual([]);
  });

  it("would be caught with a word of its own", () => {
    expect(hardCoded("a.tsx", "const a = <p>Hello there</p>;")).toEqual(["a.tsx:1: Hello there"]);
    expect(hardCoded("a.tsx", 'const a = <Field label="Your name" />;')).toEqual(["a.tsx:1: Your name"]);
    expect(hardCoded("a.tsx", 'const a = <b>{isOn ? "Yes" : t("x")}</b>;')).toEqual(["a.tsx:1: Yes"]);
    expect(hardCoded("a.tsx", 'const a = <Field label={t("a.b")}>{" · "}{name}</Field>;')).toEqual([]);
  });
});

function placeholders(message: Message | undefined): string {
  const texts = message === undefined ? [] : typeof message === "string" ? [message] : [message.other];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort().join(" ");
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\w.]+")}$`);
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Words in elements and in the attributes that people read; a word is two letters or more. Keys of the catalogue are none. */
function hardCoded(path: string, text: string): readonly string[] {
  const name = path.startsWith(ROOT) ? path.slice(ROOT.length + 1) : path;
  const words = spokenTexts(parseSync(path, text).program as unknown as SyntaxNode);
  return words
    .filter(({ words: spoken }) => /\p{L}{2}/u.test(spoken) && spoken !== EXAMPLE_ADDRESS && !(spoken in english))
    .map(({ at, words: spoken }) => `${name}:${text.slice(0, at).split("\n").length}: ${spoken}`);
}

/** What is typed as an example is no word of a language. */
const EXAMPLE_ADDRESS = "https://node.example:8080";

interface Spoken {
  readonly at: number;
  readonly words: string;
}

function spokenTexts(node: SyntaxNode): readonly Spoken[] {
  const children = Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
  return [...ownTexts(node), ...children.flatMap(spokenTexts)];
}

function ownTexts(node: SyntaxNode): readonly Spoken[] {
  if (node.type === "JSXText") return [{ at: node.start, words: String(node.value).trim() }];
  if (node.type === "JSXElement" || node.type === "JSXFragment") return (node.children as readonly SyntaxNode[]).flatMap(textsInElement);
  if (node.type !== "JSXAttribute" || !isNode(node.value)) return [];
  const isSpoken = SPOKEN.has(String((node.name as SyntaxNode).name));
  return isSpoken && node.value.type === "Literal" ? literal(node.value) : [];
}

function textsInElement(child: SyntaxNode): readonly Spoken[] {
  return child.type === "JSXExpressionContainer" && isNode(child.expression) ? literal(child.expression) : [];
}

function literal(node: SyntaxNode): readonly Spoken[] {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [{ at: node.start, words: node.value.trim() }] : [];
    case "ConditionalExpression":
      return [node.consequent, node.alternate].filter(isNode).flatMap(literal);
    case "LogicalExpression":
      return isNode(node.right) ? literal(node.right) : [];
    default:
      return [];
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}
