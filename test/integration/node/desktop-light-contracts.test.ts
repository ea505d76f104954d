// Contracts of a light node that the desktop's shell started: the shell starts their process too, and its death harms nothing.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type DesktopNode, shellProcesses, startDesktopNode } from "#test/support/nodes/desktop-node.ts";
import { ProcessNetwork } from "#test/support/nodes/process-network.ts";
import { WORKER } from "#test/support/worlds/contract-process-world.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

let network: ProcessNetwork;
let node: DesktopNode | undefined;
let contractID: ContractId;

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
  node = await startDesktopNode({ dataFolder: light.dataDir, port: light.port, settings: { nodeMode: "light" } });
  const { client } = node;
  const { height } = await full.client.getNetstats({});
  const hasAll = async (): Promise<boolean> => {
    const { mode, sync } = await client.getStatus({});
    return mode === "light" && sync.state === "live" && sync.height >= height;
  };
  await pollUntil(async () => ((await hasAll()) ? true : undefined), { what: "the light node to verify the newest block" });
});
afterAll(async () => {
  await node?.stop();
  await network[Symbol.asyncDispose]();
});

/** Kills the process for contracts, which must not be the one before. */
async function kill(before?: number): Promise<number> {
  const pid = await pollUntil(() => shellProcesses("Parley contracts").find((other) => other !== before), {
    what: "a process for contracts",
  });
  process.kill(pid, "SIGKILL");
  return pid;
}
/** The node, which the tests begin with. */
function running(): DesktopNode {
  if (node === undefined) throw new Error("The node does not run");
  return node;
}
const follow = (): ReturnType<NodeClient["callView"]> => running().client.callView({ contractID, body: { method: "follow" } });
const result = (): Promise<string | null | undefined> =>
  follow().then(
    ({ result_text }) => result_text,
    () => undefined,
  );

it("run in a process that the shell starts, and survive its end between requests and during them", async () => {
  const [nodePid] = shellProcesses("Parley node");
  expect(shellProcesses("Parley contracts")).toEqual([]);
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
  expect([shellProcesses("Parley node"), running().exits]).toEqual([[nodePid], []]);
  expect(await running().client.getStatus({})).toMatchObject({ mode: "light", sync: { state: "live" } });
});
