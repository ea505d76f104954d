// Contracts, their state and logs, tokens and NFTs over HTTP, after real calls on a real chain.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RESPONSE_BYTES } from "#node/api/limits.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { deployedContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromHex, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { explorerStores } from "#test/support/postgres/explorer-stores.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, GENESIS } from "#test/support/worlds/ledger-world.ts";

const MAX_U64 = 18_446_744_073_709_551_615n;
const REGISTRY = nativeContractId("username_registry");
const TOKENS = nativeContractId("tokens");
const NFTS = nativeContractId("nfts");

let world: ApiWorld;
let client: NodeClient;
let shop: Transaction;
let copy: Transaction;

async function block(...txs: readonly Transaction[]): Promise<void> {
  for (const tx of txs) await client.submitTransaction({ body: tx });
  world.commit();
}

async function statusOf(url: string): Promise<number> {
  const response = await world.server.app.inject(url);
  if (response.statusCode !== 200) expect(response.json()).toEqual({ error: expect.any(String) });
  return response.statusCode;
}

describe.each(explorerStores())("over %s", (_, explorer) => {
  beforeAll(async () => {
    world = await createApiWorld({ genesis: CONTRACTS_GENESIS, explorer });
    client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
    shop = deployEmpty(bob);
    copy = deployEmpty(bob, { contract: "username_registry", version: "9" });
    await block(
      callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
      callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 2, String(MAX_U64)] }),
      callNative(alice, "tokens", "issue", { args: ["tea-2", "More tea", "TEA2", 0, 7] }),
      ...["cup", "cup-2", "cup2"].map((id) => callNative(alice, "nfts", "mint", { args: [id, `A ${id}`, '{"blue":true}'] })),
      callNative(bob, "nfts", "mint", { args: ["cup", "Too late", ""] }),
      shop,
      copy,
    );
    await block(
      callNative(alice, "tokens", "transfer", { args: ["tea", bob.pub, 5] }),
      callNative(alice, "nfts", "transfer", { args: ["cup", bob.pub] }),
      callNative(alice, "nfts", "burn", { args: ["cup2"] }),
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  describe("contracts", () => {
    it("are listed in the order of their deployment, with their interface", async () => {
      const { count, contracts, next_after } = await client.listContracts({});
      expect([count, next_after]).toEqual([6, undefined]);
      expect(contracts.slice(4)).toEqual([
        {
          contract_id: deployedContractId(bob.pub, shop.id),
          deployer_pub: bob.pub,
          deployed_at: 1,
          wasm_size: 13,
          abi: { contract: "shop", version: "1.0", methods: [] },
        },
        {
          contract_id: deployedContractId(bob.pub, copy.id),
          deployer_pub: bob.pub,
          deployed_at: 1,
          wasm_size: 13,
          abi: { contract: "username_registry", version: "9", methods: [] },
        },
      ]);
      const registry = contracts.find(({ contract_id }) => contract_id === REGISTRY);
      expect(registry).toMatchObject({ deployer_pub: "", deployed_at: 0, wasm_size: 0, abi: { contract: "username_registry" } });
    });

    it.each(["asc", "desc"] as const)("are listed page by page: %s", async (order) => {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page = await client.listContracts({ limit: 4, order, ...(after === undefined ? {} : { after }) });
        ids.push(...page.contracts.map(({ contract_id }) => contract_id));
        after = page.next_after;
      } while (after !== undefined);
      const all = (await client.listContracts({})).contracts.map(({ contract_id }) => contract_id);
      expect(ids).toEqual(order === "asc" ? all : all.toReversed());
      expect((await client.listContracts({ order, limit: 4, after: "0".repeat(16) })).contracts).toEqual([]);
    });

    it("are shown by id in either case", async () => {
      const contract = await client.getContract({ contractID: REGISTRY.toUpperCase() });
      expect(contract).toMatchObject({ contract_id: REGISTRY, deployed_at: 0, balance_ut: 0 });
      expect(JSON.parse(contract.abi_json)).toMatchObject({ contract: "username_registry", methods: expect.any(Array) });
    });

    it("are well-known by the earliest of a name, also in the description of the network", async () => {
      const { count, contracts } = await client.listWellKnownContracts({});
      expect(count).toBe(5);
      expect(contracts.username_registry).toEqual({ contract_id: REGISTRY, name: "username_registry", version: "1.0.0", deployed_at: 0 });
      expect(contracts.shop).toMatchObject({ contract_id: deployedContractId(bob.pub, shop.id), deployed_at: 1 });
      expect((await client.getNetworkInfo({})).contracts).toEqual(contracts);
    });

    it.each(["x", "0".repeat(15), "0".repeat(16), "g".repeat(16), "%2e%2e"])("named %j do not exist", async (id) => {
      for (const path of ["", "/state/x", "/logs"]) expect(await statusOf(`/api/contracts/${id}${path}`)).toBe(404);
    });
  });

  describe("state", () => {
    it("resolves a username and its key", async () => {
      const owner = await client.getContractState({ contractID: REGISTRY, key: "name:alice" });
      expect(owner).toEqual({
        contract_id: REGISTRY,
        key: "name:alice",
        value_b64: Buffer.from(alice.pub).toString("base64"),
        value_hex: toHex(utf8(alice.pub)),
        value_u64: null,
      });
      const name = await client.getContractState({ contractID: REGISTRY, key: `addr:${alice.pub}` });
      expect(fromUtf8(fromHex(name.value_hex ?? ""))).toBe("alice");
    });

    it("has nulls for a key without a value", async () => {
      expect(await client.getContractState({ contractID: REGISTRY, key: "name:none/%00 é" })).toEqual({
        contract_id: REGISTRY,
        key: "name:none/%00 é",
        value_b64: null,
        value_hex: null,
        value_u64: null,
      });
    });

    it("shows eight bytes as an exact integer", async () => {
      const response = await world.server.app.inject(`/api/contracts/${TOKENS}/state/t:tea:supply`);
      expect(response.body).toContain('"value_u64":18446744073709551615');
      expect((await client.getContractState({ contractID: TOKENS, key: "t:tea:supply" })).value_u64).toBe(MAX_U64);
      expect((await client.getContractState({ contractID: TOKENS, key: "t:tea-2:supply" })).value_u64).toBe(7);
    });
  });

  describe("logs", () => {
    it("hold the lines of successful calls, newest first", async () => {
      const { contract_id, count, logs } = await client.listContractLogs({ contractID: NFTS });
      expect([contract_id, count]).toEqual([NFTS, 5]);
      expect(logs.map(({ message }) => message)).toEqual([
        `burn cup2 ${alice.pub}`,
        `transfer cup ${alice.pub} ${bob.pub}`,
        `mint cup2 ${alice.pub}`,
        `mint cup-2 ${alice.pub}`,
        `mint cup ${alice.pub}`,
      ]);
      const head = await client.getBlock({ index: 2 });
      expect(logs[0]).toMatchObject({ block_index: 2, timestamp: Math.floor(Date.parse(head.time) / 1000) });
      expect((await client.getTransaction({ txid: logs[0]?.tx_id ?? "" })).status).toBe("ok");
    });

    it("leave out what failed, and hold as many as asked for", async () => {
      const late = (await client.getAddress({ addr: bob.pub })).transactions.filter(({ status }) => status === "failed");
      expect(late).toHaveLength(1);
      expect((await client.listContractLogs({ contractID: TOKENS })).logs.map(({ message }) => message.split(" ")[0])).toEqual([
        "transfer",
        "issue",
        "issue",
      ]);
      expect((await client.listContractLogs({ contractID: TOKENS, limit: 1 })).count).toBe(1);
      expect((await client.listContractLogs({ contractID: TOKENS, limit: 1_000 })).count).toBe(3);
      expect(await statusOf(`/api/contracts/${TOKENS}/logs?limit=0`)).toBe(400);
    });
  });

  describe("tokens", () => {
    it("are listed with an exact supply", async () => {
      const { count, tokens } = await client.listTokens({});
      expect(count).toBe(2);
      expect(tokens).toContainEqual({
        token_id: "tea",
        contract_id: TOKENS,
        name: "Tea",
        symbol: "TEA",
        decimals: 2,
        supply: MAX_U64,
        issuer_pub: alice.pub,
        issuer_addr: formatAddress(alice.pub),
      });
      expect(await client.getToken({ id: "tea-2" })).toMatchObject({ name: "More tea", supply: 7 });
    });

    it("are held by keys, by address too", async () => {
      expect(await client.getTokenBalance({ id: "tea", pubkey: formatAddress(alice.pub) })).toEqual({
        token_id: "tea",
        pub_key: alice.pub,
        address: formatAddress(alice.pub),
        balance: MAX_U64 - 5n,
      });
      expect((await client.getTokenBalance({ id: "tea", pubkey: bob.pub })).balance).toBe(5);
      expect((await client.getTokenBalance({ id: "tea", pubkey: carol.pub })).balance).toBe(0);
    });

    it("are listed by who holds them, with the balance", async () => {
      const tea = await client.getToken({ id: "tea" });
      const of = async (pubkey: string): Promise<unknown> => client.listTokensOfOwner({ pubkey });
      const { balance } = await client.getTokenBalance({ id: "tea", pubkey: bob.pub });
      expect(BigInt(balance)).toBeGreaterThan(0n);
      expect(await of(formatAddress(bob.pub))).toEqual({ count: 1, has_more: false, tokens: [{ ...tea, balance }] });
      expect(await of(carol.pub)).toEqual({ count: 0, has_more: false, tokens: [] });
    });

    it.each([
      "/api/tokens/none",
      "/api/tokens/owner/nope",
      `/api/tokens/none/balance/${alice.pub}`,
      "/api/tokens/tea/balance/nope",
      "/api/tokens/tea:supply",
    ])("%s is a 404", async (url) => expect(await statusOf(url)).toBe(404));
  });

  describe("NFTs", () => {
    it("are listed without burnt ones", async () => {
      const { count, nfts } = await client.listNfts({});
      expect([count, nfts.map(({ nft_id }) => nft_id).sort()]).toEqual([2, ["cup", "cup-2"]]);
      expect(await client.getNft({ id: "cup" })).toEqual({
        nft_id: "cup",
        contract_id: NFTS,
        name: "A cup",
        metadata: '{"blue":true}',
        owner_pub: bob.pub,
        owner_addr: formatAddress(bob.pub),
        minter_pub: alice.pub,
        minter_addr: formatAddress(alice.pub),
      });
    });

    it("are listed by owner", async () => {
      expect((await client.listNftsOfOwner({ pubkey: bob.pub })).nfts.map(({ nft_id }) => nft_id)).toEqual(["cup"]);
      expect((await client.listNftsOfOwner({ pubkey: formatAddress(alice.pub) })).nfts.map(({ nft_id }) => nft_id)).toEqual(["cup-2"]);
      expect(await client.listNftsOfOwner({ pubkey: carol.pub })).toEqual({ count: 0, total: 0, has_more: false, nfts: [] });
    });

    it.each(["/api/nfts/none", "/api/nfts/cup2", "/api/nfts/owner/nope", "/api/nfts/cup:owner"])("%s is a 404", async (url) =>
      expect(await statusOf(url)).toBe(404),
    );
  });

  describe("lists", () => {
    it("of tokens and NFTs continue where a page ended, also where one id begins another", async () => {
      await using other = await createApiWorld({ genesis: CONTRACTS_GENESIS, explorer });
      const reader = createNodeClient({ baseUrl: "", fetch: injectFetch(other.server.app) });
      const ids = ["a", "a-b", "a.b", "a0", "a00", "a_b", "ab", "b", "b-", "z"];
      for (const id of ids) {
        await reader.submitTransaction({ body: callNative(alice, "tokens", "issue", { args: [id, id, "T", 0, 1] }) });
        await reader.submitTransaction({ body: callNative(alice, "nfts", "mint", { args: [id, id, ""] }) });
      }
      other.commit();
      for (const id of ["a", "b"]) await reader.submitTransaction({ body: callNative(alice, "nfts", "burn", { args: [id] }) });
      other.commit();
      const read = async (
        next: (after: object) => Promise<{ readonly ids: readonly string[]; readonly next_after?: string }>,
      ): Promise<string[]> => {
        const found: string[] = [];
        let page = await next({});
        for (; page.next_after !== undefined; page = await next({ after: page.next_after })) found.push(...page.ids);
        return [...found, ...page.ids].sort();
      };
      for (const limit of [1, 2, 3, 100]) {
        const left = ids.filter((id) => id !== "a" && id !== "b");
        const tokens = await read(async (after) => {
          const page = await reader.listTokens({ limit, ...after });
          return { ...page, ids: page.tokens.map(({ token_id }) => token_id) };
        });
        const held = await read(async (after) => {
          const page = await reader.listTokensOfOwner({ pubkey: alice.pub, limit, ...after });
          return { ...page, ids: page.tokens.map(({ token_id }) => token_id) };
        });
        const nfts = await read(async (after) => {
          const page = await reader.listNfts({ limit, ...after });
          return { ...page, ids: page.nfts.map(({ nft_id }) => nft_id) };
        });
        const owned = await read(async (after) => {
          const page = await reader.listNftsOfOwner({ pubkey: alice.pub, limit, ...after });
          return { ...page, ids: page.nfts.map(({ nft_id }) => nft_id) };
        });
        expect([limit, tokens, held, nfts, owned]).toEqual([limit, [...ids].sort(), [...ids].sort(), [...left].sort(), [...left].sort()]);
      }
    });

    it("are empty and unknown on a network without native contracts", async () => {
      await using bare = await createApiWorld({ genesis: { ...GENESIS, contracts: [] }, explorer });
      const reader = createNodeClient({ baseUrl: "", fetch: injectFetch(bare.server.app) });
      expect(await reader.listContracts({})).toEqual({ count: 0, total: 0, has_more: false, contracts: [] });
      expect(await reader.listWellKnownContracts({})).toEqual({ count: 0, contracts: {} });
      expect(await reader.listTokens({})).toEqual({ count: 0, total: 0, has_more: false, tokens: [] });
      expect(await reader.listNfts({})).toEqual({ count: 0, total: 0, has_more: false, nfts: [] });
      expect((await bare.server.app.inject("/api/tokens/tea")).statusCode).toBe(404);
    });
  });

  it("ends a page of contracts before it grows beyond 2 MiB, and continues behind it", async () => {
    const contracts = Array.from({ length: 1_000 }, (_, n) => ({
      contract_id: n.toString(16).padStart(16, "0"),
      deployer_pub: "",
      deployed_at: 0,
      wasm_size: 0,
      abi: { contract: `c${n}`, notes: "é".repeat(5_000) },
    }));
    const { contracts: real } = world.services;
    const list: typeof real.list = ({ limit, after = "" }) => {
      const items = contracts.filter(({ contract_id }) => contract_id > after).slice(0, limit);
      return { items, next: items.length === limit ? items.at(-1)?.contract_id : undefined, total: contracts.length };
    };
    const proxied = new Proxy(real, { get: (target, name) => (name === "list" ? list : Reflect.get(target, name)) });
    await using other = await createApiWorld({ services: { contracts: proxied } });
    const seen: string[] = [];
    for (let after = "", isDone = false; !isDone; ) {
      const response = await other.server.app.inject(`/api/contracts?limit=1000${after === "" ? "" : `&after=${after}`}`);
      expect(response.rawPayload.length).toBeLessThan(RESPONSE_BYTES + 1_000);
      const page = response.json<{ readonly contracts: readonly { readonly contract_id: string }[]; readonly next_after?: string }>();
      seen.push(...page.contracts.map(({ contract_id }) => contract_id));
      after = page.next_after ?? "";
      isDone = after === "";
    }
    expect(seen).toEqual(contracts.map(({ contract_id }) => contract_id));
  });
});
