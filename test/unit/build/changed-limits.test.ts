// Limits that tests of processes change are found where the program has them, the sources and what is built of them: a process in which one is
// not found would run with its own, and nodes that are to have the same one would not.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { withLimits } from "#test/support/nodes/changed-limits.ts";

const OTHER = 7_777;
const HELPERS = "test/support/nodes";
/** Where the limits are. */
const FILES: Readonly<Record<string, string>> = {
  SEAL_LIMITS: "node/storage/history/sealing/seal-segment.ts",
  BACKFILL_LIMITS: "node/sync/backfill/backfill-limits.ts",
  JOIN_PATIENCE: "node/composition/joining/find-join.ts",
};

/** Each limit that one of the helpers changes: constant, name. */
function changedLimits(): readonly (readonly [name: string, limit: string])[] {
  const texts = readdirSync(join(ROOT, HELPERS)).map((file) => readFileSync(join(ROOT, HELPERS, file), "utf8"));
  const changes = texts.flatMap((text) => [...text.matchAll(/\bchangeLimits\((\{.*?\})\);/gs)].map(([, change = ""]) => change));
  const constants = changes.flatMap((change) => [...change.matchAll(/\b([A-Z]+(?:_[A-Z]+)+): \{([^{}]*)\}/g)]);
  const limits = constants.flatMap(([, name = "", values = ""]) =>
    [...values.matchAll(/(?:^|,)\s*(\w+):/g)].map(([, limit = ""]) => `${name} ${limit}`),
  );
  return [...new Set(limits)].map((each) => each.split(" ") as [string, string]);
}

function limitsIn(source: string, name: string): Readonly<Record<string, number>> {
  const values = new RegExp(`\\b${name}\\s*= (.*?\\}\\)?)(?:\\s*;|\\n(?!\\s))`, "s").exec(source)?.[1] ?? "";
  return new Function(`return ${values}`)() as Readonly<Record<string, number>>;
}

/** The file with all that it imports, made of the sources as the node of the desktop is. */
async function builtText(file: string): Promise<string> {
  const built = await build({
    ...{ configFile: false, root: ROOT, logLevel: "warn", publicDir: false },
    ssr: { noExternal: true, external: ["better-sqlite3"] },
    build: {
      ...{ ssr: join(ROOT, file), target: "node24", minify: false, write: false },
      rolldownOptions: { output: { format: "es", codeSplitting: false } },
    },
  });
  const [{ output }] = [built].flat() as readonly Rolldown.RolldownOutput[] as readonly [Rolldown.RolldownOutput];
  return output[0].code;
}

describe("changed limits", () => {
  it("are those of three constants, each in a file that is known here", () => {
    expect(changedLimits().length).toBeGreaterThanOrEqual(8);
    expect(new Set(changedLimits().map(([name]) => name))).toEqual(new Set(Object.keys(FILES)));
  });

  it.each(changedLimits())("%s.%s is another one in its source", (name, limit) => {
    const source = readFileSync(join(ROOT, FILES[name] ?? ""), "utf8");
    const before = limitsIn(stripTypeScriptTypes(source), name);
    expect(before[limit]).toBeTypeOf("number");
    const changed = stripTypeScriptTypes(withLimits(source, { [name]: { [limit]: OTHER } }));
    expect(limitsIn(changed, name)).toEqual({ ...before, [limit]: OTHER });
  });

  it.each(Object.entries(FILES))("%s are others in what is built", async (name, file) => {
    const text = await builtText(file);
    const limits = changedLimits().flatMap(([constant, limit]) => (constant === name ? [limit] : []));
    const before = limitsIn(text, name);
    const others = Object.fromEntries(limits.map((limit) => [limit, OTHER]));
    expect(Object.keys(before)).toEqual(expect.arrayContaining(limits));
    expect(limitsIn(withLimits(text, { [name]: others }), name)).toEqual({ ...before, ...others });
  });

  it("leaves what has none of them as it is", () => {
    const text = "const OTHERS = { depth: 1 };\nuse(SEAL_LIMITS.depth);";
    expect(withLimits(text, { SEAL_LIMITS: { depth: OTHER } })).toBe(text);
  });
});
