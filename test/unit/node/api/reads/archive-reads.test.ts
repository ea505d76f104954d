// Where the interface looks for what is too old for its node, and where it does not.
import { describe, expect, it } from "vitest";
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import { withArchiveReads } from "#node/api/reads/archive-reads.ts";
import { OTHER_NODE } from "#node/api/reads/public-reads.ts";
import type { ApiServices } from "#node/api/services.ts";
import type { ArchiveRead, ArchiveReads } from "#node/queries/archive-reads.ts";
import { historyPruned } from "#node/queries/history-pruned.ts";
import type { HistoryRange } from "#node/queries/read-queries.ts";
import type { Input } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const STRANGER: RequestContext = { ...OTHER_NODE, address: "192.0.2.7" };
const ENTRIES = 160;

/** A node that has the newest 50 of 160 entries, no block below 100 and no id of one, and another one that has all. */
function createHandlers(changes: Partial<ArchiveReads> = {}): {
  readonly handlers: Handlers;
  readonly archive: ArchiveReads;
  readonly reads: ArchiveRead[];
} {
  const reads: ArchiveRead[] = [];
  const own = {
    getBlock: ({ index }: { readonly index: number }) => Promise.reject(historyPruned(index, 100)),
    getTransaction: () => Promise.reject(new CodedError("NOT_FOUND", "not here")),
    getAddress: ({ limit = 50, offset = 0 }) => {
      const transactions = entries(offset, Math.min(50, offset + limit));
      const next = offset + transactions.length;
      const missing = transactions.length < Math.min(limit, ENTRIES - offset) ? { missing_below: 100 } : {};
      const page = { pub_key: alice.pub, tx_count: ENTRIES, offset, limit, next_offset: next, has_more: false, ...missing };
      return Promise.resolve({ ...page, transactions });
    },
  } as unknown as Handlers;
  const listed = (to: number, limit: number): readonly { readonly index: number }[] =>
    Array.from({ length: Math.max(0, Math.min(limit, to)) }, (_, offset) => ({ index: to - 1 - offset }));
  Object.assign(own, {
    listBlocks: ({ limit = 20, before = 201 }) =>
      before <= 100 ? Promise.reject(historyPruned(before - 1, 100)) : Promise.resolve(listed(before, Math.min(limit, before - 100))),
    listContractLogs: () => Promise.resolve(new JsonText('{"logs":[],"missing_below":100}')),
    listChannels: () => Promise.resolve({ channels: [] }),
    // Entry n of 160, the oldest one 1, is in block n: those of 111 and above are here.
    getAccountFeed: ({ limit = 100, order = "desc", after_block: after = 110, before_block: before = 161 }: Input<"getAccountFeed">) => {
      if (after < 110 || before <= 111) return Promise.reject(historyPruned(after + 1, 111));
      const transactions = feed(after + 1, before - 1, limit, order);
      return Promise.resolve({ account_id: alice.pub, order, limit_applied: limit, count: transactions.length, transactions });
    },
  });
  const explorer = {
    listBlocks: ({ limit, before }: { readonly limit: number; readonly before: number }): unknown => Promise.resolve(listed(before, limit)),
    getBlock: (index: number): unknown => Promise.resolve({ index }),
    getTransaction: (): unknown => Promise.resolve(undefined),
    accountHistory: (_account: string, { limit, offset }: { readonly limit: number; readonly offset: number }): unknown =>
      Promise.resolve({ txCount: ENTRIES, transactions: entries(offset, Math.min(ENTRIES, offset + limit)) }),
  };
  const archive = {
    canRead: true,
    firstHeight: 100,
    nodes: 2,
    queries: { explorer, proofs: {} },
    entriesBelow: () => ({ firstHeight: 111, count: 110 }),
    entriesOf: (_account: string, { limit, order, afterBlock = 0, beforeBlock = 111 }: HistoryRange, count: number) =>
      Promise.resolve(feed(afterBlock + 1, Math.min(count, beforeBlock - 1), limit, order)),
    read: async (read: ArchiveRead, work: () => Promise<unknown>) => {
      reads.push(read);
      return await work().catch(() => undefined);
    },
    ...changes,
  } as unknown as ArchiveReads;
  const services = { archive, mempool: { get: () => undefined } } as unknown as ApiServices;
  return { handlers: withArchiveReads(own, services, {} as Parameters<typeof withArchiveReads>[2]), archive, reads };
}

/** Entries of a feed, each in the block of its number. */
function feed(first: number, last: number, limit: number, order: "asc" | "desc"): readonly { readonly block_index: number }[] {
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({ block_index: first + index }));
  return (order === "asc" ? all : all.toReversed()).slice(0, limit);
}

const heights = (page: unknown): readonly number[] =>
  (page as { readonly transactions: readonly { readonly block_index: number }[] }).transactions.map((entry) => entry.block_index);

function entries(from: number, to: number): readonly { readonly id: string }[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: `entry ${from + index}` }));
}

describe("a read of what the node does not hold", () => {
  it("is answered out of other nodes, and the own error stays where they have nothing", async () => {
    const { handlers, reads } = createHandlers();
    expect(await handlers.getBlock({ index: 5 }, STRANGER)).toEqual({ index: 5 });
    expect(reads).toMatchObject([{ address: STRANGER.address, isOwn: false }]);
    await expect(handlers.getTransaction({ txid: "a" }, STRANGER)).rejects.toThrow("not here");
  });

  it("is not passed on for another node, and none without such nodes", async () => {
    const { handlers, reads } = createHandlers();
    await expect(handlers.getBlock({ index: 5 }, OTHER_NODE)).rejects.toMatchObject({ code: "HISTORY_PRUNED" });
    expect(await handlers.getAddress({ addr: alice.pub, limit: 60 }, OTHER_NODE)).toMatchObject({ missing_below: 100 });
    expect(reads).toEqual([]);
    const alone = createHandlers({ canRead: false });
    await expect(alone.handlers.getBlock({ index: 5 }, STRANGER)).rejects.toMatchObject({ code: "HISTORY_PRUNED" });
    expect(alone.reads).toEqual([]);
  });

  it("that is one too many is refused, unless what it asks for may not exist", async () => {
    const read = (): Promise<never> => Promise.reject(new CodedError("BUSY", "too many"));
    const { handlers } = createHandlers({ read });
    await expect(handlers.getBlock({ index: 5 }, STRANGER)).rejects.toMatchObject({ code: "BUSY" });
    await expect(handlers.getTransaction({ txid: "a" }, STRANGER)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await handlers.getAddress({ addr: alice.pub, limit: 60 }, STRANGER)).toMatchObject({ missing_below: 100, next_offset: 50 });
  });

  it("fills a page of a history, or leaves it as it is: a page with more behind it is never short", async () => {
    const { handlers, reads } = createHandlers();
    const page = await handlers.getAddress({ addr: alice.pub, limit: 60 }, STRANGER);
    expect(page).toMatchObject({ next_offset: 60, has_more: true, transactions: entries(0, 60) });
    expect(page).not.toHaveProperty("missing_below");
    expect(await handlers.getAddress({ addr: alice.pub, limit: 100, offset: 100 }, STRANGER)).toMatchObject({
      has_more: false,
      next_offset: ENTRIES,
      transactions: entries(100, ENTRIES),
    });
    const short = createHandlers();
    const history = short.archive.queries.explorer as { accountHistory: unknown };
    history.accountHistory = (): unknown => Promise.resolve({ txCount: ENTRIES, transactions: entries(50, 55) });
    expect(await short.handlers.getAddress({ addr: alice.pub, limit: 60 }, STRANGER)).toMatchObject({
      missing_below: 100,
      next_offset: 50,
    });
    const asked = reads.length;
    expect(await handlers.getAddress({ addr: alice.pub, limit: 1_000 }, STRANGER)).toMatchObject({ missing_below: 100, next_offset: 50 });
    expect(reads).toHaveLength(asked);
  });
});

describe("a list that reaches below the own blocks", () => {
  const indices = (blocks: unknown): readonly number[] => (blocks as readonly { readonly index: number }[]).map(({ index }) => index);

  it("of blocks is continued with what others prove, and is the own part where they prove nothing", async () => {
    const { handlers, reads } = createHandlers();
    expect(indices(await handlers.listBlocks({ limit: 4, before: 102 }, STRANGER))).toEqual([101, 100, 99, 98]);
    expect(indices(await handlers.listBlocks({ limit: 20, before: 3 }, STRANGER))).toEqual([2, 1, 0]);
    expect(reads.map(({ cost }) => cost)).toEqual([6, 7]);
    expect(indices(await handlers.listBlocks({ limit: 4 }, STRANGER))).toEqual([200, 199, 198, 197]);
    expect(reads).toHaveLength(2);
    const none = createHandlers({ read: () => Promise.resolve(undefined) });
    expect(indices(await none.handlers.listBlocks({ limit: 4, before: 102 }, STRANGER))).toEqual([101, 100]);
    await expect(none.handlers.listBlocks({ limit: 4, before: 50 }, STRANGER)).rejects.toMatchObject({
      code: "HISTORY_PRUNED",
      details: { older_nodes: 2 },
    });
    await expect(handlers.listBlocks({ limit: 4, before: 50 }, OTHER_NODE)).rejects.toMatchObject({ details: { from_height: 100 } });
  });

  it("of an account is whole in both orders, from any block to any other", async () => {
    const { handlers } = createHandlers();
    const read = (range: object): Promise<readonly number[]> =>
      Promise.resolve(handlers.getAccountFeed({ account_id: alice.pub, ...range }, STRANGER)).then(heights);
    expect(await read({ limit: 2 })).toEqual([160, 159]);
    expect(await read({ limit: 3, before_block: 113 })).toEqual([112, 111, 110]);
    expect(await read({ limit: 3, before_block: 50 })).toEqual([49, 48, 47]);
    expect(await read({ limit: 3, order: "asc", after_block: 7 })).toEqual([8, 9, 10]);
    expect(await read({ limit: 4, order: "asc", after_block: 108 })).toEqual([109, 110, 111, 112]);
    expect(await read({ limit: 9, order: "asc", after_block: 108, before_block: 111 })).toEqual([109, 110]);
    expect(await read({ limit: 4, order: "asc" })).toEqual([1, 2, 3, 4]);
    expect(await read({ limit: 4, after_block: 110 })).toEqual([160, 159, 158, 157]);
  });

  it("of an account is refused or named short where others prove nothing, and never short without a word", async () => {
    const { handlers } = createHandlers({ read: () => Promise.resolve(undefined) });
    const input = { account_id: alice.pub };
    for (const range of [{ after_block: 7 }, { before_block: 50 }])
      await expect(handlers.getAccountFeed({ ...input, ...range }, STRANGER)).rejects.toMatchObject({ code: "HISTORY_PRUNED" });
    const page = await handlers.getAccountFeed({ ...input, limit: 100 }, STRANGER);
    expect(page).toMatchObject({ count: 50, missing_below: 111, older_nodes: 2 });
    const alone = createHandlers({ canRead: false, nodes: 0 });
    await expect(alone.handlers.getAccountFeed({ ...input, after_block: 7 }, STRANGER)).rejects.toThrow("no connected node says");
    // Few are older, whatever the page may have.
    const few = createHandlers({ entriesBelow: () => ({ firstHeight: 111, count: 3 }) });
    const whole = await few.handlers.getAccountFeed({ ...input, limit: 400 }, STRANGER);
    expect(heights(whole).slice(-3)).toEqual([3, 2, 1]);
    expect(whole).not.toHaveProperty("missing_below");
    expect(few.reads.map(({ cost }) => cost)).toEqual([7]);
    // More than one read fetches.
    expect(await createHandlers().handlers.getAccountFeed({ ...input, limit: 400 }, STRANGER)).toMatchObject({ missing_below: 111 });
  });

  it("and cannot be proven whole says how many nodes to ask, but not to other nodes", async () => {
    const { handlers } = createHandlers();
    const logs = { contractID: "ab".repeat(32) };
    expect(await handlers.listContractLogs(logs, STRANGER)).toEqual({ logs: [], missing_below: 100, older_nodes: 2 });
    expect(await handlers.listContractLogs(logs, OTHER_NODE)).toBeInstanceOf(JsonText);
    expect(await handlers.listChannels({ account: alice.pub }, STRANGER)).toEqual({ channels: [] });
  });
});
