// A chain takes up the blocks of files that it does not know, as after an older chain.db was put back: those that are proven, and no others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TakeUp, takeUpBlocks } from "#node/engine/recovery/take-up-blocks.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const LIMITS: SealLimits = { depth: 12, maxBlocks: 9, maxBytes: 1_000_000 };
const [OLD, NEW] = [30, 60];
const KILLED = fileURLToPath(new URL("./take-up-killed.ts", import.meta.url));

let folder: TemporaryFolder;
let path = "";
let runs = 0;
/** Hashes of the newer chain by height, and its highest block in a file. */
let hashes: readonly (string | undefined)[] = [];
let sealedTo = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

beforeEach(async () => {
  runs += 1;
  path = join(folder.path, `chain-${runs}`);
  {
    using chain = openTestChain(path);
    growChain(chain, OLD);
  }
  const older = `${path}.older`;
  copyFileSync(join(path, CHAIN_FILE), older);
  {
    using chain = openTestChain(path);
    growChain(chain, NEW);
    await sealTestChain(chain, LIMITS);
    sealedTo = chain.database.blocks.sealedTo();
    hashes = Array.from({ length: NEW + 1 }, (_, height) => chain.database.blocks.summary(height)?.hash);
  }
  for (const suffix of ["-wal", "-shm"]) rmSync(join(path, `${CHAIN_FILE}${suffix}`), { force: true });
  copyFileSync(older, join(path, CHAIN_FILE));
  expect(sealedTo).toBeGreaterThan(OLD + 2);
});

/** Blocks that are valid everywhere: with a payment each. */
function growChain(chain: TestChain, to: number): void {
  for (let height = chain.executor.tip().height + 1; height <= to; height += 1) {
    const timeMs = START_MS + 1_000 * height;
    const payment = { type: "TRANSFER", to: bob.pub, amount: height, payload: {}, fee: 1_000, nowMs: timeMs } as const;
    chain.commit([signed(alice, payment)], timeMs);
  }
}

const segmentsOf = (): readonly string[] =>
  readdirSync(join(path, HISTORY_FOLDER))
    .filter((name) => name.endsWith(".seg"))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
const fileOf = (name: string): string => join(path, HISTORY_FOLDER, name);

/** Takes up, and gives the tip with what was wrong. */
async function takeUp(changes: Partial<TakeUp> = {}): Promise<{ readonly tip: number; readonly problems: readonly string[] }> {
  using chain = openTestChain(path);
  const problems: string[] = [];
  const begun = chain.executor.tip().height;
  const count = await takeUpBlocks({
    history: chain.database.history,
    executor: chain.executor,
    takenBack: chain.database.takenBack,
    ...changes,
    onProblem: (name, reason) => void problems.push(`${name}: ${reason}`),
  });
  const tip = chain.executor.tip().height;
  expect(count).toBe(tip - begun);
  for (let height = 0; height <= tip; height += 1) expect(chain.database.blocks.summary(height)?.hash).toBe(hashes[height]);
  return { tip, problems };
}

describe("files that a chain does not know", () => {
  it("give it the blocks that follow, up to the last one of which the commit is there", async () => {
    // The commit of the last sealed block is in the block behind it, which was in chain.db.
    expect(await takeUp()).toEqual({ tip: sealedTo - 1, problems: [] });
    using chain = openTestChain(path);
    growChain(chain, NEW + 3);
    expect(chain.executor.tip().hash).toBeDefined();
    await sealTestChain(chain, LIMITS);
    expect(chain.database.blocks.get(OLD + 1)?.hash).toBe(hashes[OLD + 1]);
    expect(chain.database.blocks.sealedTo()).toBeGreaterThan(OLD);
  });

  it("give all of it where the chain was lost", async () => {
    rmSync(join(path, CHAIN_FILE));
    expect(await takeUp()).toEqual({ tip: sealedTo - 1, problems: [] });
  });

  it("that are damaged, or of another chain, give what is proven, are named, and stay", async () => {
    const names = segmentsOf().filter((name) => Number.parseInt(name.split("-")[1] ?? "", 10) > OLD);
    const [, second = ""] = names;
    const content = readFileSync(fileOf(second));
    // Within the first block, behind the header of the file.
    content[200] = (content[200] ?? 0) ^ 1;
    writeFileSync(fileOf(second), content);
    const { tip, problems } = await takeUp();
    expect(tip).toBeLessThan(Number.parseInt(second, 10));
    expect(tip).toBeGreaterThan(OLD);
    expect(problems).toEqual([expect.stringContaining(second)]);
    expect(existsSync(fileOf(second))).toBe(true);
  });

  it("give the blocks before the first damaged one", async () => {
    const [, second = ""] = segmentsOf().filter((name) => Number.parseInt(name.split("-")[1] ?? "", 10) > OLD);
    const content = readFileSync(fileOf(second));
    const middle = Math.floor(content.length / 2);
    content[middle] = (content[middle] ?? 0) ^ 1;
    writeFileSync(fileOf(second), content);
    const { tip, problems } = await takeUp();
    expect(tip).toBeGreaterThan(Number.parseInt(second, 10));
    expect(tip).toBeLessThan(sealedTo - 1);
    expect(problems).toEqual([expect.stringContaining(second)]);
  });

  it("end with a signal, which comes through between two batches, and continue at the next start", async () => {
    const ending = new AbortController();
    setImmediate(() => ending.abort());
    const { tip } = await takeUp({ signal: ending.signal });
    expect(tip).toBeLessThan(sealedTo - 1);
    expect(await takeUp()).toEqual({ tip: sealedTo - 1, problems: [] });
  });

  it.each(["before", "while", "after"])("lose nothing to a process that is killed %s it writes a batch", async (when) => {
    const child = spawn(process.execPath, [KILLED, path, when], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect((readChainTip(path)?.height ?? 0) > OLD).toBe(when === "after");
    expect(await takeUp()).toEqual({ tip: sealedTo - 1, problems: [] });
  });

  it("end the start where the chain itself fails", async () => {
    using chain = openTestChain(path);
    const { executor, database } = chain;
    const failing: TakeUp["executor"] = {
      tip: () => executor.tip(),
      executeSpeculatively: (batch) => executor.executeSpeculatively(batch),
      apply: () => Promise.reject(new CodedError("STORAGE_FULL", "no room")),
    };
    const { history, takenBack } = database;
    await expect(takeUpBlocks({ history, takenBack, executor: failing })).rejects.toThrow("no room");
    const executeSpeculatively = (): never => {
      throw new CodedError("STORAGE_FAILED", "not readable");
    };
    await expect(takeUpBlocks({ history, takenBack, executor: { ...failing, executeSpeculatively } })).rejects.toThrow("not readable");
  });

  it("give nothing to a chain that continued otherwise", async () => {
    using chain = openTestChain(path);
    growChain(chain, OLD + 1);
    const { history, takenBack } = chain.database;
    const problems: string[] = [];
    const taken = takeUpBlocks({ history, takenBack, executor: chain.executor, onProblem: (_, reason) => void problems.push(reason) });
    expect(await taken).toBe(0);
    expect(problems).toEqual([expect.stringContaining("which is invalid here")]);
    expect(chain.executor.tip().height).toBe(OLD + 1);
  });

  it("give the blocks before the first one that nothing proves", async () => {
    using chain = openTestChain(path);
    const { executor, database } = chain;
    const doubting: TakeUp["executor"] = {
      tip: () => executor.tip(),
      executeSpeculatively: (batch) => executor.executeSpeculatively(batch.filter(({ block }) => block.header.height <= OLD + 2)),
      apply: (batch) => executor.apply(batch),
    };
    const { history, takenBack } = database;
    const problems: string[] = [];
    const taken = takeUpBlocks({ history, takenBack, executor: doubting, onProblem: (_, reason) => void problems.push(reason) });
    expect(await taken).toBe(2);
    expect(problems).toEqual([expect.stringContaining(`block ${OLD + 3} does not follow this chain's`)]);
  });

  it("do not give again what was taken back, until the chain is beyond it", async () => {
    const { tip } = await takeUp();
    {
      using chain = openTestChain(path);
      chain.database.rollback(tip - 5);
    }
    for (const _ of [1, 2]) expect(await takeUp()).toEqual({ tip: tip - 5, problems: [expect.stringContaining("taken back")] });
    using chain = openTestChain(path);
    const { history, takenBack } = chain.database;
    // Others decided other blocks.
    growChain(chain, NEW);
    expect(await takeUpBlocks({ history, takenBack, executor: chain.executor })).toBe(0);
    expect(takenBack.to()).toBeUndefined();
  });

  it("are left alone where a block between is missing", async () => {
    const [next = ""] = segmentsOf().filter((name) => Number.parseInt(name.split("-")[1] ?? "", 10) > OLD);
    rmSync(fileOf(next));
    const before = segmentsOf();
    expect(await takeUp()).toEqual({ tip: OLD, problems: [] });
    expect(segmentsOf()).toEqual(before);
  });
});
