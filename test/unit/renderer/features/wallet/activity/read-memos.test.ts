import { describe, expect, it } from "vitest";
import { type MemoClient, readMemos } from "#renderer/features/wallet/activity/memos/read-memos.ts";
import { HttpError } from "#shared/api/client.ts";

interface Entry {
  readonly id: string;
  readonly block: number;
}

/** The feed of an account as a node gives it: newest first, a page of a thousand, only blocks below `before_block`. */
function createClient(entries: readonly Entry[]): { client: MemoClient; calls: string[]; limits: number[] } {
  const calls: string[] = [];
  const limits: number[] = [];
  const memoOf = (id: string): string => (id.endsWith("7") ? "" : `memo of ${id}`);
  const client = {
    getAccountFeed: async ({ before_block: before = Number.POSITIVE_INFINITY, limit = 100 }) => {
      calls.push("feed");
      limits.push(limit);
      const page = entries.filter(({ block }) => block < before).slice(0, limit);
      return { transactions: page.map(({ id, block }) => ({ id, block_index: block, memo: memoOf(id) })) };
    },
    getChainTransaction: async ({ tx_id: id }: { readonly tx_id: string }) => {
      calls.push(id);
      return { tx: { id, memo: memoOf(id) } };
    },
  } as unknown as MemoClient;
  return { client, calls, limits };
}

const itemsOf = (entries: readonly Entry[]): { id: string; kind: "transfer" }[] => entries.map(({ id }) => ({ id, kind: "transfer" }));

describe("memos for the file", () => {
  it("are all there over pages that end within a block", async () => {
    const entries = Array.from({ length: 3_500 }, (_, index) => ({ id: `t${index}`, block: 9_000 - Math.floor(index / 7) }));
    const { client, calls } = createClient(entries);
    const memos = await readMemos(client, "ab", itemsOf(entries));
    expect(entries.filter(({ id }) => memos.get(id) !== (id.endsWith("7") ? undefined : `memo of ${id}`))).toEqual([]);
    expect(calls.length).toBeLessThan(6);
  });

  it("are asked for one by one where a block has more than a page", async () => {
    const entries = Array.from({ length: 1_003 }, (_, index) => ({ id: `t${index}`, block: 5 }));
    const { client, calls } = createClient([...entries, { id: "old", block: 4 }]);
    const memos = await readMemos(client, "ab", itemsOf([...entries, { id: "old", block: 4 }]));
    expect(memos.get("t1002")).toBe("memo of t1002");
    expect(memos.get("old")).toBe("memo of old");
    expect(calls.filter((call) => call !== "feed")).toEqual(["t1000", "t1001", "t1002"]);
  });

  it("are read but for those that the node cannot give; a node that is away gives none", async () => {
    const entries = Array.from({ length: 1_003 }, (_, index) => ({ id: `t${index}`, block: 5 }));
    const answering = (status: number): MemoClient => {
      const { client } = createClient(entries);
      const getChainTransaction: MemoClient["getChainTransaction"] = async (asked) => {
        if (asked.tx_id === "t1001") throw new HttpError(status, "no");
        return client.getChainTransaction(asked);
      };
      return { ...client, getChainTransaction };
    };
    for (const status of [404, 500]) {
      const memos = await readMemos(answering(status), "ab", itemsOf(entries));
      expect([memos.get("t1000"), memos.get("t1001"), memos.get("t1002")]).toEqual(["memo of t1000", undefined, "memo of t1002"]);
    }
    for (const status of [429, 503]) await expect(readMemos(answering(status), "ab", itemsOf(entries))).rejects.toThrow("no");
  });

  it("cost nothing where no payment is", async () => {
    const { client, calls } = createClient([]);
    expect(await readMemos(client, "ab", [{ id: "x", kind: "blockReward" }])).toEqual(new Map());
    expect(calls).toEqual([]);
  });

  it("of entries in the middle of a long history take one small page", async () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => ({ id: `t${index}`, block: 9_000 - index }));
    const { client, calls, limits } = createClient(entries);
    const some = entries.slice(2_000, 2_030);
    const items = some.map(({ id, block }) => ({ id, kind: "transfer" as const, state: { kind: "inBlock" as const, blockIndex: block } }));
    const memos = await readMemos(client, "ab", items);
    expect(memos.size).toBe(27);
    expect(calls).toEqual(["feed"]);
    expect(limits).toEqual([50]);
  });
});
