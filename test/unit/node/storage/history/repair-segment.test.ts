// A damaged segment is replaced, also where the disk was full or the power went at any operation of that.
import { join } from "node:path";
import { expect, it } from "vitest";
import { sealSource } from "#node/storage/chain/sealing/seal-source.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { repairSegment } from "#node/storage/history/sealing/repair-segment.ts";
import { sealNext } from "#node/storage/history/sealing/seal-segment.ts";
import { SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openFoundSegment } from "#node/storage/history/segments/found-segment.ts";
import type { SealableBlock, SealedBlock } from "#node/storage/history/segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { openGrownChain } from "#test/support/chain/grown-chain.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

interface Damaged {
  readonly files: SimulatedFolder;
  readonly history: SealedHistory;
  readonly blocks: readonly SealableBlock[];
  readonly segment: NamedSegment;
}

/** A sealed segment of five blocks in a folder that fails. */
async function withSegment(work: (sealed: Damaged) => Promise<void>): Promise<void> {
  await using folder = await createTemporaryFolder();
  openGrownChain(folder.path, 12, 3).close();
  const database = openSqliteDatabase(join(folder.path, "chain.db"), CHAIN_DATABASE);
  try {
    const files = new SimulatedFolder();
    const history = new SealedHistory(database, files);
    const source = sealSource(database);
    const blocks = [0, 1, 2, 3, 4].map((height) => source.block(height));
    const segment = sealNext(files, source, history, { depth: 2, maxBlocks: 5, maxBytes: 1_000_000 });
    if (segment === undefined) throw new Error("There is a segment");
    await work({ files, history, blocks, segment });
    history.close();
  } finally {
    database.close();
  }
}

/** A block of the file in the place of the segment, whichever it is; undefined when it is damaged. */
function blockOfFound(files: SimulatedFolder, segment: NamedSegment, height: number): SealedBlock | undefined {
  const found = openFoundSegment(files, segment);
  try {
    return found?.block(height);
  } catch (error) {
    if (isCodedError(error, "STORAGE_CORRUPT")) return undefined;
    throw error;
  } finally {
    found?.close();
  }
}

/** A byte in the middle of block 2. */
function damageBlock(files: SimulatedFolder, segment: NamedSegment): void {
  const file = new SegmentFile(files, segment);
  const { offset } = file.indexed(2);
  file.close();
  const bytes = files.content("0-4.seg").slice();
  bytes[offset + 60] = (bytes[offset + 60] ?? 0) ^ 1;
  files.replace("0-4.seg", bytes);
}

/** Repairs with no more of others than block 2 until the power goes at an operation; then every other block is still in the file. */
async function loseWhileRepairing({ files, history, blocks }: Damaged, operation: number, random: Random): Promise<boolean> {
  const [segment] = history.all();
  if (segment === undefined) throw new Error("The segment is named");
  damageBlock(files, segment);
  const repair = (isOther: boolean): Promise<void> =>
    repairSegment(history, segment, async (height) => {
      const own = blockOfFound(files, segment, height);
      if (own === undefined && !isOther) throw new Error(`Block ${height} is lost`);
      return blocks[height] ?? expect.fail("another block");
    });
  files.failAfter(operation);
  const isLost = await repair(true).then(
    () => false,
    () => true,
  );
  files.restart(random);
  const whole = [0, 1, 3, 4].map((height) => blockOfFound(files, segment, height) !== undefined);
  expect(whole).toEqual([true, true, true, true]);
  // Who has all of them again needs others for block 2 at most.
  const needsOthers = blockOfFound(files, segment, 2) === undefined;
  await repair(needsOthers);
  const [now] = history.all();
  const file = new SegmentFile(files, now ?? segment);
  file.verify();
  file.close();
  return isLost;
}

it("keeps what was whole in a damaged segment, at whatever operation of the repair the power goes", async () => {
  await withSegment(async (sealed) => {
    const random = createRandom(1);
    let operation = 0;
    while (await loseWhileRepairing(sealed, operation, random)) operation += 1;
    expect(operation).toBeGreaterThan(5);
  });
});

it("a damaged segment is replaced once a full disk has room, and a repair that failed leaves nothing", async () => {
  await withSegment(async ({ files, history, blocks, segment }) => {
    const repair = (): Promise<void> => repairSegment(history, segment, async (height) => blocks[height] ?? expect.fail("another block"));
    let operations = 0;
    for (let isFull = true; isFull; operations += 1) {
      files.replace("0-4.seg", new Uint8Array(100));
      files.fullAfter(operations);
      isFull = await repair().then(
        () => false,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "STORAGE_FULL" });
          return true;
        },
      );
      files.fullAfter(Number.POSITIVE_INFINITY);
      expect(files.list()).toEqual(["0-4.seg"]);
      await repair();
      const [now] = history.all();
      if (now === undefined) throw new Error("The segment is named");
      const file = new SegmentFile(files, now);
      file.verify();
      file.close();
    }
    expect(operations).toBeGreaterThan(5);
  });
});
