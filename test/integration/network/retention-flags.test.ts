// What a person does with `--retain` and `--sync` on a folder that exists or is empty, with real processes: less is kept, more is kept from
// then on, and a node that needs what all others dropped says so and waits.
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, writePast } from "#test/support/nodes/aged-network.ts";
import { ProcessNode } from "#test/support/nodes/process-network.ts";

const PAST_BLOCKS = 1_300;
const BLOCK_MS = 60_000;
const MORE = "blocks that were dropped before do not come back";
const GONE = "No connected node has block 1 any more: what they keep begins with block";
const SMALL_SEGMENTS = new URL("../../support/nodes/small-segments.ts?blocks=20", import.meta.url).href;
const ENVIRONMENT = { NODE_OPTIONS: `--import ${SMALL_SEGMENTS}` };
const WAIT = { timeoutMs: 240_000, intervalMs: 200 };
const LONG_MS = 600_000;

let folder: TemporaryFolder;
let network: AgedNetwork;
/** Both have all blocks; the second one drops some. */
let whole: ProcessNode;
let short: ProcessNode;
/** Begins with an empty folder. */
let empty: ProcessNode;

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-retain-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 1, nodes: 2 }, { startMs, heartbeatMs: 5_000 });
  await writePast(
    network,
    Array.from({ length: PAST_BLOCKS }, (_, index) => ({ timeMs: startMs + (index + 1) * BLOCK_MS, transactions: [] })),
  );
  const nodes = network.nodes.map((node, index) => new ProcessNode(index, node));
  [whole, short, empty] = nodes as [ProcessNode, ProcessNode, ProcessNode];
  await empty.wipe();
  await whole.start();
}, LONG_MS);
afterAll(async () => {
  await Promise.all([whole, short, empty].map((node) => node?.end("SIGKILL")));
  await folder?.remove();
});

const firstOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).history?.from_height ?? -1;
const findings = ({ dataDir }: ProcessNode): unknown => checkFolder(dataDir, { isFull: true, onProgress: () => undefined }).findings;

/** A busy machine may refuse a large read once. */
function blockOf({ client }: ProcessNode, index: number): ReturnType<ProcessNode["client"]["getBlock"]> {
  return pollUntil(() => client.getBlock({ index }), { ...WAIT, what: `block ${index}` });
}

/** Starts the second node with a flag, and waits until it has dropped what it is to drop. Gives its first block and what it said. */
async function startShort(retain: string, isDone: (first: number) => boolean): Promise<readonly [first: number, said: string]> {
  const said = short.log.length;
  await short.start(["--retain", retain], ENVIRONMENT);
  await pollUntil(async () => isDone(await firstOf(short)), { ...WAIT, what: `the first block with --retain ${retain}` });
  return [await firstOf(short), short.log.slice(said)];
}

async function endShort(): Promise<void> {
  expect(await short.end("SIGTERM")).toBe(0);
  expect(findings(short)).toEqual([]);
}

it("--retain on a folder with all blocks drops some, a smaller one more, and a larger one says that these stay away", {
  ...WHOLE_ONLY,
  timeout: LONG_MS,
}, async () => {
  // Alone for now: what no connected node has stays, and is said.
  expect(await whole.end("SIGTERM")).toBe(0);
  await short.start(["--retain", "1200blocks"], ENVIRONMENT);
  const waits = async (): Promise<boolean> => (await short.client.getKeptHistory({})).dropping === "no_holder";
  await pollUntil(waits, { ...WAIT, what: "old blocks that wait for a node that has them" });
  expect(await firstOf(short)).toBe(0);
  await endShort();
  await whole.start();
  const [first, said] = await startShort("1200blocks", (at) => at > 60);
  expect((await short.client.getKeptHistory({})).dropping).toBe("on");
  expect(first).toBeLessThanOrEqual(PAST_BLOCKS - 1_200 + 100);
  expect(said).not.toContain(MORE);
  expect((await blockOf(short, first)).index).toBe(first);
  await endShort();
  const [second, saidThen] = await startShort("1128blocks", (at) => at > first + 40);
  expect(saidThen).not.toContain(MORE);
  await endShort();
  // The same again: nothing is promised that is not here.
  const [again, saidAgain] = await startShort("1128blocks", (at) => at >= second);
  expect(saidAgain).not.toContain(MORE);
  await endShort();
  const [larger, saidOfMore] = await startShort("1200blocks", (at) => at >= again);
  expect(saidOfMore).toContain(MORE);
  const { sync } = await short.client.getStatus({});
  await pollUntil(async () => (await short.client.getStatus({})).sync.height > sync.height + 2, { ...WAIT, what: "further blocks" });
  expect(await firstOf(short)).toBe(larger);
  await endShort();
  const [all, saidOfAll] = await startShort("all", (at) => at >= larger);
  expect([all, saidOfAll.includes("those that were dropped before do not come back")]).toEqual([larger, true]);
});

it("--sync replay into an empty folder beside nodes that retain little says so, waits, and goes on beside one that has all", {
  ...WHOLE_ONLY,
  timeout: LONG_MS,
}, async () => {
  expect(await whole.end("SIGTERM")).toBe(0);
  await empty.start(["--sync", "replay"]);
  const stalled = await pollUntil(
    async () => {
      const { sync } = await empty.client.getStatus({});
      return sync.state === "stalled" && sync.reason?.includes(GONE) === true && sync;
    },
    { ...WAIT, what: "the reason" },
  );
  expect(stalled).toMatchObject({ height: 0, reason: expect.stringContaining("--sync snapshot") });
  expect(stalled).toMatchObject({ reason: expect.stringContaining(`begins with block ${await firstOf(short)}`) });
  expect(empty.log.split("\n").filter((line) => line.includes(GONE))).toHaveLength(1);
  // A restart in between says it again, and loses nothing.
  await empty.end("SIGKILL");
  await empty.start(["--sync", "replay"]);
  await whole.start();
  const hasAll = async (): Promise<boolean> => {
    const { history, sync } = await empty.client.getStatus({});
    return history?.complete === true && sync.height >= PAST_BLOCKS;
  };
  await pollUntil(hasAll, { ...WAIT, what: "every block" });
  for (const index of [0, 1, 700]) expect(await blockOf(empty, index)).toEqual(await blockOf(whole, index));
  expect(await empty.end("SIGTERM")).toBe(0);
  expect(findings(empty)).toEqual([]);
});
