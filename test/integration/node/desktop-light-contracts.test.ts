// Contracts of a light node that the desktop's shell started: the shell starts their process too, and its death harms nothing.
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { startNodeProcess } from "#electron/main/processes/node-process.ts";
import type { HostedProcess } from "#electron/main/processes/process-host.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/known-transaction.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { MessageChannelMain } from "#test/electron/stand-in/message-channel.ts";
import { runningProcesses, utilityProcess } from "#test/electron/stand-in/utility-process.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { ProcessNetwork } from "#test/support/nodes/process-network.ts";
import { WORKER } from "#test/support/worlds/contract-process-world.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const TOKEN = "secret-of-this-launch";

let network: ProcessNetwork;
let node: HostedProcess | undefined;
let client: NodeClient;
let contractID: ContractId;
let log = "";
const exits: (number | null)[] = [];

function signed<T extends TransactionType>(draft: Omit<TransactionDraft<T>, "from">): Transaction {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const context = { chainId: network.genesis.chain_id, nowMs: Date.now(), random };
  return signTransaction(buildTransaction({ ...draft, from: alice.pub }, context), alice.seed);
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 1, nodes: 2, isDirect: true });
  const [full, light] = [network.node(0), network.node(1)];
  await full.start();
  const inBlock = (id: string): Promise<unknown> => pollUntil(() => readCommitted(full.client, id), { what: `${id} in a block` });
  await inBlock((await full.client.requestFaucet({ body: { to: alice.pub, amount_ut: 10_000_000 } })).id);
  const deployment = signed({ type: "DEPLOY_CONTRACT", payload: WORKER });
  contractID = deployedContractId(alice.pub, deployment.id);
  const fill = signed({ type: "CALL_CONTRACT", payload: { contract_id: contractID, method: "fill", gas_limit: 1_000_000 } });
  for (const body of [deployment, fill]) {
    await full.client.submitTransaction({ body });
    await inBlock(body.id);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  node = startNodeProcess({
    utilityProcess,
    createChannel: () => new MessageChannelMain(),
    entry: join(ROOT, "node/main.ts"),
    contractsEntry: join(ROOT, "node/composition/reads/contract-reader.ts"),
    environment: {},
    settings: { ...DEFAULT_DESKTOP_SETTINGS, nodeMode: "light" },
    isCopied: false,
    dataFolder: light.dataDir,
    port: light.port,
    apiToken: TOKEN,
    flags: [],
    log: (text) => {
      log += text;
    },
  });
  node.onMessage((message) => {
    if (typeof message === "object" && message !== null && "type" in message && message.type === "ready") resolve();
  });
  node.onExit((code) => {
    exits.push(code);
    reject(new Error(`the node ended: ${log}`));
  });
  await promise;
  client = createNodeClient({
    baseUrl: light.baseUrl,
    token: TOKEN,
    fetch: (url, init) => fetch(url, init as RequestInit) as ReturnType<HttpFetch>,
  });
  const { height } = await full.client.getNetstats({});
  const hasAll = async (): Promise<boolean> => {
    const { mode, sync } = await client.getStatus({});
    return mode === "light" && sync.state === "live" && sync.height >= height;
  };
  await pollUntil(async () => ((await hasAll()) ? true : undefined), { what: "the light node to verify the newest block" });
});
afterAll(async () => {
  node?.postMessage({ type: "stop" });
  if (node !== undefined) await pollUntil(() => exits.length > 0, { what: "the node to stop" });
  await network[Symbol.asyncDispose]();
});

const pidsOf = (name: string): readonly number[] =>
  runningProcesses().flatMap((running) => (running.name === name && running.pid !== undefined ? [running.pid] : []));
/** Kills the process for contracts, which must not be the one before. */
async function kill(before?: number): Promise<number> {
  const pid = await pollUntil(() => pidsOf("Parley contracts").find((other) => other !== before), { what: "a process for contracts" });
  process.kill(pid, "SIGKILL");
  return pid;
}
const follow = (): ReturnType<NodeClient["callView"]> => client.callView({ contractID, body: { method: "follow" } });
const result = (): Promise<string | null | undefined> =>
  follow().then(
    ({ result_text }) => result_text,
    () => undefined,
  );

it("run in a process that the shell starts, and survive its end between requests and during them", async () => {
  const [nodePid] = pidsOf("Parley node");
  expect(pidsOf("Parley contracts")).toEqual([]);
  expect(await follow()).toMatchObject({ status: "ok", result_text: "bcd" });
  const first = await kill();
  expect(await pollUntil(result, { what: "another process for contracts" })).toBe("bcd");
  const asked = Array.from({ length: 24 }, () =>
    follow().then(
      ({ result_text }) => result_text,
      ({ code }: { code: string }) => code,
    ),
  );
  await kill(first);
  for (const outcome of await Promise.all(asked)) expect(["bcd", "UNAVAILABLE", "BUSY"]).toContain(outcome);
  expect(await pollUntil(result, { what: "an answer" })).toBe("bcd");
  expect([pidsOf("Parley node"), exits]).toEqual([[nodePid], []]);
  expect(await client.getStatus({})).toMatchObject({ mode: "light", sync: { state: "live" } });
});
