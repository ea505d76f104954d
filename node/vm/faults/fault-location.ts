// Where in its author's module a fault is: function and position, from the inside out.

import { type MeteredParts, readMetered } from "../interpreter/read-metered.ts";
import { instrumentModule } from "../module/instrument-module.ts";
import { type ParsedModule, parseModule } from "../module/parse-module.ts";
import type { CodePlace } from "./code-place.ts";
import { originalPosition } from "./code-positions.ts";
import { type FaultFrame, framesOf } from "./fault-frames.ts";
import { functionNames } from "./module-names.ts";

/** A module in both forms, and the names of its functions. */
interface ReadModule {
  readonly module: ParsedModule;
  readonly metered: MeteredParts;
  readonly names: ReadonlyMap<number, string>;
  readonly named: Uint8Array;
}

/** Metering a module again for each of its faults takes milliseconds each time, and tests of a contract have many. */
const read = new WeakMap<Uint8Array, ReadModule>();

function readOf(code: Uint8Array, named: Uint8Array): ReadModule {
  const known = read.get(code);
  if (known?.named === named) return known;
  const module = parseModule(code);
  const found = { module, metered: readMetered(instrumentModule(code).code), names: functionNames(module, named), named };
  read.set(code, found);
  return found;
}

/** Places of an error's stack in a module that can be deployed. `named` is the module with its names, where they are not in `code`. */
export function placesOf(error: Error, code: Uint8Array, named: Uint8Array = code): readonly CodePlace[] {
  const frames = framesOf(error);
  if (frames.length === 0) return [];
  const { module, metered, names } = readOf(code, named);
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
