// The space for new objects, in processes of their own: the runtime decides about it once for each.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "#test/support/nodes/run-program.ts";

interface Sizes {
  /** Bytes of the space for new objects. */
  readonly newSpace: number;
  readonly heap: number;
}

/** What a process has after a while of making objects of which some thousands live on, `between` and the same again. */
function sizesAfterWork(between: string): Sizes {
  const program = `
    import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
    const kept = [];
    const work = () => { for (let n = 0; n < 3_000_000; n += 1) kept[n % 50_000] = { n, text: "a" + n }; };
    work();
    ${between}
    work();
    const newSpace = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
    console.log(JSON.stringify({ newSpace, heap: getHeapStatistics().total_heap_size }));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: projectRoot, encoding: "utf8" });
  return JSON.parse(output) as Sizes;
}

const FILE = JSON.stringify(join(projectRoot, "node/config/small-heap.ts"));
const KEEP = `const { keepHeapSmall } = await import(${FILE}); const small = keepHeapSmall();`;

describe("a small heap", () => {
  it("does not grow where the runtime's own does, and gives back what it had", () => {
    const [own, small] = [sizesAfterWork(""), sizesAfterWork(KEEP)];
    expect(small.newSpace).toBeLessThanOrEqual(4 * 1_048_576);
    expect(own.newSpace).toBeGreaterThan(4 * small.newSpace);
    expect(small.heap).toBeLessThan(own.heap);
  });

  it("grows again when that is over, and leaves nothing behind", () => {
    const over = sizesAfterWork(`${KEEP} small[Symbol.dispose](); if (globalThis.gc !== undefined) throw new Error("exposed");`);
    expect(over.newSpace).toBeGreaterThan(4 * 1_048_576);
  });
});
