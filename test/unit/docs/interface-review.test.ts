// docs/interface-review.md speaks of tests, places and words that are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { Message } from "#renderer/lib/messages/format-message.ts";

const english: Readonly<Record<string, Message>> = en;
const german: Readonly<Record<string, Message | undefined>> = de;
const page = readFileSync(join(ROOT, "docs/interface-review.md"), "utf8");
const sectionOf = (title: string): string => page.split("\n## ").find((text) => text.startsWith(title)) ?? "";
const TESTS = ["e2e", "unit"].flatMap((folder) =>
  readdirSync(join(ROOT, "test", folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => ({ name: `${folder}/${basename(path).replace(/\.test\.tsx?$/, "")}`, path: join(ROOT, "test", folder, path) })),
);

describe("docs/interface-review.md", () => {
  it("names tests that exist, by words that are in them", () => {
    const named = [...page.matchAll(/`((?:e2e|unit)\/[\w-]+)`(?:: (.+?) \|$)?/gm)];
    const missing = named.filter(
      ([, name, words = ""]) => !TESTS.some((test) => test.name === name && readFileSync(test.path, "utf8").includes(words)),
    );
    expect(missing.map(([whole]) => whole)).toEqual([]);
    const defects = sectionOf("Defects").match(/^\| \d+ \|.*$/gm) ?? [];
    expect(defects.map((row) => / \| (?:no test|`(?:e2e|unit)\/[\w-]+`: .+) \|$/.test(row))).toEqual(
      Array.from({ length: 29 }, () => true),
    );
  });

  it("names places that exist", () => {
    const places = [...page.matchAll(/`([\w./-]+\/[\w-]+\.(?:tsx?|css|module\.css))`/g)].map(([, place = ""]) => place);
    expect(places.length).toBeGreaterThan(50);
    expect(places.filter((place) => ![ROOT, join(ROOT, "renderer/features")].some((root) => existsSync(join(root, place))))).toEqual([]);
  });

  it("quotes words that the screen has", () => {
    const screen = [english, german]
      .flatMap((catalogue) => Object.values(catalogue))
      .flatMap((message = "") => (typeof message === "string" ? [message] : Object.values(message)))
      .join("\n")
      .toLowerCase();
    const rows = [...sectionOf("Words").matchAll(/^\| `.+` \| (.+) \| (.+) \|$/gm)];
    const quoted = rows.flatMap(([, proposed = "", now = ""]) => (now.startsWith("as proposed") ? proposed : now).split(/ [·/] |, /));
    expect(quoted.length).toBeGreaterThan(30);
    expect(quoted.filter((words) => !screen.includes(words.toLowerCase()))).toEqual([]);
  });
});
