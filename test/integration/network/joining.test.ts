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
import { createNetworkFolders, type NewNetwork } from "#node/config/files/network-folders.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { joinName } from "#node/storage/snapshots/join-store.ts";
import { heightOfSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import { openSqliteReader } from "#node/storage/sqlite-database.ts";
import { snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { endWithTests } from "../../support/host/end-with-tests.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/host/temporary-folder.ts";
import { endChild } from "../../support/nodes/end-child.ts";
import type { JoiningLine } from "../../support/nodes/joining-program.ts";
import { findNetworkPorts } from "../../support/nodes/process-network.ts";
import { cleanEnvironment, projectRoot } from "../../support/nodes/run-program.ts";
import { startNetwork, type TestNetwork } from "../../support/nodes/test-network.ts";

const SERVING = 3;
/** Enough for so many chunks that every peer is asked for one after the kill. */
const ACCOUNTS = 12_000;
const EVERY = 4;
const SILENT = createLog("json", { write: () => undefined });
/** The joining node's folder is the last one. */
const JOINER = SERVING;

let folder: TemporaryFolder;
let made: NewNetwork;
let liar: TestNetwork;
const nodes: ParleyNode[] = [];
/** Changed once there are snapshots, so that they stay. */
const rule = { every: EVERY, periodMs: 1 };
let height = 0;

const folderOf = (index: number): string => made.nodes[index]?.dataDir ?? "";

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-joining-");
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const basePort = await findNetworkPorts(SERVING + 1);
  const path = join(folder.path, "net");
  made = createNetworkFolders({ path, validators: 1, nodes: SERVING, basePort, nowMs: Date.now(), random, peerName: peerNameOf });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({ pub_key: newKey(), balance_ut: 1_000 + index }));
  const params = { ...made.genesis.params, heartbeat_interval_ms: 1_000 };
  const genesis = { ...made.genesis, params, accounts: [...made.genesis.accounts, ...accounts] };
  for (const { dataDir } of made.nodes) await writeFile(dataFolderPaths(dataDir).genesis, JSON.stringify(genesis));
  for (let index = 0; index < SERVING; index += 1) {
    const flags = { dataDir: folderOf(index) };
    const config = loadNodeConfig({ flags, environment: { isLaunched: false }, defaultDataDir: flags.dataDir });
    const node = createNode(config, { log: SILENT, onFatal: (error) => expect.fail(String(error)), snapshotRule: rule });
    nodes.push(node);
    await node.start();
  }
  height = await pollUntil(commonSnapshot, { what: "all nodes to have a snapshot of one height", timeoutMs: 90_000 });
  rule.every = Number.MAX_SAFE_INTEGER;
  height = commonSnapshot() ?? height;
  const [first = ""] = made.nodes.map(({ p2pAddress }) => p2pAddress);
  const firstName = first.split("/").at(-1) ?? "";
  liar = await startNetwork(77, {
    chainId: genesis.chain_id,
    genesisHash: genesisHash(genesis),
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
  liar.status = { height: height + 1, tipHash: "ab".repeat(32), firstHeight: 1 };
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
  return first.filter((each) => others.every((of) => of.includes(each))).toSorted((a, b) => b - a)[0];
}

interface Joining {
  readonly child: ChildProcess;
  readonly lines: JoiningLine[];
  log: string;
}

function startJoining(...options: readonly string[]): Joining {
  const program = join(projectRoot, "test/support/nodes/joining-program.ts");
  const child = spawn(process.execPath, [program, folderOf(JOINER), String(SERVING + 1), ...options], {
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
function missingPlaces(): number {
  const database = openSqliteReader(join(folderOf(JOINER), joinName(height)), CHAIN_DATABASE);
  try {
    return database.prepare<[], number>("SELECT COUNT(*) FROM join_places").pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

describe("a process that joins", () => {
  it("is killed in the middle and continues, finds the peer that lies, and has the state that all agree on", async () => {
    const first = startJoining("2");
    await pollUntil(() => first.lines.some((line) => "held" in line), { what: "a part of the state to be fetched", timeoutMs: 90_000 });
    await endChild(first.child, "SIGKILL");
    const missing = missingPlaces();
    expect(missing).toBeGreaterThan(SERVING);

    const second = startJoining();
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
