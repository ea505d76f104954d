// What a command loads before it runs: its processor time is that of its modules. Imports of types and those by `import()` do not count.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "#test/support/nodes/run-program.ts";

const STATIC_IMPORT = /^(?:import|export)\s(?!type\s)(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;
const DYNAMIC_IMPORT = /import\("([^"]+)"\)/g;
/** Parts of the node, compilers and packages that take longer to load than most commands run. */
const HEAVY = [
  // Their import by name loads the runtime's fetch.
  /^node:(?:http|https)$/,
  /^node\/(?:api\/(?!json\/exact-json)|composition|consensus|engine|explorer|mempool|network|relay|state|storage|sync)/,
  /^node\/vm\/(?!module\/module-limits)/,
  /^node\/contracts\/(?!contract-project|new-contract|testing\/gas-budget)/,
  /^(?:typebox|better-sqlite3|fastify|libp2p|@libp2p|assemblyscript|binaryen|hash-wasm|sodium-native)(?:\/|$)/,
];
/** Own modules that one command may load. */
const MOST_MODULES = 70;

function sourceOf(file: string): string {
  return readFileSync(join(projectRoot, file), "utf8");
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier;
}

/** Modules that are loaded with some files, by their paths, and packages by their names. */
function loadedWith(...entries: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const pending = [...entries];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    if (!file.endsWith(".ts")) continue;
    for (const [, specifier = ""] of sourceOf(file).matchAll(STATIC_IMPORT)) pending.push(targetOf(file, specifier));
  }
  return loaded;
}

function modulesIn(file: string): readonly string[] {
  return [...new Set([...sourceOf(file).matchAll(DYNAMIC_IMPORT)].map(([, specifier = ""]) => targetOf(file, specifier)))];
}

function ownIn(loaded: ReadonlySet<string>): readonly string[] {
  return [...loaded].filter((name) => name.endsWith(".ts"));
}

const COMMANDS = [
  ...modulesIn("node/cli/client-commands.ts"),
  ...modulesIn("node/cli/commands/contracts/contract.ts"),
  "node/cli/commands/node/node.ts",
  "node/cli/completion.ts",
];

describe("the command line loads", () => {
  it("known modules", () => {
    expect(COMMANDS.length).toBeGreaterThan(50);
    expect(loadedWith("node/main.ts")).toContain("node/cli/program.ts");
    expect(loadedWith("node/main.ts")).not.toContain("node/cli/commands/account/balance.ts");
  });

  it.each(COMMANDS)("little for %s", (command) => {
    const loaded = loadedWith("node/main.ts", command);
    expect([...loaded].filter((name) => HEAVY.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(ownIn(loaded).length).toBeLessThanOrEqual(MOST_MODULES);
  });

  it("no command for help and completion", () => {
    const loaded = loadedWith("node/main.ts", "node/cli/completion.ts", "node/cli/outline/command-outline.ts");
    expect([...loaded].filter((name) => name.startsWith("node/cli/commands/") && name !== "node/cli/commands/command-table.ts")).toEqual(
      [],
    );
    expect(ownIn(loaded).length).toBeLessThanOrEqual(MOST_MODULES);
  });
});
