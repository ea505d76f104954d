// A new chain from the state of a stopped one: what is written, that it is the same for all who write it, and what it leads to.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { loadCarriedState } from "#node/engine/genesis/load-carried-state.ts";
import { openStateFile, type StateRecord } from "#node/engine/genesis/state-file.ts";
import { type ExportedGenesis, exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { rebuildIndex } from "#node/explorer/reindex/rebuild-index.ts";
import { readChannel } from "#node/ledger/records/channel-records.ts";
import { readAccount, readSupply } from "#node/ledger/records/records.ts";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { isIdAuthentic } from "#shared/protocol/transactions/transaction-id.ts";
import { toHex } from "#shared/util/bytes.ts";
import {
  dumpState,
  expectIndexComplete,
  expectReplayable,
  expectStateConsistent,
  expectSupplyConserved,
} from "#test/support/chain/chain-invariants.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import { createOldChain, NEW_CHAIN_ID, OLD_BLOCKS, PLAN, readExported } from "#test/support/chain/recovered-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { strictlyDecoded } from "#test/support/codec/strict-cbor.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, carol, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { naiveStateRoot } from "../../state/naive-state-root.ts";

let folder: TemporaryFolder;
let first = "";
let ahead = "";
let out = "";
let exported: ExportedGenesis;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  [first = "", ahead = ""] = createOldChain(folder.path, [OLD_BLOCKS, OLD_BLOCKS + 5]);
  out = join(folder.path, "out");
  exported = exportGenesis(first, out, PLAN);
});
afterAll(() => folder.remove());

const openOld = (): TestChain => openTestChain(first, { genesis: CONTRACTS_GENESIS });
const openNew = (name: string): TestChain =>
  openTestChain(join(folder.path, name), { genesis: exported.genesis, stateFile: exported.statePath });
const bytesOf = (path: string): Buffer => readFileSync(path);

/** What is listed and not found by its key. */
function listsOf({ database }: TestChain): Record<"contacts" | "contracts" | "channels", readonly unknown[]> {
  const explorer = new Explorer(database);
  const keys = [alice, bob, carol].map(({ pub }) => pub);
  return {
    contacts: keys.map((key) => [explorer.contactsOf(key, { limit: 100 }), explorer.contactsRequestedBy(key, { limit: 100 })]),
    contracts: database.explorer.contracts.list(100).map(({ id, name, version }) => ({ id, name, version })),
    channels: keys
      .flatMap((key) => database.explorer.channels.list(key, 100))
      .flatMap(({ channelId }) => readChannel(database.state, channelId) ?? [])
      .filter(({ paidUt }) => paidUt === undefined)
      .toSorted((a, b) => a.id.localeCompare(b.id)),
  };
}

/** The file by a reader of its own: lengths, then an independent CBOR library. */
function framesOf(path: string): readonly (readonly unknown[])[] {
  const bytes = bytesOf(path);
  let at = "PARLEY-STATE-1\n".length;
  expect(bytes.subarray(0, at).toString()).toBe("PARLEY-STATE-1\n");
  const frames: (readonly unknown[])[] = [];
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    frames.push(strictlyDecoded(bytes.subarray(at + 4, at + 4 + length)) as readonly unknown[]);
    at += 4 + length;
  }
  return frames;
}

describe("what is written", () => {
  it("is the same for two operators, also for one that has more blocks", () => {
    const other = join(folder.path, "other");
    exportGenesis(ahead, other, { ...PLAN, height: OLD_BLOCKS });
    for (const name of ["genesis.json", "genesis.state"]) expect(bytesOf(join(other, name))).toEqual(bytesOf(join(out, name)));
    expect(readdirSync(other).toSorted()).toEqual(["genesis.json", "genesis.state"]);
  });

  it("stays what it was in earlier versions", () => {
    expect(exported.genesis.previous).toMatchInlineSnapshot(`
      {
        "block_hash": "fc8fad2682de95a9fb51e2217c92b77056d190e49e80478e462a500f58282361",
        "chain_id": "parley-test",
        "file_hash": "8a60a608e63bc60c4bb0241324ea7d9b907a61166a42f2a4756670def2836df5",
        "first_root": "a6dc8295c12d1662d44e05192a3c19d60a00c4b6719b4aebfd6a2dd5631d15ea",
        "height": 30,
        "state_root": "df5f0392a2e186810841cf6d8933bbede79749b350251921c3dcf1d7dec1fcf4",
      }
    `);
    expect(exported.genesisHash).toMatchInlineSnapshot(`"d33f4e6a3b1fe6f3f838796897715e544e1709a85e0b41d64bbdad2ddeedbfa8"`);
  });

  it("holds every record of the old state and nothing else, whose root a second way of computing confirms", () => {
    using old = openOld();
    const [, ...frames] = framesOf(exported.statePath);
    const records = frames as unknown as readonly (readonly [StateRecord["namespace"], Uint8Array, Uint8Array])[];
    expect(records.map(([namespace, key, value]) => `${namespace} ${toHex(key)} ${toHex(value)}`)).toEqual(dumpState(old.database));
    expect(exported.records).toBe(records.length);
    const { previous } = exported.genesis;
    expect(naiveStateRoot(records.map(([namespace, key, value]) => ({ namespace, key, value })))).toBe(previous?.state_root);
    expect(createHash("sha256").update(bytesOf(exported.statePath)).digest("hex")).toBe(previous?.file_hash);
    expect(old.database.blocks.summary(OLD_BLOCKS)).toMatchObject({ hash: previous?.block_hash, stateRoot: previous?.state_root });
  });

  it("leaves the old chain as it was", () => {
    using old = openOld();
    expect(old.executor.tip().height).toBe(OLD_BLOCKS);
    expectStateConsistent(old.database);
    expectReplayable(old.database, CONTRACTS_GENESIS);
  });

  it("cannot begin where transactions of the old chain could be repeated, unless its tokens are worth nothing", () => {
    const { previous } = exported.genesis;
    const plain = { ...exported.genesis, development: false, previous: previous as NonNullable<typeof previous> };
    const load = (genesis_time: string): string =>
      loadCarriedState(new MemoryStateStore(), { ...plain, genesis_time }, openStateFile(exported.statePath));
    expect(() => load("2026-01-01T02:00:29Z")).toThrow("genesis_time is 2026-01-01T02:00:30.000Z or later");
    expect(load("2026-01-01T02:00:30Z")).toMatch(/^[0-9a-f]{64}$/);
    expect(exported.genesis.genesis_time).toBe("2026-01-01T00:00:30Z");
  });
});

describe("the new chain", () => {
  it("begins with the balances, contracts, contacts, devices and channels of the old one, and no other µT", () => {
    using old = openOld();
    using chain = openNew("begins");
    const changed = (lines: readonly string[]): readonly string[] =>
      lines.filter((line) => !/^(?:account|approval|contract|offence|validator) /.test(line));
    expect(changed(dumpState(chain.database))).toEqual(changed(dumpState(old.database)));
    for (const { pub } of [alice, bob, carol, validator])
      expect(readAccount(chain.database.state, pub)).toEqual({
        balanceUt: readAccount(old.database.state, pub).balanceUt,
        historyCount: 0,
        historyHash: new Uint8Array(32),
      });
    expect(readSupply(chain.database.state)).toBe(readSupply(old.database.state));
    expect(heldUt(chain.database.state)).toBe(exported.supplyUt);
    expect(chain.database.blocks.header(0)).toMatchObject({ chainId: NEW_CHAIN_ID, stateRoot: exported.genesis.previous?.first_root });
    expectStateConsistent(chain.database);
  });

  it("lists the contacts, contracts and open channels of the old one", () => {
    using old = openOld();
    using chain = openNew("lists");
    expect(listsOf(chain)).toEqual(listsOf(old));
    expect(listsOf(old).channels.length).toBeGreaterThan(0);
  });

  it("continues with blocks that execute again to the same roots, is found again, and its index can be rebuilt", () => {
    const path = "continues";
    const nowMs = START_MS + 60_000;
    {
      using chain = openNew(path);
      const { balanceUt } = readAccount(chain.database.state, bob.pub);
      const draft = { type: "TRANSFER", from: alice.pub, to: bob.pub, amount: 5, payload: {} } as const;
      const context = { chainId: NEW_CHAIN_ID, nowMs, random: (length: number): Uint8Array => new Uint8Array(length) };
      chain.commit([signTransaction(buildTransaction(draft, context), alice.seed)], nowMs);
      chain.commit([callNative(alice, "tokens", "transfer", { args: ["tea", bob.pub, 1] })], nowMs + 1_000);
      expect(readAccount(chain.database.state, bob.pub).balanceUt).toBe(balanceUt + 5);
    }
    let before: unknown;
    {
      using chain = openNew(path);
      expect(chain.executor.tip().height).toBe(2);
      expectSupplyConserved(chain.database);
      expectStateConsistent(chain.database);
      expectIndexComplete(chain.database);
      const replayed = [...replayFromGenesis(chain.database, exported.genesis, { stateFile: exported.statePath })];
      expect(replayed.map(({ isSame }) => isSame)).toEqual([true, true, true]);
      before = listsOf(chain);
    }
    for (const isExecuted of [false, true]) {
      using chain = openNew(path);
      const { file } = chain.database;
      chain.close();
      rebuildIndex(dirname(file), { genesis: exported.genesis, stateFile: exported.statePath }, { isExecuted });
      using again = openNew(path);
      expect(listsOf(again)).toEqual(before);
    }
    using chain = openNew(path);
    chain.database.rollback(0);
    expect(listsOf(chain)).toEqual(before);
  });

  it("takes no transaction whose id was made for the old chain", () => {
    const raw = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    expect(isIdAuthentic(CONTRACTS_GENESIS.chain_id, raw)).toBe(true);
    expect(isIdAuthentic(NEW_CHAIN_ID, raw)).toBe(false);
  });

  it("is the start of a light node's trust without its state", () => {
    using chain = openNew("light");
    expect(createTrustedGenesis(exported.genesis).hash).toBe(chain.executor.tip().hash);
  });

  it("is read back from what was written", () => {
    expect(readExported(out)).toEqual(exported.genesis);
  });
});

describe("a plan that is not possible", () => {
  const attempt = (plan: Partial<typeof PLAN> & { readonly height?: number; readonly genesisTime?: string }, path = first): unknown =>
    exportGenesis(path, join(folder.path, "refused"), { ...PLAN, ...plan });

  it.each([
    ["the name of the old chain", { chainId: CONTRACTS_GENESIS.chain_id }, "chain_id is another one than previous.chain_id"],
    ["a block that is not there", { height: OLD_BLOCKS + 1 }, `This folder can give the heights 0 to ${OLD_BLOCKS}, not ${OLD_BLOCKS + 1}`],
    ["an earlier time", { genesisTime: "2026-01-01T00:00:29Z" }, "The new chain cannot begin before 2026-01-01T00:00:30Z"],
    ["no time", { genesisTime: "tomorrow" }, '"tomorrow" is no time'],
    ["a validator without money", { validators: [{ publicKey: "ab".repeat(31) }] }, "is not an Ed25519 key"],
    ["one twice", { validators: [...PLAN.validators, ...PLAN.validators] }, "is listed twice"],
    ["none", { validators: [] }, "validators lists 1 to 100"],
    ["less than is locked", { validators: [{ publicKey: validator.pub, bondUt: 1 }] }, "locked already, and its bond is 1 µT"],
    ["more than there is", { validators: [{ publicKey: carol.pub, bondUt: 2 ** 50 }] }, "its balance lacks"],
  ])("is refused in words and leaves nothing: %s", (_, plan, words) => {
    expect(() => attempt(plan)).toThrow(words);
    expect(existsSync(join(folder.path, "refused", "genesis.json"))).toBe(false);
    expect(existsSync(join(folder.path, "refused", "genesis.state"))).toBe(false);
  });

  it("is refused while a node uses the folder, and without a chain", () => {
    const lock = lockDataFolder(first);
    try {
      expect(() => attempt({})).toThrow("Another node uses the data folder");
    } finally {
      lock.release();
    }
    expect(() => attempt({}, join(folder.path, "nothing"))).toThrow("holds no chain");
  });

  it("finds a record that was changed on the disk, and says which folder is damaged", () => {
    const [path = ""] = createOldChain(join(folder.path, "damaged"), [3]);
    {
      using chain = openTestChain(path, { genesis: CONTRACTS_GENESIS });
      const [entry] = chain.database.state.scan("account");
      const value = Uint8Array.from(entry?.value ?? []);
      value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
      chain.database.inTransaction(() => chain.database.state.apply([{ namespace: "account", key: entry?.key ?? value, value }], []));
    }
    expect(() => attempt({}, path)).toThrow(`${path}/chain.db is damaged: its records are not the state of block 3`);
    expect(readdirSync(join(folder.path, "refused"))).toEqual([]);
  });

  it("overwrites no earlier export", () => {
    const before = bytesOf(exported.statePath);
    expect(() => exportGenesis(first, out, PLAN)).toThrow("There is a file");
    expect(bytesOf(exported.statePath)).toEqual(before);
  });
});
