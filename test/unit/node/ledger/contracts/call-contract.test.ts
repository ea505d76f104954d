// Calls: what they cost, when they fail, and what a failure leaves behind. DEPLOY_CONTRACT.
import { beforeEach, describe, expect, it } from "vitest";
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import { CallHost } from "#node/ledger/contracts/call-host.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { applyTransaction, executeBlock } from "#node/ledger/execute.ts";
import {
  readContract,
  readContractBalance,
  readContractBytes,
  readContractCode,
  writeContractBalance,
} from "#node/ledger/records/contract-records.ts";
import { readSupply } from "#node/ledger/records/records.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { DEFAULT_GAS_LIMIT, MAX_ARGUMENTS_BYTES } from "#shared/protocol/primitives/limits.ts";
import { type ContractId, deployedContractId, nativeContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { callOf, LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { buildModule, W } from "#test/support/vm/wasm-builder.ts";
import { alice, bob, carol, type Draft, dump } from "#test/support/worlds/ledger-world.ts";

const TOKENS = nativeContractId("tokens");
const issue = ["coin", "Coin", "COIN", 6, "1000"] as const;

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld();
});

/** Gas of reading a contract's record. */
const recordGas = (id: ContractId): number => 10 * (readContractBytes(world.state, id)?.length ?? 0);

const others = (): readonly string[] => dump(world.state).filter((line) => !line.startsWith(`account ${alice.pub}`));

describe("genesis", () => {
  it("holds the native contracts with their interfaces", () => {
    const record = readContract(world.state, nativeContractId("username_registry"));
    expect(record).toMatchObject({ deployerPub: "", deployedAt: 0, wasmSize: 0, native: "username_registry" });
    expect(parseContractAbi(record?.abiJson ?? "")).toEqual({
      contract: "username_registry",
      version: "1.0.0",
      methods: [
        { name: "register", args: [{ name: "username", type: "string" }], payable: true },
        { name: "release", args: [{ name: "username", type: "string" }], payable: false },
        {
          name: "transfer",
          args: [
            { name: "username", type: "string" },
            { name: "to", type: "string" },
          ],
          payable: false,
        },
      ],
    });
  });
});

describe("gas", () => {
  it("of the default limit is enough for the methods that write most, even with arguments of the largest size", () => {
    const usedBy = (draft: Draft<"CALL_CONTRACT">): number => {
      const { gas_limit: _, args_json: args = "", ...payload } = draft.payload;
      const padded = `${args.slice(0, -1)}${" ".repeat(MAX_ARGUMENTS_BYTES - utf8(args).length)}]`;
      const { isOk, gasUsed } = world.run(alice, { ...draft, payload: { ...payload, args_json: padded } });
      return isOk ? gasUsed : Number.NaN;
    };
    const deal = ["d".repeat(64), bob.pub, carol.pub, world.now + 3_600];
    expect(usedBy(callOf("escrow", "open", deal, { amount: 5_000 }))).toBeLessThanOrEqual(DEFAULT_GAS_LIMIT);
    const nft = ["n".repeat(32), "N".repeat(64), "m".repeat(4_096)];
    expect(usedBy(callOf("nfts", "mint", nft))).toBeLessThanOrEqual(DEFAULT_GAS_LIMIT);
  });

  it("is paid on top of the fee for what was used, rounded up, and goes with it to the proposer", () => {
    const receipt = world.run(alice, callOf("tokens", "issue", issue));
    expect(receipt.isOk).toBe(true);
    expect(receipt.feeUt).toBe(1_000 + Math.ceil(receipt.gasUsed / 1_000));
    expect(world.balance(alice)).toBe(10_000_000 - receipt.feeUt);
    expect(receipt.gasUsed).toBe(expectedIssueGas());
  });

  it("is enough at exactly what is used, and one less fails and costs all of it", () => {
    const needed = expectedIssueGas();
    const before = others();
    const short = world.run(alice, callOf("tokens", "issue", issue, { gasLimit: needed - 1 }));
    expect(short).toMatchObject({ isOk: false, code: "CONTRACT_OUT_OF_GAS", gasUsed: needed - 1, logs: [], touched: [] });
    expect(world.balance(alice)).toBe(10_000_000 - 1_000 - Math.ceil((needed - 1) / 1_000));
    expect(others()).toEqual(before);
    expect(world.run(alice, callOf("tokens", "issue", issue, { gasLimit: needed })).isOk).toBe(true);
  });

  it("must be affordable up to its limit before anything runs", () => {
    world.run(alice, { type: "TRANSFER", to: carol.pub, amount: 2_999, payload: {} });
    expect(world.run(carol, callOf("tokens", "issue", issue, { gasLimit: 2_000_000 }))).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      gasUsed: 0,
      feeUt: 1_000,
    });
    expect(world.balance(carol)).toBe(1_999);
    expect(world.run(carol, callOf("tokens", "issue", issue, { gasLimit: 999_000 })).isOk).toBe(true);
  });

  it("defaults to a limit of 1,000,000 and arguments of none", () => {
    const payload = { contract_id: TOKENS.toUpperCase(), method: "burn" };
    expect(world.run(alice, { type: "CALL_CONTRACT", payload })).toMatchObject({
      code: "CONTRACT_ARGUMENTS",
      gasUsed: GAS.call + recordGas(TOKENS),
    });
  });

  it("of a block has an end: a limit that does not fit waits for the next block", () => {
    const tx = world.signed(alice, callOf("tokens", "issue", issue, { gasLimit: 1_000_000 }));
    const before = dump(world.state);
    expect(applyTransaction(world.state, tx, { ...world.context, gasLeft: 999_999 })).toMatchObject({
      isIncluded: false,
      code: "BLOCK_FULL",
    });
    expect(dump(world.state)).toEqual(before);
    expect(applyTransaction(world.state, tx, { ...world.context, gasLeft: 1_000_000 }).isIncluded).toBe(true);
  });

  it("counts against a block by what was used, not by the limit", () => {
    const calls = ["a", "b", "c"].map((id) => world.signed(alice, callOf("tokens", "issue", [id, ...issue.slice(1)])));
    const gasLeft = 1_000_000 + 2 * expectedIssueGas();
    expect(executeBlock(world.state, calls, { ...world.context, gasLeft }).isValid).toBe(true);
    const more = ["d", "e", "f"].map((id) => world.signed(alice, callOf("tokens", "issue", [id, ...issue.slice(1)])));
    const tight = executeBlock(world.state, more, { ...world.context, gasLeft: 1_000_000 + expectedIssueGas() });
    expect(tight).toMatchObject({ isValid: false, code: "BLOCK_FULL", txId: more[2]?.id });
  });

  /** By hand: the call, one read for the id, and six entries. */
  function expectedIssueGas(): number {
    const args = JSON.stringify(issue).length;
    const get = GAS.stateGet + GAS.keyByte * "t:coin:issuer".length;
    const set = (key: string, bytes: number): number => GAS.stateSet + GAS.stateSetByte * (key.length + bytes);
    const sets = set("t:coin:name", 4) + set("t:coin:symbol", 4) + set("t:coin:issuer", 64) + set("t:coin:decimals", 8);
    const numbers = set("t:coin:supply", 8) + set(`b:coin:${alice.pub}`, 8);
    return (
      GAS.call +
      GAS.callByte * args +
      recordGas(TOKENS) +
      get +
      sets +
      numbers +
      GAS.log +
      GAS.logByte * `issue coin ${alice.pub} 1000`.length
    );
  }
});

describe("a call that cannot run", () => {
  it.each<[string, Draft<"CALL_CONTRACT">, string]>([
    ["of no contract", { type: "CALL_CONTRACT", payload: { contract_id: "00".repeat(8), method: "burn" } }, "CONTRACT_NOT_FOUND"],
    ["of no method", callOf("tokens", "mint", []), "CONTRACT_METHOD_UNKNOWN"],
    ["of a method of every object", callOf("tokens", "constructor", []), "CONTRACT_METHOD_UNKNOWN"],
    ["with µT that the method does not take", callOf("tokens", "burn", ["coin", 1], { amount: 1 }), "CONTRACT_NOT_PAYABLE"],
    ["with an argument too few", callOf("tokens", "burn", ["coin"]), "CONTRACT_ARGUMENTS"],
    ["with an argument too many", callOf("tokens", "burn", ["coin", 1, 1]), "CONTRACT_ARGUMENTS"],
    ["with a number for a text", callOf("tokens", "burn", [1, 1]), "CONTRACT_ARGUMENTS"],
    ["with a negative amount", callOf("tokens", "burn", ["coin", -1]), "CONTRACT_ARGUMENTS"],
    ["with a text that is no number", callOf("tokens", "burn", ["coin", "1x"]), "CONTRACT_ARGUMENTS"],
    ["with more than 64 bits", callOf("tokens", "burn", ["coin", "18446744073709551616"]), "CONTRACT_ARGUMENTS"],
    ["that the contract refuses", callOf("tokens", "burn", ["coin", "18446744073709551615"]), "CONTRACT_ABORTED"],
  ])("%s fails with a stable code, and costs fee and gas only", (_name, draft, code) => {
    const before = others();
    const receipt = world.run(alice, draft);
    expect(receipt).toMatchObject({ isOk: false, code, touched: [] });
    expect(receipt.gasUsed).toBeGreaterThan(0);
    expect(world.balance(alice)).toBe(10_000_000 - receipt.feeUt);
    expect(others()).toEqual(before);
  });

  it("keeps the message with which the contract refused, and no other line", () => {
    const receipt = world.run(alice, callOf("tokens", "burn", ["coin", 5]));
    expect(receipt.logs).toEqual([{ contractId: TOKENS, message: "the balance does not suffice" }]);
  });

  it.each([
    ["a fraction", "[1.5]"],
    ["an exponent", "[1e3]"],
    ["minus zero", "[-0]"],
    ["an object", '{"a":1}'],
    ["a key twice", '[{"a":1,"a":2}]'],
    ["an unpaired surrogate", '["\\ud800"]'],
    ["deep nesting", `${"[".repeat(12)}${"]".repeat(12)}`],
    ["a trailing comma", "[1,]"],
    ["a second list", "[] []"],
    ["no JSON", "[x]"],
    ["too much", `["${"x".repeat(16_384)}"]`],
    ["65 bits", "[18446744073709551616]"],
    ["a leading zero", "[01]"],
  ])("is refused before it costs anything with %s as arguments", (_name, args_json) => {
    const problem = world.problemOf(alice, { type: "CALL_CONTRACT", payload: { contract_id: TOKENS, method: "burn", args_json } });
    expect(problem?.message).toContain("payload.args_json");
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["a contract id of 15 characters", { contract_id: "0".repeat(15) }],
    ["a method with a dash", { method: "a-b" }],
    ["a gas limit of 0", { gas_limit: 0 }],
    ["a gas limit above the largest", { gas_limit: 100_000_001 }],
    ["a fraction of gas", { gas_limit: 1.5 }],
  ])("is refused before it costs anything with %s", (_name, change) => {
    const payload = { contract_id: TOKENS, method: "burn", ...change };
    expect(world.problemOf(alice, { type: "CALL_CONTRACT", payload })?.code).toBe("TX_MALFORMED");
  });
});

describe("the host", () => {
  const noCalls = (): never => {
    throw new Error("no contract is called here");
  };
  const hostOf = (contractId = TOKENS, isReadOnly = false): CallHost =>
    new CallHost(
      world.state,
      { chainId: "test", contractId, caller: alice.pub, origin: alice.pub, amountUt: 0, txId: "x", height: 1, timeS: 2 },
      { gasLimit: 100_000_000, isReadOnly, callOther: noCalls },
    );
  const keys = (host: CallHost, prefix: string): readonly string[] => {
    const found: string[] = [];
    for (let entry = host.next(utf8(prefix)); entry !== undefined; entry = host.next(utf8(prefix), entry.key))
      found.push(new TextDecoder().decode(entry.key));
    return found;
  };

  it("walks the contract's own keys by prefix, in byte order, changes included", () => {
    const host = hostOf();
    for (const key of ["b", "ab", "a", "aa", "ac"]) host.set(utf8(key), utf8("1"));
    host.delete(utf8("ab"));
    hostOf("ff".repeat(8)).set(utf8("aaa"), utf8("1"));
    expect(keys(host, "a")).toEqual(["a", "aa", "ac"]);
    expect(keys(host, "")).toEqual(["a", "aa", "ac", "b"]);
    expect(keys(host, "ab")).toEqual([]);
    expect(host.get(utf8("aaa"))).toBeUndefined();
  });

  it("moves and burns only what the contract has, and only to usable keys", () => {
    const host = hostOf();
    const supply = readSupply(world.state);
    writeContractBalance(world.state, TOKENS, 100);
    expect([host.transfer(bob.pub, 101), host.burn(101)]).toEqual([false, false]);
    expect([host.transfer(`01${"00".repeat(31)}`, 1), host.transfer("zz", 1), host.transfer(bob.pub.toUpperCase(), 1)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([host.transfer(bob.pub, 60), host.burn(30), host.balance()]).toEqual([true, true, 10]);
    expect([world.balance(bob), readSupply(world.state)]).toEqual([10_000_060, supply - 30]);
    expect(host.transfer(carol.pub, 10)).toBe(true);
    expect(readContractBalance(world.state, TOKENS)).toBe(0);
  });

  it.each<[string, (host: CallHost) => void]>([
    ["a key of 257 bytes", (host): void => host.set(new Uint8Array(257), utf8("x"))],
    ["a value of 16,385 bytes", (host): void => host.set(utf8("k"), new Uint8Array(16_385))],
    ["a line of 1,025 bytes", (host): void => host.log("x".repeat(1_025))],
    ["an unpaired surrogate", (host): void => host.log("\ud800")],
    [
      "65 lines",
      (host): void =>
        Array.from({ length: 65 }).forEach(() => {
          host.log("");
        }),
    ],
  ])("ends the call at %s", (_name, work) => {
    expect(() => work(hostOf())).toThrow(CallEnd);
  });

  it.each<[string, (host: CallHost) => void]>([
    ["set", (host): void => host.set(utf8("k"), utf8("v"))],
    ["delete", (host): void => host.delete(utf8("k"))],
    ["transfer", (host): unknown => host.transfer(bob.pub, 0)],
    ["burn", (host): unknown => host.burn(0)],
    ["log", (host): void => host.log("x")],
  ])("lets a view not %s", (_name, work) => {
    expect(() => work(hostOf(TOKENS, true))).toThrow("a view changes nothing");
  });

  it("pays other contracts", () => {
    writeContractBalance(world.state, TOKENS, 100);
    const escrow = nativeContractId("escrow");
    expect([hostOf().transfer(escrow, 60), hostOf().transfer("00".repeat(8), 1), hostOf().transfer(TOKENS, 40)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([readContractBalance(world.state, escrow), readContractBalance(world.state, TOKENS)]).toEqual([60, 40]);
  });

  it("takes keys, values and lines of the largest size", () => {
    const host = hostOf();
    host.set(new Uint8Array(256), new Uint8Array(16_384));
    host.log("é".repeat(512));
    expect(host.get(new Uint8Array(256))).toHaveLength(16_384);
    expect(host.logs).toHaveLength(1);
  });

  it("charges the record of a contract that might be paid by the byte, since it is read", () => {
    const host = hostOf();
    expect(host.isUsableKey(TOKENS)).toBe(true);
    expect(host.gasUsed).toBe(12_000 + 2 * (readContractBytes(world.state, TOKENS)?.length ?? 0));
  });

  it("charges every operation", () => {
    const host = hostOf();
    const cost = (work: () => unknown): number => {
      const before = host.gasUsed;
      work();
      return host.gasUsed - before;
    };
    expect(cost(() => host.set(utf8("ab"), utf8("xyz")))).toBe(74_000 + 10 * 5);
    expect(cost(() => host.get(utf8("ab")))).toBe(12_000 + 8 * 2 + 2 * 3);
    expect(cost(() => host.get(utf8("no")))).toBe(12_000 + 8 * 2);
    expect(cost(() => host.next(utf8("a")))).toBe(20_000 + 8 + 2 * 5);
    expect(cost(() => host.next(utf8("z")))).toBe(20_000 + 8);
    expect(cost(() => host.delete(utf8("ab")))).toBe(74_000 + 8 * 2);
    expect(cost(() => host.balance())).toBe(1_000);
    expect(cost(() => host.isUsableKey(alice.pub))).toBe(12_000);
    expect(cost(() => host.isUsableKey(carol.pub))).toBe(62_000);
    expect(cost(() => host.transfer(alice.pub, 1))).toBe(76_000);
    expect(cost(() => host.burn(1))).toBe(5_000);
    expect(cost(() => host.log("é"))).toBe(504);
  });
});

describe("DEPLOY_CONTRACT", () => {
  const code = buildModule({ functions: [{ code: [], export: "add" }] });
  const abi_json = '{"contract":"counter","version":"1","methods":[{"name":"add","args":[{"name":"n","type":"u64"}],"view":false}]}';
  const payload = { wasm_b64: toBase64(code), abi_json, gas_limit: 200_000 };
  const deploy: Draft<"DEPLOY_CONTRACT"> = { type: "DEPLOY_CONTRACT", payload };
  const needed = 100_000 + 200 * (code.length + abi_json.length);

  it("stores module and interface under the id of sender and transaction, for a price by size", () => {
    const tx = world.signed(alice, deploy);
    const outcome = applyTransaction(world.state, tx, { ...world.context, height: 7 });
    expect(outcome).toMatchObject({ receipt: { isOk: true, gasUsed: needed, feeUt: 1_000 + Math.ceil(needed / 1_000) } });
    const id = deployedContractId(alice.pub, tx.id);
    expect(readContract(world.state, id)).toEqual({
      id,
      deployerPub: alice.pub,
      deployedAt: 7,
      wasmSize: code.length,
      native: "",
      abiJson: payload.abi_json,
      codeHash: toHex(sha256(code)),
      vmVersion: 1,
      wasmWeight: instrumentModule(code).weight,
    });
    expect(readContractCode(world.state, id)).toEqual(code);
    const call = { contract_id: id, method: "add", args_json: "[1]" };
    const loading = 65_000 + recordGas(id) + 23 * instrumentModule(code).weight;
    expect(world.run(alice, { type: "CALL_CONTRACT", payload: call })).toMatchObject({
      code: "",
      gasUsed: 1_000 + 30 * 3 + loading + 24_000 + 4,
    });
  });

  it("fails without the gas that the size needs, and without anything to initialise", () => {
    const before = others();
    expect(world.run(alice, { ...deploy, payload: { ...payload, gas_limit: needed - 1 } })).toMatchObject({
      code: "CONTRACT_OUT_OF_GAS",
      gasUsed: needed - 1,
    });
    const withArguments = { ...payload, init_args_json: "[1]" };
    expect(world.run(alice, { ...deploy, payload: withArguments })).toMatchObject({ code: "CONTRACT_ARGUMENTS", gasUsed: needed });
    expect(others()).toEqual(before);
    expect(world.run(alice, { ...deploy, payload: { ...payload, init_args_json: "[]" } }).code).toBe("");
  });

  it("refuses a module that breaks a rule, and an interface with a method that it does not export", () => {
    const before = others();
    const broken = toBase64(buildModule({ functions: [{ code: [W.drop], export: "add" }] }));
    expect(world.run(alice, { ...deploy, payload: { ...payload, wasm_b64: broken } }).code).toBe("CONTRACT_MODULE_INVALID");
    const other = toBase64(buildModule({ functions: [{ code: [], export: "sub" }] }));
    expect(world.run(alice, { ...deploy, payload: { ...payload, wasm_b64: other } }).code).toBe("CONTRACT_ABI_MISMATCH");
    const typed = toBase64(buildModule({ functions: [{ params: [W.i32], code: [], export: "add" }] }));
    expect(world.run(alice, { ...deploy, payload: { ...payload, wasm_b64: typed } }).code).toBe("CONTRACT_ABI_MISMATCH");
    expect(others()).toEqual(before);
  });

  it("takes a module of the largest size, and no larger one", () => {
    const module = (bytes: number): string => {
      const rest = bytes - code.length;
      const padding = Uint8Array.from([0, 0x80 | ((rest - 4) & 0x7f), 0x80 | (((rest - 4) >> 7) & 0x7f), (rest - 4) >> 14]);
      const content = new Uint8Array(bytes);
      content.set(code);
      content.set(padding, code.length);
      return toBase64(content);
    };
    const receipt = world.run(alice, { ...deploy, payload: { ...payload, wasm_b64: module(262_144), gas_limit: 60_000_000 } });
    expect(receipt).toMatchObject({ code: "", isOk: true, gasUsed: 100_000 + 200 * (262_144 + abi_json.length) });
    expect(world.problemOf(alice, { ...deploy, payload: { ...payload, wasm_b64: module(262_145) } })?.code).toBe("TX_MALFORMED");
  });

  it.each<[string, Partial<typeof payload>]>([
    ["no module", { wasm_b64: toBase64(utf8("hello, world")) }],
    ["another version", { wasm_b64: toBase64(Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)) }],
    ["a component", { wasm_b64: toBase64(Uint8Array.of(0, 0x61, 0x73, 0x6d, 13, 0, 1, 0)) }],
    ["a cut magic number", { wasm_b64: toBase64(code.subarray(0, 7)) }],
    ["unused bits", { wasm_b64: "AGFzbQEAAAB=" }],
    ["base64 with a line feed", { wasm_b64: `${toBase64(code)}\n   ` }],
    ["an interface that is no JSON", { abi_json: "{" }],
    ["an interface without methods", { abi_json: '{"contract":"x","version":"1"}' }],
    ["an interface with an unknown field", { abi_json: '{"contract":"x","version":"1","methods":[],"a":1}' }],
    ["a method twice", { abi_json: '{"contract":"x","version":"1","methods":[{"name":"a","args":[]},{"name":"a","args":[]}]}' }],
    [
      "an argument of an unknown type",
      { abi_json: '{"contract":"x","version":"1","methods":[{"name":"a","args":[{"name":"b","type":"f64"}]}]}' },
    ],
    ["a name with a space", { abi_json: '{"contract":"x y","version":"1","methods":[]}' }],
    ["a long interface", { abi_json: `{"contract":"x","version":"1","methods":[]${" ".repeat(16_384)}}` }],
  ])("refuses %s", (_name, change) => {
    expect(world.problemOf(alice, { ...deploy, payload: { ...payload, ...change } })?.code).toBe("TX_MALFORMED");
  });
});
