import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#node/config/system-clock.ts";
import { UNDO_HEIGHTS } from "#node/storage/chain/undo-repository.ts";
import { type SnapshotMaking, startSnapshot } from "#node/storage/snapshots/snapshot-thread.ts";
import { isSnapshotHeight } from "#node/sync/snapshots/snapshot-heights.ts";
import { SnapshotKeeper, type SnapshotKeeperDependencies } from "#node/sync/snapshots/snapshot-keeper.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { openTestChain, type TestChain } from "../../../../support/chain/test-chain.ts";
import { pollUntil } from "../../../../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../support/host/temporary-folder.ts";
import { CHAIN_ID, GENESIS } from "../../../../support/worlds/ledger-world.ts";

const EVERY = 5;
const RULE = { every: EVERY, periodMs: 1 };

describe("heights of snapshots", () => {
  it("are divided by a thousand and lie in another hour than the one before", () => {
    const hours = (height: number): number => Math.floor(height / 1_500) * 3_600_000;
    expect([999, 1_000, 2_000, 3_000, 3_500, 4_000].map((height) => isSnapshotHeight(height, hours))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(isSnapshotHeight(0, hours)).toBe(false);
    expect(isSnapshotHeight(2_000, () => undefined)).toBe(false);
  });

  it("are at most one an hour", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 7_200_000 }), { minLength: 2, maxLength: 40 }), (steps) => {
        let timeMs = 0;
        const times = steps.map((step) => {
          timeMs += step;
          return timeMs;
        });
        const found = [...times.keys()].filter((index) => isSnapshotHeight(index * 1_000, (height) => times[height / 1_000]));
        const hours = found.map((index) => Math.floor((times[index] ?? 0) / 3_600_000));
        expect(new Set(hours).size).toBe(hours.length);
      }),
    );
  });
});

describe("snapshots of a folder", () => {
  let folder: TemporaryFolder;
  let chain: TestChain;
  const lines: string[] = [];

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    chain = openTestChain(folder.path);
    lines.length = 0;
  });

  afterEach(async () => {
    chain.close();
    await folder.remove();
  });

  const snapshots = (): string => join(folder.path, "snapshots");
  const write = (_fields: object, text: string): void => void lines.push(text);

  function keeper(over: Partial<SnapshotKeeperDependencies> = {}): SnapshotKeeper {
    const identity = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };
    const made = new SnapshotKeeper({
      folder: snapshots(),
      headerAt: (height) => chain.database.blocks.header(height),
      make: (height, file) => startSnapshot({ directory: folder.path, identity, height, file, logBytes: 1e9, reservedBytes: 0 }),
      clock: systemClock,
      log: { info: write, warn: write },
      rule: RULE,
      ...over,
    });
    chain.executor.onCommit(({ block }) => made.onDurable(block.header.height));
    return made;
  }

  async function commitTo(height: number, snapshotKeeper: SnapshotKeeper): Promise<void> {
    while (chain.executor.tip().height < height) {
      const { header } = chain.commit();
      if (header.height % EVERY === 0)
        await pollUntil(() => snapshotKeeper.figures().made + snapshotKeeper.figures().failed >= header.height / EVERY);
    }
  }

  it("are made at their heights, and the newest two are kept", async () => {
    const made = keeper();
    made.start(0);
    await commitTo(4 * EVERY + 2, made);
    expect(made.heights()).toEqual([4 * EVERY, 3 * EVERY]);
    expect(readdirSync(snapshots()).sort()).toEqual([`${3 * EVERY}.db`, `${4 * EVERY}.db`]);
    expect(made.figures()).toMatchObject({ height: 4 * EVERY, made: 4, failed: 0 });
    expect(lines).toHaveLength(4);
    await made.stop();
  });

  it("are there again after a restart, without what a crash left", async () => {
    const first = keeper();
    first.start(0);
    await commitTo(2 * EVERY, first);
    await first.stop();
    for (const name of [`${3 * EVERY}.db.copy.tmp`, `${3 * EVERY}.db.new.tmp-journal`, `${EVERY * 9}.db`, "notes of mine.txt", "5.db.mine"])
      writeFileSync(join(snapshots(), name), "not whole");
    const second = keeper();
    second.start(chain.executor.tip().height);
    expect(second.heights()).toEqual([2 * EVERY, EVERY]);
    const others = ["notes of mine.txt", "5.db.mine"];
    expect(readdirSync(snapshots()).sort()).toEqual([`${2 * EVERY}.db`, `${EVERY}.db`, ...others].sort());
    expect(lines.filter((line) => line.includes("cannot be opened"))).toHaveLength(1);
    expect(second.figures()).toMatchObject({ made: 0 });
    await second.stop();
  });

  it("of another chain are removed after a rollback", async () => {
    const first = keeper();
    first.start(0);
    await commitTo(2 * EVERY, first);
    await first.stop();
    chain.database.rollback(EVERY + 1);
    const second = keeper();
    second.start(EVERY + 1);
    expect(second.heights()).toEqual([EVERY]);
    await second.stop();
  });

  it("that are damaged are removed, named once, and made again where the chain reaches back", async () => {
    const made = keeper();
    made.start(0);
    await commitTo(2 * EVERY, made);
    made.damaged(EVERY * 9, "of a height that it does not have");
    made.damaged(2 * EVERY, "why");
    expect(made.heights()).toEqual([EVERY]);
    expect(readdirSync(snapshots())).not.toContain(`${2 * EVERY}.db`);
    made.damaged(2 * EVERY, "why");
    await pollUntil(() => made.figures().made === 3);
    expect(made.heights()).toEqual([2 * EVERY, EVERY]);
    // What is damaged again at once would be again.
    made.damaged(2 * EVERY, "why");
    expect(lines.filter((line) => line.includes("damaged"))).toEqual([
      "A snapshot of the state was damaged and is removed; it is made again",
      "A snapshot of the state was damaged and is removed; the next one comes at its height",
    ]);
    for (let count = 0; count < UNDO_HEIGHTS; count += 1) made.onDurable(3 * EVERY + count * EVERY + 1);
    made.damaged(EVERY, "why");
    expect(lines.at(-1)).toContain("the next one comes at its height");
    expect(made.heights()).toEqual([]);
    await made.stop();
    expect(made.figures()).toMatchObject({ made: 3, failed: 0 });
  });

  it("that were missed while the node was down are made up for", async () => {
    for (let height = 1; height <= EVERY + 2; height += 1) chain.commit();
    const made = keeper();
    made.start(EVERY + 2);
    await pollUntil(() => made.heights().length > 0);
    expect(made.heights()).toEqual([EVERY]);
    await made.stop();
  });

  it("cost one warning where they fail, and the next one is tried", async () => {
    mkdirSync(snapshots());
    let fails = true;
    const failing: SnapshotMaking = { done: Promise.reject(new CodedError("STORAGE_FULL", "The disk is full")), stop: () => undefined };
    failing.done.catch(() => undefined);
    const identity = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };
    const made = keeper({
      make: (height, file) =>
        fails ? failing : startSnapshot({ directory: folder.path, identity, height, file, logBytes: 1e9, reservedBytes: 0 }),
    });
    made.start(0);
    await commitTo(EVERY, made);
    expect(made.heights()).toEqual([]);
    expect(lines).toEqual(["No snapshot of the state was made: nodes that join get the one before it"]);
    fails = false;
    await commitTo(2 * EVERY, made);
    expect(made.heights()).toEqual([2 * EVERY]);
    expect(made.figures()).toMatchObject({ made: 1, failed: 1 });
    await made.stop();
  });

  it("that are being made end with the node", async () => {
    const made = keeper();
    made.start(0);
    while (chain.executor.tip().height < EVERY) chain.commit();
    await made.stop();
    expect(readdirSync(snapshots()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("No snapshot"))).toEqual([]);
    chain.commit();
  });
});
