// Where the interface looks for what is too old for its node, and where it does not.
import { describe, expect, it } from "vitest";
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { withArchiveReads } from "#node/api/reads/archive-reads.ts";
import { OTHER_NODE } from "#node/api/reads/public-reads.ts";
import type { ApiServices } from "#node/api/services.ts";
import type { ArchiveRead, ArchiveReads } from "#node/queries/archive-reads.ts";
import { historyPruned } from "#node/queries/history-pruned.ts";
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
  const explorer = {
    getBlock: (index: number): unknown => Promise.resolve({ index }),
    getTransaction: (): unknown => Promise.resolve(undefined),
    accountHistory: (_account: string, { limit, offset }: { readonly limit: number; readonly offset: number }): unknown =>
      Promise.resolve({ txCount: ENTRIES, transactions: entries(offset, Math.min(ENTRIES, offset + limit)) }),
  };
  const archive = {
    canRead: true,
    firstHeight: 100,
    queries: { explorer, proofs: {} },
    read: async (read: ArchiveRead, work: () => Promise<unknown>) => {
      reads.push(read);
      return await work().catch(() => undefined);
    },
    ...changes,
  } as unknown as ArchiveReads;
  const services = { archive, mempool: { get: () => undefined } } as unknown as ApiServices;
  return { handlers: withArchiveReads(own, services, {} as Parameters<typeof withArchiveReads>[2]), archive, reads };
}

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
