// Lists of contracts, tokens, NFTs and relays: whole without parameters, else in pages, and each response says what it lacks.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RESPONSE_BYTES } from "#node/api/limits.ts";
import type { ContractQueries } from "#node/queries/read-queries.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, bob, deviceKey, signed } from "#test/support/worlds/ledger-world.ts";

/** More than a page and than what is read at once of one list. */
const TOKENS = 620;
const THINGS = 130;
const people = Array.from({ length: 40 }, (_, n) => actor(20 + n));
const GENESIS = {
  ...CONTRACTS_GENESIS,
  accounts: [alice, bob, ...people].map(({ pub }) => ({ pub_key: pub, balance_ut: 100_000_000 })),
};
let world: ApiWorld;
let client: NodeClient;

beforeAll(async () => {
  world = await createApiWorld({ genesis: GENESIS });
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
  const txs = [
    ...numbers(TOKENS).map((n) => callNative(n % 2 === 0 ? alice : bob, "tokens", "issue", { args: [`t${n}`, "T", "T", 0, n + 1] })),
    ...numbers(THINGS).map((n) => callNative(alice, "nfts", "mint", { args: [`n${n}`, "One", "x".repeat(100)] })),
    ...numbers(THINGS).map((n) => deployEmpty(bob, { contract: `shop${n}` })),
    ...people.map((person, n) => signed(person, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(n), fee_per_msg_ut: n } })),
    callNative(alice, "nfts", "burn", { args: ["n7"] }),
  ];
  for (const [index, tx] of txs.entries()) {
    await world.services.mempool.submit(tx, world.clock.nowMs());
    if (index % 50 === 49) world.commit();
  }
  while (world.services.mempool.size > 0) world.commit();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Page {
  readonly count: number;
  readonly total?: number;
  readonly has_more: boolean;
  readonly next_after?: string;
  readonly items: readonly unknown[];
}

type Input = { readonly limit?: number; readonly after?: string };
const LISTS: Readonly<Record<string, readonly [list: (input: Input) => Promise<Page>, total: number]>> = {
  contracts: [async (input) => listed(await client.listContracts(input), "contracts"), THINGS + CONTRACTS_GENESIS.contracts.length],
  tokens: [async (input) => listed(await client.listTokens(input), "tokens"), TOKENS],
  NFTs: [async (input) => listed(await client.listNfts(input), "nfts"), THINGS - 1],
  "NFTs of a key": [async (input) => listed(await client.listNftsOfOwner({ ...input, pubkey: alice.pub }), "nfts"), THINGS - 1],
};

function listed<K extends string>(page: Omit<Page, "items"> & { readonly [N in K]: readonly unknown[] }, name: K): Page {
  return { ...page, items: page[name] };
}

/** Every page of a list, the first as `first` asks. */
async function pagesOf(list: (input: Input) => Promise<Page>, first: Input, others: Input): Promise<readonly Page[]> {
  const pages = [await list(first)];
  for (let after = pages[0]?.next_after; after !== undefined; after = pages.at(-1)?.next_after)
    pages.push(await list({ ...others, after }));
  return pages;
}

it("all tokens of a key come at once, however many there are", async () => {
  const held = await client.listTokensOfOwner({ pubkey: alice.pub });
  expect(held).toMatchObject({ count: TOKENS / 2, has_more: false });
  expect(new Set(held.tokens.map(({ token_id }) => token_id)).size).toBe(TOKENS / 2);
});

describe.each(Object.entries(LISTS))("the list of %s", (_, [list, total]) => {
  it("comes whole when it is asked for without parameters", async () => {
    const whole = await list({});
    expect(whole).toMatchObject({ count: total, total, has_more: false });
    expect(whole.items).toHaveLength(total);
    expect(whole).not.toHaveProperty("next_after");
  });

  it("comes in pages that say whether it continues, the same items in the same order", async () => {
    const { items: whole } = await list({});
    for (const limit of [7, 50]) {
      const pages = await pagesOf(list, { limit }, { limit });
      expect(pages.flatMap(({ items }) => items)).toEqual(whole);
      for (const page of pages) expect(page).toMatchObject({ count: page.items.length, total });
      expect(pages.map(({ has_more }) => has_more)).toEqual(pages.map((_page, index) => index < pages.length - 1));
    }
  });

  it("continues in pages of 100 when a request says where alone", async () => {
    const pages = await pagesOf(list, { limit: 1 }, {});
    expect(pages.flatMap(({ items }) => items)).toEqual((await list({})).items);
    expect(pages.map(({ count }) => count)).toEqual([
      1,
      ...Array.from({ length: Math.floor((total - 1) / 100) }, () => 100),
      (total - 1) % 100,
    ]);
  });

  it("ends exactly where its last item is", async () => {
    expect(await list({ limit: 1 })).toMatchObject({ count: 1, has_more: true });
    const { items } = await list({});
    expect(items.length).toBe(total);
    if (total <= 500) expect(await list({ limit: total })).toMatchObject({ count: total, has_more: false });
    if (total <= 500) expect(await list({ limit: total - 1 })).toMatchObject({ count: total - 1, has_more: true });
  });
});

it("the list of relays comes whole, a plain array", async () => {
  const relays = await client.listRelays({});
  expect(relays.map(({ pub_key }) => pub_key)).toEqual(people.map(({ pub }) => pub).sort());
  const first = await client.listRelays({ limit: 3 });
  const rest = await client.listRelays({ after: first.at(-1)?.pub_key ?? "" });
  expect([...first, ...rest]).toEqual(relays);
});

describe("a list that is longer than a response", () => {
  /** NFTs of any number, as an index with so many would list them. */
  function manyNfts(count: number, metadata: string, real: ContractQueries): ContractQueries {
    const idOf = (n: number): string => String(n).padStart(8, "0");
    const nfts: ContractQueries["nfts"] = ({ limit, after }) => {
      const first = after === undefined ? 0 : Number(after) + 1;
      const items = Array.from({ length: Math.min(limit, count - first) }, (_, index) => ({
        nft_id: idOf(first + index),
        contract_id: "",
        name: "",
        metadata,
        owner_pub: "",
        owner_addr: "",
        minter_pub: "",
        minter_addr: "",
      }));
      return { items, next: first + items.length < count ? items.at(-1)?.nft_id : undefined, total: count > 10_000 ? undefined : count };
    };
    return new Proxy(real, { get: (target, name) => (name === "nfts" ? nfts : Reflect.get(target, name)) });
  }

  it.each([
    [10_000, "", 10_000],
    [10_001, "", 10_000],
  ])("with %i short items has 10,000 of them at most", async (count, metadata, sent) => {
    await using other = await createApiWorld({ services: { contracts: manyNfts(count, metadata, world.services.contracts) } });
    const reader = createNodeClient({ baseUrl: "", fetch: injectFetch(other.server.app) });
    const page = await reader.listNfts({});
    expect(page.nfts).toHaveLength(sent);
    expect(page.has_more).toBe(sent < count);
    expect(page.total).toBe(count > 10_000 ? undefined : count);
  });

  it("ends before it has too many bytes, and continues there", async () => {
    const count = 1_500;
    const contracts = manyNfts(count, "m".repeat(4_096), world.services.contracts);
    await using other = await createApiWorld({ services: { contracts } });
    const reader = createNodeClient({ baseUrl: "", fetch: injectFetch(other.server.app) });
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const url = after === undefined ? "/api/nfts" : `/api/nfts?limit=1000&after=${after}`;
      expect((await other.server.app.inject(url)).rawPayload.length).toBeLessThan(RESPONSE_BYTES + 1_000);
      const page = await reader.listNfts(after === undefined ? {} : { limit: 1_000, after });
      expect(page).toMatchObject({ total: count, has_more: page.next_after !== undefined });
      ids.push(...page.nfts.map(({ nft_id: id }) => id));
      if (page.next_after === undefined) break;
      after = page.next_after;
    }
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
  });
});
