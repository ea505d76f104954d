// A node whose files of old blocks are missing, cut off and damaged starts without them, and has them again from another node.
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { fund } from "#test/support/nodes/set-changes.ts";

const SMALL_SEGMENTS = { NODE_OPTIONS: `--import ${new URL("../../support/nodes/small-segments.ts", import.meta.url).href}` };
const WAIT = { timeoutMs: 120_000, intervalMs: 200 };

let network: ProcessNetwork;
beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 1, nodes: 1, isDirect: true, heartbeatMs: 250 });
  await network.start();
}, 120_000);
afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
});

const heightOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).sync.height;

it("finds them, fetches their blocks and is whole again", WHOLE_ONLY, async () => {
  const node = network.node(1);
  const file = (name: string): string => join(node.dataDir, "history", name);
  const sealed = (): readonly string[] => (existsSync(file("")) ? readdirSync(file("")).filter((name) => name.endsWith(".seg")) : []);
  await fund(network, node, 3);
  await pollUntil(async () => (await heightOf(node)) >= 30, { ...WAIT, what: "blocks to seal" });
  expect(await node.end("SIGTERM")).toBe(0);
  await node.start([], SMALL_SEGMENTS);
  await pollUntil(() => sealed().length >= 4, { ...WAIT, what: "files of old blocks" });
  const height = await heightOf(node);
  // The rows of sealed blocks go with the blocks that follow.
  await pollUntil(async () => (await heightOf(node)) > height + 2, { ...WAIT, what: "blocks after them" });
  const before = await Promise.all([1, 2, 5, 9].map((index) => node.client.getBlock({ index })));
  await node.end("SIGKILL");
  rmSync(file("0-3.seg"));
  truncateSync(file("4-7.seg"), 100);
  const bytes = readFileSync(file("8-11.seg"));
  writeFileSync(file("8-11.seg"), bytes.fill(0, 58, bytes.length - 50 - 4 * 46));
  await node.start([], SMALL_SEGMENTS);
  const read = (): Promise<unknown> => Promise.all([1, 2, 5, 9].map((index) => node.client.getBlock({ index })));
  // The third one is found when it is read.
  expect(await pollUntil(read, { ...WAIT, what: "the old blocks" })).toEqual(before);
  expect(await node.end("SIGTERM")).toBe(0);
  const sound = await runParley(["check", "--full", "--data-dir", node.dataDir, "--json"]);
  expect(sound, sound.stdout).toMatchObject({ code: 0 });
});
