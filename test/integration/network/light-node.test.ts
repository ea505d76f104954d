// A light node beside a validator and a full node, all real processes: what it shows, what it hands in, and what it says when it is alone.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIGHT_MESSAGES } from "#node/light/light-status.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { emptyModule } from "#test/support/chain/contract-calls.ts";
import { provesState, provesTransaction } from "#test/support/codec/proof-checker.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { type Actor, alice, bob, carol, deviceKey } from "#test/support/worlds/ledger-world.ts";

const TOKENS = nativeContractId("tokens");
let network: ProcessNetwork;
let full: ProcessNode;
let light: ProcessNode;

function sign<T extends TransactionType>(sender: Actor, draft: Omit<TransactionDraft<T>, "from">): Transaction {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const context = { chainId: network.genesis.chain_id, nowMs: Date.now(), random };
  return signTransaction(buildTransaction({ ...draft, from: sender.pub }, context), sender.seed);
}

const inBlock = (node: ProcessNode, txid: string): Promise<unknown> =>
  pollUntil(() => readCommitted(node.client, txid), { what: `${txid} in a block` });

const status = async (): Promise<NonNullable<Awaited<ReturnType<ProcessNode["client"]["getStatus"]>>>> => light.client.getStatus({});

async function setMode(node: ProcessNode, mode: "full" | "light"): Promise<void> {
  const file = join(node.dataDir, "config.json");
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, "utf8")) as object), mode }));
}

const payment = (from: Actor, amount: number): Transaction =>
  sign(from, { type: "TRANSFER", to: from === alice ? bob.pub : alice.pub, amount, payload: {} });

/** The light node has verified what the full one has. */
async function caughtUp(): Promise<number> {
  const { height } = await full.client.getNetstats({});
  return await pollUntil(
    async () => {
      const { sync } = await status();
      return sync.state === "live" && sync.height >= height ? sync.height : undefined;
    },
    { what: "the light node to verify the newest block" },
  );
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 1, nodes: 2, isDirect: true });
  [full, light] = [network.node(1), network.node(2)];
  await setMode(light, "light");
  await Promise.all([network.node(0).start(), full.start()]);
  await network.connected(full);
  const gifts = [alice, bob].map(({ pub }) => full.client.requestFaucet({ body: { to: pub, amount_ut: 10_000_000 } }));
  for (const { id } of await Promise.all(gifts)) await inBlock(full, id);
  await light.start();
  await network.connected(light);
});
afterAll(() => network?.[Symbol.asyncDispose]());

describe("a light node", () => {
  it("shows what full nodes show, from headers that it has verified", async () => {
    await caughtUp();
    expect(await status()).toMatchObject({ mode: "light", sync: { state: "live" }, light: { state: "live" }, pending_txs: 0 });
    const read = async ({ client }: ProcessNode): Promise<Readonly<Record<string, unknown>>> => ({
      account: await client.getAddress({ addr: alice.pub }),
      blocks: await client.listBlocks({}),
      block: await client.getBlock({ index: 1 }),
      recent: await client.listRecentTransactions({}),
      validators: await client.listValidators({}),
      identity: await client.getIdentity({ pubkey: alice.pub }),
      contracts: await client.listContracts({}),
      found: await client.search({ q: alice.pub }),
      chart: await client.getChart({}),
    });
    // An empty block may come in between: then one has it and the other one has not.
    const { shown, verified } = await pollUntil(
      async () => {
        const { height } = await full.client.getNetstats({});
        const [shown, verified] = await Promise.all([read(full), read(light)]);
        const heights = await Promise.all([full, light].map(async ({ client }) => (await client.getNetstats({})).height));
        return heights.every((after) => after === height) && { shown, verified };
      },
      { what: "both to have the same blocks before and after" },
    );
    expect(verified).toEqual(shown);
    expect(shown.account).toMatchObject({ balance_ut: 10_000_000, tx_count: 1 });
    const trusted = new Set(network.genesis.validators.map(({ pub_key }) => pub_key));
    expect(provesState(await light.client.proveAccount({ pubkey: alice.pub }), trusted)).toBe(true);
    expect(provesState(await light.client.proveAccount({ pubkey: carol.pub }), trusted)).toBe(true);
    const [gift] = await full.client.listRecentTransactions({});
    expect(provesTransaction(await light.client.proveTransaction({ txid: gift?.id ?? "" }), trusted)).toBe(true);
  });

  it("hands a payment in, tells its block to those who listen, and shows the whole history", async () => {
    const socket = await openTestSocket(`ws://127.0.0.1:${light.port}/api/ws`);
    for (const topic of [`account:${bob.pub}`, "blocks"]) {
      socket.send({ type: "subscribe", topic });
      await socket.next({ type: "subscribed", topic });
    }
    const payment = sign(alice, { type: "TRANSFER", to: bob.pub, amount: 1_234, payload: { memo: "light" } });
    expect(await light.client.submitTransaction({ body: payment })).toMatchObject({ id: payment.id, status: "accepted" });
    expect(await socket.next({ type: "tx", id: payment.id })).toMatchObject({
      topic: `account:${bob.pub}`,
      amount_ut: 1_234,
      status: "ok",
    });
    await socket.next({ type: "block" });
    socket.close();
    await pollUntil(async () => (await status()).pending_txs === 0, { what: "nothing to be pending" });
    // The light node may have heard of the block from the validator first.
    await inBlock(full, payment.id);
    expect(await light.client.submitTransaction({ body: payment })).toMatchObject({ id: payment.id, status: "accepted" });
    const history = await light.client.getAddress({ addr: bob.pub });
    expect(history).toMatchObject({ balance_ut: 10_001_234, tx_count: 2 });
    expect(history).toEqual(await full.client.getAddress({ addr: bob.pub }));
    const poor = sign(carol, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });
    await expect(light.client.submitTransaction({ body: poor })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("µT"),
    });
  });

  it("runs views of contracts on proven state", async () => {
    const payload = { contract_id: TOKENS, method: "issue", args_json: JSON.stringify(["tea", "Tea", "TEA", 0, 9]) };
    const issue = sign(alice, { type: "CALL_CONTRACT", amount: 0, payload });
    await light.client.submitTransaction({ body: issue });
    for (const node of [light, full]) await inBlock(node, issue.id);
    const transfer = { method: "transfer", args_json: JSON.stringify(["tea", bob.pub, 4]), from: alice.pub };
    const estimate = await light.client.estimateCall({ contractID: TOKENS, body: transfer });
    expect(estimate).toEqual(await full.client.estimateCall({ contractID: TOKENS, body: transfer }));
    expect(estimate).toMatchObject({ status: "ok" });
    const abi = { contract: "shop", version: "1.0", methods: [{ name: "look", args: [], view: true }] };
    const code = { wasm_b64: toBase64(emptyModule("look")), abi_json: JSON.stringify(abi), gas_limit: 1_000_000 };
    const deployment = sign(alice, { type: "DEPLOY_CONTRACT", payload: code });
    await light.client.submitTransaction({ body: deployment });
    for (const node of [light, full]) await inBlock(node, deployment.id);
    const shop = { contractID: deployedContractId(alice.pub, deployment.id), body: { method: "look" } };
    const view = await light.client.callView(shop);
    expect(view).toEqual(await full.client.callView(shop));
    expect(view).toMatchObject({ status: "ok" });
    expect(await light.client.getTokenBalance({ id: "tea", pubkey: alice.pub })).toMatchObject({ balance: 9 });
    expect((await light.client.listTokens({})).tokens.map(({ token_id }) => token_id)).toEqual(["tea"]);
  });

  it("has a mailbox like every node", async () => {
    for (const [from, to] of [
      [light, full],
      [full, light],
    ] as const) {
      const body = { recipient_pub: deviceKey(7), msg_b64: toBase64(utf8(`from ${from.index}`)) };
      const { id } = await from.client.sendMessage({ body });
      await pollUntil(async () => (await to.client.listInbox({ pub: deviceKey(7) })).items.some((item) => item.id === id), {
        what: "the envelope at the other node",
      });
    }
  });

  it("continues from what it has verified, stores no chain, and says so when it is alone", WHOLE_ONLY, async () => {
    const payments = Array.from({ length: 100 }, (_, n) => [alice, bob].map((from) => payment(from, n + 1))).flat();
    for (const body of payments) await full.client.submitTransaction({ body });
    await Promise.all(payments.slice(-2).map(({ id }) => inBlock(full, id)));
    const height = await caughtUp();
    expect(await light.end("SIGTERM")).toBe(0);
    expect([existsSync(join(light.dataDir, "light.db")), existsSync(join(light.dataDir, "chain.db"))]).toEqual([true, false]);
    await light.start();
    expect((await status()).light?.verified_height).toBeGreaterThanOrEqual(height);
    const verified = [...light.log.matchAll(/Verified headers so far {2}height=(\d+)/g)].map(([, text]) => Number(text));
    expect(verified.at(-1)).toBeGreaterThanOrEqual(height);
    // Nothing of the history is in memory now, and each page has more than it could fetch one by one.
    const before = (await full.client.getNetstats({})).height;
    const reads: readonly ((client: ProcessNode["client"]) => Promise<{ readonly length: number }>)[] = [
      async (client): Promise<readonly unknown[]> => (await client.getAddress({ addr: alice.pub, limit: 100 })).transactions,
      async (client): Promise<readonly unknown[]> => (await client.getAddress({ addr: bob.pub, limit: 100, offset: 100 })).transactions,
      async (client): Promise<readonly unknown[]> => (await client.getAccountFeed({ account_id: bob.pub, limit: 200 })).transactions,
      (client): Promise<readonly unknown[]> => client.listRecentTransactions({ limit: 100 }),
      (client): Promise<readonly unknown[]> => client.listBlocks({ limit: 100, before }),
    ];
    await caughtUp();
    for (const [index, read] of reads.entries()) {
      const shown = await read(light.client);
      expect(shown).toEqual(await read(full.client));
      expect(shown.length).toBeGreaterThanOrEqual(index === 4 ? 2 : 100);
    }
    await network.node(0).end("SIGTERM");
    await full.end("SIGTERM");
    const alone = await pollUntil(
      async () => {
        const response = await status();
        // A block is overdue at once; that its start is over takes longer.
        return response.light?.state === "stalled" ? response : undefined;
      },
      { timeoutMs: 60_000, what: "the light node to notice that it is alone" },
    );
    expect(alone).toMatchObject({ peers: 0, sync: { state: "stalled", reason: LIGHT_MESSAGES.noPeers } });
    await expect(light.client.getAddress({ addr: carol.pub })).rejects.toMatchObject({ httpStatus: 502 });
  });

  it("begins at its own chain where it ran as a full node before, and leaves that chain as it was", WHOLE_ONLY, async () => {
    const before = readChainTip(full.dataDir);
    await network.node(0).start();
    await setMode(full, "light");
    await full.start();
    const { light: facts } = await full.client.getStatus({});
    expect(facts?.checkpoint?.height).toBe(before?.height);
    const isLive = async (): Promise<boolean> => (await full.client.getStatus({})).light?.state === "live";
    await pollUntil(async () => ((await isLive()) ? true : undefined), { what: "the node to verify its own newest block" });
    expect(await full.end("SIGTERM")).toBe(0);
    expect(readChainTip(full.dataDir)).toEqual(before);
    await setMode(full, "full");
    await full.start();
    expect((await full.client.getNetstats({})).height).toBeGreaterThanOrEqual(before?.height ?? Number.NaN);
  });
});
