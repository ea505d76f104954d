// A node whose disk becomes full: it ends with a sentence that says what to do, has lost nothing that it vouched for, and continues with room.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { fillDisk, mountSmallDisk } from "#test/support/host/small-disk.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const DISK_MIB = 48;

it("a full disk ends a node in words, costs nothing that was in a block, and it continues once there is room", async ({ skip }) => {
  skip(process.platform !== "linux", "a disk of a given size is made on Linux only");
  await using folder = await createTemporaryFolder();
  const { path, unmount } = await mountSmallDisk(folder.path, DISK_MIB);
  const started: RunningNode[] = [];
  const start = async (): Promise<RunningNode> => {
    const node = await startNode({ dataDir: join(path, "node") });
    started.push(node);
    return node;
  };
  try {
    const node = await start();
    const acknowledged = [await pay(node)];
    const filler = join(path, "filler");
    fillDisk(filler);
    // As long as pages that it has suffice.
    while (node.child.exitCode === null) {
      const id = await pay(node).catch(() => undefined);
      if (id !== undefined) acknowledged.push(id);
    }
    expect(node.child.exitCode).toBeGreaterThan(0);
    expect(node.log()).toMatch(/The disk .*is full: free some space/);
    rmSync(filler);
    const report = checkFolder(join(path, "node"), { isFull: true, onProgress: () => undefined });
    expect(report.findings).toEqual([]);
    const again = await start();
    for (const id of acknowledged) expect(await readCommitted(again.client, id), id).toBeDefined();
    await pay(again);
    expect(await again.stop()).toBe(0);
  } finally {
    for (const node of started) await node.kill();
    unmount();
  }
}, 240_000);

/** Has a payment put into a block. @throws Error when the node ends before */
async function pay({ client, child }: RunningNode): Promise<string> {
  const { id } = await client.requestFaucet({ body: { to: alice.pub, amount_ut: 1_000_000 } });
  await pollUntil(async () => child.exitCode !== null || (await readCommitted(client, id).catch(() => undefined)), {
    what: "a payment in a block",
  });
  if (child.exitCode !== null) throw new Error("The node ended");
  return id;
}
