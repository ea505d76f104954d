// Modules that do one thing until their gas is spent: one for every kind of operation that has a price.

import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { ContractId, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";
import {
  add,
  br,
  type Code,
  call,
  data,
  get,
  getGlobal,
  grow,
  i32c,
  i64c,
  load,
  loop,
  type ModuleSpec,
  set,
  setGlobal,
  store,
  u32,
  W,
} from "../../support/vm/wasm-builder.ts";
import { alice } from "../../support/worlds/ledger-world.ts";
import type { VmWorld } from "../../support/worlds/vm-world.ts";

/** One operation in an endless loop. */
export interface Operation {
  readonly what: string;
  readonly spec: ModuleSpec;
  readonly methods?: readonly (string | MethodAbi)[];
  readonly gas?: number;
  readonly setup?: (world: VmWorld, id: ContractId) => void;
}

const [i32, i64] = [W.i32, W.i64];
const IMPORTS = [
  { name: "value", results: [i64] },
  { name: "gas_left", results: [i64] },
  { name: "ctx_read", params: [i32, i32, i32], results: [i32] },
  { name: "state_get", params: [i32, i32, i32, i32], results: [i32] },
  { name: "state_set", params: [i32, i32, i32, i32] },
  { name: "state_next", params: [i32, i32, i32, i32, i32, i32], results: [i32] },
  { name: "state_del", params: [i32, i32] },
  { name: "balance", results: [i64] },
  { name: "transfer", params: [i32, i32, i64], results: [i32] },
  { name: "key_usable", params: [i32, i32], results: [i32] },
  { name: "sha256", params: [i32, i32, i32] },
  { name: "sig_verify", params: [i32, i32, i32, i32], results: [i32] },
  { name: "call", params: [i32, i32, i32, i32, i32, i32, i64, i32], results: [i32] },
  { name: "log", params: [i32, i32] },
  { name: "input_read", params: [i32, i32, i32], results: [i32] },
] as const;
const host = (name: (typeof IMPORTS)[number]["name"]): Code => call(IMPORTS.findIndex((item) => item.name === name));
const many = (count: number, code: Code): Code => Array.from({ length: count }, () => code);
const KEY = 1_024;
/** What was computed is stored, or the engine would leave it out. */
const KEEP: Code = [i32c(512), get(0), get(1), add, store()];

/** A loop over the code, with locals 0 to 3 (i32). */
function endless(code: Code, more: Partial<ModuleSpec> = {}): ModuleSpec {
  return { imports: IMPORTS, functions: [{ export: "run", locals: [[4, i32]], code: loop(W.void, code, KEEP, br(0)) }], ...more };
}

/** Every kind of operation. */
export function operations(): readonly Operation[] {
  return [...instructions(), ...memory(), ...hostCalls(), ...stateCalls(), ...heavyCalls()];
}

function instructions(): readonly Operation[] {
  const indirect: ModuleSpec = {
    functions: [{ export: "run", code: loop(W.void, many(20, [i32c(0), 0x11, 0, 0]), br(0)) }, { code: [] }],
    table: [0x70, 0, 1],
    elements: [[0, i32c(0), W.end, 1, 1]],
  };
  const called: ModuleSpec = {
    functions: [{ export: "run", code: loop(W.void, many(20, call(1)), br(0)) }, { code: [getGlobal(0), setGlobal(0)] }],
    globals: [[i32, 1, i32c(0), W.end]],
  };
  const random: Code = [get(0), i32c(1_664_525), 0x6c, i32c(1_013_904_223), add, 0x22, 0];
  const table: Code = [random, i32c(28), 0x76];
  return [
    { what: "empty loop", spec: endless([]) },
    { what: "i32 arithmetic", spec: endless(many(50, [get(0), i32c(3), 0x6c, i32c(7), add, set(0)])) },
    { what: "i32 division", spec: endless(many(50, [get(0), i32c(7), 0x6e, i32c(-1), 0x73, set(0)])) },
    { what: "i64 division", spec: endless(many(50, [get(0), 0xac, i64c(7), 0x7f, 0xa7, set(0)])) },
    { what: "i64 remainder by a variable", spec: endless(many(50, [i64c(-7), get(0), 0xad, i64c(3), 0x84, 0x81, 0xa7, set(0)])) },
    { what: "globals", spec: { ...endless(many(50, [getGlobal(0), i32c(1), add, setGlobal(0)])), globals: [[i32, 1, i32c(0), W.end]] } },
    { what: "calls", spec: called },
    { what: "indirect calls", spec: indirect },
    {
      what: "random br_table",
      spec: endless([
        many(8, [
          [
            0x02,
            W.void,
            0x02,
            W.void,
            0x02,
            W.void,
            0x02,
            W.void,
            table,
            0x0e,
            3,
            0,
            1,
            2,
            3,
            W.end,
            get(1),
            i32c(1),
            add,
            set(1),
            W.end,
            get(1),
            i32c(2),
            0x73,
            set(1),
            W.end,
            W.end,
          ],
        ]),
      ]),
    },
    {
      what: "unpredictable branches",
      spec: endless(
        many(8, [random, i32c(31), 0x76, 0x04, W.void, get(1), i32c(1), add, set(1), W.else, get(1), i32c(3), 0x73, set(1), W.end]),
      ),
    },
  ];
}

/** A loop over code that makes an address of an address, in a memory where every 64 bytes name others, in an order against caches. */
function walking(kibibytes: number, code: Code): ModuleSpec {
  const [pages, last] = [kibibytes / 64, kibibytes * 1_024 - 64];
  const other: Code = [get(1), i32c(1_103_515_245), 0x6c, i32c(12_345 * 64), add, i32c(last), 0x71];
  const lay: Code = [get(1), other, store(), get(1), i32c(64), add, 0x22, 1, i32c(kibibytes * 1_024), 0x49, 0x0d, 0];
  const run: Code = [i32c(pages - 1), grow, W.drop, loop(W.void, lay), loop(W.void, get(0), code, set(0), br(0))];
  return { functions: [{ export: "run", locals: [[4, i32]], code: run }], memory: [1, 1, pages] };
}

/** Next address of a random walk that waits for nothing. */
const anywhere: Code = [get(2), i32c(1_664_525), 0x6c, i32c(1_013_904_223), add, 0x22, 2, i32c(8), 0x76, i32c(0x3f_ffc0), 0x71];

function memory(): readonly Operation[] {
  const wide = { memory: [1, 32, 64] } as const;
  return [
    {
      what: "loads in order",
      spec: endless(many(30, [get(0), i32c(0xfffc), 0x71, load(), get(1), add, set(1), get(0), i32c(4), add, set(0)])),
    },
    { what: "stores in order", spec: endless(many(30, [get(0), i32c(0xfffc), 0x71, get(1), store(), get(0), i32c(4), add, set(0)])) },
    { what: "loads out of each other, 512 KiB", spec: walking(512, many(16, load())), gas: 60_000_000 },
    { what: "loads out of each other, 1 MiB", spec: walking(1_024, many(16, load())), gas: 60_000_000 },
    { what: "loads out of each other, 4 MiB", spec: walking(4_096, many(16, load())), gas: 60_000_000 },
    { what: "loads anywhere in 4 MiB", spec: walking(4_096, [W.drop, many(16, [anywhere, load(), W.drop]), i32c(0)]), gas: 60_000_000 },
    { what: "stores anywhere in 4 MiB", spec: walking(4_096, [W.drop, many(16, [anywhere, get(2), store()]), i32c(0)]), gas: 60_000_000 },
    { what: "memory.fill of nothing", spec: endless(many(20, [i32c(0), i32c(0), i32c(0), 0xfc, 11, 0])) },
    { what: "memory.fill of 64 bytes", spec: endless(many(20, [i32c(0), i32c(1), i32c(64), 0xfc, 11, 0])) },
    { what: "memory.fill of 2 MiB", spec: endless([i32c(0), i32c(1), i32c(2_097_152), 0xfc, 11, 0], wide) },
    { what: "memory.copy of nothing", spec: endless(many(20, [i32c(0), i32c(0), i32c(0), 0xfc, 10, 0, 0])) },
    { what: "memory.copy of 1 MiB, overlapping", spec: endless([i32c(1), i32c(0), i32c(1_048_576), 0xfc, 10, 0, 0], wide) },
    { what: "memory.grow by nothing", spec: endless(many(20, [i32c(0), grow, W.drop])) },
    {
      what: "memory.grow by 63 pages, new instance",
      spec: { functions: [{ export: "run", code: [i32c(63), grow, W.drop] }] },
      gas: 400_000,
    },
    { what: "call of an empty method", spec: { functions: [{ export: "run", code: [] }] }, gas: 100_000 },
    { what: "call of an empty method, 32 pages", spec: { functions: [{ export: "run", code: [] }], memory: [0, 32] }, gas: 200_000 },
  ];
}

function hostCalls(): readonly Operation[] {
  return [
    { what: "host: value", spec: endless(many(20, [host("value"), W.drop])) },
    { what: "host: gas_left", spec: endless(many(20, [host("gas_left"), W.drop])) },
    { what: "host: ctx_read of the caller", spec: endless(many(20, [i32c(0), i32c(0), i32c(64), host("ctx_read"), W.drop])) },
    { what: "host: input_read", spec: endless(many(20, [i32c(0), i32c(0), i32c(64), host("input_read"), W.drop])) },
    { what: "host: balance", spec: endless(many(20, [host("balance"), W.drop])) },
    { what: "host: sha256 of nothing", spec: endless(many(20, [i32c(0), i32c(0), i32c(0), host("sha256")])) },
    { what: "host: sha256 of 64 KiB", spec: endless([i32c(0), i32c(65_536), i32c(0), host("sha256")]) },
    { what: "host: sha256 of 2 MiB", spec: endless([i32c(0), i32c(2_097_152), i32c(0), host("sha256")], { memory: [0, 32] }) },
  ];
}

function stateCalls(): readonly Operation[] {
  // Another key in every round: the counter stands at 0.
  const next: Code = [i32c(0), get(0), i32c(1), add, 0x22, 0, store()];
  const search: Code = [i32c(0), i32c(0), i32c(0), i32c(0), i32c(64), i32c(64), host("state_next"), W.drop];
  return [
    { what: "host: state_get of one key", spec: endless(many(20, [i32c(0), i32c(4), i32c(64), i32c(64), host("state_get"), W.drop])) },
    { what: "host: state_get of other keys", spec: endless([next, i32c(0), i32c(4), i32c(64), i32c(64), host("state_get"), W.drop]) },
    { what: "host: state_set of other keys", spec: endless([next, i32c(0), i32c(4), i32c(64), i32c(32), host("state_set")]) },
    { what: "host: state_set of 16 KiB", spec: endless([next, i32c(0), i32c(4), i32c(64), i32c(16_384), host("state_set")]) },
    { what: "host: state_del of other keys", spec: endless([next, i32c(0), i32c(4), host("state_del")]) },
    {
      what: "host: state_next after changes",
      spec: endless([next, i32c(0), i32c(4), i32c(64), i32c(4), host("state_set"), search]),
    },
    {
      what: "host: state_next after deletions",
      spec: endless([next, i32c(0), i32c(4), host("state_del"), search]),
    },
    {
      what: "host: transfer",
      spec: endless([i32c(KEY), i32c(64), i64c(1), host("transfer"), W.drop], { data: [data(KEY, alice.pub)] }),
      setup: (world, id): void => world.fund(id, 1_000_000_000),
    },
    {
      what: "host: key_usable of other keys",
      spec: endless([next, hexDigit(), i32c(KEY), i32c(64), host("key_usable"), W.drop], { data: [data(KEY, "ab".repeat(32))] }),
    },
  ];
}

/** Writes the last digit of the counter into the key, so that no two in a row are the same. */
function hexDigit(): Code {
  return [
    i32c(KEY + 2),
    get(0),
    i32c(7),
    0x71,
    i32c(0x30),
    add,
    0x3a,
    0,
    0,
    i32c(KEY + 5),
    get(0),
    i32c(3),
    0x76,
    i32c(7),
    0x71,
    i32c(0x30),
    add,
    0x3a,
    0,
    0,
  ];
}

function heavyCalls(): readonly Operation[] {
  const message = new Uint8Array(100);
  const signature = signEd25519(message, alice.seed);
  const bytes = [...concatBytes(signature, fromHex(alice.pub))];
  const segment = [0, i32c(KEY), W.end, u32(bytes.length), bytes];
  const verify = (from: number): Code => [i32c(from), i32c(100), i32c(KEY), i32c(KEY + 64), host("sig_verify"), W.drop];
  const id = "cccccccccccccccf";
  return [
    { what: "host: sig_verify, accepted", spec: endless(verify(0), { data: [segment] }) },
    { what: "host: sig_verify, refused", spec: endless(verify(1_100), { data: [segment] }) },
    {
      what: "host: call of another contract",
      spec: endless([i32c(KEY), i32c(16), i32c(KEY + 16), i32c(3), i32c(0), i32c(0), i64c(0), i32c(0), host("call"), W.drop], {
        data: [data(KEY, `${id}run`)],
      }),
      setup: (world): void => {
        while (world.install({ functions: [{ export: "run", code: [] }] }) !== id);
      },
    },
  ];
}
