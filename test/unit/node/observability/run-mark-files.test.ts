// Marks of running contracts: what a process leaves that ends in the middle of a run, and what the next one makes of it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_LEFT_MARKS, type OpenedRunMarks, openRunMarks } from "#node/observability/run-mark-files.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { buildModule, call, data, i32c, i64c, W } from "#test/support/vm/wasm-builder.ts";
import { inShort, VmWorld } from "#test/support/worlds/vm-world.ts";

const hash = (name: string): string => toHex(sha256(utf8(name)));
const [MODULE, OTHER, TX] = [hash("module"), hash("other"), hash("transaction")];
const { i32, i64 } = W;

let folder: TemporaryFolder;
let opened: OpenedRunMarks[];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  opened = [];
});
afterEach(async () => {
  for (const marks of opened) marks.close();
  await folder.remove();
});

function open(thread: "chain" | "reads" = "chain"): OpenedRunMarks {
  const marks = openRunMarks(folder.path, thread);
  opened.push(marks);
  return marks;
}

describe("a mark", () => {
  it("that is left names module and transaction to every later process", () => {
    open().enter(MODULE, TX);
    const next = open();
    expect(next.found).toEqual([{ moduleHash: MODULE, txId: TX }]);
    expect([next.isMarked(MODULE), next.isMarked(OTHER), next.isRefused(TX), next.isRefused(OTHER)]).toEqual([true, false, true, false]);
    const later = open();
    expect([later.found, later.left, later.modules]).toEqual([[], next.left, 1]);
  });

  it("that ended is none, and a nested one gives way to the one around it", () => {
    const first = open();
    first.enter(MODULE, TX);
    first.leave();
    expect(open().left).toEqual([]);
    const second = open();
    second.enter(MODULE, TX);
    second.enter(OTHER, TX);
    second.leave();
    expect(open().found).toEqual([{ moduleHash: MODULE, txId: TX }]);
    const third = open();
    third.enter(MODULE, TX);
    third.enter(OTHER, TX);
    expect(open().found).toEqual([{ moduleHash: OTHER, txId: TX }]);
  });

  it("of the thread for reads is found by both, and refuses no transaction without an id", () => {
    open("reads").enter(MODULE, "");
    const reads = open("reads");
    expect(reads.found).toEqual([{ moduleHash: MODULE, txId: "" }]);
    reads.enter(OTHER, "");
    const chain = open();
    expect(chain.found).toEqual([{ moduleHash: OTHER, txId: "" }]);
    expect([chain.isMarked(MODULE), chain.isMarked(OTHER), chain.isRefused("")]).toEqual([true, true, false]);
  });

  it("that is damaged is none, in the file of a thread and in the list", () => {
    writeFileSync(join(folder.path, "running-chain"), `*${MODULE.slice(1)}`);
    writeFileSync(join(folder.path, "left-marks"), `nonsense\n${OTHER} \n${MODULE}${TX}\n`);
    const marks = open();
    expect([marks.found, marks.left]).toEqual([[], [{ moduleHash: OTHER, txId: "" }]]);
  });

  it("is one of the newest, so many as are kept", () => {
    const lines = Array.from({ length: MAX_LEFT_MARKS + 5 }, (_, index) => `${hash(`${index}`)} `);
    writeFileSync(join(folder.path, "left-marks"), `${lines.join("\n")}\n`);
    open().enter(MODULE, TX);
    const { left } = open();
    expect([left.length, left.at(-1)?.moduleHash]).toEqual([MAX_LEFT_MARKS, MODULE]);
  });
});

describe("a machine", () => {
  const callee = buildModule({ functions: [{ code: [], export: "run" }] });
  const calling = (id: string): Uint8Array =>
    buildModule({
      imports: [{ name: "call", params: [i32, i32, i32, i32, i32, i32, i64, i32], results: [i32] }],
      functions: [
        { export: "run", code: [i32c(0), i32c(16), i32c(16), i32c(3), i32c(0), i32c(0), i64c(0), i32c(0), call(0), W.drop] },
        { export: "fail", code: W.unreachable },
      ],
      data: [data(0, `${id}run`)],
    });

  it("marks what runs, from the outside in, whether it ends well or not", () => {
    const seen: string[] = [];
    const names = new Map([[toHex(sha256(callee)), "callee"]]);
    const marks = {
      isMarked: (): boolean => false,
      enter: (module: string, txId: string): void => void seen.push(`${names.get(module) ?? "caller"} ${txId}`),
      leave: (): void => void seen.push("left"),
    };
    const world = new VmWorld({ marks });
    const id = world.install(calling(world.install(callee)), ["run", "fail"]);
    seen.length = 0;
    expect(inShort(world.call(id))).toBe("ok");
    expect(inShort(world.call(id, "fail"))).toBe("CONTRACT_TRAPPED");
    expect(seen).toEqual(["caller tx-1", "callee tx-1", "left", "left", "caller tx-1", "left"]);
  });

  it("comes to the same at a marked module, which the engine gets no more", () => {
    const [usual, marked] = [false, true].map((isMarked) => {
      const world = new VmWorld({ marks: { isMarked: () => isMarked, enter: () => undefined, leave: () => undefined } });
      const compiled: unknown[] = [];
      const { Module } = WebAssembly;
      WebAssembly.Module = class extends Module {
        constructor(code: BufferSource) {
          super(code);
          compiled.push(code);
        }
      } as typeof Module;
      try {
        const id = world.install(calling(world.install(callee)), ["run", "fail"]);
        const outcomes = ["run", "fail"].map((method) => JSON.stringify(world.call(id, method)));
        return { outcomes, compiled: compiled.length };
      } finally {
        WebAssembly.Module = Module;
      }
    });
    expect(marked?.outcomes).toEqual(usual?.outcomes);
    expect([usual?.compiled, marked?.compiled]).toEqual([2, 0]);
  });

  it("leaves a mark of the module that a process ends at", () => {
    const marks = open();
    const world = new VmWorld({ marks });
    const id = world.install(callee);
    // The text as it is while the module is paid for, which is within its run.
    const during: string[] = [];
    const { enter } = marks;
    marks.enter = (module, txId): void => {
      enter.call(marks, module, txId);
      during.push(readFileSync(join(folder.path, "running-chain"), "latin1"));
    };
    world.call(id);
    expect(during.map((text) => text.trim())).toEqual([`*${toHex(sha256(callee))}tx-1`]);
    expect(readFileSync(join(folder.path, "running-chain"), "latin1")[0]).toBe("-");
  });
});
