// How many blocks a key proposed, on a light node whose peer says what it likes: proven as far as the state counts them.
import { afterEach, beforeEach, expect, it } from "vitest";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import type { StateKey } from "#node/light/light-source.ts";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { lightQueriesHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

const DAY_MS = 86_400_000;
const CHANGE_AT = 4;
const COUNTING: Genesis = { ...GENESIS, params: { ...GENESIS.params, version: PROPOSED_VERSION } };
const clock = { nowMs: (): number => START_MS, monotonicMs: (): number => 0 };

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

interface Nodes extends Disposable {
  readonly chain: TestChain;
  readonly source: MemoryLightSource;
  /** Namespaces of which the light node has asked for records. */
  readonly asked: Set<string>;
  light(key: string): Promise<NodeStats>;
  full(key: string): Promise<NodeStats>;
}

function nodesOf(genesis: Genesis): Nodes {
  const chain = openTestChain(folder.path, { genesis });
  const source = createMemoryLightSource(chain.database, clock);
  const asked = new Set<string>();
  const records = (keys: readonly StateKey[]): ReturnType<MemoryLightSource["records"]> => {
    for (const { namespace } of keys) asked.add(namespace);
    return source.records(keys);
  };
  const light = lightQueriesHere({ ...source, records }, genesis, clock);
  const full = createReadQueries(chain.database, clock);
  return {
    chain,
    source,
    asked,
    light: async (key) => light.nodes.nodeStats(key, 10),
    full: async (key) => full.nodes.nodeStats(key, 10),
    [Symbol.dispose]: () => chain.close(),
  };
}

/** Has the peer say another number of blocks. */
function tell(nodes: Nodes, blocks: number): void {
  nodes.source.tell = (operation, response): unknown =>
    operation === "getNodeStats"
      ? { ...(response as object), blocks_produced: blocks, counted_blocks: { blocks, since_height: 1 } }
      : undefined;
}

/** To version 4 of the rules at its height, which is the newest one then. */
function change({ chain }: Nodes): void {
  const nowMs = START_MS + 1_000;
  chain.commit([signed(alice, { type: "TRANSFER", to: validator.pub, amount: 100_000, payload: {}, nowMs })], nowMs);
  const payload = { set: {}, version: PROPOSED_VERSION, at_height: CHANGE_AT };
  chain.commit([signed(validator, { type: "UPGRADE", payload, nowMs: nowMs + 1_000 })], nowMs + 1_000);
  chain.commit([], nowMs + 1_000 + DAY_MS);
  chain.commit();
}

it("is proven whole where the state counted all of them, whatever a peer says", async () => {
  using nodes = nodesOf(COUNTING);
  for (let height = 1; height <= 12; height += 1) nodes.chain.commit();
  expect(await nodes.light(validator.pub)).toEqual(await nodes.full(validator.pub));
  for (const blocks of [0, 11, 9_000_000]) {
    tell(nodes, blocks);
    expect(await nodes.light(validator.pub)).toMatchObject({
      blocks_produced: 12,
      counted_blocks: { blocks: 12, since_height: 1 },
      reputation_score: 60,
    });
    expect(await nodes.light(bob.pub)).toMatchObject({ blocks_produced: 0, counted_blocks: { blocks: 0, since_height: 1 } });
  }
});

it("is proven from the height on at which the state began to count, and a peer can say no less", async () => {
  using nodes = nodesOf(GENESIS);
  change(nodes);
  for (let count = 0; count < 5; count += 1) nodes.chain.commit();
  const counted_blocks = { blocks: 6, since_height: CHANGE_AT };
  expect(await nodes.full(validator.pub)).toMatchObject({ blocks_produced: 9, counted_blocks });
  expect(await nodes.light(validator.pub)).toEqual(await nodes.full(validator.pub));
  tell(nodes, 2);
  expect(await nodes.light(validator.pub)).toMatchObject({ blocks_produced: 6, counted_blocks });
  tell(nodes, 7);
  expect(await nodes.light(validator.pub)).toMatchObject({ blocks_produced: 7, counted_blocks });
});

it("is a peer's before, and no record is asked for that nodes of earlier versions do not know", async () => {
  using nodes = nodesOf(GENESIS);
  nodes.chain.commit();
  tell(nodes, 41);
  const stats = await nodes.light(validator.pub);
  expect(stats).toMatchObject({ blocks_produced: 41 });
  expect(stats).not.toHaveProperty("counted_blocks");
  expect(nodes.asked.has("node")).toBe(true);
  expect(nodes.asked.has("proposed")).toBe(false);
});
