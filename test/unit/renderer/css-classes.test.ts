// Names of CSS classes are plain texts to the compiler: each that a component names is in its style sheet, and each there is used.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

const FILES = readdirSync(join(ROOT, "renderer"), { recursive: true, encoding: "utf8" }).map((file) => `renderer/${file}`);
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const SHEETS = FILES.filter((file) => file.endsWith(".module.css")).map((sheet) => ({
  sheet,
  classes: classesOf(sheet),
  uses: usesOf(sheet),
}));

interface Use {
  readonly file: string;
  readonly names: readonly string[];
  /** True when a name is computed. */
  readonly isDynamic: boolean;
}

function classesOf(sheet: string): readonly string[] {
  const css = read(sheet).replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return [...new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = ""]) => name))];
}

/** What the components that import a sheet name of it. */
function usesOf(sheet: string): readonly Use[] {
  return FILES.filter((file) => file.endsWith(".tsx")).flatMap((file) => {
    const text = read(file);
    const imported = [...text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].find(([, , path = ""]) => isSame(file, path, sheet));
    if (imported === undefined) return [];
    const code = text.replaceAll(/^import .*$/gm, "");
    const names = [...code.matchAll(new RegExp(`\\b${imported[1]}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
    return [{ file: basename(file), names, isDynamic: code.includes(`${imported[1]}[`) }];
  });
}

function isSame(file: string, path: string, sheet: string): boolean {
  return (path.startsWith("#") ? path.slice(1) : join(dirname(file), path)) === sheet;
}

describe.each(SHEETS)("$sheet", ({ classes, uses }) => {
  it("has every class that components name", () => {
    const missing = uses.flatMap(({ file, names }) => names.filter((name) => !classes.includes(name)).map((name) => `${file}: ${name}`));
    expect(missing).toEqual([]);
  });

  it("has no class that nothing names", () => {
    const named = uses.flatMap(({ names }) => names);
    const isDynamic = uses.some((use) => use.isDynamic);
    expect(isDynamic ? [] : classes.filter((name) => !named.includes(name))).toEqual([]);
  });
});
