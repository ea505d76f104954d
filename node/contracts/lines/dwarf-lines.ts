// The line program of DWARF (section .debug_line, versions 2 to 5), by which clang, rustc and zig say which code belongs to which line.
import { customSection } from "#node/vm/module/custom-sections.ts";
import { readFiles } from "./dwarf-files.ts";
import { DwarfReader } from "./dwarf-reader.ts";
import type { LineRow, LineTable } from "./line-table.ts";

interface Header {
  readonly files: readonly string[];
  readonly minimumLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Operands of the standard opcodes, from 1. */
  readonly operands: readonly number[];
}

/** Registers of the line program's machine. */
interface Registers {
  at: number;
  file: number;
  line: number;
  column: number;
}

const OP = { extended: 0, copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5, constAddPc: 8, fixedAdvancePc: 9 } as const;
const EXTENDED = { endSequence: 1, setAddress: 2 } as const;

/** The SDK's file of a template, and the libraries of the compilers. */
const NOT_OWN = /(^|\/)parley\.[a-z]+$|\/rustc\/|\/library\/(core|alloc|std)\/|\/lib\/(std|compiler_rt)/;

/** Lines of a module with DWARF; none when it has none that can be read. */
export function readDwarfLines(module: Uint8Array): LineTable {
  const section = sectionBytes(module, ".debug_line");
  if (section === undefined) return [];
  const [lines, others] = [".debug_line_str", ".debug_str"].map((name) => sectionBytes(module, name));
  const textAt = (bytes: Uint8Array | undefined, at: number): string => (bytes === undefined ? "" : new DwarfReader(bytes, at).text());
  const texts = { lines: (at: number): string => textAt(lines, at), others: (at: number): string => textAt(others, at) };
  const rows: LineRow[] = [];
  const reader = new DwarfReader(section);
  try {
    while (reader.at < section.length) {
      const end = reader.u32() + reader.at;
      rows.push(...readUnit(section, { start: reader.at, end }, texts));
      reader.at = end;
    }
  } catch (error) {
    // What tools wrote may end too early; the rows so far are of use.
    if (!(error instanceof RangeError)) throw error;
  }
  return rows.sort((a, b) => a.at - b.at);
}

function sectionBytes(module: Uint8Array, name: string): Uint8Array | undefined {
  const section = customSection(module, name);
  return section?.bytes.subarray(section.at, section.end);
}

function readUnit(
  section: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  texts: Parameters<typeof readFiles>[2],
): readonly LineRow[] {
  const reader = new DwarfReader(section, start, end);
  const version = reader.u16();
  if (version >= 5) reader.skip(2);
  const programStart = reader.u32() + reader.at;
  const minimumLength = reader.u8();
  if (version >= 4) reader.skip(1);
  reader.skip(1);
  const lineBase = reader.i8();
  const lineRange = reader.u8();
  const opcodeBase = reader.u8();
  const operands = [0, ...Array.from({ length: opcodeBase - 1 }, () => reader.u8())];
  const files = readFiles(reader, version, texts);
  reader.at = programStart;
  return runProgram(reader, { files, minimumLength, lineBase, lineRange, opcodeBase, operands });
}

function runProgram(reader: DwarfReader, header: Header): readonly LineRow[] {
  const rows: LineRow[] = [];
  let registers: Registers = { at: 0, file: 1, line: 1, column: 0 };
  const emit = (): void => {
    const { at, line, column } = registers;
    const path = header.files[registers.file] ?? "";
    // Line 0 belongs to no line; code that the linker dropped stays at address 0, or below it.
    if (line > 0 && at > 0 && at < DROPPED) rows.push({ at, file: path.replace(/^\.\//, ""), line, column, isOwn: !NOT_OWN.test(path) });
  };
  while (reader.at < reader.end) {
    const opcode = reader.u8();
    if (opcode >= header.opcodeBase) {
      const adjusted = opcode - header.opcodeBase;
      registers.at += Math.floor(adjusted / header.lineRange) * header.minimumLength;
      registers.line += header.lineBase + (adjusted % header.lineRange);
      emit();
    } else if (opcode === OP.extended) {
      const next = reader.uleb() + reader.at;
      const extended = reader.u8();
      if (extended === EXTENDED.endSequence) registers = { at: 0, file: 1, line: 1, column: 0 };
      else if (extended === EXTENDED.setAddress) registers.at = reader.u32();
      reader.at = next;
    } else if (opcode === OP.copy) emit();
    else runStandard(reader, opcode, { registers, header });
  }
  return rows;
}

/** Addresses of code that the linker dropped are −1 or −2. */
const DROPPED = 0xffff_0000;

function runStandard(
  reader: DwarfReader,
  opcode: number,
  { registers, header }: { readonly registers: Registers; readonly header: Header },
): void {
  if (opcode === OP.advancePc) registers.at += reader.uleb() * header.minimumLength;
  else if (opcode === OP.advanceLine) registers.line += reader.sleb();
  else if (opcode === OP.setFile) registers.file = reader.uleb();
  else if (opcode === OP.setColumn) registers.column = reader.uleb();
  else if (opcode === OP.constAddPc) registers.at += Math.floor((255 - header.opcodeBase) / header.lineRange) * header.minimumLength;
  else if (opcode === OP.fixedAdvancePc) registers.at += reader.u16();
  else for (let left = header.operands[opcode] ?? 0; left > 0; left -= 1) reader.uleb();
}
