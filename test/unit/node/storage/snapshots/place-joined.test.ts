// The file of a state becomes the chain of a folder, whatever crashed in between.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chainBeginning } from "#node/engine/recovery/chain-beginning.ts";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { ROOT_PLACE } from "#node/state/tree-place.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { type JoinStore, joinName, openJoinStore } from "#node/storage/snapshots/join-store.ts";
import { begunJoins, hasNoChain, placeJoined } from "#node/storage/snapshots/place-joined.ts";
import { openSqliteDatabase, openSqliteReader } from "#node/storage/sqlite-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { statePath } from "#shared/protocol/chain/state-proof.ts";
import { provenTip } from "#test/support/chain/begun-chain.ts";
import { openGrownChain } from "#test/support/chain/grown-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { writeVersion1 } from "#test/support/chain/version-1.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, CHAIN_ID, GENESIS, signed } from "#test/support/worlds/ledger-world.ts";

const HEIGHT = 12;
const IDENTITY = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };

let whole: TemporaryFolder;
let folder: TemporaryFolder;
let chain: TestChain;

beforeEach(async () => {
  whole = await createTemporaryFolder();
  folder = await createTemporaryFolder();
  chain = openGrownChain(whole.path, HEIGHT, 7);
});
afterEach(async () => {
  chain.close();
  await whole.remove();
  await folder.remove();
});

/** A store with all of the state. */
function fetched(height = HEIGHT): JoinStore {
  const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
  const store = openJoinStore(join(folder.path, joinName(height)), { height, stateRoot }, IDENTITY);
  const { state } = chain.database;
  const leaves = NAMESPACES.flatMap((namespace) =>
    [...state.each(namespace, new Uint8Array(0))].map(({ key, value }) => ({
      ...{ namespace, key, value },
      path: statePath(namespace, key, nativeSha256),
      valueHash: nativeSha256(value),
    })),
  );
  store.store(
    ROOT_PLACE,
    leaves.toSorted((a, b) => Buffer.compare(a.path, b.path)),
  );
  return store;
}

function finish(store: JoinStore): void {
  store.finish((state) => chainBeginning(state, provenTip(chain)));
  store.close();
}

/** Everything but the first hundred bytes is lost. */
function damagePages(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, 100));
}

/** The chain of the folder follows what the whole one decides next. */
async function expectFollowing(): Promise<void> {
  const joined = openTestChain(folder.path);
  try {
    expect(joined.database.blocks.firstHeight()).toBe(HEIGHT);
    for (let amount = 1; amount <= 3; amount += 1)
      chain.commit([signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, nowMs: chain.executor.tip().timeMs })]);
    expect(await joined.applyBatch(chain.decidedAfter(HEIGHT))).toBe(3);
    expect(joined.executor.tip()).toEqual(chain.executor.tip());
  } finally {
    joined.close();
  }
}

describe("a state that was fetched", () => {
  it("becomes the chain of the folder", async () => {
    expect(hasNoChain(folder.path)).toBe(true);
    finish(fetched());
    expect(placeJoined(folder.path)).toBe(HEIGHT);
    expect(begunJoins(folder.path)).toEqual([]);
    expect(hasNoChain(folder.path)).toBe(false);
    await expectFollowing();
    expect(placeJoined(folder.path)).toBeUndefined();
  });

  it("takes the place of genesis alone, and nothing of that is left in a log", async () => {
    openTestChain(folder.path).close();
    writeFileSync(join(folder.path, "chain.db-wal"), "");
    finish(fetched());
    expect(placeJoined(folder.path)).toBe(HEIGHT);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("join"))).toEqual([]);
    await expectFollowing();
  });

  it("is sorted part by part, and after a kill from where it was", async () => {
    const store = fetched();
    expect(store.sort()).toBe(true);
    store.close();
    const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
    const again = openJoinStore(join(folder.path, joinName(HEIGHT)), { height: HEIGHT, stateRoot }, IDENTITY);
    expect(again.isComplete()).toBe(true);
    let parts = 0;
    while (again.sort()) parts += 1;
    expect(parts).toBeGreaterThan(2);
    for (const namespace of NAMESPACES)
      for (const { key, value } of chain.database.state.scan(namespace)) expect(again.state.get(namespace, key)).toEqual(value);
    finish(again);
    expect(placeJoined(folder.path)).toBe(HEIGHT);
    await expectFollowing();
  });

  it("stays what it was when writing the rest fails, and is finished later", async () => {
    const store = fetched();
    expect(() =>
      store.finish((state) => {
        const beginning = chainBeginning(state, provenTip(chain));
        return { ...beginning, ids: [...beginning.ids, { height: 1, ids: ["again"] }, ...beginning.ids] };
      }),
    ).toThrow();
    store.close();
    expect(placeJoined(folder.path)).toBeUndefined();
    expect(begunJoins(folder.path)).toEqual([HEIGHT]);
    const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
    const again = openJoinStore(join(folder.path, joinName(HEIGHT)), { height: HEIGHT, stateRoot }, IDENTITY);
    expect(again.isComplete()).toBe(true);
    finish(again);
    expect(placeJoined(folder.path)).toBe(HEIGHT);
    await expectFollowing();
  });

  it("is left alone while parts of it are missing", () => {
    const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
    openJoinStore(join(folder.path, joinName(HEIGHT)), { height: HEIGHT, stateRoot }, IDENTITY).close();
    expect(placeJoined(folder.path)).toBeUndefined();
    expect(begunJoins(folder.path)).toEqual([HEIGHT]);
  });

  it("is removed where a chain is already, which stays", () => {
    {
      using own = openTestChain(folder.path);
      own.commit([]);
    }
    finish(fetched());
    expect(hasNoChain(folder.path)).toBe(false);
    expect(placeJoined(folder.path)).toBeUndefined();
    expect(begunJoins(folder.path)).toEqual([]);
    using own = openTestChain(folder.path);
    expect(own.executor.tip().height).toBe(1);
  });

  it("is removed beside a chain of an older version, which stays and is brought up to date", () => {
    {
      using own = openTestChain(folder.path);
      own.commit([]);
    }
    writeVersion1(folder.path);
    finish(fetched());
    expect(hasNoChain(folder.path)).toBe(false);
    expect(placeJoined(folder.path)).toBeUndefined();
    expect(begunJoins(folder.path)).toEqual([]);
    using own = openTestChain(folder.path);
    expect(own.executor.tip().height).toBe(1);
  });

  it("stays what it is while its log cannot be moved into it", async () => {
    finish(fetched());
    const file = join(folder.path, joinName(HEIGHT));
    // What a killed process left in the log, which something keeps there: as a full disk does.
    const writer = openSqliteDatabase(file, CHAIN_DATABASE);
    writer.exec("INSERT INTO meta (name, value) VALUES ('late', 'in the log')");
    const reader = openSqliteReader(file, CHAIN_DATABASE);
    reader.exec("BEGIN");
    reader.prepare("SELECT COUNT(*) FROM meta").get();
    writer.close();
    expect(() => placeJoined(folder.path)).toThrow(CodedError);
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(hasNoChain(folder.path)).toBe(true);
    reader.exec("COMMIT");
    reader.close();
    expect(placeJoined(folder.path)).toBe(HEIGHT);
    const placed = openSqliteReader(join(folder.path, "chain.db"), CHAIN_DATABASE);
    expect(placed.prepare("SELECT value FROM meta WHERE name = 'late'").pluck().get()).toBe("in the log");
    placed.close();
    await expectFollowing();
  });

  it.each<[string, (file: string) => void]>([
    ["is no database", (file): void => writeFileSync(file, "not a database at all, but long enough for one".repeat(200))],
    ["is damaged", (file): void => damagePages(file)],
    ["is empty", (file): void => writeFileSync(file, "")],
  ])("holds up no node when it %s", (_what, damage) => {
    fetched().close();
    const file = join(folder.path, joinName(HEIGHT));
    damage(file);
    expect(placeJoined(folder.path)).toBeUndefined();
    const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
    const again = openJoinStore(file, { height: HEIGHT, stateRoot }, IDENTITY);
    expect(again.missing().map(({ depth }) => depth)).toEqual([ROOT_PLACE.depth]);
    again.close();
  });

  it("is begun once more by itself when it is damaged", () => {
    fetched().close();
    const file = join(folder.path, joinName(HEIGHT));
    damagePages(file);
    const stateRoot = chain.database.blocks.header(HEIGHT)?.stateRoot ?? "";
    const again = openJoinStore(file, { height: HEIGHT, stateRoot }, IDENTITY);
    expect(again.missing().map(({ depth }) => depth)).toEqual([ROOT_PLACE.depth]);
    again.close();
  });

  it("makes no file where there is none", () => {
    expect(hasNoChain(join(folder.path, "missing"))).toBe(true);
    expect(placeJoined(join(folder.path, "missing"))).toBeUndefined();
    expect(existsSync(join(folder.path, "missing"))).toBe(false);
  });
});
