import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_SET_ASIDE } from "#node/explorer/explorer.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { writeAbsences, writeSetAside } from "#node/ledger/records/absence-records.ts";
import type { Namespace, StateView } from "#node/ledger/state-view.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { StateKey } from "#node/light/light-source.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import type { KnownState, PassOutcome } from "#node/light/reads/known-state.ts";
import type { ListOf, ReadQueries } from "#node/queries/read-queries.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { PEOPLE } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, carol, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { lightQueriesHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

const BLOCKS = 24;
const SEED = 20_260_102;
const KEYS = [...new Set([...PEOPLE, alice, bob, carol, validator].map(({ pub }) => pub))];
const clock = { nowMs: (): number => START_MS + 1_000 * BLOCKS, monotonicMs: (): number => 0 };

let folder: TemporaryFolder;
let chain: TestChain;
let source: MemoryLightSource;
let full: ReadQueries;
let light: ReadQueries;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  const random = createRandom(SEED);
  for (let height = 1; height <= BLOCKS; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
  source = createMemoryLightSource(chain.database, clock);
  full = createReadQueries(chain.database, clock);
  light = lightQueriesHere(source, CONTRACTS_GENESIS, clock);
});
afterEach(async () => {
  chain.close();
  await folder.remove();
});

/** The answers of both nodes to a request. */
async function both<T>(ask: (queries: ReadQueries) => T | Promise<T>): Promise<{ readonly light: T; readonly full: T }> {
  return { light: await ask(light), full: await ask(full) };
}

async function expectSame<T>(ask: (queries: ReadQueries) => T | Promise<T>): Promise<T> {
  const responses = await both(ask);
  expect(responses.light).toEqual(responses.full);
  return responses.full;
}

describe("the queries of a light node", () => {
  it("answer about blocks and transactions what a full node answers", async () => {
    await expectSame(({ explorer }) => explorer.netStats());
    await expectSame(({ explorer }) => explorer.listBlocks({ limit: 10 }));
    const blocks = await expectSame(({ explorer }) => explorer.listBlocks({ limit: 10, before: 8 }));
    expect(blocks).toHaveLength(8);
    for (const { hash, index } of blocks) {
      await expectSame(({ explorer }) => explorer.getBlock(index));
      await expectSame(({ explorer }) => explorer.getBlockByHash(hash));
    }
    expect(await light.explorer.getBlock(BLOCKS + 1)).toBeUndefined();
    expect(await light.explorer.getBlockByHash("ab".repeat(32))).toBeUndefined();
    const recent = await expectSame(({ explorer }) => explorer.recentTransactions(1_000));
    expect(recent.length).toBeGreaterThan(20);
    for (const { id } of recent.slice(0, 12)) {
      await expectSame(({ explorer }) => explorer.getTransaction(id));
      await expectSame(({ explorer }) => explorer.chainTransaction(id));
      await expectSame(({ proofs }) => proofs.transaction(id));
    }
    expect(await light.explorer.getTransaction("tx-unknown")).toBeUndefined();
    for (const height of [0, 1, 2, 7, 20]) await expectSame(({ explorer }) => explorer.getTransaction(rewardId(height)));
    await expectSame(({ explorer }) => explorer.chart({ resolution: "hour", limit: 5 }));
  });

  it("answer about accounts, people and nodes what a full node answers", async () => {
    for (const key of KEYS) {
      await expectSame(({ explorer }) => explorer.accountHistory(key, { limit: 7, offset: 2 }));
      await expectSame(({ explorer }) => explorer.accountFeed(key, { limit: 5, order: "desc", afterBlock: 3, beforeBlock: 20 }));
      await expectSame(({ explorer }) => explorer.accountFeed(key, { limit: 5, order: "asc", afterBlock: 3 }));
      await expectSame(({ explorer }) => explorer.identity(key));
      await expectSame(({ explorer }) => explorer.deviceList(key));
      await expectSame(({ explorer }) => explorer.contactsOf(key, { limit: 50 }));
      await expectSame(({ explorer }) => explorer.contactsRequestedBy(key, { limit: 50 }));
      const { next } = await expectSame(({ explorer }) => explorer.contactsOf(key, { limit: 1 }));
      if (next !== undefined) await expectSame(({ explorer }) => explorer.contactsOf(key, { limit: 1, after: next }));
      await expectSame(({ nodes }) => nodes.nodeStats(key, 10));
      await expectSame(({ channels }) => channels.channels(key, { limit: 50 }));
      await expectSame(({ proofs }) => proofs.account(key));
      await expectSame(({ proofs }) => proofs.identity(key));
    }
    const channels = (await Promise.all(KEYS.map((key) => full.channels.channels(key, { limit: 50 })))).flatMap(({ items }) => items);
    expect(channels.length).toBeGreaterThan(0);
    for (const { channel_id: id } of channels) await expectSame((queries) => queries.channels.channel(id));
    await expectSame(({ explorer }) => explorer.validators());
    await expectSame(({ explorer }) => explorer.setAside());
    await expectSame(({ explorer }) => explorer.validatorProposals({ limit: 10 }));
    await expectSame(({ nodes }) => nodes.relays({ limit: 10 }));
  });

  it("answer about validators that are absent, or were set aside, what a full node answers", async () => {
    const { state } = chain.database;
    const view = {
      get: state.get.bind(state),
      set: (namespace: Namespace, key: Uint8Array, value: Uint8Array): void => state.apply([{ namespace, key, value }], []),
      delete: (namespace: Namespace, key: Uint8Array): void => state.apply([{ namespace, key, value: undefined }], []),
    };
    writeAbsences(view as unknown as StateView, [{ publicKey: validator.pub, missed: 41 }]);
    const aside = Array.from(
      { length: MAX_SET_ASIDE + 5 },
      (_, index) => [index.toString(16).padStart(64, "0"), 1_000 * (index % 50)] as const,
    );
    for (const [key, height] of aside) writeSetAside(view as unknown as StateView, key, height);
    expect(await expectSame(({ explorer }) => explorer.validators())).toMatchObject([{ pub_key: validator.pub, missed_commits: 41 }]);
    const listed = await expectSame(({ explorer }) => explorer.setAside());
    expect(listed).toHaveLength(MAX_SET_ASIDE);
    expect(listed.slice(0, 3).map(({ pub_key: key, since_block: height }) => [key, height])).toEqual(
      [49, 99, 48].map((index) => aside[index]),
    );
    writeSetAside(view as unknown as StateView, aside[49]?.[0] ?? "", undefined);
    expect((await expectSame(({ explorer }) => explorer.setAside()))[0]?.pub_key).toBe(aside[99]?.[0]);
  });

  it("answer about contracts and what they keep what a full node answers", async () => {
    await expectSame(({ contracts }) => contracts.wellKnown());
    const { items } = await expectSame(({ contracts }) => contracts.list({ limit: 50 }));
    expect(items).toHaveLength(6);
    for (const { contract_id: id } of items) {
      await expectSame(({ contracts }) => contracts.contract(id));
      await expectSame(({ contracts }) => contracts.logs(id, { limit: 10, order: "desc" }));
    }
    await expectSame(({ contracts }) => contracts.list({ limit: 2 }));
    await expectSame(({ contracts }) => contracts.list({ limit: 2, order: "desc" }));
    await expectSame(({ contracts }) => contracts.tokens({ limit: 10 }));
    await expectSame(({ contracts }) => contracts.token("tea"));
    await expectSame(({ contracts }) => contracts.token("coffee"));
    await expectSame(({ contracts }) => contracts.tokenBalance("tea", alice.pub));
    const nfts = await expectSame(({ contracts }) => contracts.nfts({ limit: 10 }));
    expect(nfts.items).toHaveLength(2);
    await expectSame(({ contracts }) => contracts.nfts({ limit: 1, after: "one" }));
    await expectSame(({ contracts }) => contracts.nft("one"));
    await expectSame(({ contracts }) => contracts.nftsOf(alice.pub, { limit: 10 }));
    const [tokens, escrow] = [nativeContractId("tokens"), nativeContractId("escrow")];
    await expectSame(({ contracts }) => contracts.value(tokens, "t:tea:supply"));
    await expectSame(({ proofs }) => proofs.contractState(tokens, "t:tea:supply"));
    const call = { caller: alice.pub, amountUt: 0, gasLimit: 1_000_000, isReadOnly: true, contractId: tokens };
    await expectSame(({ calls }) => calls.simulate({ ...call, method: "balance_of", argsJson: `["tea","${alice.pub}"]` }));
    await expectSame(({ calls }) => calls.simulate({ ...call, isReadOnly: false, method: "transfer", argsJson: `["tea","${bob.pub}",1]` }));
    await expectSame(({ calls }) => calls.simulate({ ...call, contractId: escrow, method: "get", argsJson: '["none"]' }));
    for (const text of ["name", "te", "on", "shop", "inn", alice.pub, String(BLOCKS), "nothing of it"])
      await expectSame(({ search }) => search.search(text, 5));
  });

  it("keep what is final and the records of a state, and ask again after the next block", async () => {
    const requests = async (): Promise<number> => {
      const before = source.calls.records;
      await light.contracts.token("tea");
      return source.calls.records - before;
    };
    expect(await requests()).toBeGreaterThan(0);
    expect(await requests()).toBe(0);
    chain.commit([callNative(alice, "tokens", "transfer", { args: ["tea", bob.pub, 2] })], START_MS + 1_000 * (BLOCKS + 1));
    expect(await requests()).toBeGreaterThan(0);
    await expectSame(({ contracts }) => contracts.tokenBalance("tea", bob.pub));
    await light.explorer.getBlock(3);
    const { bodies } = source.calls;
    await light.explorer.getBlock(3);
    expect(source.calls.bodies).toBe(bodies);
  });

  it("ask for many people at once", async () => {
    const before = source.calls.records;
    const identities = await Promise.all(KEYS.map((key) => light.explorer.identity(key)));
    expect(identities).toEqual(await Promise.all(KEYS.map((key) => full.explorer.identity(key))));
    expect(source.calls.records - before).toBe(1);
    const strangers = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(64, "0"));
    await Promise.all(strangers.map((key) => light.explorer.identity(key)));
    expect(source.calls.mostKeys).toBeLessThanOrEqual(64);
  });

  it("show one state also when the chain continues between two requests", async () => {
    const { records } = source;
    const held = source as { records: typeof records };
    let isFirst = true;
    held.records = async (keys): ReturnType<typeof records> => {
      const response = await records(keys);
      if (isFirst) {
        isFirst = false;
        const payment = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {}, nowMs: START_MS + 1_000 * BLOCKS });
        chain.commit([payment], START_MS + 1_000 * (BLOCKS + 1));
      }
      return response;
    };
    const [own, other] = await createLightReader(source, CONTRACTS_GENESIS).reads.read(({ explorer: _, state }) => {
      const first = state.get("account", Buffer.from(alice.pub, "hex"));
      return [first, first === undefined ? undefined : state.get("account", Buffer.from(bob.pub, "hex"))];
    });
    expect(own).toEqual(chain.database.state.get("account", Buffer.from(alice.pub, "hex")));
    expect(other).toEqual(chain.database.state.get("account", Buffer.from(bob.pub, "hex")));
  });
});

describe("work in another process", () => {
  const { provenRecordGas, provenByteGas, handedRecordGas, handedByteGas } = LIGHT_LIMITS;
  const keyOf = (index: number): StateKey => ({ namespace: "account", key: Uint8Array.of(index) });

  it("is given what it lacked, of one state, until it lacks nothing", async () => {
    const { reads } = createLightReader(source, CONTRACTS_GENESIS);
    const keys = [alice, bob].map(({ pub }): StateKey => ({ namespace: "account", key: Buffer.from(pub, "hex") }));
    const seen: KnownState[] = [];
    const { value, searchGas } = await reads.readElsewhere<string>(async (known) => {
      seen.push(known);
      const next = keys[known.records.length];
      return next === undefined ? { value: "done" } : { missing: [next], gasUsed: 7 };
    });
    expect([value, seen.map(({ records }) => records.length)]).toEqual(["done", [0, 1, 2]]);
    const [first = 0, second = 0] = (seen.at(-1)?.records ?? []).map((record) => record.value?.length ?? 0);
    const proven = 2 * provenRecordGas + (first + second) * provenByteGas;
    // The first one is handed over twice.
    const handed = 3 * handedRecordGas + (2 * (32 + first) + (32 + second)) * handedByteGas;
    expect(searchGas).toBe(2 * 7 + proven + handed);
    expect(seen.at(-1)?.tip.height).toBe(BLOCKS);
    for (const { key, value: held } of seen.at(-1)?.records ?? []) expect(held).toEqual(chain.database.state.get("account", key));
  });

  it("is given up when finding out what it needs takes too much", async () => {
    const { reads } = createLightReader(source, CONTRACTS_GENESIS);
    const passesOf = async (gasUsed: number): Promise<number> => {
      let passes = 0;
      const endless = async (): Promise<PassOutcome<never>> => {
        passes += 1;
        return { missing: [keyOf(passes)], gasUsed };
      };
      await expect(reads.readElsewhere(endless)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
      return passes;
    };
    expect(await passesOf(LIGHT_LIMITS.searchGas / 4)).toBe(4);
    expect(await passesOf(LIGHT_LIMITS.searchGas / 4 - 2 * provenRecordGas)).toBe(5);
    expect(await passesOf(0)).toBe(LIGHT_LIMITS.passesPerRead);
  });

  it("fetches no more than it may, whatever it says that it lacks, and however often the state is another one", async () => {
    let asked = 0;
    let states = 0;
    let isMoving = false;
    const records: MemoryLightSource["records"] = async (keys) => {
      asked += keys.length;
      if (isMoving) states += 1;
      return { at: { ...source.tip(), hash: `${states}` }, values: keys.map(() => undefined) };
    };
    const askedFor = async (keysOfPass: number): Promise<number> => {
      asked = 0;
      let last = 0;
      const { reads } = createLightReader({ ...source, records }, CONTRACTS_GENESIS);
      const work = async (): Promise<PassOutcome<never>> => {
        const missing = Array.from({ length: keysOfPass }, (): StateKey => {
          last += 1;
          return { namespace: "contract_state", key: Buffer.from(`${last}`) };
        });
        return { missing, gasUsed: 0 };
      };
      await expect(reads.readElsewhere(work)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
      return asked;
    };
    const most = LIGHT_LIMITS.searchGas / provenRecordGas;
    const { missingPerPass } = LIGHT_LIMITS;
    expect(await askedFor(missingPerPass)).toBe(missingPerPass * Math.floor(most / missingPerPass));
    expect(await askedFor(most / 4)).toBeLessThanOrEqual(most);
    isMoving = true;
    // What is asked again is counted once it was.
    for (const keysOfPass of [1, 20, most / 4]) expect(await askedFor(keysOfPass)).toBeLessThanOrEqual(2 * most);
  });

  it("is given up when it needs more than is handed over", async () => {
    const { reads } = createLightReader({ ...source, records: bigRecords }, CONTRACTS_GENESIS);
    let passes = 0;
    const work = async (): Promise<PassOutcome<never>> => {
      passes += 1;
      return { missing: Array.from({ length: 4 }, (_, index) => keyOf(index)), gasUsed: 0 };
    };
    await expect(reads.readElsewhere(work)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(passes).toBe(1);
    function bigRecords(keys: readonly StateKey[]): ReturnType<MemoryLightSource["records"]> {
      return Promise.resolve({ at: source.tip(), values: keys.map(() => new Uint8Array(LIGHT_LIMITS.knownBytes / 4)) });
    }
  });
});

describe("what a peer tells", () => {
  it("is left out of lists where no record proves it, and cannot be of another kind", async () => {
    source.tell = (operation, response): unknown => {
      if (operation !== "listTokens") return undefined;
      const { tokens, ...rest } = response as { readonly tokens: readonly { readonly token_id: string; readonly name: string }[] };
      const [tea] = tokens.filter(({ token_id: id }) => id === "tea");
      return {
        ...rest,
        tokens: [
          { ...tea, name: "Gold" },
          { ...tea, token_id: "invented" },
        ],
      };
    };
    const { items } = await light.contracts.tokens({ limit: 10 });
    expect(items.map(({ token_id, name }) => [token_id, name])).toEqual([["tea", "Tea"]]);
  });

  it("is no list of relays without an end", async () => {
    let asked = 0;
    source.tell = (operation, response): unknown => {
      if (operation !== "listRelays") return undefined;
      asked += 1;
      const [relay] = response as readonly object[];
      const keyOf = (n: number): string => (asked * 1_000 + n).toString(16).padStart(64, "0");
      return Array.from({ length: 100 }, (_, n) => ({
        ...relay,
        pub_key: keyOf(n),
        address: "",
        relay: { x25519_pub_key: "", fee_per_msg_ut: 1 },
      }));
    };
    expect(await light.nodes.relays({ limit: 300 })).toEqual([]);
    expect(asked).toBe(3);
  });

  it("does not stand for a reward that the history of its recipient does not hold", async () => {
    source.tell = (operation, response): unknown =>
      operation === "getTransaction" ? { ...(response as object), to: bob.pub, amount_ut: 9_999_999 } : undefined;
    expect(await light.explorer.getTransaction(rewardId(1))).toBeUndefined();
  });

  it("does not hide a contact of a person with a short history", async () => {
    const withContacts = KEYS.filter((key) => (full.explorer.contactsOf(key, { limit: 50 }) as ListOf<unknown>).items.length > 0);
    expect(withContacts.length).toBeGreaterThan(0);
    source.tell = (operation, response): unknown =>
      operation === "listContacts" || operation === "listSentContacts" ? { ...(response as object), count: 0, contacts: [] } : undefined;
    for (const key of withContacts) {
      await expectSame(({ explorer }) => explorer.contactsOf(key, { limit: 50 }));
      await expectSame(({ explorer }) => explorer.contactsRequestedBy(key, { limit: 50 }));
    }
  });

  it("does not lead back to contacts that were read", async () => {
    source.tell = (operation, response): unknown =>
      operation === "listContacts" ? { ...(response as object), has_more: true, next_after: "1.tx" } : undefined;
    for (const key of KEYS)
      expect(await light.explorer.contactsOf(key, { limit: 50, after: "2.tx" })).toEqual(
        full.explorer.contactsOf(key, { limit: 50, after: "2.tx" }),
      );
  });

  it("is no proof when it proves another value", async () => {
    source.tell = (operation, response): unknown =>
      operation === "proveAccount" ? { ...(response as object), value_hex: "83010058".padEnd(72, "0") } : undefined;
    await expect(Promise.resolve(light.proofs.account(alice.pub))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  });

  it("is refused when it has another shape", async () => {
    source.tell = (operation): unknown => (operation === "getNetstats" ? { height: "many" } : undefined);
    await expect(Promise.resolve(light.explorer.netStats())).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  });
});
