// Every command of docs/operators.md is run by a test with real processes and files: the table names the tests of each part of the page. A test
// that names a part with `pageCommands` reads its blocks from there; of all other commands a test has the words and the flags.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { commandsOf, pageCommands } from "#test/support/cli/page-commands.ts";

/** Heading of a part of the page, and files of test/integration; or e2e/ and unit/node/ where these start what the part names. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  "A third of the validators is lost": ["network/lost-third"],
  "Back to an earlier block": ["network/recovery", "network/sole-validator", "network/joining"],
  "Older blocks of a node that joined": ["network/backfill", "network/retention-flags"],
  "How much a node keeps": ["network/retention-flags", "network/sole-validator", "network/damaged-folder", "network/recovery"],
  "A copy to start from": ["network/recovery", "network/sole-validator"],
  "Is a folder whole?": ["network/damaged-folder", "network/recovery"],
  "A folder of an older version": ["node/older-folder"],
  "Changing the network": ["network/validator-set", "network/signers"],
  "A relay that keeps mail": ["network/sole-validator"],
  "A relay that lied": ["network/signers"],
  "A relay of calls": ["../e2e/calls"],
  "A validator that was away": ["network/downtime"],
  "A validator on another machine": ["network/moved-keys"],
  "A validator's key in a signer": [
    "network/signers",
    "network/moved-keys",
    "network/key-rotation",
    "network/validator-set",
    "node/service-unit",
  ],
  "Gateways over PostgreSQL": ["node/gateway", "network/moved-keys", "network/sole-validator"],
  "All of it with containers": ["node/gateway", "network/moved-keys", "network/sole-validator"],
  "Keeping a node running": ["node/service-unit", "node/run-marks"],
};
/** What no test can run here, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "parley service install --system --run-as parley --data-dir /var/lib/parley":
    "writes into /etc; unit/node/cli/service.test.ts has its unit",
};

interface Part {
  readonly heading: string;
  readonly text: string;
}

const page = readFileSync(join(ROOT, "docs/operators.md"), "utf8");
const parts: readonly Part[] = page
  .split(/^(?=#{2,3} )/m)
  .slice(1)
  .map((text) => ({ heading: /^#+ (.+)$/m.exec(text)?.[1] ?? "", text }));
const withCommands = parts.filter(({ text }) => commandsIn(text).length > 0);

/** Commands of the program in blocks and in lines of text, each as its words from `parley` on. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const inText = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  const quoted = [...inText.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.split(/\s+/));
  const all = [...blocksOf(text), ...quoted.filter(([first]) => first === "parley")];
  return all.flatMap((words) => (words.includes("parley") ? [words.slice(words.indexOf("parley"))] : []));
}

function blocksOf(text: string): readonly (readonly string[])[] {
  return commandsOf(text.replaceAll("```text", "```"));
}

/** What a test must hold of a command: its words up to the first argument, and its flags. */
function partsOf([, ...words]: readonly string[]): { readonly name: string; readonly flags: readonly string[] } {
  const end = words.findIndex((word) => !/^[a-z]+(?:-[a-z]+)*$/.test(word));
  const name = words.slice(0, end === -1 ? words.length : end);
  return { name: name.map((word) => `"${word}"`).join(", "), flags: words.filter((word) => /^--[a-z]/.test(word)) };
}

/** The text of a test and of what it loads to support it. */
function sourceOf(file: string): string {
  const read = new Map<string, string>();
  const add = (path: string): void => {
    if (read.has(path)) return;
    const text = readFileSync(path, "utf8");
    read.set(path, text);
    for (const [, name = ""] of text.matchAll(/from "((?:#test|\.{1,2})\/[\w./-]+\.ts)"/g))
      add(name.startsWith("#") ? join(ROOT, name.slice(1)) : join(dirname(path), name));
  };
  add(join(ROOT, "test/integration", `${file}.test.ts`));
  return [...read.values()].join("\n");
}

/** Commands of the blocks that a test reads from the page. */
function readFromPage(source: string): readonly string[] {
  const ranges = [...source.matchAll(/pageCommands\(\s*"operators\.md",\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g)];
  return ranges.flatMap(([, from = "", to = ""]) => pageCommands("operators.md", from, to)).map((words) => words.join(" "));
}

describe("docs/operators.md", () => {
  it("has a row for every part with commands, and no other", () => {
    expect(withCommands.map(({ heading }) => heading)).toEqual(Object.keys(RUN_BY));
  });

  it.each(withCommands)("has tests that run what it shows: $heading", (part) => {
    const all = (RUN_BY[part.heading] ?? []).map(sourceOf).join("\n");
    const read = readFromPage(all);
    const missing = commandsIn(part.text).flatMap((command) => {
      const { name, flags } = partsOf(command);
      if (NOT_RUN[command.join(" ")] !== undefined) return [];
      if (read.includes(command.join(" "))) return [];
      return [name, ...flags].filter((words) => !all.includes(words)).map((words) => `${command.join(" ")}: ${words}`);
    });
    expect(missing).toEqual([]);
  });

  it("names tests that exist", () => {
    const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" });
    const named = [...page.matchAll(/`(?:test\/)?([\w/-]+\.test\.ts)`/g)].map(([, path = ""]) => path);
    expect(named.filter((path) => !files.some((file) => file.endsWith(path)))).toEqual([]);
  });
});
