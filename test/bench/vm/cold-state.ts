// State that is in no cache: what keys cost when they come from the database, and what changed ones cost with their part of the tree, a
// block's worth of each.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { callContract } from "#node/ledger/contracts/call-contract.ts";
import { contractStateKey, writeContract, writeContractBalance, writeContractCode } from "#node/ledger/records/contract-records.ts";
import { writeAccount } from "#node/ledger/records/records.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { PageCache } from "#node/state/page-cache.ts";
import { StateCache } from "#node/state/state-cache.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { MAX_BLOCK_GAS } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { add, brIf, type Code, call, data, get, i32c, i64c, load, loop, type ModuleSpec, store, W } from "../../support/vm/wasm-builder.ts";
import { alice } from "../../support/worlds/ledger-world.ts";
import { VmWorld } from "../../support/worlds/vm-world.ts";
import { IMPORT } from "./hostile-case.ts";

/** What a block of one kind of work cost. */
export interface ColdBlock {
  readonly what: string;
  readonly gas: number;
  /** Processor time of execution, tree and database, µs. */
  readonly us: number;
  /** Time until it was durable, ms. */
  readonly ms: number;
}

/** Blocks of each kind: what SQLite puts off until its log is long falls upon one of several. */
const BLOCKS = 3;
const RECORDS = 300_000;
const BATCH = 20_000;
/** More than a block can read. */
const LARGE_RECORDS = 3_000;
const LARGE_BATCH = 500;
const OWNER = "cccccccccccccc01";
const BALANCE_UT = 1_000_000_000;
const KEY = 1_024;
/** Spreads a counter over all keys of 4 bytes. */
const SPREAD = -1_640_531_535;

interface Work {
  readonly what: string;
  readonly imports: NonNullable<ModuleSpec["imports"]>;
  readonly code: Code;
  /** Gas of a round, about: a block holds as many as fit. */
  readonly roundGas: number;
}

const DIGITS_MASK = 0x07070707;
const DIGITS_ZERO = 0x30303030;
const PUBLIC_KEY_DIGITS = 64;

const key = (bytes: number): Code => [i32c(KEY), i32c(bytes)];

/** Keys of 4 bytes are there, those of 3 with large values, longer ones are not. */
const WORKS: readonly Work[] = [
  { what: "state_get", imports: [IMPORT.stateGet], code: [key(4), i32c(0), i32c(32), call(0), W.drop], roundGas: 12_450 },
  { what: "state_get of 16 KiB", imports: [IMPORT.stateGet], code: [key(3), i32c(0), i32c(0), call(0), W.drop], roundGas: 45_300 },
  { what: "state_get of absent keys", imports: [IMPORT.stateGet], code: [key(5), i32c(0), i32c(32), call(0), W.drop], roundGas: 12_450 },
  {
    what: "state_next",
    imports: [IMPORT.stateNext],
    code: [i32c(KEY), i32c(0), key(4), i32c(0), i32c(32), call(0), W.drop],
    roundGas: 20_700,
  },
  { what: "state_set of new keys", imports: [IMPORT.stateSet], code: [key(5), i32c(0), i32c(32), call(0)], roundGas: 74_900 },
  { what: "state_set of new keys, 256 bytes", imports: [IMPORT.stateSet], code: [key(256), i32c(0), i32c(0), call(0)], roundGas: 77_200 },
  { what: "state_set of 16 KiB", imports: [IMPORT.stateSet], code: [key(5), i32c(0), i32c(16_384), call(0)], roundGas: 243_000 },
  { what: "state_set of keys that are there", imports: [IMPORT.stateSet], code: [key(4), i32c(0), i32c(33), call(0)], roundGas: 74_900 },
  { what: "state_del", imports: [IMPORT.stateDelete], code: [key(4), call(0)], roundGas: 74_500 },
  {
    what: "state_del and state_next",
    imports: [IMPORT.stateDelete, IMPORT.stateNext],
    code: [key(4), call(0), i32c(KEY), i32c(0), key(4), i32c(0), i32c(32), call(1), W.drop],
    roundGas: 95_100,
  },
  {
    what: "transfer to keys that have accounts",
    imports: [IMPORT.transfer],
    code: [
      [i32c(KEY + 4), digits(i32c(KEY), load(), i32c(12), 0x76), store()],
      [i32c(KEY), digits(i32c(KEY), load()), store()],
      [i32c(KEY), i32c(PUBLIC_KEY_DIGITS), i64c(1), call(0), W.drop],
    ],
    roundGas: 76_300,
  },
];

/** Four digits below 8, of every eighth bit, as bytes of their text. */
function digits(...value: readonly Code[]): Code {
  return [value, i32c(DIGITS_MASK), 0x71, i32c(DIGITS_ZERO), 0x72];
}

/** Runs a block of each kind of work over a database of {@link RECORDS} keys. */
export function coldBlocks(folder: string): readonly ColdBlock[] {
  const database = openChainDatabase(mkdtempSync(join(folder, "cold-")), { chainId: "bench", genesisHash: "00".repeat(32) });
  try {
    fill(database);
    return WORKS.map((work) => sumOf(Array.from({ length: BLOCKS }, () => runBlock(database, work))));
  } finally {
    database.close();
  }
}

/** Gas and time of all blocks, and the longest time until one of them was durable. */
function sumOf(blocks: readonly ColdBlock[]): ColdBlock {
  const sum = (of: (block: ColdBlock) => number): number => blocks.reduce((total, block) => total + of(block), 0);
  return { what: blocks[0]?.what ?? "", gas: sum(({ gas }) => gas), us: sum(({ us }) => us), ms: Math.max(...blocks.map(({ ms }) => ms)) };
}

function fill(database: ChainDatabase): void {
  for (let at = 0; at < RECORDS; at += BATCH) {
    const view = new OverlayStateView(database.state);
    for (let index = at; index < at + BATCH; index += 1) {
      const name = Buffer.alloc(4);
      name.writeUInt32LE(Math.imul(index, SPREAD) >>> 0);
      view.set("contract_state", contractStateKey(OWNER, name), new Uint8Array(32).fill(1 + (index & 127)));
      const counter = Math.imul(index, SPREAD);
      writeAccount(view, publicKeyOf(counter), { balanceUt: 1, historyCount: 0, historyHash: ZERO_HASH });
    }
    commit(database, view);
  }
  fillLarge(database);
}

/** The key that the module writes for a counter. */
function publicKeyOf(counter: number): PublicKeyHex {
  const text = Buffer.alloc(8);
  text.writeInt32LE((counter & DIGITS_MASK) | DIGITS_ZERO);
  text.writeInt32LE(((counter >>> 12) & DIGITS_MASK) | DIGITS_ZERO, 4);
  return `${text.toString("latin1")}${"0".repeat(PUBLIC_KEY_DIGITS - 8)}`;
}

/** Values of the largest size under the first 3 bytes of the keys that a counter names. */
function fillLarge(database: ChainDatabase): void {
  for (let at = 0; at < LARGE_RECORDS; at += LARGE_BATCH) {
    const view = new OverlayStateView(database.state);
    for (let index = at; index < at + LARGE_BATCH; index += 1) {
      const name = Buffer.alloc(4);
      name.writeUInt32LE(Math.imul(index, SPREAD) >>> 0);
      view.set("contract_state", contractStateKey(OWNER, name.subarray(0, 3)), new Uint8Array(16_384).fill(1 + (index & 127)));
    }
    commit(database, view);
  }
}

function commit(database: ChainDatabase, view: OverlayStateView, pages = new PageCache(database.state)): void {
  const changes = view.changes();
  const tree = updateStateTree(pages, leafChanges(changes));
  database.inTransaction(() => database.state.apply(changes, tree.pages));
}

function runBlock(database: ChainDatabase, { what, imports, code, roundGas }: Work): ColdBlock {
  const rounds = Math.floor((MAX_BLOCK_GAS * 0.95) / roundGas);
  const next: Code = [i32c(KEY), get(0), i32c(1), add, 0x22, 0, i32c(SPREAD), 0x6c, store()];
  const run: Code = loop(W.void, next, code, get(0), i32c(rounds), 0x49, brIf(0));
  const world = new VmWorld();
  const id = world.install({
    imports,
    functions: [{ export: "run", locals: [[1, W.i32]], code: run }],
    data: [data(KEY, "0".repeat(PUBLIC_KEY_DIGITS))],
  });
  const view = new OverlayStateView(new StateCache(database.state));
  writeContract(view, { ...world.record(id), id: OWNER });
  writeContractBalance(view, OWNER, BALANCE_UT);
  writeContractCode(view, OWNER, world.state.get("contract_code", fromHex(id)) ?? new Uint8Array(0));
  const [cpu, started] = [process.threadCpuUsage(), performance.now()];
  const context = {
    chainId: "bench",
    contractId: OWNER,
    caller: alice.pub,
    origin: alice.pub,
    amountUt: 0,
    txId: "bench",
    height: 7,
    timeS: 1,
  };
  const { gasUsed, failure } = callContract(view, { ...context, method: "run", argsJson: "", gasLimit: MAX_BLOCK_GAS }, world.vm);
  if (failure !== undefined) throw new Error(`${what}: ${failure}`);
  commit(database, view);
  const { user, system } = process.threadCpuUsage(cpu);
  undo(database, view);
  return { what, gas: gasUsed, us: user + system, ms: performance.now() - started };
}

function undo(database: ChainDatabase, view: OverlayStateView): void {
  const back = view.changes().map(({ namespace, key: name, before, value }) => ({ namespace, key: name, before: value, value: before }));
  const tree = updateStateTree(database.state, leafChanges(back));
  database.inTransaction(() => database.state.apply(back, tree.pages));
}
