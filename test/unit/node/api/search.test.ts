// Search over HTTP: everything that a text may name is found in its own group, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Output } from "#shared/api/api.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { MAX_SEARCH_CHARS } from "#shared/api/endpoints/search.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { explorerStores } from "#test/support/postgres/explorer-stores.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, bob, deviceKey, signed, validator } from "#test/support/worlds/ledger-world.ts";

type Groups = Partial<Omit<Output<"search">, "query" | "count">>;

let world: ApiWorld;
let client: NodeClient;
let shop: Transaction;

describe.each(explorerStores())("over %s", (_, explorer) => {
  beforeAll(async () => {
    world = await createApiWorld({ genesis: CONTRACTS_GENESIS, explorer });
    client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
    shop = deployEmpty(bob);
    const txs = [
      callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
      callNative(bob, "username_registry", "register", { args: ["alicia"], amountUt: 10_000 }),
      ...["tea", "tea-2", "coffee"].map((id) => callNative(alice, "tokens", "issue", { args: [id, `A ${id}`, "ABC", 0, 7] })),
      ...["cup", "cup-2", "cupboard"].map((id) => callNative(alice, "nfts", "mint", { args: [id, `A ${id}`, ""] })),
      signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(50), nickname: "Bob" } }),
      signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(51), fee_per_msg_ut: 3 } }),
      shop,
    ];
    for (const tx of txs) await client.submitTransaction({ body: tx });
    world.commit();
    await client.submitTransaction({ body: callNative(alice, "nfts", "burn", { args: ["cup-2"] }) });
    world.commit();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** Groups that are not empty. */
  async function find(q: string, limit?: number): Promise<Groups> {
    const { query, count, ...groups } = await client.search({ q, ...(limit === undefined ? {} : { limit }) });
    expect([query, count]).toEqual([q.trim(), Object.values(groups).reduce((sum, hits) => sum + hits.length, 0)]);
    return Object.fromEntries(Object.entries(groups).filter(([, hits]) => hits.length > 0));
  }

  describe("search", () => {
    it("finds a block by height and hash", async () => {
      const [newest, first] = await client.listBlocks({ limit: 2 });
      expect(await find("2")).toEqual({ blocks: [newest] });
      expect(await find(" #1 ")).toEqual({ blocks: [first] });
      expect(await find(first?.hash.toUpperCase() ?? "")).toEqual({ blocks: [first] });
      expect(await find("3")).toEqual({});
    });

    it("finds a transaction and a reward by id", async () => {
      const { transactions } = await find(shop.id);
      expect(transactions).toMatchObject([{ id: shop.id, type: "DEPLOY_CONTRACT", status: "ok" }]);
      expect(await find("reward-1")).toMatchObject({ transactions: [{ type: "BLOCK_REWARD" }] });
    });

    it("finds an account by address and key, with its name, relay and place among the validators", async () => {
      const account = { pub_key: bob.pub, address: formatAddress(bob.pub), nickname: "Bob", username: "alicia" };
      for (const q of [bob.pub, bob.pub.toUpperCase(), formatAddress(bob.pub)])
        expect(await find(q)).toMatchObject({ accounts: [account], relays: [{ pub_key: bob.pub, relay: { fee_per_msg_ut: 3 } }] });
      const [found] = (await find(alice.pub)).accounts ?? [];
      const { balance_ut, tx_count } = await client.getAddress({ addr: alice.pub });
      expect(found).toMatchObject({ balance_ut, tx_count, username: "alice", nickname: "" });
      expect(await find(validator.pub)).toMatchObject({ validators: [{ pub_key: validator.pub, address: formatAddress(validator.pub) }] });
    });

    it("takes an address for an account of any owner, but not any 32 bytes", async () => {
      const stranger = actor(77);
      expect(await find(formatAddress(stranger.pub))).toMatchObject({ accounts: [{ balance_ut: 0, tx_count: 0 }] });
      expect(await find(stranger.pub)).toEqual({});
    });

    it("finds usernames by their beginning", async () => {
      const [first, second] = [alice, bob].map(({ pub }, n) => ({
        username: ["alice", "alicia"][n],
        pub_key: pub,
        address: formatAddress(pub),
      }));
      for (const q of ["ali", "@ALI", "@alic"]) expect(await find(q)).toEqual({ usernames: [first, second] });
      expect(await find("alici")).toEqual({ usernames: [second] });
      expect(await find("ali", 1)).toEqual({ usernames: [first] });
      expect((await find("@")).usernames).toHaveLength(2);
    });

    it("finds tokens and NFTs by the beginning of their ids, burnt ones left out", async () => {
      expect((await find("te")).tokens?.map(({ token_id }) => token_id).sort()).toEqual(["tea", "tea-2"]);
      expect(await find("tea-")).toEqual({ tokens: [{ token_id: "tea-2", name: "A tea-2", symbol: "ABC" }] });
      const { nfts } = await find("cup");
      expect(nfts?.map(({ nft_id }) => nft_id).sort()).toEqual(["cup", "cupboard"]);
      expect(nfts?.[0]).toMatchObject({ owner_pub: alice.pub, owner_addr: formatAddress(alice.pub) });
      expect((await find("cup", 1)).nfts).toHaveLength(1);
      expect(await find("tea:")).toEqual({});
    });

    it("finds contracts by id and by the beginning of their name", async () => {
      const id = nativeContractId("username_registry");
      const contract = { contract_id: id, name: "username_registry", version: "1.0.0", deployed_at: 0 };
      for (const q of [id, id.toUpperCase(), "user", "USERNAME_R"]) expect((await find(q)).contracts).toEqual([contract]);
      expect((await find("shop")).contracts).toMatchObject([{ name: "shop", deployed_at: 1 }]);
    });

    it.each([
      "?",
      "%25",
      "%00",
      "__proto__",
      "constructor",
      "'%20OR%201=1",
      "%F0%9F%99%82",
      "-1",
      "1e3",
      "99999999999999999",
      "pl1",
      "0x1",
    ])("finds nothing by %s", async (q) => {
      const response = await world.server.app.inject(`/api/search?q=${q === "?" ? "%3F" : q}`);
      expect([response.statusCode, response.json().count]).toEqual([200, 0]);
    });

    it.each(["", "?q=", "?q=%20%20", `?q=${"a".repeat(MAX_SEARCH_CHARS + 1)}`, "?q=a&limit=0", "?q=a&limit=x", "?q=a&q=b"])(
      "refuses the question %j",
      async (query) => {
        expect((await world.server.app.inject(`/api/search${query}`)).statusCode).toBe(400);
      },
    );
  });
});
