// Parts that hostile cases share: how they are described, host functions that they import, contracts that call others.
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { br, type Code, call, data, i32c, i64c, loop, type ModuleSpec, W } from "../../support/vm/wasm-builder.ts";
import type { VmCall, VmWorld } from "../../support/worlds/vm-world.ts";

/** A way to make a node work: `prepare` builds it, what it returns does one round and says what was paid. */
export interface HostileCase {
  readonly what: string;
  readonly prepare: (world: VmWorld) => () => number;
  /** Bytes of metered code that the machine keeps compiled; by default as a node does. */
  readonly cacheBytes?: number;
  /** Only the first round of each world counts: the engine keeps what it compiled for as long as it is used. */
  readonly isFirstOnly?: boolean;
}

const [i32, i64] = [W.i32, W.i64];

/** Host functions, as modules import them. */
export const IMPORT = {
  call: { name: "call", params: [i32, i32, i32, i32, i32, i32, i64, i32], results: [i32] },
  keyUsable: { name: "key_usable", params: [i32, i32], results: [i32] },
  transfer: { name: "transfer", params: [i32, i32, i64], results: [i32] },
  stateGet: { name: "state_get", params: [i32, i32, i32, i32], results: [i32] },
  stateNext: { name: "state_next", params: [i32, i32, i32, i32, i32, i32], results: [i32] },
  stateSet: { name: "state_set", params: [i32, i32, i32, i32] },
  stateDelete: { name: "state_del", params: [i32, i32] },
  ret: { name: "ret", params: [i32, i32] },
  argRead: { name: "arg_read", params: [i32, i32, i32], results: [i32] },
  inputRead: { name: "input_read", params: [i32, i32, i32], results: [i32] },
  revert: { name: "revert", params: [i32, i32] },
  abort: { name: "abort", params: [i32, i32, i32, i32] },
} as const;

/** Code, so many times. */
export function many(count: number, code: Code): Code {
  return Array.from({ length: count }, () => code);
}

/** The contract that the world installs after this call. */
export function nextId(world: VmWorld): ContractId {
  const probe = world.install({ functions: [{ export: "run", code: [] }] });
  return (Number.parseInt(probe.replace(/^c+/, ""), 16) + 1).toString(16).padStart(16, "c");
}

/** A round that spends the gas of one call. */
export function spend(world: VmWorld, id: ContractId, given: VmCall = { gas: 20_000_000 }): () => number {
  return () => world.call(id, "run", given).gasUsed;
}

/** A contract that calls a method again and again. */
export function caller(id: ContractId, { method = "run", args = "", gas = 0 } = {}): ModuleSpec {
  const code = [i32c(0), i32c(16), i32c(16), i32c(method.length), i32c(1_024), i32c(args.length), i64c(0), i32c(gas), call(0), W.drop];
  return {
    imports: [IMPORT.call],
    functions: [{ export: "run", code: loop(W.void, code, br(0)) }],
    data: [data(0, `${id}${method}`), data(1_024, args)],
  };
}

/** A chain of contracts that call each other, the last of which does the work. */
export function atDepth(world: VmWorld, depth: number, work: ModuleSpec): ContractId {
  let id = world.install(work);
  for (let level = 1; level < depth; level += 1) {
    const code = [i32c(0), i32c(16), i32c(16), i32c(3), i32c(0), i32c(0), i64c(0), i32c(0), call(0), W.drop];
    id = world.install({ imports: [IMPORT.call], functions: [{ export: "run", code }], data: [data(0, `${id}run`)] });
  }
  return id;
}
