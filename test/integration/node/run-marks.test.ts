// A node that is killed in the middle of a contract: the next start interprets that module, and takes its transaction in no more.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { br, buildModule, loop, W } from "#test/support/vm/wasm-builder.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const CODE = buildModule({
  functions: [
    { export: "spin", code: loop(W.void, br(0)) },
    { export: "run", code: [] },
  ],
});
/** A run of this much takes the engine so long that a process can be ended within it. */
const GAS = 100_000_000;
/** One runs after the other for a second or more. */
const CALLS = 16;

let folder: TemporaryFolder;
let node: RunningNode;
let chainId: string;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({ dataDir: folder.path });
  chainId = (await node.client.getNetworkInfo({})).chain_id;
  await inBlock((await node.client.requestFaucet({ body: { to: alice.pub, amount_ut: 100_000_000 } })).id);
});

afterAll(async () => {
  await node.kill();
  await folder.remove();
});

const inBlock = (txid: string): Promise<object> => pollUntil(() => readCommitted(node.client, txid));

function signed<T extends TransactionType>(draft: Omit<TransactionDraft<T>, "from">): Transaction {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  return signTransaction(buildTransaction({ ...draft, from: alice.pub }, { chainId, nowMs: Date.now(), random }), alice.seed);
}

async function committed<T extends TransactionType>(draft: Omit<TransactionDraft<T>, "from">): Promise<object> {
  const tx = signed(draft);
  await node.client.submitTransaction({ body: tx });
  return { ...tx, ...(await inBlock(tx.id)) };
}

/** Has so many calls run that the node is killed within one of them, which is given; again, should it just have ended. */
async function killWithin(module: string, call: () => Transaction): Promise<Transaction> {
  const mark = (): string => readFileSync(join(folder.path, "running-chain"), "latin1");
  for (;;) {
    const calls = Array.from({ length: CALLS }, call);
    const exited = once(node.child, "exit");
    for (const body of calls) void node.client.submitTransaction({ body }).catch(() => undefined);
    const running = (): Transaction | undefined => calls.find(({ id }) => mark().startsWith(`*${module}${id}`));
    await pollUntil(() => Promise.resolve(running()), { intervalMs: 5, what: "a call that runs" });
    node.child.kill("SIGSEGV");
    expect(await exited).toEqual([null, "SIGSEGV"]);
    const within = running();
    if (within !== undefined) return within;
    node = await startNode({ dataDir: folder.path, args: [] });
  }
}

it("is interpreted at the next start, and its transaction is not taken in again", async () => {
  const methods = ["spin", "run"].map((name) => ({ name, args: [] }));
  const abi_json = JSON.stringify({ contract: "spinning", version: "1", methods });
  const deployment = signed({ type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(CODE), abi_json, gas_limit: 10_000_000 } });
  await node.client.submitTransaction({ body: deployment });
  expect(await inBlock(deployment.id)).toMatchObject({ status: "ok" });
  const contract_id = deployedContractId(alice.pub, deployment.id);
  const callOf = (method: string, gas_limit: number): Omit<TransactionDraft<"CALL_CONTRACT">, "from"> => ({
    type: "CALL_CONTRACT",
    payload: { contract_id, method, args_json: "[]", gas_limit },
  });
  const module = toHex(sha256(CODE));
  const spinning = await killWithin(module, () => signed(callOf("spin", GAS)));

  node = await startNode({ dataDir: folder.path, args: [] });
  expect(readFileSync(join(folder.path, "left-marks"), "utf8")).toBe(`${module} ${spinning.id}\n`);
  expect(node.log()).toContain("its module is interpreted from now on");
  const metrics = await (await fetch(`${node.baseUrl}/metrics`)).text();
  expect(metrics).toContain("parley_contract_interpreted_modules 1");
  await expect(node.client.submitTransaction({ body: spinning })).rejects.toThrow("is known already");
  expect(await committed(callOf("run", 1_000_000))).toMatchObject({ status: "ok" });
  // More than a trial has, so that the block says what comes of it.
  expect(await committed(callOf("spin", 3_000_000))).toMatchObject({ status: "failed" });
});
