// The instructions that modules may use: operands, result, price. WebAssembly 1.0 without floats, with sign extension, memory.copy and
// memory.fill. What is not in the table cannot be deployed.

/** Value types by their byte in the binary format; 0 stands for "none" and, on the operand stack of unreachable code, for "any". */
export const I32 = 0x7f;
export const I64 = 0x7e;

/** i32 or i64. */
export type ValueType = typeof I32 | typeof I64;

/** What follows an instruction in the code. */
type Immediate = "none" | "i32" | "i64" | "memory" | "special";

export interface Instruction {
  readonly immediate: Immediate;
  /** Types of the operands, in the order in which they were pushed. */
  readonly pops: readonly ValueType[];
  /** Type of the result, or 0. */
  readonly pushes: ValueType | 0;
  readonly gas: number;
  /** Largest alignment of an access of memory, as a power of 2. */
  readonly maxAlign: number;
}

/** Instructions that the validator treats by themselves. */
export const OP = {
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32LtS: 0x48,
  i32GtU: 0x4b,
  i32Eq: 0x46,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32ShrU: 0x76,
  prefix: 0xfc,
} as const;

/** Behind the prefix. */
export const PREFIXED = { memoryCopy: 10, memoryFill: 11 } as const;

/** Gas of growing memory: of asking, and of each page that comes. Of copying and filling: of asking; 8 bytes more are 1 gas. */
export const MEMORY_GAS = { grow: 400, page: 24_000, copy: 30, fill: 150 } as const;

/**
 * Gas of a load: of one whose memory and code the processor keeps close, and of any other. One after the other, with each address out of
 * the one before, those wait for the machine's main memory.
 */
export const LOAD_GAS = { near: 5, far: 80 } as const;

/** Code that the processor does not keep close comes from main memory each time: prices are so many times as high, and charges cost more. */
export const FAR_CODE_GAS = { times: 2, charge: 10 } as const;

/** Gas of entering a function: of the call itself, and of each parameter and local. */
export const ENTRY_GAS = { call: 4, local: 1 } as const;

const STORE_GAS = 3;

type Shape = readonly [readonly ValueType[], ValueType | 0];

/** Loads and stores: opcode, largest alignment. */
const ACCESSES: readonly { readonly shape: Shape; readonly opcodes: readonly (readonly [number, number])[] }[] = [
  {
    shape: [[I32], I32],
    opcodes: [
      [0x28, 2],
      [0x2c, 0],
      [0x2d, 0],
      [0x2e, 1],
      [0x2f, 1],
    ],
  },
  {
    shape: [[I32], I64],
    opcodes: [
      [0x29, 3],
      [0x30, 0],
      [0x31, 0],
      [0x32, 1],
      [0x33, 1],
      [0x34, 2],
      [0x35, 2],
    ],
  },
  {
    shape: [[I32, I32], 0],
    opcodes: [
      [0x36, 2],
      [0x3a, 0],
      [0x3b, 1],
    ],
  },
  {
    shape: [[I32, I64], 0],
    opcodes: [
      [0x37, 3],
      [0x3c, 0],
      [0x3d, 1],
      [0x3e, 2],
    ],
  },
];

/** First and last opcode, shape, gas. A later line replaces an earlier one. */
const PLAIN: readonly (readonly [number, number, Shape, number])[] = [
  [0x45, 0x45, [[I32], I32], 1],
  [0x46, 0x4f, [[I32, I32], I32], 1],
  [0x50, 0x50, [[I64], I32], 1],
  [0x51, 0x5a, [[I64, I64], I32], 1],
  [0x67, 0x69, [[I32], I32], 1],
  [0x6a, 0x78, [[I32, I32], I32], 1],
  [0x6d, 0x70, [[I32, I32], I32], 8],
  [0x79, 0x7b, [[I64], I64], 1],
  [0x7c, 0x8a, [[I64, I64], I64], 1],
  [0x7f, 0x82, [[I64, I64], I64], 16],
  [0xa7, 0xa7, [[I64], I32], 1],
  [0xac, 0xad, [[I32], I64], 1],
  [0xc0, 0xc1, [[I32], I32], 1],
  [0xc2, 0xc4, [[I64], I64], 1],
];

/** Instructions that the validator treats by themselves, by their gas. */
const SPECIAL: readonly (readonly [number, readonly number[]])[] = [
  [0, [OP.nop, OP.block, OP.loop, OP.else, OP.end, OP.drop, OP.prefix]],
  [1, [OP.unreachable, OP.if, OP.br, OP.brIf, OP.return, OP.select, OP.localGet, OP.localSet, OP.localTee]],
  [1, [OP.memorySize]],
  [2, [OP.globalGet, OP.globalSet]],
  [4, [OP.call, OP.brTable]],
  [16, [OP.callIndirect]],
  [MEMORY_GAS.grow, [OP.memoryGrow]],
];

/** Instructions by their opcode; undefined for those that are not allowed. */
export const INSTRUCTIONS: readonly (Instruction | undefined)[] = instructionTable();

function instructionTable(): readonly (Instruction | undefined)[] {
  const table = new Array<Instruction | undefined>(256).fill(undefined);
  const put = (opcode: number, [pops, pushes]: Shape, rest: Omit<Instruction, "pops" | "pushes">): void => {
    table[opcode] = { pops, pushes, ...rest };
  };
  for (const [gas, opcodes] of SPECIAL) for (const opcode of opcodes) put(opcode, [[], 0], { immediate: "special", gas, maxAlign: 0 });
  for (const { shape, opcodes } of ACCESSES)
    for (const [opcode, maxAlign] of opcodes)
      put(opcode, shape, { immediate: "memory", gas: shape[1] === 0 ? STORE_GAS : LOAD_GAS.near, maxAlign });
  for (const [from, to, shape, gas] of PLAIN)
    for (let opcode = from; opcode <= to; opcode += 1) put(opcode, shape, { immediate: "none", gas, maxAlign: 0 });
  put(OP.i32Const, [[], I32], { immediate: "i32", gas: 1, maxAlign: 0 });
  put(OP.i64Const, [[], I64], { immediate: "i64", gas: 1, maxAlign: 0 });
  return table;
}

/** True for an instruction that reads the memory. */
export function isLoad({ immediate, pushes }: Instruction): boolean {
  return immediate === "memory" && pushes !== 0;
}

const FLOAT_RANGES = [
  [0x2a, 0x2b],
  [0x38, 0x39],
  [0x43, 0x44],
  [0x5b, 0x66],
  [0x8b, 0xa6],
  [0xa8, 0xab],
  [0xae, 0xbf],
] as const;

/** True for an instruction on floats: they are refused because the bits of a NaN differ between machines. */
export function isFloatOpcode(opcode: number): boolean {
  return FLOAT_RANGES.some(([from, to]) => opcode >= from && opcode <= to);
}
