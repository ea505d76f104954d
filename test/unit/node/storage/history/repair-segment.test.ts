// A damaged segment is replaced, also where the disk was full at any operation of that.
import { join } from "node:path";
import { expect, it } from "vitest";
import { sealSource } from "#node/storage/chain/sealing/seal-source.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { repairSegment } from "#node/storage/history/sealing/repair-segment.ts";
import { sealNext } from "#node/storage/history/sealing/seal-segment.ts";
import { SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import { openGrownChain } from "#test/support/chain/grown-chain.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

it("a damaged segment is replaced once a full disk has room, and a repair that failed leaves nothing", async () => {
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
    history.close();
  } finally {
    database.close();
  }
});
