// Memory and state: instances that are not at hand, long keys under many calls.
import { br, type Code, call, get, i32c, loop, type ModuleSpec, W } from "../../support/vm/wasm-builder.ts";
import { atDepth, type HostileCase, IMPORT } from "./hostile-case.ts";

const { i32 } = W;

/** More contracts than a node keeps instances of, one after the other, with memories of every size. */
export function instanceCases(): readonly HostileCase[] {
  const inTurn =
    (pages: number, code: Code): HostileCase["prepare"] =>
    (world) => {
      const ids = Array.from({ length: 40 }, (_, seed) =>
        world.install({ functions: [{ export: "run", locals: [[1, i32]], code: [i32c(seed), W.drop, code] }], memory: [0, pages] }),
      );
      return () => ids.reduce((sum, id) => sum + world.call(id, "run", { gas: 5_000_000 }).gasUsed, 0);
    };
  // Writes a word in every 4 KiB.
  const touch = (pages: number): Code =>
    loop(W.void, get(0), i32c(1), 0x36, 2, 0, get(0), i32c(4_096), 0x6a, 0x22, 0, i32c(pages * 65_536), 0x49, 0x0d, 0);
  return [1, 2, 8, 17, 32].flatMap((pages) => [
    { what: `40 contracts of ${pages} pages in turn`, prepare: inTurn(pages, []) },
    { what: `40 contracts of ${pages} pages in turn, all written`, prepare: inTurn(pages, touch(pages)) },
    {
      what: `40 contracts of 1 page that grow to ${pages} and write all`,
      prepare: inTurn(1, [i32c(pages - 1), 0x40, 0, W.drop, touch(pages)]),
    },
  ]);
}

/** Keys of every size at every depth of calls. */
export function stateCases(): readonly HostileCase[] {
  const KEY = 1_024;
  // Another key in every round: a counter at its start.
  const next: Code = [i32c(KEY), get(0), i32c(1), 0x6a, 0x22, 0, 0x36, 2, 0];
  const works = (bytes: number): readonly (readonly [string, NonNullable<ModuleSpec["imports"]>, Code])[] => [
    ["state_get of absent keys", [IMPORT.stateGet], [next, i32c(KEY), i32c(bytes), i32c(0), i32c(0), call(0), W.drop]],
    ["state_del of absent keys", [IMPORT.stateDelete], [next, i32c(KEY), i32c(bytes), call(0)]],
    ["state_set of nothing", [IMPORT.stateSet], [next, i32c(KEY), i32c(bytes), i32c(0), i32c(0), call(0)]],
    ["state_set of 1 KiB", [IMPORT.stateSet], [next, i32c(KEY), i32c(bytes), i32c(0), i32c(1_024), call(0)]],
    ["state_next of absent keys", [IMPORT.stateNext], [next, i32c(KEY), i32c(bytes), i32c(0), i32c(0), i32c(0), i32c(0), call(0), W.drop]],
    [
      "state_set and state_next",
      [IMPORT.stateSet, IMPORT.stateNext],
      [
        next,
        i32c(KEY),
        i32c(bytes),
        i32c(0),
        i32c(0),
        call(0),
        i32c(KEY),
        i32c(0),
        i32c(KEY),
        i32c(bytes),
        i32c(0),
        i32c(0),
        call(1),
        W.drop,
      ],
    ],
  ];
  return [4, 256].flatMap((bytes) =>
    [1, 8].flatMap((depth) =>
      works(bytes).map(
        ([what, imports, code]): HostileCase => ({
          what: `${what}, ${bytes} bytes, depth ${depth}`,
          prepare: (world) => {
            const work = { imports, functions: [{ export: "run", locals: [[1, i32]] as const, code: loop(W.void, code, br(0)) }] };
            const id = atDepth(world, depth, work);
            return () => world.call(id, "run", { gas: 40_000_000 }).gasUsed;
          },
        }),
      ),
    ),
  );
}
