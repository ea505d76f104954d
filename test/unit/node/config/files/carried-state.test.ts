// A new folder takes the state its chain begins with from beside the genesis file, or is refused before anything is made.
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDataFolder, createDataFolder, type DataFolder, type FolderRequest, openDataFolder } from "#node/config/files/data-folder.ts";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { createOldChain, NEW_CHAIN_ID, PLAN } from "#test/support/chain/recovered-chain.ts";
import { pendingList } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
let path = "";
let genesisPath = "";
let statePath = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  const [old = ""] = createOldChain(folder.path, [5]);
  ({ genesisPath, statePath } = exportGenesis(old, join(folder.path, "out"), PLAN));
  path = join(folder.path, "data");
});
afterEach(() => folder.remove());

const request = (changes: Partial<FolderRequest> = {}): FolderRequest => ({ path, genesisPath, isDevelopment: false, ...changes });

function open(changes: Partial<FolderRequest> = {}): DataFolder {
  checkDataFolder(request(changes));
  createDataFolder(path);
  return openDataFolder({ ...request(changes), nowMs: 0, random: (length) => new Uint8Array(length).fill(7) });
}

/** Makes block 0 as the start of a node does. */
function begin({ genesis, genesisHash, paths }: DataFolder, stateFile: string | undefined = paths.genesisState): number | undefined {
  const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash });
  try {
    createBlockExecutor({ database, genesis, stateFile, source: pendingList(), verify: verifyZip215 });
    return database.blocks.tipHeight();
  } finally {
    database.close();
  }
}

describe("a folder of a chain that continues another one", () => {
  it("gets a copy of the state file, with which it begins, and needs no file beside it afterwards", () => {
    const opened = open();
    expect(readFileSync(opened.paths.genesisState).equals(readFileSync(statePath))).toBe(true);
    expect(begin(opened)).toBe(0);
    rmSync(join(folder.path, "out"), { recursive: true });
    expect(open({ genesisPath: undefined }).genesis.chain_id).toBe(NEW_CHAIN_ID);
  });

  it("may hold the mail of the old chain, which no other new folder may", () => {
    mkdirSync(path);
    for (const name of ["mailbox.db", "mailbox.db-wal", "mail-queue.db", "held-mail.db"]) writeFileSync(join(path, name), "mail");
    expect(open().genesis.chain_id).toBe(NEW_CHAIN_ID);
    const other = join(folder.path, "other");
    mkdirSync(other);
    writeFileSync(join(other, "mailbox.db"), "mail");
    expect(() => checkDataFolder(request({ path: other, genesisPath: undefined, isDevelopment: true }))).toThrow("it holds mailbox.db");
    writeFileSync(join(other, "chain.db"), "chain");
    expect(() => checkDataFolder(request({ path: other }))).toThrow("it holds chain.db");
  });

  it.each<readonly [string, () => void, string]>([
    ["missing", (): void => rmSync(statePath), "there is no "],
    ["another one", (): void => appendFileSync(statePath, "x"), "is not the state file that the genesis file names"],
    ["empty", (): void => writeFileSync(statePath, ""), "is not the state file that the genesis file names"],
  ])("is not made when the state file is %s", (_, spoil, words) => {
    spoil();
    expect(() => open()).toThrow(words);
    expect(existsSync(path)).toBe(false);
  });

  it("cannot be made from the address of a node alone, but for a light node", () => {
    const { genesis } = open();
    rmSync(path, { recursive: true });
    expect(() => open({ genesisPath: undefined, joined: genesis })).toThrow("the address of a node does not give it");
    expect(existsSync(path)).toBe(false);
    expect(open({ genesisPath: undefined, joined: genesis, isLight: true }).genesis).toEqual(genesis);
  });

  it("of a light node that becomes a full one says what it lacks, and takes it later", () => {
    const light = open({ isLight: true });
    expect(readdirSync(path)).not.toContain("genesis.state");
    expect(() => {
      const database = openChainDatabase(path, { chainId: light.genesis.chain_id, genesisHash: light.genesisHash });
      try {
        createBlockExecutor({ database, genesis: light.genesis, source: pendingList(), verify: verifyZip215 });
      } finally {
        database.close();
      }
    }).toThrow("the data folder has no genesis.state");
    expect(begin(open())).toBe(0);
  });

  it("begins with nothing of a state file that is wrong, and with all of it once it is right", () => {
    const opened = open();
    const bytes = readFileSync(statePath);
    writeFileSync(opened.paths.genesisState, bytes.subarray(0, bytes.length - 40));
    expect(() => begin(opened)).toThrow("cannot be used");
    copyFileSync(statePath, opened.paths.genesisState);
    expect(begin(opened)).toBe(0);
  });

  it("refuses a genesis whose first root is another", () => {
    const opened = open();
    const { previous } = opened.genesis;
    if (previous === undefined) throw new Error("no previous chain");
    const genesis = { ...opened.genesis, previous: { ...previous, first_root: "00".repeat(32) } };
    expect(() => begin({ ...opened, genesis })).toThrow("first_root is not the root");
  });
});
