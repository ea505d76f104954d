// Which functions of a module can be reached from some: the others get a body of nothing, since all that is loaded takes time.
import { OP } from "#node/vm/module/opcodes.ts";
import { constantOf, type FunctionBody, HOST_NAMES, type IntegerModule, indexIn } from "./integer-module.ts";

const known = new WeakMap<FunctionBody, readonly number[]>();
const empty = new WeakMap<FunctionBody, FunctionBody>();

/** Functions that a body calls by their number, without those of the host. */
export function calleesOf(body: FunctionBody | undefined): readonly number[] {
  if (body === undefined) return [];
  const before = known.get(body);
  if (before !== undefined) return before;
  const called = body.code.filter(({ opcode }) => opcode === OP.call).map(indexIn);
  const callees = [...new Set(called)].filter((index) => index >= HOST_NAMES.length);
  known.set(body, callees);
  return callees;
}

/** The module with only what is reached from these functions. */
export function reachedFrom(module: IntegerModule, targets: readonly number[]): IntegerModule {
  const reached = new Set<number>();
  // Pieces of code that are put into entries may call what is in the table.
  const open = [...targets, ...module.table.map((index) => index - HOST_NAMES.length)];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    open.push(...calleesOf(module.functions[index]).map((called) => called - HOST_NAMES.length));
  }
  return { ...module, functions: module.functions.map((body, index) => (reached.has(index) ? body : emptyOf(body))) };
}

function emptyOf(body: FunctionBody): FunctionBody {
  const before = empty.get(body);
  if (before !== undefined) return before;
  const nothing = { ...body, locals: [], code: body.results.map((type) => constantOf(type, 0n)) };
  empty.set(body, nothing);
  return nothing;
}
