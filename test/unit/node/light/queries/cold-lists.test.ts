// Long lists of a light node that has read nothing yet: what a page misses is fetched together, not one item a round.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, alice, bob, deviceKey, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { lightQueriesHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

/** More than a read has rounds. */
const ITEMS = 100;
const PAYMENTS = 200;
/** Rounds of requests for records that a list may take, however long it is: the list, its records, what these name. */
const FEW = 8;
const people: readonly Actor[] = Array.from({ length: ITEMS }, (_, index) => actor(20 + index));
const clock = { nowMs: (): number => START_MS + 1_000 * (PAYMENTS + 10), monotonicMs: (): number => 0 };

let folder: TemporaryFolder;
let chain: TestChain;
let full: ReadQueries;

/** All transactions of the chain, a block each line. */
function blocks(): readonly (readonly Transaction[])[] {
  const numbers = Array.from({ length: ITEMS }, (_, index) => index);
  const expires_at = Math.floor(START_MS / 1_000) + 86_400;
  return [
    people.map(({ pub }) => signed(alice, { type: "TRANSFER", to: pub, amount: 20_000, payload: {} })),
    people.map((person) => signed(person, { type: "CONTACT_REQUEST", to: alice.pub, amount: 5_000, payload: {} })),
    people.map((person, n) => signed(person, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(n), fee_per_msg_ut: n } })),
    people.map(({ pub }) => signed(bob, { type: "CONTACT_REQUEST", to: pub, amount: 5_000, payload: {} })),
    numbers.map((n) => {
      const payload = { channel_id: n.toString(16).padStart(32, "0"), expires_at };
      return signed(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 1_000, payload });
    }),
    numbers.map((n) => callNative(bob, "nfts", "mint", { args: [`n${n}`, "One", ""] })),
    numbers.map((n) => callNative(bob, "tokens", "issue", { args: [`t${n}`, "T", "T", 0, 9] })),
    numbers.map((n) => deployEmpty(bob, { contract: `shop${n}` })),
    ...Array.from({ length: PAYMENTS }, (_, n) => [signed(alice, { type: "TRANSFER", to: bob.pub, amount: n + 1, payload: {} })]),
  ];
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const accounts = [alice, bob].map(({ pub }) => ({ pub_key: pub, balance_ut: 1_000_000_000 }));
  const genesis = { ...CONTRACTS_GENESIS, accounts };
  chain = openTestChain(folder.path, { genesis, verify: () => true });
  for (const [index, transactions] of blocks().entries()) {
    const block = chain.commit(transactions, START_MS + 1_000 * (index + 1));
    if (block.transactions.length !== transactions.length) throw new Error(`Block ${block.header.height} has no room for all`);
  }
  full = createReadQueries(chain.database, clock);
});
afterAll(async () => {
  chain.close();
  await folder.remove();
});

function coldLight(): { readonly light: ReadQueries; readonly source: MemoryLightSource } {
  const source = createMemoryLightSource(chain.database, clock);
  return { source, light: lightQueriesHere(source, CONTRACTS_GENESIS, clock) };
}

const PAGE = { limit: ITEMS };
const NFTS = nativeContractId("nfts");
type Read = (queries: ReadQueries) => unknown;
const LISTS: Readonly<Record<string, readonly [read: Read, items: number]>> = {
  blocks: [({ explorer }) => explorer.listBlocks(PAGE), ITEMS],
  "newest transactions": [({ explorer }) => explorer.recentTransactions(ITEMS), ITEMS],
  "a page of an address": [
    async ({ explorer }) => (await explorer.accountHistory(alice.pub, { limit: ITEMS, offset: 0 })).transactions,
    ITEMS,
  ],
  "its second page": [
    async ({ explorer }) => (await explorer.accountHistory(alice.pub, { limit: ITEMS, offset: ITEMS })).transactions,
    ITEMS,
  ],
  "rewards of a validator": [
    async ({ explorer }) => (await explorer.accountHistory(validator.pub, { limit: ITEMS, offset: 0 })).transactions,
    ITEMS,
  ],
  "a feed": [({ explorer }) => explorer.accountFeed(alice.pub, { limit: PAYMENTS, order: "desc" }), PAYMENTS],
  "a feed from its beginning": [({ explorer }) => explorer.accountFeed(alice.pub, { limit: ITEMS, order: "asc" }), ITEMS],
  "contact requests that came": [async ({ explorer }) => (await explorer.contactsOf(alice.pub, PAGE)).items, ITEMS],
  "contact requests that went": [async ({ explorer }) => (await explorer.contactsRequestedBy(bob.pub, PAGE)).items, ITEMS],
  "payment channels": [async ({ channels }) => (await channels.channels(alice.pub, PAGE)).items, ITEMS],
  contracts: [async ({ contracts }) => (await contracts.list(PAGE)).items, ITEMS],
  tokens: [async ({ contracts }) => (await contracts.tokens(PAGE)).items, ITEMS],
  "tokens of a key": [async ({ contracts }) => (await contracts.tokensOf(bob.pub, PAGE)).items, ITEMS],
  NFTs: [async ({ contracts }) => (await contracts.nfts(PAGE)).items, ITEMS],
  "NFTs of a key": [async ({ contracts }) => (await contracts.nftsOf(bob.pub, PAGE)).items, ITEMS],
  "lines of a contract": [async ({ contracts }) => (await contracts.logs(NFTS, { ...PAGE, order: "desc" })).items, ITEMS],
  relays: [async ({ nodes }) => nodes.relays(PAGE), ITEMS],
};

/** Lists that need transactions or blocks. */
const OF_BLOCKS: ReadonlySet<string> = new Set([
  "blocks",
  "newest transactions",
  "a page of an address",
  "its second page",
  "rewards of a validator",
  "a feed",
  "a feed from its beginning",
  "payment channels",
  "lines of a contract",
]);

describe("a light node that has read nothing yet", () => {
  it.each(Object.entries(LISTS))("shows %s as a full node does, in a few rounds", async (name, [read, items]) => {
    const { light, source } = coldLight();
    const shown = await read(light);
    expect(shown).toHaveLength(items);
    expect(shown).toEqual(await read(full));
    expect(source.calls.records).toBeLessThanOrEqual(FEW * Math.ceil(items / 64) + FEW);
    const { mostAtOnce } = source.calls;
    expect([0, LIGHT_LIMITS.fetchesAtOnce]).toContain(mostAtOnce);
    expect(mostAtOnce > 0).toBe(OF_BLOCKS.has(name));
  });
});
