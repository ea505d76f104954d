// The functions of the module `env` that contracts may import, with their exact types. Host interface, version 1.
import { I32, I64, type ValueType } from "./opcodes.ts";

/** Type of a function; `result` is 0 for none. */
export interface Signature {
  readonly params: readonly ValueType[];
  readonly result: ValueType | 0;
}

/** Letters: i is i32, l is i64; after the colon the result. */
const FUNCTIONS = {
  arg_count: ":i",
  arg_type: "i:i",
  arg_len: "i:i",
  arg_read: "iii:i",
  arg_u64: "i:l",
  arg_bool: "i:i",
  input_read: "iii:i",
  ctx_read: "iii:i",
  value: ":l",
  block_height: ":l",
  block_time: ":l",
  gas_left: ":l",
  state_get: "iiii:i",
  state_set: "iiii:",
  state_del: "ii:",
  state_next: "iiiiii:i",
  balance: ":l",
  transfer: "iil:i",
  burn: "l:i",
  key_usable: "ii:i",
  log: "ii:",
  ret: "ii:",
  revert: "ii:",
  abort: "iiii:",
  sha256: "iii:",
  sig_verify: "iiii:i",
  call: "iiiiiili:i",
  result_read: "iii:i",
} as const;

export type HostFunctionName = keyof typeof FUNCTIONS;

/** Types of the host functions by their names. */
export const HOST_SIGNATURES: ReadonlyMap<string, Signature> = new Map(
  Object.entries(FUNCTIONS).map(([name, letters]) => {
    const [params = "", result = ""] = letters.split(":");
    return [name, { params: [...params].map(typeOf), result: result === "" ? 0 : typeOf(result) }];
  }),
);

/** True for the name of a host function. */
export function isHostFunctionName(name: string): name is HostFunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

function typeOf(letter: string): ValueType {
  return letter === "l" ? I64 : I32;
}
