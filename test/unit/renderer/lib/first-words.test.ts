// Before the shell only the first words are loaded: what is shown until then must find all of its words there, in each language.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { first as german } from "#renderer/lib/messages/de/first.ts";
import { first as english } from "#renderer/lib/messages/en/first.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { LanguageInUse } from "#renderer/lib/messages/language-in-use.ts";
import { untilInbox as germanUntilInbox } from "#renderer/lib/messages/until-inbox-de.ts";
import { untilInbox } from "#renderer/lib/messages/until-inbox-en.ts";

/** What is loaded before the shell. */
const ROOTS = ["renderer/main.tsx", "renderer/features/lock/lock-screen.tsx", "renderer/features/onboarding/onboarding.tsx"];

/** What is loaded before the inbox is shown, and what opens above it without another view: other views wait for all words. */
const INBOX_ROOTS = [
  "renderer/app/home.tsx",
  "renderer/app/router.tsx",
  "renderer/app/palette/shortcuts-sheet.tsx",
  "renderer/app/shell/arrivals/arrival-notices.tsx",
  "renderer/app/shell/notices/transfer-chip.tsx",
  "renderer/features/inbox/inbox-page.tsx",
  "renderer/features/inbox/nothing-chosen.tsx",
  "renderer/features/inbox/conversations/search-results.tsx",
  "renderer/features/inbox/model/message-commands.tsx",
  "renderer/features/lock/add-phrase-dialog.tsx",
  "renderer/features/lock/confirm-dialog.tsx",
  "renderer/features/lock/unlock-dialog.tsx",
];

describe("the first words", () => {
  it("hold every message of the code that is loaded before the shell", () => {
    const modules = loadedWith(ROOTS.map((path) => join(ROOT, path)));
    expect(modules.size).toBeGreaterThan(50);
    const missing = [...modules].flatMap((path) =>
      keysIn(readFileSync(path, "utf8")).map((key) => ({ path: path.slice(ROOT.length), key })),
    );
    expect(missing.filter(({ key }) => !(key in english))).toEqual([]);
  });

  it("would be missed in a module of the shell", () => {
    expect(keysIn(readFileSync(join(ROOT, "renderer/app/shell/rail.tsx"), "utf8")).filter((key) => !(key in english))).not.toEqual([]);
  });

  it("are the same in both languages", () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
    expect(Object.keys(germanUntilInbox).sort()).toEqual(Object.keys(untilInbox).sort());
  });
});

describe("the words until the inbox", () => {
  it("hold every message of the code that is loaded with the frame and the inbox without a conversation", () => {
    const modules = loadedWith([...ROOTS, ...INBOX_ROOTS].map((path) => join(ROOT, path)));
    expect(modules.size).toBeGreaterThan(150);
    const missing = [...modules].flatMap((path) =>
      keysIn(readFileSync(path, "utf8")).map((key) => ({ path: path.slice(ROOT.length), key })),
    );
    expect(missing.filter(({ key }) => !(key in untilInbox))).toEqual([]);
  });
});

describe("the language in use", () => {
  it("begins with the first words and gets the others when they are asked for", async () => {
    const language = await LanguageInUse.open("system", ["de-AT"]);
    expect(language.current()).toMatchObject({ tag: "de", locale: "de-AT", extent: "first" });
    expect(language.current().catalogue["wallet.title"]).toBeUndefined();
    await language.extend("inbox");
    expect(language.current().extent).toBe("inbox");
    expect(language.current().catalogue["explorer.noEvents"]).toBeUndefined();
    await language.extend("all");
    await language.extend("inbox");
    expect(language.current().extent).toBe("all");
    expect(language.current().catalogue["wallet.title"]).toBe("Wallet");
  });

  it("stays whole when another one is chosen, and tells its listeners of each change once", async () => {
    const language = await LanguageInUse.open("en", ["de-AT"]);
    const seen: string[] = [];
    language.subscribe(() => seen.push(`${language.current().tag} ${language.current().extent}`));
    await language.choose("en");
    await language.extend("all");
    await language.choose("de");
    await language.choose("system");
    expect(seen).toEqual(["en all", "de all"]);
  });

  it("is what was chosen last, however long its words took", async () => {
    const language = await LanguageInUse.open("en", []);
    await Promise.all([language.extend("all"), language.choose("de"), language.choose("en")]);
    expect(language.current()).toMatchObject({ tag: "en", extent: "all" });
  });
});

/** Modules of the project that are loaded with these: their static imports and those of each in turn. */
function loadedWith(roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !/\.tsx?$/.test(path) || path.includes("/lib/messages/")) return;
    found.add(path);
    for (const source of staticImports(path)) {
      const target = targetOf(path, source);
      if (target !== undefined) visit(target);
    }
  };
  roots.forEach(visit);
  return found;
}

function staticImports(path: string): readonly string[] {
  const { module } = parseSync(path, readFileSync(path, "utf8"));
  return module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some((entry) => !entry.isType))
    .map(({ moduleRequest }) => moduleRequest.value);
}

function targetOf(from: string, source: string): string | undefined {
  if (source.startsWith("#")) return join(ROOT, source.slice(1));
  if (!source.startsWith(".")) return undefined;
  const target = join(dirname(from), source);
  return existsSync(target) ? target : undefined;
}

/** Keys of the catalogue that a text names, plain or with a part that is put together. */
function keysIn(text: string): readonly string[] {
  const named = [...text.matchAll(/["'`]([a-z]+\.[\w.]+)["'`]/g)].map(([, key = ""]) => key).filter((key) => key in en);
  const built = [...text.matchAll(/`([a-z]+\.[^`$\s]*)\$\{/g)].map(([, start = ""]) => start);
  return [...named, ...built.flatMap((start) => Object.keys(en).filter((key) => key.startsWith(start)))];
}
