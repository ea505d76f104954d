// docs/contract-host.md has every limit, host function and price of an instruction as the code has them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOST_SIGNATURES } from "#node/vm/module/host-signatures.ts";
import {
  FREE_TABLE_PLACES,
  FREE_TYPES,
  MODULE_LIMITS,
  MOVES,
  NEAR_PAGES,
  NEAR_WEIGHT,
  STACK_WORDS,
  TYPE_WEIGHT,
  WEIGHT,
} from "#node/vm/module/module-limits.ts";
import { ENTRY_GAS, FAR_CODE_GAS, I64, INSTRUCTIONS, LOAD_GAS, MEMORY_GAS, OP } from "#node/vm/module/opcodes.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/contract-host.md", import.meta.url)), "utf8");
const sectionOf = (title: string): string => page.split("\n## ").find((text) => text.startsWith(title)) ?? "";

describe("docs/contract-host.md", () => {
  it("has every limit", () => {
    const rows = [...sectionOf("Limits").matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name, value]) => `${name} ${value}`);
    expect(rows).toEqual(Object.entries(MODULE_LIMITS).map(([name, value]) => `${name} ${value.toLocaleString("en-US")}`));
    expect(page).toContain(`${STACK_WORDS.toLocaleString("en-US")} words of stack`);
  });

  it("has every host function with its type", () => {
    const rows = [...sectionOf("Host functions").matchAll(/^\| `(\w+)` \| `([il]*:[il]?)` \|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    const letter = (type: number): string => (type === 0 ? "" : type === I64 ? "l" : "i");
    expect(rows).toEqual(
      [...HOST_SIGNATURES].map(([name, { params, result }]) => `${name} ${params.map(letter).join("")}:${letter(result)}`),
    );
  });

  it("has the prices of the instructions", () => {
    const gas = (opcode: number): number | undefined => INSTRUCTIONS[opcode]?.gas;
    const section = sectionOf("Gas");
    expect([OP.end, OP.else, OP.nop, OP.block, OP.drop].map(gas)).toEqual([0, 0, 0, 0, 0]);
    expect([OP.globalGet, 0x28, 0x3e, OP.call, OP.brTable, OP.callIndirect, 0x6d, 0x70, 0x7f, 0x82].map(gas)).toEqual([
      2, 5, 3, 4, 4, 16, 8, 8, 16, 16,
    ]);
    expect([OP.select, OP.localGet, OP.i32Const, OP.brIf, 0x6a, 0xc4].map(gas)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(section).toContain(
      `| stores | 3 |\n| loads of a near module | ${LOAD_GAS.near} |\n| loads of any other module | ${LOAD_GAS.far} |`,
    );
    const weight = NEAR_WEIGHT.toLocaleString("en-US");
    expect(section.replaceAll("\n", " ")).toContain(
      `at most ${NEAR_PAGES} pages and its weight, below, is at most ${weight} with these prices`,
    );
    expect(FAR_CODE_GAS.times).toBe(2);
    expect(section).toContain(`${FAR_CODE_GAS.charge} for each stretch that costs`);
    expect(section).toContain(`\`memory.grow\` | ${MEMORY_GAS.grow}, and ${MEMORY_GAS.page.toLocaleString("en-US")} for each page`);
    expect(section).toContain(`\`memory.copy\` | ${MEMORY_GAS.copy}, and 1 for each 8 bytes`);
    expect(section).toContain(`\`memory.fill\` | ${MEMORY_GAS.fill}, and 1 for each 8 bytes`);
    expect(section).toContain(
      `| a function | ${WEIGHT.function} |\n| a call | ${WEIGHT.call} |\n| a target of a \`br_table\` | ${WEIGHT.target} |`,
    );
    expect(section).toContain(`| ${WEIGHT.movesOfByte} moves | 1,`);
    expect(section).toContain(`1 each, beyond ${FREE_TABLE_PLACES} of both together`);
    expect(section).toContain(`| a type of functions | ${TYPE_WEIGHT}, beyond ${FREE_TYPES} of them |`);
    expect([MOVES.function, MOVES.block, MOVES.branch]).toEqual([16, 16, 16]);
    expect([MOVES.branchIf, MOVES.charge]).toEqual([32, 32]);
    expect(section).toContain(`| \`loop\` | ${MOVES.loop} |\n| \`if\` | ${MOVES.if} |`);
    expect(section).toContain(`| \`br_table\` | ${MOVES.branch}, and ${MOVES.target} for each target |\n| call | ${MOVES.call} |`);
    expect(section).toContain(`entering a function | ${ENTRY_GAS.call}, and ${ENTRY_GAS.local} for each parameter and local`);
  });
});
