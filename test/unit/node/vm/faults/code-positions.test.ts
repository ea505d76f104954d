// Every instruction of a metered module leads back to the one of its author's module that it comes from.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { originalPosition } from "#node/vm/faults/code-positions.ts";
import { readMetered } from "#node/vm/interpreter/read-metered.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { OP } from "#node/vm/module/opcodes.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";

const VECTORS = fileURLToPath(new URL("../../../../vectors/contracts/", import.meta.url));
const MODULES = readdirSync(VECTORS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".wasm"));

describe.each(MODULES)("positions in %s", (name) => {
  const code = readFileSync(`${VECTORS}${name}`);
  const module = parseModule(code);
  const metered = readMetered(instrumentModule(code).code);

  it("rise with those of the metered code, from the first instruction of each function to its last", () => {
    expect(module.bodies.length).toBeGreaterThan(0);
    for (const [index, original] of module.bodies.entries()) {
      const { body } = metered.functions[module.imports.length + index] ?? {};
      if (body === undefined) throw new Error("A function has a body");
      const pair = { original, metered: body, globals: module.globals.length };
      let last = original.at;
      for (let at = body.at; at < body.end; at += 1) {
        const position = originalPosition(pair, at);
        expect(position, `function ${index} at ${at}`).toBeDefined();
        expect(position).toBeGreaterThanOrEqual(last);
        last = position ?? 0;
      }
      expect([last, code[last]]).toEqual([original.end - 1, OP.end]);
    }
  });
});
