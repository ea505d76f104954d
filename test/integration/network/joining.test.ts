// Joining by a snapshot over real connections: nodes that make snapshots beside their blocks, a peer that lies, and a process that fetches
// the state, is killed in the middle, and continues.
import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode, type ParleyNode } from "#node/composition/node.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { createNetworkFolders, type NewNetwork } from "#node/config/files/network-folders.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { joinName } from "#node/storage/snapshots/join-store.ts";
import { heightOfSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { endWithTests } from "../../support/host/end-with-tests.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/host/temporary-folder.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { endChild } from "../../support/nodes/end-child.ts";
import type { JoiningLine } from "../../support/nodes/joining-program.ts";
import { findNetworkPorts } from "../../support/nodes/process-network.ts";
import { cleanEnvironment, projectRoot, runParley } from "../../support/nodes/run-program.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { startNetwork, type TestNetwork } from "../../support/nodes/test-network.ts";

const SERVING = 3;
/** Enough for so many chunks that every peer is asked for one after the kill. */
const ACCOUNTS = 12_000;
const EVERY = 4;
const SILENT = createLog("json", { write: () => undefined });
/** Folders of nodes that join. */
const JOINER = SERVING;
const LAST_JOINER = SERVING + 1;

let folder: TemporaryFolder;
let made: NewNetwork;
let liar: TestNetwork;
const nodes: ParleyNode[] = [];
/** Changed once there are snapshots, so that they stay. */
const rule = { every: EVERY, periodMs: 1 };
let height = 0;
let firstSnapshot = 0;
/** Client of the first node. */
let server: NodeClient;
let hashOfGenesis = "";
let faucet: ReturnType<typeof readKey>;
const recipient = newKey();
/** A transaction below all snapshots. */
let old: Transaction;

const folderOf = (index: number): string => made.nodes[index]?.dataDir ?? "";

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-joining-");
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const basePort = await findNetworkPorts(SERVING + 2);
  const path = join(folder.path, "net");
  made = createNetworkFolders({ path, validators: 1, nodes: SERVING + 1, basePort, nowMs: Date.now(), random, peerName: peerNameOf });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({ pub_key: newKey(), balance_ut: 1_000 + index }));
  const params = { ...made.genesis.params, heartbeat_interval_ms: 1_000 };
  const genesis = { ...made.genesis, params, accounts: [...made.genesis.accounts, ...accounts] };
  hashOfGenesis = genesisHash(genesis);
  for (const { dataDir } of made.nodes) await writeFile(dataFolderPaths(dataDir).genesis, JSON.stringify(genesis));
  for (let index = 0; index < SERVING; index += 1) {
    const flags = { dataDir: folderOf(index) };
    const config = loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: flags.dataDir });
    const node = createNode(config, { log: SILENT, onFatal: (error) => expect.fail(String(error)), snapshotRule: rule });
    nodes.push(node);
    const { url, secret } = await node.start();
    if (index === 0) {
      server = createNodeClient({ baseUrl: url, fetch: plainFetch, token: secret });
      faucet = readKey(dataFolderPaths(folderOf(0)).faucetKey, "ed25519");
    }
  }
  // In a block below every height with a snapshot that is joined from.
  old = pay(5_000_000);
  await server.submitTransaction({ body: old });
  await pollUntil(() => isCommitted(server, old.id), { what: "a transfer in a block", timeoutMs: 60_000 });
  firstSnapshot = (await server.getStatus({})).sync.height + 1;
  height = await pollUntil(commonSnapshot, { what: "all nodes to have a snapshot of one height", timeoutMs: 90_000 });
  rule.every = Number.MAX_SAFE_INTEGER;
  height = commonSnapshot() ?? height;
  const [first = ""] = made.nodes.map(({ p2pAddress }) => p2pAddress);
  const firstName = first.split("/").at(-1) ?? "";
  liar = await startNetwork(77, {
    chainId: genesis.chain_id,
    genesisHash: hashOfGenesis,
    bootstrap: [first],
    handlers: {
      light: (request) => liar.network.requestLight(firstName, { bytes: request }, AbortSignal.timeout(8_000)).catch(() => undefined),
      snapshot: async (request) => {
        const response = await liar.network
          .requestSnapshot(firstName, { bytes: request }, AbortSignal.timeout(8_000))
          .catch(() => undefined);
        const decoded = response === undefined ? undefined : tryDecode(snapshotResponseCodec, response);
        if (decoded?.kind !== "chunk") return response;
        return encode(snapshotResponseCodec, { ...decoded, records: decoded.records.slice(1) });
      },
    },
  });
  liar.status = { height: height + 1, tipHash: "ab".repeat(32), firstHeight: 1, snapshots: [height] };
  liar.network.publishStatus(liar.status);
  const config = join(folderOf(JOINER), "config.json");
  const stored = JSON.parse(await readFile(config, "utf8")) as { readonly bootstrap: readonly string[] };
  await writeFile(config, JSON.stringify({ ...stored, bootstrap: [...stored.bootstrap, liar.address] }));
}, 180_000);

afterAll(async () => {
  await liar?.network.stop();
  for (const node of nodes) await node.stop();
  await folder?.remove();
});

/** A transfer from the faucet. */
function pay(amount: number): Transaction {
  if (faucet === undefined) throw new Error("a development network has a faucet");
  const context = {
    chainId: made.genesis.chain_id,
    nowMs: Date.now(),
    random: (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length)),
  };
  return signTransaction(
    buildTransaction({ type: "TRANSFER", from: faucet.publicKey, to: recipient, amount, payload: {} }, context),
    faucet.secret,
  );
}

async function isCommitted(client: NodeClient, id: string): Promise<boolean> {
  return await client.getTransaction({ txid: id }).then(
    (found) => "block_index" in found,
    () => false,
  );
}

/** A key of its own. */
function newKey(): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  return publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
}

/** The newest height whose snapshot every serving node has. */
function commonSnapshot(): number | undefined {
  const heights = made.nodes.slice(0, SERVING).map(({ dataDir }) => {
    const snapshots = dataFolderPaths(dataDir).snapshots;
    return existsSync(snapshots) ? readdirSync(snapshots).flatMap((name) => heightOfSnapshot(name) ?? []) : [];
  });
  const [first = [], ...others] = heights;
  const common = first.filter((each) => each > firstSnapshot && others.every((of) => of.includes(each)));
  return common.toSorted((a, b) => b - a)[0];
}

interface Joining {
  readonly child: ChildProcess;
  readonly lines: JoiningLine[];
  log: string;
}

function startJoining(folderIndex: number, ...options: readonly string[]): Joining {
  const program = join(projectRoot, "test/support/nodes/joining-program.ts");
  const peers = folderIndex === JOINER ? SERVING + 1 : SERVING;
  const child = spawn(process.execPath, [program, folderOf(folderIndex), String(peers), ...options], {
    cwd: projectRoot,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithTests(child);
  const joining: Joining = { child, lines: [], log: "" };
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    joining.lines.push(...lines.map((line) => JSON.parse(line) as JoiningLine));
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    joining.log += chunk;
  });
  return joining;
}

/** Places that are missing in what was fetched so far. */
function missingPlaces(folderIndex: number): number {
  const database = openSqliteReader(join(folderOf(folderIndex), joinName(height)), CHAIN_DATABASE);
  try {
    return database.prepare<[], number>("SELECT COUNT(*) FROM join_places").pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

describe("a process that joins", WHOLE_ONLY, () => {
  it("is killed in the middle and continues, finds the peer that lies, and has the state that all agree on", async () => {
    const first = startJoining(JOINER, "2");
    await pollUntil(() => first.lines.some((line) => "held" in line), { what: "a part of the state to be fetched", timeoutMs: 90_000 });
    await endChild(first.child, "SIGKILL");
    const missing = missingPlaces(JOINER);
    expect(missing).toBeGreaterThan(SERVING);

    const second = startJoining(JOINER);
    const ended = new Promise((resolve) => second.child.once("exit", resolve));
    expect(await ended, second.log.slice(-3_000)).toBe(0);
    const shares = second.lines.flatMap((line) => ("share" in line ? [line.share] : []));
    expect(shares[0]).toBeGreaterThan(0);
    expect(shares.at(-1)).toBe(1);

    const done = second.lines.find((line) => "root" in line);
    const chain = openChainReader(folderOf(0));
    try {
      const header = chain.blocks.header(height);
      expect(done).toMatchObject({ height, hash: chain.blocks.summary(height)?.hash, root: header?.stateRoot, headers: height });
    } finally {
      chain.close();
    }
    const liesOf = (log: string): number =>
      log.split("\n").filter((line) => line.includes("is not proven") && line.includes(liar.network.name)).length;
    expect(liesOf(first.log) + liesOf(second.log)).toBeGreaterThan(0);
    expect(
      `${first.log}${second.log}`.split("\n").filter((line) => line.includes("is not proven") && !line.includes(liar.network.name)),
    ).toEqual([]);
  }, 180_000);
});

/** A node in a process, as a person starts it, once it holds a chain. */
async function startJoined(folderIndex: number): Promise<RunningNode> {
  const node = await startNode({ dataDir: folderOf(folderIndex), args: ["--sync", "snapshot"] });
  const tip = (await server.getStatus({})).sync.height;
  const isHere = async (): Promise<boolean> => {
    const { history, sync } = await node.client.getStatus({});
    return history !== undefined && sync.height >= tip;
  };
  await pollUntil(isHere, { what: "the chain and its newest block", timeoutMs: 120_000 });
  return node;
}

async function expectUsable({ client }: RunningNode): Promise<void> {
  const status = await client.getStatus({});
  expect(status.mode).toBe("full");
  // It fetches what is older, beside everything else.
  expect(status.history?.from_height).toBeLessThanOrEqual(height);
  const balance = async (of: NodeClient): Promise<number> => (await of.getAddress({ addr: recipient })).balance_ut;
  const before = await balance(client);
  expect(before).toBeGreaterThanOrEqual(5_000_000);
  // What was in a block that this node does not hold is not taken in a second time …
  await client.submitTransaction({ body: old });
  expect((await client.getStatus({})).pending_txs).toBe(0);
  // … and what is new is.
  const fresh = pay(7);
  await client.submitTransaction({ body: fresh });
  await pollUntil(() => isCommitted(client, fresh.id), { what: "a transfer that the joined node took in", timeoutMs: 60_000 });
  expect(await balance(client)).toBe(before + 7);
  expect(await balance(server)).toBe(before + 7);
  // What is older comes from nodes that have it, proven by headers.
  expect(await client.getBlock({ index: height - 1 })).toEqual(await server.getBlock({ index: height - 1 }));
  expect((await client.getTransaction({ txid: old.id })).id).toBe(old.id);
  const [page, all] = await Promise.all([client, server].map((of) => of.getAddress({ addr: recipient })));
  expect(page?.transactions).toEqual(all?.transactions);
  expect(page?.missing_below).toBeUndefined();
  expect((await client.getBlock({ index: height })).index).toBe(height);
}

describe("a node that joins", WHOLE_ONLY, () => {
  it("puts a chain in its place that was whole when its process was killed, follows it, and serves it to others", async () => {
    const node = await startJoined(JOINER);
    try {
      await expectUsable(node);
      expect(readdirSync(folderOf(JOINER)).filter((name) => name.startsWith("join-"))).toEqual([]);
      const [address = ""] = (await node.client.getNetworkInfo({})).p2p_addresses ?? [];
      const asking = await startNetwork(78, { chainId: made.genesis.chain_id, genesisHash: hashOfGenesis, bootstrap: [address] });
      try {
        const peer = address.split("/").at(-1) ?? "";
        const statusOf = (): number | undefined => asking.network.peers().find(({ name }) => name === peer)?.status?.firstHeight;
        await pollUntil(() => (statusOf() ?? Number.POSITIVE_INFINITY) <= height, {
          what: "the first height of the joined node",
          timeoutMs: 60_000,
        });
        const blocks = await asking.network.requestBlocks(peer, height, 2, AbortSignal.timeout(10_000));
        expect(blocks.map(({ header }) => header.height)).toEqual([height, height + 1]);
      } finally {
        await asking.network.stop();
      }
    } finally {
      await node.stop();
    }
    const rolled = await runParley(["rollback", "--data-dir", folderOf(JOINER), "--to", String(height), "--json"]);
    expect(rolled, rolled.stderr).toMatchObject({ code: 0 });
    const { from_height: from, height: to } = JSON.parse(rolled.stdout) as { readonly from_height: number; readonly height: number };
    expect(to).toBe(height);
    expect(from).toBeGreaterThan(to);
    expect(checkFolder(folderOf(JOINER), { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    const again = await startJoined(JOINER);
    await again.stop();
  }, 240_000);

  it("continues what a killed process began", async () => {
    const begun = startJoining(LAST_JOINER, "2");
    await pollUntil(() => begun.lines.some((line) => "held" in line), { what: "a part of the state", timeoutMs: 90_000 });
    await endChild(begun.child, "SIGKILL");
    expect(missingPlaces(LAST_JOINER)).toBeGreaterThan(0);
    const node = await startJoined(LAST_JOINER);
    try {
      await expectUsable(node);
      await node.kill();
    } finally {
      await node.stop();
    }
    const again = await startJoined(LAST_JOINER);
    expect((await again.client.getStatus({})).history?.from_height).toBeLessThanOrEqual(height);
    await again.stop();
  }, 240_000);
});
