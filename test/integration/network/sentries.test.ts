// The procedure of docs/operators.md for a validator behind sentries, with its very commands: four validators, one of which is connected to
// two full nodes alone. Its votes are counted, blocks that need it are decided, and no other node learns of it more than its key.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { P2P_PORT_OFFSET } from "#node/config/files/network-folders.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { filledCommand, pageCommands } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { keyOf } from "#test/support/nodes/set-changes.ts";

const WAIT = { timeoutMs: 120_000, intervalMs: 100 };
const HIDDEN = 3;
const SENTRIES = [4, 5];
const [startSentry = [], startHidden = [], ...further] = pageCommands("operators.md", "## Sentries", "## ");

let network: ProcessNetwork;
beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 4, nodes: 2, isDirect: true, heartbeatMs: 1_000 });
});
afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
});

const idOf = (index: number): string => peerNameOf(keyOf(network.node(index)).publicKey);
const portOf = ({ port }: ProcessNode): number => port + P2P_PORT_OFFSET;
const heightOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).sync.height;
const peersOf = async ({ client }: ProcessNode): Promise<readonly string[]> =>
  (await client.listPeers({})).peers.map(({ id }) => id).toSorted();

/** Flags of a node behind `parley node --data-dir DIR`, which the test gives itself. */
function flagsOf(command: readonly string[], dir: string): readonly string[] {
  expect(command.slice(0, 4)).toEqual(["parley", "node", "--data-dir", dir]);
  return command.slice(4);
}

async function lastSigned(node: ProcessNode): Promise<number> {
  const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
  return Number(/^parley_validator_last_signed_height (\S+)$/m.exec(text)?.[1]);
}

/** Waits for blocks that carry the hidden validator's signature; all other nodes know nothing but its key. */
async function votesUnseen(): Promise<void> {
  const hidden = network.node(HIDDEN);
  const from = await heightOf(hidden);
  const isCounted = async (): Promise<boolean> => (await lastSigned(hidden)) >= from + 3;
  await pollUntil(isCounted, { ...WAIT, what: "votes of the hidden validator in commits" }).catch((cause: unknown) => {
    throw new Error(hidden.log.slice(-3_000), { cause });
  });
  const id = idOf(HIDDEN);
  for (const node of network.nodes)
    if (node.isRunning && ![HIDDEN, ...SENTRIES].includes(node.index)) expect(await peersOf(node)).not.toContain(id);
}

it("starts sentries and, behind them, a validator that is connected to nothing else", async () => {
  expect(further).toEqual([]);
  const hidden = network.node(HIDDEN);
  const file = join(hidden.dataDir, "config.json");
  const { p2p_addr: _, bootstrap: __, announce: ___, ...rest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(rest));
  rmSync(join(hidden.dataDir, "peers.json"), { force: true });
  const sentries = SENTRIES.map((index) => network.node(index));
  for (const sentry of sentries) {
    const names = {
      sentry: sentry.dataDir,
      "genesis.json": dataFolderPaths(sentry.dataDir).genesis,
      ":9100": `127.0.0.1:${portOf(sentry)}`,
      "12D3Koo…": idOf(HIDDEN),
    };
    await sentry.start(flagsOf(filledCommand(startSentry, names), sentry.dataDir));
  }
  await Promise.all([0, 1, 2].map((index) => network.node(index).start()));
  const addresses = SENTRIES.map((index) => `/ip4/127.0.0.1/tcp/${portOf(network.node(index))}/p2p/${idOf(index)}`).join(",");
  const names = { data: hidden.dataDir, "/ip4/10.0.0.11/tcp/9100/p2p/12D3Koo…": addresses };
  await hidden.start(flagsOf(filledCommand(startHidden, names), hidden.dataDir));
  await votesUnseen();
  expect(await peersOf(hidden)).toEqual(SENTRIES.map(idOf).toSorted());
  expect((await hidden.client.getNetworkInfo({})).p2p_addresses ?? []).toEqual([]);
}, 300_000);

it("decides blocks that need its vote, also when one of the sentries is lost", async () => {
  await network.node(2).end("SIGKILL");
  await votesUnseen();
  await network.node(4).end("SIGKILL");
  await votesUnseen();
  expect(await peersOf(network.node(HIDDEN))).toEqual([idOf(5)]);
}, 300_000);

it("connects to none of the others when both sentries are lost, and votes again once one is back", async () => {
  const hidden = network.node(HIDDEN);
  await network.node(5).end("SIGKILL");
  await pollUntil(async () => (await peersOf(hidden)).length === 0, { ...WAIT, what: "the sentries to be gone" });
  await network.node(2).start();
  const from = await heightOf(network.node(0));
  await pollUntil(async () => (await heightOf(network.node(0))) >= from + 3, { ...WAIT, what: "blocks of the other three" });
  expect(await peersOf(hidden)).toEqual([]);
  await network.node(4).start(["--reserved-peers", idOf(HIDDEN)]);
  await votesUnseen();
  expect(await peersOf(hidden)).toEqual([idOf(4)]);
}, 300_000);
