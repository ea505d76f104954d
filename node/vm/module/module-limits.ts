// Limits of WebAssembly modules. Part of consensus: a change makes another set of deployable contracts. docs/contract-host.md lists them.
import { MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";

/** Largest value of each thing in a module; bytes where the name says so. */
export const MODULE_LIMITS = {
  codeBytes: MAX_WASM_BYTES,
  bodyBytes: 65_536,
  types: 1_024,
  functions: 4_096,
  parameters: 32,
  results: 1,
  locals: 512,
  operands: 1_024,
  nesting: 256,
  branchTargets: 1_024,
  imports: 64,
  exports: 256,
  globals: 256,
  nameBytes: 128,
  tableElements: 4_096,
  elementSegments: 64,
  dataSegments: 1_024,
  weight: 2_000_000,
  initialPages: 32,
  pages: 64,
} as const;

/** Pages of a memory that a processor keeps close, beside the code of {@link NEAR_WEIGHT}: both fit into its second cache, of 1 MiB. */
export const NEAR_PAGES = 8;

/** Weight of a module whose code, up to eleven times as long as the module once it is compiled, is kept close. */
export const NEAR_WEIGHT = 40_960;

/**
 * What code adds to the weight of a module beside its bytes, in bytes: the engine takes as long for it as for so many bytes more. The
 * compiler keeps a place for every local and operand and goes over all of them where paths part or meet, see {@link MOVES}.
 */
export const WEIGHT = { function: 32, call: 2, target: 7, movesOfByte: 128 } as const;

/** Places of a table and elements in it, together, that weigh nothing; each one beyond weighs a byte: an instance fills its table anew. */
export const FREE_TABLE_PLACES = 512;

/** How often the compiler goes over locals and operands, in sixteenths: at each of these instructions, and at each charge put in. */
export const MOVES = { function: 16, block: 16, loop: 48, if: 64, branch: 16, branchIf: 32, target: 4, call: 1, charge: 32 } as const;

/** Types of functions that weigh nothing beside their bytes; the engine looks up each one beyond, which takes as long as {@link TYPE_WEIGHT} bytes. */
export const FREE_TYPES = 64;
export const TYPE_WEIGHT = 16;

/** Words of the logical stack of one transaction. A frame takes {@link FRAME_WORDS}, locals, deepest operands, twice its parameters. */
export const STACK_WORDS = 65_536;

/** Locals that the meters add to a function: what gas or stack is left, and what the stack was before. */
export const METER_LOCALS = 2;

/** Words of a frame without parameters, locals and operands of its own. */
export const FRAME_WORDS = 12 + METER_LOCALS;

/** Words that a contract keeps when it calls another, for what lies between the two. */
export const CALL_STACK_WORDS = 2_048;

/** Bytes of a page of memory. */
export const PAGE_BYTES = 65_536;
