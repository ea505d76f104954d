// What modules can ask of their host, and what calls between contracts leave behind.
import { describe, expect, it, vi } from "vitest";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";
import {
  br,
  type Code,
  call,
  data,
  flat,
  get,
  i32c,
  i64c,
  loop,
  type ModuleSpec,
  set,
  store,
  vector,
  W,
  when,
} from "#test/support/vm/wasm-builder.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";
import { inShort, VmWorld } from "#test/support/worlds/vm-world.ts";

const [i32, i64] = [W.i32, W.i64];

/** Host functions by the index that they have in every module here. */
const HOST = {
  ret: [[i32, i32], []],
  log: [[i32, i32], []],
  revert: [[i32, i32], []],
  state_get: [[i32, i32, i32, i32], [i32]],
  state_set: [[i32, i32, i32, i32], []],
  state_next: [[i32, i32, i32, i32, i32, i32], [i32]],
  transfer: [[i32, i32, i64], [i32]],
  arg_read: [[i32, i32, i32], [i32]],
  arg_u64: [[i32], [i64]],
  arg_type: [[i32], [i32]],
  input_read: [[i32, i32, i32], [i32]],
  ctx_read: [[i32, i32, i32], [i32]],
  sha256: [[i32, i32, i32], []],
  sig_verify: [[i32, i32, i32, i32], [i32]],
  call: [[i32, i32, i32, i32, i32, i32, i64, i32], [i32]],
  result_read: [[i32, i32, i32], [i32]],
  abort: [[i32, i32, i32, i32], []],
  arg_bool: [[i32], [i32]],
  burn: [[i64], [i32]],
  balance: [[], [i64]],
} as const;
type HostName = keyof typeof HOST;
const IMPORTS = Object.entries(HOST).map(([hostName, [params, results]]) => ({ name: hostName, params, results }));
const host = (hostName: HostName): Code => call(Object.keys(HOST).indexOf(hostName));
const OUT = 4_096;

/** A module whose method does this; what stands in memory at 0 is given as text. */
function module(code: Code, text = "", more: Partial<ModuleSpec> = {}): ModuleSpec {
  return { imports: IMPORTS, functions: [{ export: "run", code, locals: [[2, i32]] }], data: [data(0, text)], ...more };
}

const returnRead = (read: Code): Code => [read, set(0), i32c(OUT), get(0), host("ret")];

describe("arguments", () => {
  const run: MethodAbi = { name: "run", args: [{ name: "a", type: "json" }] };
  const texts: readonly (readonly [string, string])[] = [
    ['[ { "b" : [1, 2 ] , "a":null } ]', '{"b":[1,2],"a":null}'],
    ["[18446744073709551615]", "18446744073709551615"],
    ["[-9223372036854775808]", "-9223372036854775808"],
    ['["\\u00e9\\n"]', "é\n"],
    ["[true]", "true"],
    ["[null]", "null"],
    ['[["x"]]', '["x"]'],
  ];

  it.each(texts)("%s reach the module as %s", (argsJson, expected) => {
    const world = new VmWorld();
    const id = world.install(module(returnRead([i32c(0), i32c(OUT), i32c(1_000), host("arg_read")])), [run]);
    expect(world.text(id, "run", { argsJson })).toBe(expected);
  });

  it.each([
    "[1.5]",
    "[1e400]",
    "[-0]",
    '["\\ud800"]',
    '[{"a":1,"a":2}]',
    "[18446744073709551616]",
    `[${"[".repeat(9)}${"]".repeat(9)}]`,
    "{}",
    "[1,]",
    `["${"x".repeat(16_384)}"]`,
  ])("that are no list of values are refused: %s", (argsJson) => {
    const world = new VmWorld();
    expect(inShort(world.call(world.install(module([]), [run]), "run", { argsJson }))).toBe("CONTRACT_ARGUMENTS");
  });

  it("have types and numbers, and are not there beyond their count", () => {
    const world = new VmWorld();
    const method: MethodAbi = { name: "run", args: [{ name: "a", type: "u64" }] };
    const number = world.install(module([i32c(OUT), i32c(0), host("arg_u64"), 0x37, 3, 0, i32c(OUT), i32c(8), host("ret")]), [method]);
    expect(toHex(world.call(number, "run", { argsJson: '["18446744073709551615"]' }).result)).toBe("ff".repeat(8));
    const missing = world.install(module([i32c(1), host("arg_u64"), W.drop]), [method]);
    expect(inShort(world.call(missing, "run", { args: [1] }))).toBe("CONTRACT_TRAPPED");
    const typed = world.install(module([i32c(0), host("arg_bool"), W.drop]), [method]);
    expect(inShort(world.call(typed, "run", { args: [1] }))).toBe("CONTRACT_TRAPPED");
  });

  it("are there as they were sent, in parts", () => {
    const world = new VmWorld();
    const id = world.install(module([i32c(OUT), i32c(2), i32c(3), host("input_read"), W.drop, i32c(OUT), i32c(3), host("ret")]), [run]);
    expect(world.text(id, "run", { argsJson: '["xyz"]' })).toBe("xyz");
  });
});

describe("context", () => {
  it.each([
    [0, bob.pub],
    [1, "ccccccccccccccc1"],
    [2, alice.pub],
    [3, "tx-1"],
    [4, alice.pub],
    [5, "vm-world"],
  ])("field %i", (field, expected) => {
    const world = new VmWorld();
    const id = world.install(module(returnRead([i32c(field), i32c(OUT), i32c(100), host("ctx_read")])));
    expect(world.text(id, "run", { caller: bob.pub })).toBe(expected);
  });

  it("has no other fields", () => {
    const world = new VmWorld();
    const id = world.install(module([i32c(6), i32c(0), i32c(0), host("ctx_read"), W.drop]));
    expect(inShort(world.call(id))).toBe("CONTRACT_TRAPPED");
  });
});

describe("state", () => {
  it("is written and read; a missing key is -1, a small buffer gets a part and the whole length", () => {
    const world = new VmWorld();
    const put = [i32c(0), i32c(1), i32c(1), i32c(5), host("state_set")];
    const id = world.install(module([put, returnRead([i32c(0), i32c(1), i32c(OUT), i32c(2), host("state_get")])], "khello"));
    expect([...world.call(id).result.subarray(0, 5)]).toEqual([...utf8("he"), 0, 0, 0]);
    const missing = world.install(
      module([i32c(0), i32c(1), i32c(0), i32c(0), host("state_get"), i32c(-1), 0x47, 0x04, W.void, W.unreachable, W.end], "k"),
    );
    expect(inShort(world.call(missing))).toBe("ok");
  });

  it("stays under the bytes that a key had, whatever becomes of them in the memory", () => {
    const world = new VmWorld();
    const put = (value: number): Code => [i32c(0), i32c(1), i32c(value), i32c(1), host("state_set")];
    const change: Code = [i32c(0), i32c(120), 0x3a, 0, 0];
    const read = (key: number): Code => [i32c(key), i32c(1), i32c(OUT), i32c(9), host("state_get")];
    const id = world.install(module([put(1), read(0), W.drop, change, put(2), returnRead(read(3))], "kvwk"));
    expect(world.text(id)).toBe("v");
    expect(world.state.get("contract_state", contractStateKey(id, utf8("x")))).toEqual(utf8("w"));
  });

  it("is walked in byte order by prefix", () => {
    const world = new VmWorld();
    const put = (at: number): Code => [i32c(at), i32c(2), i32c(at), i32c(1), host("state_set")];
    const first = [i32c(6), i32c(1), i32c(0), i32c(0), i32c(OUT), i32c(9), host("state_next"), W.drop];
    const second = [i32c(6), i32c(1), i32c(OUT), i32c(2), i32c(OUT + 2), i32c(9), host("state_next"), W.drop];
    const third = [
      i32c(6),
      i32c(1),
      i32c(OUT + 2),
      i32c(2),
      i32c(OUT + 4),
      i32c(9),
      host("state_next"),
      i32c(-1),
      0x47,
      0x04,
      W.void,
      W.unreachable,
      W.end,
    ];
    const id = world.install(module([put(0), put(2), put(4), first, second, third, i32c(OUT), i32c(4), host("ret")], "azb0aba"));
    expect(world.text(id)).toBe("abaz");
  });

  it.each<[string, Code, string]>([
    ["a key of 257 bytes", [i32c(0), i32c(257), i32c(0), i32c(0), host("state_set")], "a key is longer than 256 bytes"],
    ["a value of 16,385 bytes", [i32c(0), i32c(1), i32c(0), i32c(16_385), host("state_set")], "a value is longer than 16384 bytes"],
    ["a line of 1,025 bytes", [i32c(0), i32c(1_025), host("log")], "a line of the log is longer than 1024 bytes"],
    ["a line that is not UTF-8", [i32c(0), i32c(0xff), store(), i32c(0), i32c(1), host("log")], "a text is not UTF-8"],
    ["a flood of lines", [loop(W.void, i32c(0), i32c(0), host("log"), br(0))], "the log has more than 64 lines"],
    ["a result of 16,385 bytes", [i32c(0), i32c(16_385), host("ret")], "a result is longer than 16384 bytes"],
    ["a reason", [i32c(0), i32c(5), host("revert")], "hello"],
  ])("is kept from %s", (_name, code, reason) => {
    const world = new VmWorld();
    const { failure, logs, gasUsed } = world.call(world.install(module(code, "hello")));
    expect([failure, logs[0]?.message]).toEqual(["CONTRACT_ABORTED", reason]);
    expect(gasUsed).toBeLessThan(150_000);
  });

  it("is paid by the byte where a search has read what is behind its prefix", () => {
    const search = (length: number): number => {
      const world = new VmWorld();
      const put = (at: number, bytes: number): Code => [i32c(at), i32c(1), i32c(0), i32c(bytes), host("state_set")];
      const none = [
        i32c(0),
        i32c(1),
        i32c(0),
        i32c(1),
        i32c(OUT),
        i32c(9),
        host("state_next"),
        i32c(-1),
        0x47,
        when(W.void, W.unreachable),
      ];
      const { failure, gasUsed } = world.call(world.install(module([put(0, 1), put(1, length), none], "ab")));
      expect(failure).toBeUndefined();
      return gasUsed - (GAS.stateSetByte + GAS.hostWord / 8) * length;
    };
    // Lengths whose constants take as many bytes of code.
    expect(search(16_000) - search(9_000)).toBe(GAS.stateNextByte * 7_000);
  });

  it("keeps the last result, as it was when it was passed", () => {
    const world = new VmWorld();
    const later: Code = [i32c(2), i32c(0x7a7a7a7a), store()];
    const returns = (from: number, length: number): Code => [i32c(from), i32c(length), host("ret")];
    expect(world.text(world.install(module([returns(0, 6), later], "abcdef")))).toBe("abcdef");
    expect(world.text(world.install(module([returns(0, 6), returns(2, 3), later], "abcdef")))).toBe("cde");
    expect(world.text(world.install(module([returns(2, 3), later, returns(0, 6)], "abcdef")))).toBe("abzzzz");
    expect(world.text(world.install(module([returns(0, 6), returns(0, 0)], "abcdef")))).toBe("");
  });

  it("cuts a reason of AssemblyScript at a whole character, in one pass", () => {
    const world = new VmWorld();
    const reason = (units: string): ModuleSpec => {
      const bytes = Buffer.from(`\0\0${units}`, "utf16le");
      bytes.writeUInt32LE(bytes.length - 4);
      const segment = [0, i32c(0), W.end, vector([...bytes])];
      return module([i32c(4), i32c(0), i32c(7), i32c(9), host("abort")], "", { data: [segment] });
    };
    const encodings = vi.spyOn(TextEncoder.prototype, "encode");
    const cut = (units: string): string | undefined => world.call(world.install(reason(units))).logs[0]?.message;
    try {
      expect(cut("a\ud800")).toBe("a\ufffd at 7:9");
      expect(cut("\u4e00".repeat(1_024))).toBe("\u4e00".repeat(341));
      expect(cut(`${"a".repeat(1_021)}\u{1f600}`)).toBe("a".repeat(1_021));
      expect(cut(`${"a".repeat(1_020)}\u{1f600}`)).toBe(`${"a".repeat(1_020)}\u{1f600}`);
      expect(encodings.mock.calls.filter(([text]) => (text?.length ?? 0) > 300).length).toBeLessThan(20);
    } finally {
      encodings.mockRestore();
    }
  });

  it("keeps nothing of a call that fails, whatever it had done", () => {
    const world = new VmWorld();
    const work = [
      i32c(0),
      i32c(1),
      i32c(1),
      i32c(5),
      host("state_set"),
      i32c(0),
      i32c(64),
      i64c(5),
      host("transfer"),
      W.drop,
      i32c(0),
      i32c(3),
      host("log"),
    ];
    for (const end of [W.unreachable, [i32c(0), i32c(1), host("revert")], loop(W.void, br(0))]) {
      const id = world.install(module([work, end], bob.pub));
      world.fund(id, 10);
      const outcome = world.call(id);
      expect([outcome.failure === undefined, world.balance(id), readAccount(world.state, bob.pub).balanceUt]).toEqual([
        false,
        10,
        10_000_000,
      ]);
      expect(world.call(id).failure).toBe(outcome.failure);
    }
  });
});

describe("money", () => {
  it.each<[string, string, bigint, number, string]>([
    ["what it has", bob.pub, 10n, 0, "0"],
    ["more than it has", bob.pub, 11n, 1, "10"],
    ["a negative amount", bob.pub, -1n, 1, "10"],
    ["to no key", "z".repeat(64), 1n, 1, "10"],
    ["to a key in upper case", bob.pub.toUpperCase(), 1n, 1, "10"],
  ])("is paid or not: %s", (_name, to, ...[amount, status, left]) => {
    const world = new VmWorld();
    const code: Code = [i32c(0), i32c(64), i64c(amount), host("transfer"), i32c(status), 0x47, 0x04, W.void, W.unreachable, W.end];
    const id = world.install(module(code, to));
    world.fund(id, 10);
    expect(inShort(world.call(id))).toBe("ok");
    expect(String(world.balance(id))).toBe(left);
  });

  it("comes with a call only where it is taken", () => {
    const world = new VmWorld();
    const id = world.install(module([]), ["run", { name: "pay", args: [], payable: true }]);
    expect(inShort(world.call(id, "run", { amountUt: 1 }))).toBe("CONTRACT_NOT_PAYABLE");
  });
});

describe("cryptography", () => {
  it("hashes", () => {
    const world = new VmWorld();
    const id = world.install(module([i32c(0), i32c(3), i32c(OUT), host("sha256"), i32c(OUT), i32c(32), host("ret")], "abc"));
    expect(toHex(world.call(id).result)).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("verifies signatures by the rule of the network", () => {
    const world = new VmWorld();
    const message = utf8("abc");
    const signature = signEd25519(message, alice.seed);
    const verify = (key: Uint8Array, signed: Uint8Array): number => {
      const bytes = String.fromCharCode(...message, ...signed, ...key);
      const segment = [
        0,
        i32c(0),
        W.end,
        [flat([...bytes].map((character) => character.charCodeAt(0)))].map((list) => [0x80 | (list.length & 0x7f), list.length >> 7, list]),
      ];
      const code: Code = [i32c(OUT), i32c(0), i32c(3), i32c(3), i32c(67), host("sig_verify"), store(), i32c(OUT), i32c(1), host("ret")];
      return world.call(world.install(module(code, "", { data: [segment] })), "run", { gas: 2_000_000 }).result[0] ?? -1;
    };
    expect(verify(fromHex(alice.pub), signature)).toBe(1);
    expect(verify(fromHex(bob.pub), signature)).toBe(0);
    expect(verify(fromHex(alice.pub), signature.with(5, (signature[5] ?? 0) ^ 1))).toBe(0);
  });
});

describe("views", () => {
  const view: MethodAbi = { name: "run", args: [], view: true };
  const write: Code = [i32c(0), i32c(1), i32c(0), i32c(1), host("state_set")];

  it.each<[string, Code]>([
    ["write", write],
    ["log", [i32c(0), i32c(1), host("log")]],
    ["pay", [i32c(0), i32c(64), i64c(0), host("transfer"), W.drop]],
    ["burn", [i64c(0), host("burn"), W.drop]],
  ])("cannot %s", (_name, code) => {
    const world = new VmWorld();
    expect(inShort(world.call(world.install(module(code, alice.pub), [view])))).toBe("CONTRACT_ABORTED a view changes nothing");
  });

  it("cannot have others write for them", () => {
    const world = new VmWorld();
    const writer = world.install(module(write, "k"));
    expect(inShort(world.call(writer, "run"))).toBe("ok");
    const looker = world.install(module([callOther({ id: writer }), i32c(1), 0x47, 0x04, W.void, W.unreachable, W.end], `${writer}run`), [
      view,
    ]);
    expect(inShort(world.call(looker))).toBe("ok");
  });

  it("can be asked for of any call", () => {
    const world = new VmWorld();
    expect(inShort(world.call(world.install(module(write, "k")), "run", { isReadOnly: true }))).toBe(
      "CONTRACT_ABORTED a view changes nothing",
    );
  });
});

interface OtherCall {
  readonly id: string;
  readonly method?: string;
  readonly amount?: bigint;
  readonly gas?: number;
}

/** Calls a contract whose id stands at 0, its method at 16, arguments none; leaves the status. */
function callOther({ method = "run", amount = 0n, gas = 0 }: OtherCall): Code {
  return [i32c(0), i32c(16), i32c(16), i32c(method.length), i32c(0), i32c(0), i64c(amount), i32c(gas), host("call")];
}

/** A method that calls another contract and returns its status and what it returned. */
function calling(target: OtherCall, before: Code = [], after: Code = []): ModuleSpec {
  const method = target.method ?? "run";
  const code: Code = [
    before,
    i32c(OUT),
    callOther(target),
    0x3a,
    0,
    0,
    after,
    i32c(OUT + 1),
    i32c(0),
    i32c(200),
    host("result_read"),
    set(0),
    i32c(OUT),
    get(0),
    i32c(1),
    0x6a,
    host("ret"),
  ];
  return module(code, `${target.id}${method}`);
}

const statusOf = (result: Uint8Array): readonly [number | undefined, string] => [result[0], fromUtf8(result.subarray(1))];

describe("calls between contracts", () => {
  const world = new VmWorld();
  const text = "result here";
  const returner = world.install(module([i32c(0), i32c(text.length), host("ret"), i32c(0), i32c(6), host("log")], text));
  const refuser = world.install(
    module(
      [i32c(0), i32c(1), i32c(0), i32c(1), host("state_set"), i32c(0), i32c(6), host("log"), i32c(0), i32c(2), host("revert")],
      "no way",
    ),
  );
  const trapper = world.install(module([i32c(0), i32c(6), host("log"), W.unreachable], "lost"));
  const looper = world.install(module([loop(W.void, br(0))]));
  const diver = world.install({ imports: IMPORTS, functions: [{ export: "run", code: call(IMPORTS.length) }] });
  const whoCalled = world.install(module(returnRead([i32c(0), i32c(OUT), i32c(64), host("ctx_read")])));
  const taker = world.install(module([]), [{ name: "run", args: [], payable: true }]);
  const wanting = world.install(module([]), [{ name: "run", args: [{ name: "a", type: "u64" }] }]);

  it.each<[string, OtherCall, number, string]>([
    ["that succeed give their result", { id: returner }, 0, text],
    ["that refuse give their reason", { id: refuser }, 1, "no"],
    ["that trap are contained", { id: trapper }, 2, "CONTRACT_TRAPPED"],
    ["that never end are contained", { id: looper, gas: 100_000 }, 2, "CONTRACT_OUT_OF_GAS"],
    ["that overflow the stack are contained", { id: diver, gas: 900_000 }, 2, "CONTRACT_STACK_OVERFLOW"],
    ["to no contract", { id: "0".repeat(16) }, 3, "CONTRACT_NOT_FOUND"],
    ["to what is no id", { id: "x".repeat(16) }, 3, ""],
    ["to no method", { id: returner, method: "fly" }, 3, "CONTRACT_METHOD_UNKNOWN"],
    ["with µT that are not taken", { id: returner, amount: 1n }, 3, "CONTRACT_NOT_PAYABLE"],
    ["with µT that are not there", { id: taker, amount: 1_000n }, 3, ""],
    ["with too few arguments", { id: wanting }, 3, "CONTRACT_ARGUMENTS"],
    ["to native contracts", { id: nativeContractId("tokens"), method: "burn" }, 3, "CONTRACT_ARGUMENTS"],
  ])("%s", (_name, target, status, result) => {
    const caller = world.install(calling(target));
    world.fund(caller, 10);
    const outcome = world.call(caller, "run", { gas: 3_000_000 });
    expect([outcome.failure, ...statusOf(outcome.result)]).toEqual([undefined, status, result]);
    expect(world.balance(caller)).toBe(10);
  });

  it("name the calling contract, which is no key", () => {
    const caller = world.install(calling({ id: whoCalled }));
    expect(statusOf(world.call(caller).result)[1]).toBe(caller);
  });

  it("move what is attached, and only when they succeed", () => {
    const caller = world.install(calling({ id: taker, amount: 4n }));
    world.fund(caller, 10);
    world.call(caller);
    expect([world.balance(caller), world.balance(taker)]).toEqual([6, 4]);
  });

  it("undo only what the failed one did", () => {
    const mine = [i32c(0), i32c(1), i32c(0), i32c(1), host("state_set"), i32c(0), i32c(3), host("log")];
    const caller = world.install(calling({ id: refuser }, mine, mine));
    const { logs, failure } = world.call(caller);
    expect([failure, logs.map(({ contractId }) => contractId)]).toEqual([undefined, [caller, caller]]);
    const other = world.install(calling({ id: returner }, mine, mine));
    expect(world.call(other).logs.map(({ contractId }) => contractId)).toEqual([other, returner, other]);
  });

  it("leave nothing of a failed one: neither state nor what was attached", () => {
    const wrote = [i32c(0), i32c(1), i32c(0), i32c(1), host("state_set")];
    for (const end of [[i32c(0), i32c(2), host("revert")], W.unreachable]) {
      const target = world.install(module([wrote, end], "key"), [{ name: "run", args: [], payable: true }]);
      const caller = world.install(calling({ id: target, amount: 4n, gas: 200_000 }));
      world.fund(caller, 10);
      expect(world.call(caller, "run", { gas: 3_000_000 }).failure).toBeUndefined();
      expect([world.balance(caller), world.balance(target)]).toEqual([10, 0]);
      expect(world.state.get("contract_state", contractStateKey(target, utf8("k")))).toBeUndefined();
    }
  });

  it("are undone with their caller", () => {
    const caller = world.install(calling({ id: taker, amount: 4n }, [], W.unreachable));
    world.fund(caller, 10);
    const before = world.balance(taker);
    expect(world.call(caller).failure).toBe("CONTRACT_TRAPPED");
    expect([world.balance(caller), world.balance(taker)]).toEqual([10, before]);
  });

  it("leave the caller a 64th of its gas", () => {
    const caller = world.install(calling({ id: looper }));
    const { failure, gasUsed, result } = world.call(caller, "run", { gas: 2_000_000 });
    expect([failure, statusOf(result)[0]]).toEqual([undefined, 2]);
    expect(gasUsed).toBeLessThan(2_000_000);
    expect(gasUsed).toBeGreaterThan(1_900_000);
  });

  it("never reach a contract that is being called", () => {
    const self = world.install(calling({ id: "ccccccccccccccff" }));
    const own = new VmWorld();
    const id = "ccccccccccccccc1";
    expect(own.install(calling({ id }))).toBe(id);
    expect(statusOf(own.call(id).result)[0]).toBe(4);
    expect(statusOf(world.call(self).result)[0]).toBe(3);
    const pair = new VmWorld();
    const [first, second] = ["ccccccccccccccc1", "ccccccccccccccc2"];
    pair.install(calling({ id: second }));
    pair.install(calling({ id: first }));
    expect([...pair.call(first).result.subarray(0, 2)]).toEqual([0, 4]);
  });

  it("go 8 deep, and share one log and one stack", () => {
    const chain = new VmWorld();
    const ids = Array.from({ length: 12 }, (_, index) => (index + 1).toString(16).padStart(16, "c"));
    for (const [index, id] of ids.entries()) expect(chain.install(calling({ id: ids[index + 1] ?? id }))).toBe(id);
    const { result, failure } = chain.call(ids[0] ?? "", "run", { gas: 20_000_000 });
    expect([failure, [...result.subarray(0, 8)]]).toEqual([undefined, [0, 0, 0, 0, 0, 0, 0, 4]]);
    const flood = world.install(
      module([loop(W.void, i32c(0), i32c(0), host("log"), get(0), i32c(1), 0x6a, 0x22, 0, i32c(40), 0x49, 0x0d, 0)]),
    );
    const caller = world.install(calling({ id: flood }, [callOther({ id: flood }), W.drop]));
    const outcome = world.call(caller, "run", { gas: 5_000_000 });
    expect([outcome.logs.length, statusOf(outcome.result)]).toEqual([40, [1, "the log has more than 64 lines"]]);
  });
});
