import { describe, expect, it } from "vitest";
import { Explorer } from "#node/explorer/explorer.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { actor, alice, bob, carol, deviceKey, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

async function withExplorer(work: (explorer: Explorer, chain: TestChain) => void): Promise<void> {
  await using folder = await createTemporaryFolder();
  using chain = openTestChain(folder.path, { verify: () => true });
  work(new Explorer(chain.database), chain);
}

const pay = (amount: number, memo?: string, nowMs?: number): Transaction =>
  signed(alice, {
    type: "TRANSFER",
    to: bob.pub,
    amount,
    payload: memo === undefined ? {} : { memo },
    ...(nowMs === undefined ? {} : { nowMs }),
  });

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map((entry) => entry.id);

const ALL = { limit: 100 };
const EMPTY = { items: [], next: undefined };

describe("explorer", () => {
  it("shows a network that only has its genesis", () =>
    withExplorer((explorer) => {
      expect(explorer.netStats()).toEqual({
        height: 0,
        totalTxs: 0,
        totalTransfers: 0,
        totalRelayProofs: 0,
        avgBlockTimeMs: 0,
        tps: 0,
        totalSupplyUt: 21_000_000,
        validatorCount: 1,
      });
      expect(explorer.listBlocks(20)).toMatchObject([{ height: 0, txCount: 0, totalFeesUt: 0 }]);
      expect(explorer.recentTransactions(20)).toEqual([]);
      expect(explorer.validators()).toEqual([{ publicKey: validator.pub, bondUt: 1_000_000 }]);
    }));

  it("counts transactions, failed ones too, but no rewards", () =>
    withExplorer((explorer, chain) => {
      chain.commit([pay(1), pay(2)], START_MS + 1_000);
      chain.commit([pay(999_999_999), signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(1) } })], START_MS + 3_000);
      chain.commit([], START_MS + 101_000);
      expect(explorer.netStats()).toMatchObject({
        height: 3,
        totalTxs: 4,
        totalTransfers: 3,
        avgBlockTimeMs: 50_000,
        tps: 0.04,
        totalSupplyUt: 21_100_000,
      });
    }));

  it("lists blocks newest first, and below a height", () =>
    withExplorer((explorer, chain) => {
      for (const n of [1, 2, 3]) chain.commit([pay(n), pay(n)]);
      expect(explorer.listBlocks(2).map((block) => block.height)).toEqual([3, 2]);
      expect(explorer.listBlocks(20, 2).map((block) => block.height)).toEqual([1, 0]);
      expect(explorer.headBlock()).toMatchObject({ height: 3, txCount: 2, totalFeesUt: 2_000, proposer: validator.pub });
      expect(explorer.headBlock().hash).toBe(chain.executor.tip().hash);
    }));

  it("shows a block with its transactions in order, and none that does not exist", () =>
    withExplorer((explorer, chain) => {
      const transactions = [pay(1), pay(2), pay(3)];
      const block = chain.commit(transactions);
      expect(explorer.getBlock(1)).toMatchObject({ parentHash: block.header.parentHash, stateRoot: block.header.stateRoot, txCount: 3 });
      expect(idsOf(explorer.getBlock(1)?.transactions ?? [])).toEqual(idsOf(transactions));
      expect(explorer.getBlock(2)).toBeUndefined();
    }));

  it("shows a transaction with what it did", () =>
    withExplorer((explorer, chain) => {
      const good = pay(5, "for tea");
      const bad = pay(999_999_999);
      const { header } = chain.commit([good, bad]);
      expect(explorer.getTransaction(good.id)).toEqual({
        id: good.id,
        type: "TRANSFER",
        from: alice.pub,
        to: bob.pub,
        amountUt: 5,
        feeUt: 1_000,
        timestamp: good.timestamp,
        memo: "for tea",
        isOk: true,
        code: "",
        blockHeight: 1,
        blockHash: chain.executor.tip().hash,
        blockTimeMs: header.timeMs,
        payload: good.payload,
        signature: good.signature,
        gasUsed: 0,
      });
      expect(explorer.getTransaction(bad.id)).toMatchObject({ isOk: false, code: "INSUFFICIENT_BALANCE", feeUt: 1_000 });
      expect(explorer.getTransaction("unknown")).toBeUndefined();
    }));

  it("shows the reward of a block by its id and in the proposer's history only", () =>
    withExplorer((explorer, chain) => {
      const tx = pay(5);
      chain.commit([tx]);
      const reward = { id: "reward-1", type: "BLOCK_REWARD", from: "", to: validator.pub, amountUt: 51_000, feeUt: 0, signature: "" };
      expect(explorer.getTransaction("reward-1")).toMatchObject(reward);
      expect(idsOf(explorer.accountHistory(validator.pub, { limit: 10, offset: 0 }).entries)).toEqual(["reward-1"]);
      expect(idsOf(explorer.recentTransactions(10))).toEqual([tx.id]);
      expect(idsOf(explorer.getBlock(1)?.transactions ?? [])).toEqual([tx.id]);
      expect(explorer.headBlock().txCount).toBe(1);
    }));

  it("shows the newest of two transactions whose id returned after the window, and both in lists", () =>
    withExplorer((explorer, chain) => {
      const first = { ...pay(1), id: "again" };
      chain.commit([first], START_MS + 1_000);
      const later = START_MS + 1_000 + SEEN_WINDOW_MS;
      chain.commit([{ ...pay(2, undefined, later), id: "again" }], later);
      expect(explorer.getTransaction("again")).toMatchObject({ amountUt: 2, blockHeight: 2 });
      expect(explorer.recentTransactions(10).map((entry) => entry.amountUt)).toEqual([2, 1]);
      expect(explorer.accountHistory(bob.pub, { limit: 10, offset: 0 }).total).toBe(2);
    }));

  it("pages an account's history newest first", () =>
    withExplorer((explorer, chain) => {
      const all = [1, 2, 3, 4, 5].map((n) => pay(n));
      chain.commit(all.slice(0, 3));
      chain.commit(all.slice(3));
      const newest = idsOf(all).toReversed();
      expect(explorer.accountHistory(bob.pub, { limit: 2, offset: 0 })).toMatchObject({ total: 5 });
      expect(idsOf(explorer.accountHistory(bob.pub, { limit: 2, offset: 0 }).entries)).toEqual(newest.slice(0, 2));
      expect(idsOf(explorer.accountHistory(bob.pub, { limit: 2, offset: 4 }).entries)).toEqual(newest.slice(4));
      expect(explorer.accountHistory(carol.pub, { limit: 2, offset: 0 })).toEqual({ total: 0, entries: [], missingBelow: 0 });
    }));

  it("cuts an account's history by blocks, both ends left out, in either order", () =>
    withExplorer((explorer, chain) => {
      const all = [1, 2, 3, 4].map((n) => pay(n));
      for (const tx of all) chain.commit([tx]);
      const [first, second, third, fourth] = idsOf(all);
      const range = (over: object): readonly string[] =>
        idsOf(explorer.accountHistoryRange(bob.pub, { limit: 100, order: "asc", ...over }));
      expect(range({})).toEqual([first, second, third, fourth]);
      expect(range({ order: "desc", limit: 2 })).toEqual([fourth, third]);
      expect(range({ afterBlock: 1, beforeBlock: 4 })).toEqual([second, third]);
      expect(range({ afterBlock: 0 })).toEqual([first, second, third, fourth]);
      expect(range({ beforeBlock: 0 })).toEqual([]);
      expect(range({ afterBlock: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(range({ beforeBlock: Number.MAX_SAFE_INTEGER })).toEqual([first, second, third, fourth]);
    }));

  it("leaves a failed payment out of the recipient's history", () =>
    withExplorer((explorer, chain) => {
      chain.commit([pay(999_999_999)]);
      expect(explorer.accountHistory(alice.pub, { limit: 10, offset: 0 }).total).toBe(1);
      expect(explorer.accountHistory(bob.pub, { limit: 10, offset: 0 })).toEqual({ total: 0, entries: [], missingBelow: 0 });
    }));

  it("shows balances, identity and devices of the committed state", () =>
    withExplorer((explorer, chain) => {
      expect(explorer.identity(alice.pub)).toEqual({ publicKey: alice.pub, identity: undefined, deviceCount: 0 });
      chain.commit([
        signed(alice, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(1), nickname: "Alice" } }),
        signed(alice, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(2), device_name: "Laptop" } }),
      ]);
      expect(explorer.identity(alice.pub)).toEqual({
        publicKey: alice.pub,
        identity: { x25519Pub: deviceKey(1), nickname: "Alice" },
        deviceCount: 1,
      });
      expect(explorer.deviceList(alice.pub)).toMatchObject([{ x25519Pub: deviceKey(2), name: "Laptop" }]);
      expect(explorer.balance(alice.pub)).toBe(10_000_000 - 2_000);
      expect(explorer.balance(carol.pub)).toBe(0);
      expect(explorer.netStats().totalSupplyUt).toBe(21_000_000 + GENESIS.params.block_reward_ut);
    }));

  it("shows contact requests from both sides, oldest first and in every status", () =>
    withExplorer((explorer, chain) => {
      const request = (from: typeof alice, to: typeof alice): Transaction =>
        signed(from, { type: "CONTACT_REQUEST", to: to.pub, amount: 5_000, payload: { intro: "hello" } });
      chain.commit([request(alice, carol)]);
      chain.commit([request(bob, carol), request(alice, bob)], START_MS + 5_000);
      chain.commit([signed(carol, { type: "ACCEPT_CONTACT", to: alice.pub, payload: {} })]);
      expect(explorer.contactsOf(carol.pub, ALL).items.map(({ requesterPub, status }) => [requesterPub, status])).toEqual([
        [alice.pub, "accepted"],
        [bob.pub, "pending"],
      ]);
      expect(explorer.contactsRequestedBy(alice.pub, ALL).items.map(({ recipientPub, status }) => [recipientPub, status])).toEqual([
        [carol.pub, "accepted"],
        [bob.pub, "pending"],
      ]);
      expect([explorer.contactsOf(alice.pub, ALL), explorer.contactsRequestedBy(carol.pub, ALL)]).toEqual([EMPTY, EMPTY]);
      const [first] = explorer.contactsOf(carol.pub, ALL).items;
      const page = explorer.contactsOf(carol.pub, { limit: 1 });
      expect(page.items).toEqual([first]);
      expect(explorer.contactsOf(carol.pub, { limit: 1, after: page.next ?? "" })).toMatchObject({
        items: [{ requesterPub: bob.pub }],
        next: undefined,
      });
    }));

  it("pages through a long list of contact requests in order, whatever the order of their keys", () =>
    withExplorer((explorer, chain) => {
      const people = Array.from({ length: 22 }, (_, at) => actor(100 + at));
      chain.commit(people.map(({ pub: to }) => signed(alice, { type: "TRANSFER", to, amount: 10_000, payload: {} })));
      // Later blocks have the lower keys, so that what is read first is listed last.
      const senders = people.toSorted((a, b) => (a.pub < b.pub ? 1 : -1));
      for (const [at, from] of senders.entries())
        chain.commit([signed(from, { type: "CONTACT_REQUEST", to: carol.pub, amount: 5_000, payload: {} })], START_MS + 5_000 * (at + 1));
      for (const limit of [1, 2, 3, 7, 22, 23]) {
        const seen: string[] = [];
        for (let after: string | undefined, more = true; more; more = after !== undefined) {
          const page = explorer.contactsOf(carol.pub, after === undefined ? { limit } : { limit, after });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items.map(({ requesterPub }) => requesterPub));
          after = page.next;
        }
        expect(seen).toEqual(senders.map(({ pub }) => pub));
      }
    }));

  it("forgets a contact whose request was rolled back", () =>
    withExplorer((explorer, chain) => {
      chain.commit([signed(alice, { type: "CONTACT_REQUEST", to: carol.pub, amount: 5_000, payload: {} })]);
      chain.database.rollback(0);
      const lists = [explorer.contactsOf(carol.pub, ALL), explorer.contactsRequestedBy(alice.pub, ALL), explorer.recentTransactions(9)];
      expect(lists).toEqual([EMPTY, EMPTY, []]);
    }));
});
