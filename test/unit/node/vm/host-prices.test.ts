// What every function of the host costs, put together from the prices of docs/contracts.md as that page and docs/contract-host.md explain
// them. Nothing here comes from the host's own table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import type { MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { type Code, call, data, i32c, i64c, W } from "#test/support/vm/wasm-builder.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

const page = (name: string): string => readFileSync(join(projectRoot, "docs", name), "utf8");
const PRICES = new Map(
  [...page("contracts.md").matchAll(/^\| `(\w+)` \| ([\d,]+) \| /gm)].map(([, name, gas]) => [name, gas?.replaceAll(",", "")]),
);
const SIGNATURES = new Map(
  [...page("contract-host.md").matchAll(/^\| `(\w+)` \| `([il]*):([il]?)` \|/gm)].map(([, name, ...types]) => [name, types]),
);

function price(name: string, times = 1): number {
  return Number(PRICES.get(name)) * times;
}

/** Passing so many bytes. */
function passing(...lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + price("host") + price("hostWord", Math.ceil(length / 8)), 0);
}

const TEXTS = { key: 64, other: 200, out: 1_024 } as const;
/** The first contract that the world installs. */
const CALLEE = "ccccccccccccccc1";
const ARGUMENTS = [7, true, "nineteen characters"] as const;
const [KEY, VALUE, ID] = ["key", "value of 17 bytes", 16];
const pointer = (text: keyof typeof TEXTS): Code => i32c(TEXTS[text]);
const key: readonly Code[] = [pointer("key"), i32c(KEY.length)];
const out = (capacity: number): readonly Code[] => [pointer("out"), i32c(capacity)];
const publicKey: readonly Code[] = [i32c(300), i32c(64)];
const callee: readonly Code[] = [pointer("other"), i32c(ID), i32c(TEXTS.other + ID), i32c(3), i32c(400), i32c(4), i64c(0), i32c(0)];

/** Operands of each function, and what it costs beside its `call` instruction. */
const CASES: Readonly<Record<string, readonly [readonly Code[], (world: VmWorld) => number, string?]>> = {
  arg_count: [[], (): number => passing(0)],
  arg_type: [[i32c(2)], (): number => passing(0)],
  arg_len: [[i32c(2)], (): number => passing(19)],
  arg_read: [[i32c(2), ...out(9)], (): number => passing(19, 9)],
  arg_u64: [[i32c(0)], (): number => passing(8)],
  arg_bool: [[i32c(1)], (): number => passing(0)],
  input_read: [[pointer("out"), i32c(2), i32c(17)], (): number => passing(17)],
  ctx_read: [[i32c(0), ...out(100)], (): number => passing(64)],
  value: [[], (): number => passing(0)],
  block_height: [[], (): number => passing(0)],
  block_time: [[], (): number => passing(0)],
  gas_left: [[], (): number => passing(0)],
  state_get: [[...key, ...out(9)], (): number => passing(3, 9) + price("stateGet") + price("keyByte", 3) + price("stateGetByte", 17)],
  state_set: [[...key, pointer("other"), i32c(11)], (): number => passing(3, 11) + price("stateSet") + price("stateSetByte", 14)],
  state_del: [key, (): number => passing(3) + price("stateDelete") + price("keyByte", 3)],
  state_next: [
    [pointer("key"), i32c(2), pointer("key"), i32c(1), ...out(9)],
    (): number => passing(2, 1, 3) + price("stateNext") + price("keyByte", 3) + price("stateNextByte", 20),
  ],
  balance: [[], (): number => price("balance")],
  transfer: [[...publicKey, i64c(1)], (): number => passing(64) + price("transfer") + price("stateGet")],
  burn: [[i64c(1)], (): number => price("burn")],
  key_usable: [publicKey, (): number => passing(64) + price("stateGet")],
  log: [[pointer("key"), i32c(3)], (): number => passing(3) + price("log") + price("logByte", 3)],
  ret: [[pointer("out"), i32c(99)], (): number => passing(99)],
  revert: [[pointer("key"), i32c(3)], (): number => passing(3), "CONTRACT_ABORTED"],
  abort: [[i32c(408), i32c(0), i32c(1), i32c(2)], (): number => passing(6), "CONTRACT_ABORTED"],
  sha256: [[pointer("key"), i32c(9), pointer("out")], (): number => price("sha256") + price("sha256Word", 2)],
  sig_verify: [[pointer("key"), i32c(9), pointer("out"), i32c(300)], (): number => price("verify") + price("verifyByte", 9)],
  call: [
    callee,
    (world): number => {
      const loading = price("wasmCall") + price("wasmWeight", world.record(CALLEE).wasmWeight) + price("wasmPage");
      const record = price("contractByte", world.recordBytes(CALLEE));
      return passing(ID, 3, 4) + price("nestedCall") + price("call") + price("callByte", 4) + record + loading + 4;
    },
  ],
  result_read: [[pointer("out"), i32c(0), i32c(9)], (): number => passing(0)],
};

it("has every function of the page", () => {
  expect(Object.keys(CASES).sort()).toEqual([...SIGNATURES.keys()].sort());
});

it.each(Object.entries(CASES))("%s costs what the pages say", (name, [operands, expected, failure]) => {
  const run: MethodAbi = { name: "run", args: (["u64", "bool", "string"] as const).map((type) => ({ name: type, type })) };
  const world = new VmWorld();
  world.install({ functions: [{ export: "run", code: [] }] });
  const [params = "", result = ""] = SIGNATURES.get(name) ?? [];
  const typeOf = (letter: string): number => (letter === "l" ? W.i64 : W.i32);
  const given = { params: [...params].map(typeOf), results: [...result].map(typeOf) };
  const code: Code = [[...operands], call(0), result === "" ? [] : W.drop];
  const texts = [
    data(TEXTS.key, KEY),
    data(TEXTS.other, `${CALLEE}run`),
    data(300, alice.pub),
    data(400, "[  ]"),
    data(404, "\u0006\0\0\0a\0b\0c\0"),
  ];
  const id = world.install({ imports: [{ name, ...given }], functions: [{ export: "run", code }], data: texts }, [run]);
  world.fund(id, 1_000);
  world.state.set("contract_state", contractStateKey(id, utf8(KEY)), utf8(VALUE));
  const argsJson = JSON.stringify(ARGUMENTS);
  const outcome = world.call(id, "run", { argsJson, gas: 5_000_000 });
  expect(outcome.failure).toBe(failure);
  const around = world.loadingGas(id) + price("wasmPage") + price("callByte", argsJson.length);
  const instructions = 4 + operands.length + 4;
  expect(outcome.gasUsed - around - instructions).toBe(expected(world));
});
