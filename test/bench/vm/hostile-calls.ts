// Calls: contracts with large interfaces, large results, calls of little.
import type { ContractId, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { br, type Code, call, data, get, i32c, i64c, loop, type ModuleSpec, u32, W } from "../../support/vm/wasm-builder.ts";
import type { VmWorld } from "../../support/worlds/vm-world.ts";
import { caller, type HostileCase, IMPORT, many, spend } from "./hostile-case.ts";

const { i32 } = W;

/** The largest interface: 16 KiB of methods. */
function largeInterface(): readonly MethodAbi[] {
  const methods: MethodAbi[] = [{ name: "run", args: [] }];
  const size = (): number => JSON.stringify({ contract: "test", version: "1", methods }).length;
  while (size() < 15_800 && methods.length < 128) {
    const args: MethodAbi["args"][number][] = [];
    methods.push({ name: `m${methods.length}`, args });
    for (let at = 0; at < 16 && size() < 15_800 && at < 4; at += 1) args.push({ name: `a${at}`, type: "u64" });
  }
  return methods;
}

function largeContract(world: VmWorld): ContractId {
  const methods = largeInterface();
  return world.install({ functions: methods.map(({ name }) => ({ export: name, code: [] })) }, methods);
}

/** Contracts with an interface of the largest size: to name them, pay them, call them. */
export function interfaceCases(): readonly HostileCase[] {
  const withId = (world: VmWorld, code: Code, imports: NonNullable<ModuleSpec["imports"]>): (() => number) => {
    const large = largeContract(world);
    const id = world.install({ imports, functions: [{ export: "run", code: loop(W.void, code, br(0)) }], data: [data(0, large)] });
    world.fund(id, 1_000_000_000);
    return spend(world, id);
  };
  return [
    {
      what: "key_usable of a contract with a large interface",
      prepare: (world) => withId(world, [i32c(0), i32c(16), call(0), W.drop], [IMPORT.keyUsable]),
    },
    {
      what: "transfer to a contract with a large interface",
      prepare: (world) => withId(world, [i32c(0), i32c(16), i64c(1), call(0), W.drop], [IMPORT.transfer]),
    },
    {
      what: "call of a contract with a large interface",
      prepare: (world) => spend(world, world.install(caller(largeContract(world)))),
    },
    {
      what: "call of a contract with a large interface, for little gas",
      prepare: (world) => spend(world, world.install(caller(largeContract(world), { gas: 1_500 }))),
    },
    {
      what: "call of a method that a large interface lacks",
      prepare: (world) => spend(world, world.install(caller(largeContract(world), { method: "zzz" }))),
    },
    {
      what: "transaction that calls a contract with a large interface",
      prepare: (world) => {
        const id = largeContract(world);
        return () => world.call(id, "run", { gas: 1_000_000 }).gasUsed;
      },
    },
  ];
}

/** What is passed to and from the host, and calls that do nothing. */
export function passingCases(): readonly HostileCase[] {
  return [
    {
      what: "ret of 16 KiB",
      prepare: (world) =>
        spend(
          world,
          world.install({
            imports: [IMPORT.ret],
            functions: [{ export: "run", code: loop(W.void, i32c(0), i32c(16_384), call(0), br(0)) }],
          }),
        ),
    },
    {
      what: "input_read of 16 KiB",
      prepare: (world) => {
        const code = loop(W.void, i32c(0), i32c(0), i32c(16_384), call(0), W.drop, br(0));
        const id = world.install({ imports: [IMPORT.inputRead], functions: [{ export: "run", code }] }, [
          { name: "run", args: [{ name: "a", type: "json" }] },
        ]);
        return () => world.call(id, "run", { argsJson: `["${"a".repeat(16_000)}"]`, gas: 20_000_000 }).gasUsed;
      },
    },
    {
      what: "revert with 1 KiB, called from inside",
      prepare: (world): (() => number) => {
        const taker = world.install({ imports: [IMPORT.revert], functions: [{ export: "run", code: [i32c(0), i32c(1_024), call(0)] }] });
        return spend(world, world.install(caller(taker)));
      },
    },
    {
      what: "abort with 1,024 characters of three bytes, called from inside",
      prepare: (world): (() => number) => {
        const reason = data(4, "\u{4e00}".repeat(683));
        const code = [i32c(0), i32c(2_048), 0x36, 2, 0, i32c(4), i32c(0), i32c(0), i32c(0), call(0)];
        const taker = world.install({ imports: [IMPORT.abort], functions: [{ export: "run", code }], data: [reason] });
        return spend(world, world.install(caller(taker)));
      },
    },
    {
      what: "call of an empty method from inside",
      prepare: (world): (() => number) => {
        const taker = world.install({ functions: [{ export: "run", code: [] }] });
        return spend(world, world.install(caller(taker)));
      },
    },
    {
      what: "call of nothing that exists",
      prepare: (world) => spend(world, world.install(caller("f".repeat(16)))),
    },
    {
      what: "random call_indirect among 4,096 functions",
      prepare: (world) => {
        const functions = Array.from({ length: 4_000 }, (_, at) => ({ results: [i32], code: i32c(at) }));
        const random: Code = [get(0), i32c(1_664_525), 0x6c, i32c(1_013_904_223), 0x6a, 0x22, 0, i32c(8), 0x76, i32c(2_047), 0x71];
        const body = loop(W.void, many(16, [random, 0x11, 0, 0, W.drop]), br(0));
        const elements: Code = [0, i32c(0), W.end, u32(2_048), Array.from({ length: 2_048 }, (_, at) => u32(at))];
        const spec: ModuleSpec = {
          functions: [...functions, { export: "run", locals: [[1, i32]], code: body }],
          table: [0x70, 0, u32(2_048)],
          elements: [elements],
        };
        const id = world.install(spec);
        return () => world.call(id, "run", { gas: 60_000_000 }).gasUsed;
      },
    },
  ];
}
