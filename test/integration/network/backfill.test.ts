// A node in a process that joined by a snapshot fetches the older blocks from others, one of which lies and one of which goes away. It is
// killed in the middle, and has in the end what a node has that executed every block.
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNode, type ParleyNode } from "#node/composition/node.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { createNetworkFolders, type NewNetwork } from "#node/config/files/network-folders.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { heightOfSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import { SnapshotReads } from "#node/sync/snapshots/snapshot-reads.ts";
import { snapshotRequestCodec, snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/host/temporary-folder.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { findNetworkPorts } from "../../support/nodes/process-network.ts";
import { runParley } from "../../support/nodes/run-program.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { startNetwork, type TestNetwork } from "../../support/nodes/test-network.ts";

const SILENT = createLog("json", { write: () => undefined });
const SLOW_BACKFILL = { NODE_OPTIONS: `--import ${new URL("../../support/nodes/small-backfill.ts", import.meta.url).href}` };
const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
/** Blocks below the state that is joined from. */
const OLD_BLOCKS = 30;
const [VALIDATOR, REPLAYED, JOINER] = [0, 1, 2];

let folder: TemporaryFolder;
let made: NewNetwork;
let validator: ParleyNode;
let server: NodeClient;
let replayed: RunningNode;
let liar: TestNetwork;
let closeLiar = (): void => undefined;
let height = 0;
/** Who joins asks for receipts too: the peer is an honest one until then. */
let isLying = false;
const rule = { every: 4, periodMs: 1 };
const recipient = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
const paid: Transaction[] = [];

const folderOf = (index: number): string => made.nodes[index]?.dataDir ?? "";

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-backfill-");
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const basePort = await findNetworkPorts(3);
  const path = join(folder.path, "net");
  made = createNetworkFolders({ path, validators: 1, nodes: 2, basePort, nowMs: Date.now(), random, peerName: peerNameOf });
  const genesis = { ...made.genesis, params: { ...made.genesis.params, heartbeat_interval_ms: 500 } };
  for (const { dataDir } of made.nodes) await writeFile(dataFolderPaths(dataDir).genesis, JSON.stringify(genesis));
  const flags = { dataDir: folderOf(VALIDATOR) };
  const config = loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: flags.dataDir });
  validator = createNode(config, { log: SILENT, onFatal: (error) => expect.fail(String(error)), snapshotRule: rule });
  const { url, secret } = await validator.start();
  server = createNodeClient({ baseUrl: url, fetch: plainFetch, token: secret });
  replayed = await startNode({ dataDir: folderOf(REPLAYED), args: ["--sync", "replay"] });
  for (let number = 1; number <= 5; number += 1) await pay(number);
  height = await pollUntil(() => snapshots().find((each) => each > OLD_BLOCKS), { ...WAIT, what: "a snapshot" });
  rule.every = Number.MAX_SAFE_INTEGER;
  height = Math.max(...snapshots());
  liar = await startLiar(genesisHash(genesis));
  const file = join(folderOf(JOINER), "config.json");
  const stored = JSON.parse(await readFile(file, "utf8")) as { readonly bootstrap: readonly string[] };
  await writeFile(file, JSON.stringify({ ...stored, bootstrap: [...stored.bootstrap, liar.address] }));
}, 240_000);

afterAll(async () => {
  await liar?.network.stop();
  closeLiar();
  await replayed?.stop();
  await validator?.stop();
  await folder?.remove();
});

function snapshots(): readonly number[] {
  const path = dataFolderPaths(folderOf(VALIDATOR)).snapshots;
  return existsSync(path) ? readdirSync(path).flatMap((name) => heightOfSnapshot(name) ?? []) : [];
}

/** A transfer from the faucet, in a block of its own. */
async function pay(number: number): Promise<void> {
  const key = readKey(dataFolderPaths(folderOf(VALIDATOR)).faucetKey, "ed25519");
  if (key === undefined) throw new Error("a development network has a faucet");
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const context = { chainId: made.genesis.chain_id, nowMs: Date.now(), random };
  const tx = signTransaction(
    buildTransaction({ type: "TRANSFER", from: key.publicKey, to: recipient, amount: 1_000_000 * number, payload: {} }, context),
    key.secret,
  );
  paid.push(tx);
  await server.submitTransaction({ body: tx });
  await pollUntil(
    () =>
      server.getTransaction({ txid: tx.id }).then(
        (found) => "block_index" in found,
        () => false,
      ),
    { ...WAIT, what: "a transfer in a block" },
  );
}

/** It has true blocks, and sends the receipts of others with them. */
async function startLiar(hash: string): Promise<TestNetwork> {
  const reader = openChainReader(folderOf(VALIDATOR));
  const reads = new SnapshotReads(dataFolderPaths(folderOf(VALIDATOR)).snapshots, reader.blocks);
  closeLiar = (): void => {
    reads.close();
    reader.close();
  };
  const [first = ""] = made.nodes.map(({ p2pAddress }) => p2pAddress);
  const firstName = first.split("/").at(-1) ?? "";
  const started = await startNetwork(77, {
    chainId: made.genesis.chain_id,
    genesisHash: hash,
    bootstrap: [first],
    handlers: {
      light: (request) => started.network.requestLight(firstName, { bytes: request }, AbortSignal.timeout(8_000)).catch(() => undefined),
      blocks: function* (from, count) {
        for (let at = from; at < from + count; at += 1) {
          const [block, commit] = [reader.blocks.encodedBlock(at), reader.blocks.encodedCommit(at)];
          if (block === undefined || commit === undefined) return;
          yield { block, commit };
        }
      },
      snapshot: (bytes) => {
        const request = tryDecode(snapshotRequestCodec, bytes);
        if (request === undefined) return Promise.resolve(undefined);
        if (request.kind === "heights") return Promise.resolve(encode(snapshotResponseCodec, { kind: "heights", heights: [] }));
        const isLie = isLying && request.kind === "receipts";
        return Promise.resolve(reads.respond(isLie ? { ...request, from: blockWithTransfer(request.from, reader) } : request));
      },
    },
  });
  started.status = { height: height + 1, tipHash: "ab".repeat(32), firstHeight: 1 };
  started.network.publishStatus(started.status);
  return started;
}

/** Another block of which receipts differ. */
function blockWithTransfer(not: number, { blocks }: ReturnType<typeof openChainReader>): number {
  for (let at = 1; at < height; at += 1)
    if (at !== not && (blocks.header(at)?.txCount ?? 0) !== (blocks.header(not)?.txCount ?? 0)) return at;
  return not;
}

const historyOf = async ({ client }: RunningNode): Promise<NonNullable<Awaited<ReturnType<NodeClient["getStatus"]>>["history"]>> => {
  const { history } = await client.getStatus({});
  if (history === undefined) throw new Error("a full node says what it holds");
  return history;
};

/** Metrics of a node, by name and labels. */
async function figuresOf({ baseUrl }: RunningNode): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return new Map([...text.matchAll(/^(parley_\S+) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)]));
}

const startJoiner = (): Promise<RunningNode> => startNode({ dataDir: folderOf(JOINER), args: ["--sync", "snapshot"], env: SLOW_BACKFILL });

/** What nodes answer about what is over. */
async function answers(client: NodeClient): Promise<unknown> {
  const indexes = Array.from({ length: height + 1 }, (_, index) => index);
  const { total_txs, total_transfers } = await client.getNetstats({});
  return {
    totals: [total_txs, total_transfers],
    blocks: await Promise.all(indexes.map((index) => client.getBlock({ index }))),
    transactions: await Promise.all(paid.map(({ id }) => client.getTransaction({ txid: id }))),
    history: (await client.getAddress({ addr: recipient })).transactions,
  };
}

it("fetches all older blocks, killed in the middle and with peers that lie or go away", async () => {
  const begun = await startJoiner();
  await pollUntil(() => historyOf(begun).catch(() => undefined), { ...WAIT, what: "the state of a block" });
  isLying = true;
  const isInTheMiddle = async (): Promise<boolean> => {
    const history = await historyOf(begun).catch(() => undefined);
    return history !== undefined && history.from_height < height - 5 && history.from_height > 0;
  };
  await pollUntil(isInTheMiddle, { ...WAIT, what: "the first older blocks" });
  const before = await historyOf(begun);
  expect(before).toMatchObject({ complete: false, backfill: { to_height: 0 } });
  expect((await figuresOf(begun)).get("parley_history_first_height")).toBeLessThanOrEqual(before.from_height);
  const said = (await runParley(["status", "--node", begun.baseUrl])).stdout;
  expect(said).toMatch(/^older blocks +\w+, (?:to fetch|fetching) all of them|^history +from block \d+/m);
  await begun.kill();
  await replayed.kill();
  const again = await startJoiner();
  try {
    expect((await historyOf(again)).from_height).toBeLessThanOrEqual(before.from_height);
    await pollUntil(async () => (await historyOf(again)).complete, { ...WAIT, what: `all older blocks: ${again.log().slice(-2_000)}` });
    await pollUntil(async () => (await historyOf(again)).backfill === undefined, { ...WAIT, what: "its end" });
    const figures = await figuresOf(again);
    expect(figures.get('parley_backfill_segments_total{outcome="stored"}')).toBeGreaterThan(1);
    expect(figures.get("parley_backfill_bytes_total")).toBeGreaterThan(1_000);
    for (const state of ["running", "waiting", "paused"]) expect(figures.get(`parley_backfill_state{state="${state}"}`)).toBe(0);
    expect(figures.get("parley_history_first_height")).toBe(0);
    const expected = await answers(server);
    expect(await answers(again.client)).toEqual(expected);
    const lies = `${begun.log()}${again.log()}`.split("\n").filter((line) => line.includes("is not proven"));
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.filter((line) => !line.includes(liar.network.name))).toEqual([]);
  } finally {
    await again.stop();
  }
  const { findings } = checkFolder(folderOf(JOINER), { isFull: true, onProgress: () => undefined });
  expect(findings).toEqual([]);
}, 300_000);

it("serves light nodes what others served it", WHOLE_ONLY, async () => {
  const full = await startJoiner();
  // No other node has a block any more.
  await validator.stop();
  const network = ["--genesis", dataFolderPaths(folderOf(JOINER)).genesis, "--bootstrap", made.nodes[JOINER]?.p2pAddress ?? ""];
  const light = await startNode({ dataDir: join(folder.path, "light"), args: ["--mode", "light", ...network] });
  try {
    const read = (client: NodeClient): Promise<unknown> =>
      Promise.all([
        ...[0, 1, 2, OLD_BLOCKS].map((index) => client.getBlock({ index })),
        ...paid.map(({ id }) => client.getTransaction({ txid: id })),
        client.getAddress({ addr: recipient }),
      ]);
    const proven = await pollUntil(() => read(light.client).catch(() => undefined), { ...WAIT, what: "old blocks by proof" });
    expect(proven).toEqual(await read(full.client));
  } finally {
    await light.stop();
    await full.stop();
  }
});
