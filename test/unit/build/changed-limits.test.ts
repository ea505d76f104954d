// Limits that tests of processes change are found where the program has them: a process in which none is found would run with its own.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { withLimits } from "#test/support/nodes/changed-limits.ts";

const OTHER = 7;

describe("changed limits", () => {
  it.each([
    ["SEAL_LIMITS", "maxBlocks", "node/storage/history/sealing/seal-segment.ts"],
    ["BACKFILL_LIMITS", "segmentBlocks", "node/sync/backfill/backfill-limits.ts"],
    ["JOIN_PATIENCE", "ms", "node/composition/joining/find-join.ts"],
  ])("%s.%s is another one in %s", (name, limit, file) => {
    const text = stripTypeScriptTypes(readFileSync(join(ROOT, file), "utf8"));
    const limitsIn = (source: string): Readonly<Record<string, number>> => {
      const values = new RegExp(`\\b${name}\\s*= (.*?\\}\\)?)(?:\\s*;|\\n)`, "s").exec(source)?.[1] ?? "";
      return new Function(`return ${values}`)() as Readonly<Record<string, number>>;
    };
    const changed = withLimits(readFileSync(join(ROOT, file), "utf8"), { [name]: { [limit]: OTHER } });
    expect(limitsIn(stripTypeScriptTypes(changed))).toEqual({ ...limitsIn(text), [limit]: OTHER });
  });

  it("leaves what has none of them as it is", () => {
    const text = "const OTHERS = { depth: 1 };\nuse(SEAL_LIMITS.depth);";
    expect(withLimits(text, { SEAL_LIMITS: { depth: OTHER } })).toBe(text);
  });
});
