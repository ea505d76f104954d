// Arguments: lists of JSON of every shape that is dear to read.
import type { MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { call, i32c, W } from "../../support/vm/wasm-builder.ts";
import { caller, type HostileCase, IMPORT, nextId, spend } from "./hostile-case.ts";

const ARGUMENT_BYTES = 16_384;

/** JSON lists of nearly the largest size, each of another shape. */
export const ARGUMENT_SHAPES: readonly (readonly [string, string])[] = [
  ["integers of one digit", list("0")],
  ["integers of 20 digits", list("18446744073709551615")],
  ["empty texts", list('""')],
  ["escaped characters", `["${"\\u0041".repeat(2_700)}"]`],
  ["one text", `["${"a".repeat(16_000)}"]`],
  ["a text of three-byte characters", `["${"€".repeat(5_400)}"]`],
  ["lists in lists", list("[[[[[]]]]]")],
  ["empty objects", list("{}")],
  ["objects of one member", list('{"a":0}')],
  ["one object of many members", `[{${Array.from({ length: 1_600 }, (_, at) => `"${at.toString(36)}":0`).join(",")}}]`],
  ["white space", `[${" ".repeat(16_000)}]`],
  ["constants", list("null")],
];

function list(item: string): string {
  return `[${Array.from({ length: Math.floor((ARGUMENT_BYTES - 2) / (item.length + 1)) }, () => item).join(",")}]`;
}

/** Arguments of the largest size, parsed, refused, or read one by one. */
export function argumentCases(): readonly HostileCase[] {
  const json: MethodAbi = { name: "run", args: [{ name: "a", type: "json" }] };
  return ARGUMENT_SHAPES.flatMap(([what, text]): readonly HostileCase[] => [
    {
      what: `arguments, called from inside and refused: ${what}`,
      prepare: (world) => {
        const self = nextId(world);
        return spend(world, world.install(caller(self, { args: text })));
      },
    },
    {
      what: `arguments, called from inside: ${what}`,
      prepare: (world) => {
        const taker = world.install({ functions: [{ export: "run", code: [] }] }, [json]);
        return spend(world, world.install(caller(taker, { args: text })));
      },
    },
    {
      what: `arguments of a transaction, of which one is read: ${what}`,
      prepare: (world) => {
        const code = [i32c(0), i32c(0), i32c(0), call(0), W.drop];
        const one = world.install({ imports: [IMPORT.argRead], functions: [{ export: "run", code }] }, [json]);
        const given = { argsJson: `[${text}]`, gas: 2_000_000 };
        return () => world.call(one, "run", given).gasUsed;
      },
    },
  ]);
}
