// Where in its author's module a fault is: function and position, from the inside out.

import { readMetered } from "../interpreter/read-metered.ts";
import { instrumentModule } from "../module/instrument-module.ts";
import { parseModule } from "../module/parse-module.ts";
import type { CodePlace } from "./code-place.ts";
import { originalPosition } from "./code-positions.ts";
import { type FaultFrame, framesOf } from "./fault-frames.ts";
import { functionNames } from "./module-names.ts";

/** Places of an error's stack in a module that can be deployed. `named` is the module with its names, where they are not in `code`. */
export function placesOf(error: Error, code: Uint8Array, named: Uint8Array = code): readonly CodePlace[] {
  const frames = framesOf(error);
  if (frames.length === 0) return [];
  const module = parseModule(code);
  const metered = readMetered(instrumentModule(code).code);
  const names = functionNames(module, named);
  const place = (frame: FaultFrame): CodePlace | undefined => {
    const original = module.bodies[frame.functionIndex - module.imports.length];
    const { body } = metered.functions[frame.functionIndex] ?? {};
    // A function of the meter is no place of the author's.
    if (original === undefined || body === undefined) return undefined;
    return {
      functionIndex: frame.functionIndex,
      name: names.get(frame.functionIndex) ?? `function ${frame.functionIndex}`,
      at: originalPosition({ original, metered: body, globals: module.globals.length }, frame.at),
      body: { start: original.at, end: original.end },
    };
  };
  return frames.map(place).filter((found) => found !== undefined);
}
