// Why a module cannot be deployed, with the function and the instruction, for its author. It reads the module again, so that what nodes
// do to check one stays as it is.
import { ByteReader } from "../module/byte-reader.ts";
import { plainSection } from "../module/custom-sections.ts";
import { InvalidModule } from "../module/invalid-module.ts";
import { parseModule, SECTION } from "../module/parse-module.ts";
import { planFunction } from "../module/plan-function.ts";
import { type CodePlace, describePlace, type FaultSource } from "./code-place.ts";
import { instructionBefore } from "./code-positions.ts";
import { functionNames, namedFunctions } from "./module-names.ts";

const FLOATS: ReadonlySet<number> = new Set([0x7c, 0x7d]);
const NO_SIGNATURE = { params: [], result: 0 } as const;

/** Where a module that is refused breaks the rule: "in scale (contract.c:4:12), instruction 0xb9 at offset 0x3f"; "" when it is nowhere. */
export function locateInvalid(source: FaultSource): string {
  const { code } = source;
  const module = attempt(() => parseModule(code));
  if (module === undefined) return attempt(() => locateFloatSignature(source)) ?? "";
  const names = functionNames(module, source.named ?? code);
  for (const [index, body] of module.bodies.entries()) {
    const functionIndex = module.imports.length + index;
    const reader = new ByteReader(body.bytes, body.at, body.end);
    if (attempt(() => planFunction(module, reader, module.functions[functionIndex] ?? NO_SIGNATURE)) !== undefined) continue;
    const at = instructionBefore(body, reader.at);
    const place = {
      functionIndex,
      name: names.get(functionIndex) ?? `function ${functionIndex}`,
      at,
      body: { start: body.at, end: body.end },
    };
    return describeInvalid(place, source);
  }
  return "";
}

function describeInvalid(place: CodePlace, source: FaultSource): string {
  const { at, body } = place;
  if (at === undefined) return `in the locals of ${describePlace({ ...place, at: body.start }, source)}`;
  const opcode = source.code[at] ?? 0;
  return `in ${describePlace(place, source)}, instruction 0x${opcode.toString(16)} at offset 0x${at.toString(16)}`;
}

/** The first function whose parameters or result are floats: such a type ends the reading of the module. */
function locateFloatSignature({ code, named = code }: FaultSource): string {
  const list = <T>(id: number, read: (part: ByteReader) => T): readonly T[] => {
    const part = plainSection(code, id);
    return part === undefined ? [] : Array.from({ length: part.u32() }, () => read(part));
  };
  const bytesOf = (part: ByteReader): readonly number[] => Array.from({ length: part.u32() }, () => part.u8());
  const isFloat = list(SECTION.type, (part) => {
    part.u8();
    return [...bytesOf(part), ...bytesOf(part)].some((type) => FLOATS.has(type));
  });
  const imported = list(SECTION.import, (part) => {
    part.name();
    const name = part.name();
    part.u8();
    return { name, type: part.u32() };
  });
  const all = [...imported.map(({ type }) => type), ...list(SECTION.function, (part) => part.u32())];
  const index = all.findIndex((type) => isFloat[type] === true);
  if (index < 0) return "";
  const name = imported[index]?.name ?? namedFunctions(named).get(index) ?? `function ${index}`;
  return `in the parameters or the result of ${name}`;
}

/** Undefined when the module breaks a rule there. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof InvalidModule) return undefined;
    throw error;
  }
}
