// Two nodes over a chain of a month: one keeps all of it, the other one what it needs. What it drops it says, in status, reads, to its peer
// and at its next start; the chain goes on.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNode, type ParleyNode } from "#node/composition/node.ts";
import { readEnvironment } from "#node/config/environment.ts";
import { loadNodeConfig, type NodeFlags } from "#node/config/node-config.ts";
import { ARCHIVE_LIMITS } from "#node/light/archive/archive-limits.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { type ChainRequest, LightReads } from "#node/light/server/light-reads.ts";
import { lightRequestCodec } from "#node/light/wire/light-requests.ts";
import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { createLog } from "#node/observability/log.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { SEAL_LIMITS } from "#node/storage/history/sealing/seal-segment.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import { OWN_HISTORY_LIMITS } from "#node/sync/own-history/own-history-limits.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { type AgedNetwork, createAgedNetwork, type PastBlock, writePast } from "#test/support/nodes/aged-network.ts";
import { patientFetch } from "#test/support/nodes/connect-to-node.ts";
import { startNetwork } from "#test/support/nodes/test-network.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

/** So many that 400 blocks, which are four files, are too old from the start. */
const PAST_BLOCKS = 1_530;
const BLOCK_MS = 1_800_000;
const SEGMENT_BLOCKS = 100;
const LONG_MS = 240_000;
const receiver = actor(7);

class KeepingNode {
  readonly client: NodeClient;
  readonly dataDir: string;
  #node: ParleyNode | undefined;
  log = "";

  constructor({ dataDir, url }: AgedNetwork["nodes"][number]) {
    this.dataDir = dataDir;
    this.client = createNodeClient({ baseUrl: url, fetch: patientFetch });
  }

  async start(flags: NodeFlags): Promise<void> {
    const { dataDir } = this;
    const config = loadNodeConfig({ flags: { ...flags, dataDir }, environment: readEnvironment({}), defaultDataDir: dataDir });
    const write = (line: string): void => {
      this.log += line;
    };
    this.#node = createNode(config, { log: createLog("text", { write }), onFatal: (error) => write(String(error)), snapshotRule });
    await this.#node.start();
  }

  async stop(): Promise<void> {
    await this.#node?.stop();
    this.#node = undefined;
  }

  async first(): Promise<number> {
    return (await this.client.getStatus({})).history?.from_height ?? -1;
  }

  async peers(): Promise<number> {
    return (await this.client.getNetworkInfo({})).peers.length;
  }

  /** True once each entry of its own account is there. */
  async hasOwn(): Promise<boolean> {
    return (await this.client.getKeptHistory({})).accounts[0]?.complete === true;
  }

  segments(): readonly string[] {
    return readdirSync(join(this.dataDir, HISTORY_FOLDER)).filter((name) => name.endsWith(".seg"));
  }
}

/** A peer that has the whole chain of a folder, and answers with the content of other blocks, or never. */
async function startLiar(
  folderPath: string,
  { isSilent = false, to = short, key = 77 }: { readonly isSilent?: boolean; readonly to?: KeepingNode; readonly key?: number } = {},
): Promise<AsyncDisposable & { readonly asked: () => number }> {
  const { chain_id: chainId } = network.genesis;
  const chain = openChainReader(folderPath);
  const reads = new LightReads(chain);
  const ended = Promise.withResolvers<void>();
  let asked = 0;
  const lie = (bytes: Uint8Array): Uint8Array | undefined => {
    asked += 1;
    const request = tryDecode(lightRequestCodec, bytes);
    if (request?.kind === "body") return reads.respond({ ...request, height: request.height + 1 });
    const response = request === undefined ? undefined : tryDecode(lightResponseCodec, reads.respond(request as ChainRequest));
    if (response === undefined) return undefined;
    if (response.kind === "history") return encode(lightResponseCodec, { ...response, entryIds: response.entryIds.toReversed() });
    return encode(lightResponseCodec, response.kind === "transaction" ? { ...response, position: response.position + 1 } : response);
  };
  const address = network.nodes.find(({ dataDir }) => dataDir === to.dataDir)?.p2pAddress ?? "";
  const liar = await startNetwork(key, {
    ...{ chainId, genesisHash: genesisHash(network.genesis), bootstrap: [address] },
    handlers: {
      light: async (bytes): Promise<Uint8Array | undefined> => {
        const response = lie(bytes);
        if (isSilent) await ended.promise;
        return response;
      },
    },
  });
  liar.status = { height: chain.blocks.tipHeight() ?? 0, tipHash: "ab".repeat(32), firstHeight: 1 };
  liar.network.publishStatus(liar.status);
  const others = await to.peers();
  await pollUntil(async () => (await to.peers()) > others, { what: "the lying peer", timeoutMs: 60_000 });
  const stop = async (): Promise<void> => {
    ended.resolve();
    await liar.network.stop();
    chain.close();
  };
  return { asked: () => asked, [Symbol.asyncDispose]: stop };
}

/** Whether the node shows an old block; else it must say that it lacks it. */
async function readsElsewhere(index: number): Promise<boolean> {
  try {
    return (await short.client.getBlock({ index })).index === index;
  } catch (error) {
    expect(error).toMatchObject({ code: "HISTORY_PRUNED" });
    return false;
  }
}

async function shortPeers(): Promise<number> {
  return (await short.client.getNetworkInfo({})).peers.length;
}

let folder: TemporaryFolder;
let network: AgedNetwork;
let whole: KeepingNode;
let short: KeepingNode;
/** Has nothing yet. */
let joining: KeepingNode;
/** Snapshots are made once a test wants some. */
const snapshotRule = { every: Number.MAX_SAFE_INTEGER, periodMs: 1 };
let paid: readonly Transaction[] = [];
const { maxBlocks } = SEAL_LIMITS;
const { requestBurstOfAddress, requestBurst } = ARCHIVE_LIMITS;
const { headersBack } = LIGHT_LIMITS;
const { headersAtOnce } = OWN_HISTORY_LIMITS;
const { segmentBlocks } = BACKFILL_LIMITS;

/** Pays the receiver from the faucet. */
function pay(nowMs: number, amount: number): Transaction {
  const { faucet, genesis } = network;
  const draft = { type: "TRANSFER" as const, from: faucet.pub, to: receiver.pub, amount, payload: {} };
  const random = (length: number): Uint8Array => new Uint8Array(length).fill(amount % 251);
  return signTransaction(buildTransaction(draft, { chainId: genesis.chain_id, nowMs, random }), faucet.seed);
}

beforeAll(async () => {
  Object.assign(SEAL_LIMITS, { maxBlocks: SEGMENT_BLOCKS });
  Object.assign(BACKFILL_LIMITS, { segmentBlocks: SEGMENT_BLOCKS });
  Object.assign(ARCHIVE_LIMITS, { requestBurstOfAddress: 4 * requestBurstOfAddress, requestBurst: 4 * requestBurst });
  folder = await createTemporaryFolder("parley-retention-");
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - (PAST_BLOCKS + 2) * BLOCK_MS;
  network = await createAgedNetwork(`${folder.path}/net`, { validators: 1, nodes: 2 }, { startMs, heartbeatMs: 1_000 });
  const past = Array.from({ length: PAST_BLOCKS }, (_, index): PastBlock => {
    const timeMs = startMs + (index + 1) * BLOCK_MS;
    return { timeMs, transactions: index % 100 === 4 ? [pay(timeMs, 1 + index)] : [] };
  });
  paid = past.flatMap(({ transactions }) => transactions);
  await writePast({ ...network, nodes: network.nodes.slice(0, 2) }, past);
  const [first, second, third] = network.nodes.map((node) => new KeepingNode(node));
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three nodes");
  [whole, short, joining] = [first, second, third];
}, LONG_MS);
afterAll(async () => {
  Object.assign(SEAL_LIMITS, { maxBlocks });
  Object.assign(ARCHIVE_LIMITS, { requestBurstOfAddress, requestBurst });
  Object.assign(LIGHT_LIMITS, { headersBack });
  Object.assign(OWN_HISTORY_LIMITS, { headersAtOnce });
  Object.assign(BACKFILL_LIMITS, { segmentBlocks });
  await Promise.all([whole, short, joining].map((node) => node?.stop()));
  await folder?.remove();
});

it(
  "a node drops what is older than it keeps, says so, and goes on; the other one has all of it",
  async () => {
    const [old, fresh] = [paid[0], paid.at(-1)];
    if (old === undefined || fresh === undefined) throw new Error("Something was paid");
    await short.start({ retain: "1128blocks" });
    expect(short.log).toContain("retain=1128blocks");
    {
      await using liar = await startLiar(whole.dataDir, { key: 78 });
      await pollUntil(() => short.log.includes("says that it has old blocks, and does not show them"), { what: "the lie to be found" });
      expect(liar.asked()).toBeGreaterThan(0);
      expect(await short.first()).toBe(0);
      expect((await short.client.getKeptHistory({})).dropping).toBe("no_holder");
    }
    await whole.start({ retain: "all" });
    await pollUntil(async () => (await short.first()) > 300, { what: "old blocks that are dropped", timeoutMs: 120_000 });
    const status = await short.client.getStatus({});
    expect(status.history?.complete).toBe(false);
    expect(status.sync.height - (status.history?.from_height ?? 0) + 1).toBeGreaterThanOrEqual(1_128);
    expect(await whole.first()).toBe(0);
    expect(short.segments().length).toBeLessThan(whole.segments().length);
    expect((await short.client.getTransaction({ txid: fresh.id })).id).toBe(fresh.id);
    expect(await whole.client.getBlock({ index: 5 })).toMatchObject({ index: 5, tx_count: 1 });
    expect((await whole.client.getTransaction({ txid: old.id })).id).toBe(old.id);
    const [held, all] = await Promise.all([short, whole].map(({ client }) => client.getAddress({ addr: receiver.pub, limit: 50 })));
    expect(held).toEqual(all);
    const [ofShort, ofWhole] = await Promise.all([short, whole].map(({ client }) => client.getNetstats({})));
    expect(ofShort?.total_transfers).toBe(ofWhole?.total_transfers);
    const next = pay(Date.now(), 77);
    await short.client.submitTransaction({ body: next });
    await pollUntil(async () => (await whole.client.getTransaction({ txid: next.id }).catch(() => undefined))?.id === next.id);
  },
  LONG_MS,
);

it(
  "what was dropped is read from the node that has it, and is the same",
  async () => {
    const [old] = paid;
    if (old === undefined) throw new Error("Something was paid");
    expect(await short.first()).toBeGreaterThan(300);
    for (const index of [0, 5, 6, 105, 299]) expect(await short.client.getBlock({ index })).toEqual(await whole.client.getBlock({ index }));
    const { hash } = await whole.client.getBlock({ index: 7 });
    expect((await short.client.getBlockByHash({ hash })).index).toBe(7);
    for (const { id } of paid.slice(0, 4))
      expect(await short.client.getTransaction({ txid: id })).toEqual(await whole.client.getTransaction({ txid: id }));
    const proofs = await Promise.all([short, whole].map(({ client }) => client.proveTransaction({ txid: old.id })));
    expect(proofs[0]).toEqual(proofs[1]);
    const first = await short.first();
    for (const page of [
      { limit: 9, before: first + 4 },
      { limit: 30, before: 107 },
      { limit: 20, before: 3 },
    ]) {
      const blocks = await Promise.all([short, whole].map(({ client }) => client.listBlocks(page)));
      expect(blocks[0]).toEqual(blocks[1]);
    }
    for (const range of [
      { order: "asc" as const, after_block: 104 },
      { before_block: 299 },
      { limit: 14 },
      { limit: 2, order: "asc" as const },
    ]) {
      const feeds = await Promise.all([short, whole].map(({ client }) => client.getAccountFeed({ account_id: receiver.pub, ...range })));
      expect(feeds[0]).toEqual(feeds[1]);
    }
    expect((await short.client.getStatus({})).history?.older_nodes).toBe(1);
    for (const page of [
      { limit: 3, offset: 12 },
      { limit: 500, offset: 0 },
    ]) {
      const pages = await Promise.all([short, whole].map(({ client }) => client.getAddress({ addr: receiver.pub, ...page })));
      expect(pages[0]?.transactions).toEqual(pages[1]?.transactions);
      expect(pages[0]?.missing_below).toBeUndefined();
    }
  },
  LONG_MS,
);

it(
  "answers at once for what no node has, and says what it lacks once they are gone",
  async () => {
    const unknown = paid[0]?.id.replace(/.{6}$/, "aaaaaa") ?? "";
    await expect(short.client.getTransaction({ txid: unknown })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(short.client.getBlock({ index: 2 ** 40 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(short.client.getBlockByHash({ hash: "ab".repeat(32) })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(short.client.getTransaction({ txid: `reward-${2 ** 40}` })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await whole.stop();
    await pollUntil(async () => (await shortPeers()) === 0, { what: "the other node to be gone" });
    await expect(short.client.getBlock({ index: 17 })).rejects.toMatchObject({ code: "HISTORY_PRUNED" });
    await expect(short.client.listBlocks({ before: 17 })).rejects.toThrow("no connected node says that it has older ones");
    expect(await short.client.getAccountFeed({ account_id: receiver.pub })).toMatchObject({
      missing_below: await short.first(),
      older_nodes: 0,
    });
    const page = await short.client.getAddress({ addr: receiver.pub, limit: 49 });
    expect(page).toMatchObject({ missing_below: await short.first(), has_more: false });
    {
      await using liar = await startLiar(whole.dataDir);
      let index = 30;
      const isLied = async (): Promise<boolean> => {
        index += 1;
        expect(await readsElsewhere(index)).toBe(false);
        return liar.asked() > 1;
      };
      await pollUntil(isLied, { what: "a lie", timeoutMs: 60_000 });
      const lied = await short.client.getAddress({ addr: receiver.pub, limit: 48 });
      expect(lied.missing_below).toBe(await short.first());
    }
    await pollUntil(async () => (await shortPeers()) === 0, { what: "the lying peer to be gone" });
    {
      await using silent = await startLiar(whole.dataDir, { isSilent: true });
      const isAsked = async (): Promise<boolean> => {
        expect(await readsElsewhere(20)).toBe(false);
        return silent.asked() > 0;
      };
      // Reads that wait for it hold up no other one, nor the end of the node.
      const waiting = [21, 22].map(readsElsewhere);
      expect((await short.client.getBlock({ index: await short.first() })).index).toBe(await short.first());
      await pollUntil(isAsked, { what: "a peer that says nothing", timeoutMs: 60_000 });
      expect(await Promise.all(waiting)).toEqual([false, false]);
    }
    await whole.start({ retain: "all" });
    await pollUntil(async () => (await shortPeers()) > 0, { what: "the other node to be back" });
    await pollUntil(() => readsElsewhere(18), { what: "an old block of the node that is back", timeoutMs: 60_000 });
  },
  LONG_MS,
);

it("fetches the older history of an account that is named once its blocks are gone, which stays when no other node is there", {
  timeout: LONG_MS,
}, async () => {
  await short.stop();
  // Most of its blocks lie too far below the headers that are here for one walk.
  Object.assign(LIGHT_LIMITS, { headersBack: 60 });
  Object.assign(OWN_HISTORY_LIMITS, { headersAtOnce: 50 });
  await short.start({ retain: "1128blocks", own: receiver.pub });
  expect((await short.client.getKeptHistory({})).accounts).toMatchObject([{ complete: false, older: { entries: expect.any(Number) } }]);
  await pollUntil(() => short.hasOwn(), { what: `the older entries; ${short.log.slice(-2_000)}`, timeoutMs: 120_000 });
  const read = ({ client }: KeepingNode): Promise<unknown> =>
    Promise.all([
      client.getAddress({ addr: receiver.pub, limit: 50 }),
      client.proveTransaction({ txid: paid[0]?.id ?? "" }),
      client.getTransaction({ txid: paid[0]?.id ?? "" }),
    ]);
  const expected = await read(whole);
  await whole.stop();
  await pollUntil(async () => (await shortPeers()) === 0, { what: "the other node to be gone" });
  expect(await read(short)).toEqual(expected);
  expect((await short.client.getKeptHistory({})).accounts).toMatchObject([{ complete: true, from_height: 0 }]);
  await whole.start({ retain: "all" });
});

it("fetches the older history of the person's account for a node that joined by a snapshot, and finds a peer that lies about it", {
  ...WHOLE_ONLY,
  timeout: LONG_MS,
}, async () => {
  // A block that each node has, with a snapshot.
  snapshotRule.every = 10;
  let amount = 100_000;
  const hasSnapshot = async (): Promise<boolean> => {
    amount += 1;
    await whole.client.submitTransaction({ body: pay(Date.now(), amount) });
    return (
      existsSync(join(whole.dataDir, "snapshots")) && readdirSync(join(whole.dataDir, "snapshots")).some((name) => /^\d+\.db$/.test(name))
    );
  };
  await pollUntil(hasSnapshot, { what: "a snapshot", timeoutMs: 60_000, intervalMs: 200 });
  snapshotRule.every = Number.MAX_SAFE_INTEGER;
  // Genesis is a month old.
  const { hash } = await whole.client.getBlock({ index: PAST_BLOCKS });
  const flags = { retain: "1128blocks", sync: "snapshot", checkpoint: `${PAST_BLOCKS}:${hash}` } as const;
  await joining.start(flags);
  const hasBlocks = async (): Promise<boolean> => {
    const { history, sync } = await joining.client.getStatus({});
    return history !== undefined && history.from_height > 1 && history.backfill === undefined && sync.height - history.from_height > 1_100;
  };
  await pollUntil(() => hasBlocks().catch(() => false), {
    what: `the blocks that it keeps; ${joining.log.slice(-2_000)}`,
    timeoutMs: 120_000,
  });
  expect(joining.log).toContain("The state of this block is here");
  expect((await joining.client.getAddress({ addr: receiver.pub, limit: 1 })).tx_count).toBeGreaterThan(0);
  await Promise.all([joining.stop(), whole.stop()]);
  await joining.start({ ...flags, own: receiver.pub });
  expect(await joining.hasOwn()).toBe(false);
  {
    await using liar = await startLiar(whole.dataDir, { to: joining });
    await pollUntil(() => joining.log.includes("A peer sent a false response"), { what: "the lie to be found", timeoutMs: 60_000 });
    expect(liar.asked()).toBeGreaterThan(0);
    expect(await joining.hasOwn()).toBe(false);
  }
  await whole.start({ retain: "all" });
  await pollUntil(() => joining.hasOwn(), { what: `the older entries; ${joining.log.slice(-2_000)}`, timeoutMs: 120_000 });
  const read = ({ client }: KeepingNode): Promise<unknown> =>
    Promise.all([client.getAddress({ addr: receiver.pub, limit: 100 }), client.proveTransaction({ txid: paid[0]?.id ?? "" })]);
  expect(await read(joining)).toEqual(await read(whole));
  await joining.stop();
});

it("keeps the rest when it is to keep all again, and says that the others do not come back", {
  ...WHOLE_ONLY,
  timeout: LONG_MS,
}, async () => {
  const first = await short.first();
  await short.stop();
  short.log = "";
  await short.start({ retain: "all" });
  expect(short.log).toContain("do not come back");
  expect(await short.first()).toBeGreaterThanOrEqual(first);
  const kept = await short.first();
  const { sync } = await short.client.getStatus({});
  // A network at rest makes a block now and then: payments make them at once.
  let paid = 0;
  const hasPassed = async (): Promise<boolean> => {
    paid += 1;
    await short.client.submitTransaction({ body: pay(Date.now(), paid) });
    return (await short.client.getStatus({})).sync.height > sync.height + 128;
  };
  await pollUntil(hasPassed, { what: "128 blocks", timeoutMs: 120_000 });
  expect(await short.first()).toBe(kept);
  expect(await whole.first()).toBe(0);
});
