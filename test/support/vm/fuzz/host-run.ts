// Calls of the entries of a module, one after the other, with the real host of contracts: what each came to, and each call of the host.
import { crc32 } from "node:zlib";
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import { CallHost } from "#node/ledger/contracts/call-host.ts";
import { NESTED_STATUS, type NestedOutcome } from "#node/ledger/contracts/contract.ts";
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { Journal } from "#node/ledger/journal.ts";
import { CONTRACT_ID_BYTES, contractStateKey, readContractBalance, writeContractBalance } from "#node/ledger/records/contract-records.ts";
import { readExistingAccount } from "#node/ledger/records/records.ts";
import type { Engine, EngineFunction, EngineGlobal, EngineMemory } from "#node/vm/engine.ts";
import { METERED, type MeteredModule } from "#node/vm/module/instrument-module.ts";
import { ModuleInstance } from "#node/vm/module-instance.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { alice, genesisState } from "../../worlds/ledger-world.ts";
import type { PlainValue } from "../plain/plain-numbers.ts";

/** What is called. */
export interface ModuleRun {
  readonly entries: readonly { readonly name: string; readonly gas: number }[];
  /** Arguments that each entry finds. */
  readonly argsJson: string;
}

/** What an entry came to. */
export interface EntryOutcome {
  readonly end: string;
  readonly gas: number;
  readonly stack: number;
  readonly memory: string;
  /** State that was written, log, result. */
  readonly effects: string;
}

/** One call of the host, as the module sees it. */
export interface HostCallTrace {
  readonly name: string;
  readonly args: readonly PlainValue[];
  /** Gas that it took; undefined when it ended the call. */
  readonly gas: number | undefined;
  readonly result: PlainValue | undefined;
  /** Where the host wrote, and what was there afterwards. */
  readonly address: number;
  readonly written: Uint8Array;
  /** The part of the memory that its first pointer and length name. */
  readonly text: Uint8Array;
  /** The part that the next two name. */
  readonly after: Uint8Array;
  /** What was there before: keys, when it looks for one; whether the one named has an account; words of the stack. */
  readonly state: readonly StateItem[];
  readonly hasAccount: boolean;
  readonly stack: number;
}

export interface StateItem {
  readonly key: string;
  readonly bytes: number;
}

export interface EntryRun {
  readonly outcome: EntryOutcome;
  readonly calls: readonly HostCallTrace[];
}

export const CONTRACT_ID = "00000000000000c1";
/** What each nested call costs here, beside its own price. */
export const NESTED_GAS = 777;
const GENESIS = genesisState();
const CONTEXT = {
  chainId: "fuzz",
  contractId: CONTRACT_ID,
  caller: alice.pub,
  origin: alice.pub,
  amountUt: 5,
  txId: "tx-1",
  height: 7,
  timeS: 1_767_225_600,
} as const;
const BALANCE_UT = 1_000_000;
const MOST_CALLS = 20_000;
const NOTHING = new Uint8Array(0);
/** Position of the pointer where the host writes, and of its capacity; -1 for a length of 32 bytes. */
const TARGETS: Readonly<Record<string, readonly [pointer: number, capacity: number]>> = {
  arg_read: [1, 2],
  input_read: [0, 2],
  ctx_read: [1, 2],
  state_get: [2, 3],
  state_next: [4, 5],
  sha256: [2, -1],
  result_read: [0, 2],
};

/** What all entries came to. */
export interface RunRecord {
  readonly runs: readonly EntryRun[];
  /** What the first entry comes to in the same instance once that was set back; undefined when it must not be used again. */
  readonly again: EntryOutcome | undefined;
}

/** Calls the entries on an engine; calls of the host are recorded when that is asked for. */
export function runEntries(engine: Engine, metered: MeteredModule, run: ModuleRun, isTraced = false): RunRecord {
  const spy = new Spy(engine, isTraced);
  const compiled = new engine.Module(metered.code);
  const instance = new ModuleInstance({ ...metered, engine: spy.engine, compiled }, { sha256, verify: verifyZip215 });
  const args = parseArguments(run.argsJson) ?? [];
  const enter = (state: Journal, { name, gas }: ModuleRun["entries"][number]): EntryRun => {
    const journal = new Journal(state);
    const host = hostOf(journal, gas);
    spy.begin(journal);
    const end = endOf(() => instance.run({ entries: [name], call: { method: name, args, argsJson: run.argsJson }, host }));
    if (end === "ok") journal.commitTo(state);
    return { outcome: { end, ...spy.meters(), effects: effectsOf(host, journal) }, calls: spy.calls };
  };
  const state = new Journal(GENESIS);
  const runs = run.entries.map((entry) => enter(state, entry));
  const [first] = run.entries;
  if (!instance.isReusable || first === undefined) return { runs, again: undefined };
  instance.reset();
  return { runs, again: enter(new Journal(GENESIS), first).outcome };
}

function endOf(call: () => void): string {
  try {
    call();
    return "ok";
  } catch (error) {
    if (!(error instanceof CallEnd)) throw error;
    return error.code === "CONTRACT_ABORTED" ? `${error.code} ${error.message}` : error.code;
  }
}

function hostOf(journal: Journal, gasLimit: number): CallHost {
  const host = new CallHost(journal, CONTEXT, {
    gasLimit,
    callOther: (caller, { method, argsJson }): NestedOutcome => {
      caller.charge(NESTED_GAS);
      const statuses = Object.values(NESTED_STATUS);
      return { status: statuses[method.length % statuses.length] ?? NESTED_STATUS.ok, result: utf8(argsJson) };
    },
  });
  writeBalance(journal);
  host.begin(alice.pub, false);
  return host;
}

function writeBalance(journal: Journal): void {
  if (readContractBalance(journal, CONTRACT_ID) === 0) writeContractBalance(journal, CONTRACT_ID, BALANCE_UT);
}

function effectsOf(host: CallHost, journal: Journal): string {
  const changes = journal
    .changes()
    .map(({ namespace, key, value }) => `${namespace} ${toHex(key)} ${value === undefined ? "" : toHex(value)}`);
  return JSON.stringify([host.logs.map(({ message }) => message), toHex(host.result), changes]);
}

/** An engine whose instances say what they export, and what they ask of the host. */
class Spy {
  readonly engine: Engine;
  calls: HostCallTrace[] = [];
  #exports: ReturnType<typeof exportsOf> | undefined;
  #journal: Journal | undefined;

  constructor(engine: Engine, isTraced: boolean) {
    const { Module, Memory, Global, RuntimeError, Instance } = engine;
    const spy = this;
    class SpiedInstance {
      readonly exports: InstanceType<Engine["Instance"]>["exports"];

      constructor(module: ConstructorParameters<Engine["Instance"]>[0], { env = {} }: ConstructorParameters<Engine["Instance"]>[1]) {
        const entries = Object.entries(env).map(([name, run]) => [name, isTraced ? spy.#traced(name, run) : run] as const);
        this.exports = new Instance(module, { env: Object.fromEntries(entries) }).exports;
        spy.#exports = exportsOf(this.exports);
      }
    }
    this.engine = { Module, Memory, Global, RuntimeError, Instance: SpiedInstance, validate: (code): boolean => engine.validate(code) };
  }

  begin(journal: Journal): void {
    [this.calls, this.#journal] = [[], journal];
  }

  meters(): Pick<EntryOutcome, "gas" | "stack" | "memory"> {
    const { gas, stack, memory } = this.#known;
    return { gas: gas.value, stack: stack.value, memory: hashOf(new Uint8Array(memory.buffer)) };
  }

  get #known(): ReturnType<typeof exportsOf> {
    if (this.#exports === undefined) throw new Error("There is no instance");
    return this.#exports;
  }

  #traced(name: string, run: EngineFunction): EngineFunction {
    const called = run as unknown as (...args: readonly PlainValue[]) => PlainValue | undefined;
    return ((...args: readonly PlainValue[]) => {
      const { gas, stack, memory } = this.#known;
      const before = gas.value;
      const [text, after] = [part(memory, args[0], args[1]), part(memory, args[2], args[3])];
      const state = name === "state_next" ? itemsOf(this.#journal) : [];
      const partial = { name, args, text, after, state, hasAccount: hasAccount(this.#journal, text), stack: stack.value };
      const index = this.calls.push({ ...partial, gas: undefined, result: undefined, address: 0, written: NOTHING }) - 1;
      if (index > MOST_CALLS) throw new Error("There are too many calls of the host");
      const result = called(...args);
      const [pointer = -1, capacity = -1] = TARGETS[name] ?? [];
      const length = capacity < 0 ? 32 : Math.min(Number(args[capacity]) >>> 0, Math.max(0, Number(result)));
      const address = Number(args[pointer] ?? 0) >>> 0;
      const written = pointer < 0 ? NOTHING : part(memory, address, length).slice();
      this.calls[index] = { ...partial, gas: before - gas.value, result, address, written };
      return result;
    }) as unknown as EngineFunction;
  }
}

function exportsOf(exports: InstanceType<Engine["Instance"]>["exports"]): {
  readonly gas: EngineGlobal;
  readonly stack: EngineGlobal;
  readonly memory: EngineMemory;
} {
  const { [METERED.gas]: gas, [METERED.stack]: stack, [METERED.memory]: memory } = exports;
  return { gas: gas as EngineGlobal, stack: stack as EngineGlobal, memory: memory as EngineMemory };
}

/** As much as lies inside of the memory. */
function part({ buffer }: EngineMemory, pointer: PlainValue | undefined, length: PlainValue | undefined): Uint8Array {
  const start = Number(pointer ?? 0) >>> 0;
  return new Uint8Array(buffer).slice(start, start + Math.min(Number(length ?? 0) >>> 0, 4_096));
}

function hasAccount(journal: Journal | undefined, text: Uint8Array): boolean {
  const key = Buffer.from(text).toString("latin1");
  return journal !== undefined && /^[0-9a-f]{64}$/.test(key) && readExistingAccount(journal, key) !== undefined;
}

/** The contract's own keys, in order. */
function itemsOf(journal: Journal | undefined): readonly StateItem[] {
  const items: StateItem[] = [];
  const prefix = contractStateKey(CONTRACT_ID, NOTHING);
  for (let entry = journal?.next("contract_state", prefix); entry !== undefined; entry = journal?.next("contract_state", prefix, entry.key))
    items.push({ key: toHex(entry.key.subarray(CONTRACT_ID_BYTES)), bytes: entry.value.length });
  return items;
}

/** Size and checksum. */
export function hashOf(bytes: Uint8Array): string {
  return `${bytes.length} ${crc32(bytes)}`;
}
