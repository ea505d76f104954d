// Which of an owner's transactions passes a group on, and what is no such thing; in long histories page by page.
import { describe, expect, it } from "vitest";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { findOwnerTransfer, MAX_TRANSFER_PAGES } from "#shared/messenger/node/find-owner-transfer.ts";
import { ownerMemo } from "#shared/protocol/groups/owner-memo.ts";

const [OWNER, OTHER] = ["aa".repeat(32), "bb".repeat(32)];
const [LOG, ENTRY, RIVAL] = ["07".repeat(16), "11".repeat(32), "22".repeat(32)];
const OWNED = { logId: LOG, owner: OWNER };

interface Fields {
  readonly type?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly memo?: string;
  readonly height?: number;
}

const payment = (fields: Fields = {}): object => {
  const { height = 5, ...rest } = fields;
  return { type: "TRANSFER", status: "ok", from: OWNER, to: OWNER, memo: ownerMemo(OWNED, ENTRY), block_index: height, ...rest };
};

/** A node whose owner has these transactions, in the order of the chain. */
function node(transactions: readonly object[]): { client: Pick<NodeClient, "getAccountFeed">; reads: number[] } {
  const reads: number[] = [];
  const getAccountFeed = async ({ after_block: after, limit }: { after_block: number; limit: number }): Promise<object> => {
    reads.push(after);
    const later = transactions.filter((entry) => (entry as { block_index: number }).block_index > after);
    return { transactions: later.slice(0, limit) };
  };
  return { client: { getAccountFeed } as unknown as Pick<NodeClient, "getAccountFeed">, reads };
}

const look = (transactions: readonly object[], after = 1): ReturnType<typeof findOwnerTransfer> =>
  findOwnerTransfer(node(transactions).client, { owner: OWNER, logId: LOG, after });

describe("the transfer that passes a group on", () => {
  it("is the first one to oneself that names the log, above a height", async () => {
    const rival = payment({ memo: ownerMemo(OWNED, RIVAL), height: 6 });
    expect(await look([payment(), rival])).toEqual({ found: { entry: ENTRY, height: 5 }, seen: 1, hasMore: false });
    expect(await look([payment(), rival], 5)).toMatchObject({ found: { entry: RIVAL, height: 6 } });
  });

  it.each<readonly [string, Fields]>([
    ["somebody else's", { from: OTHER, to: OTHER }],
    ["somebody else's to the owner", { from: OTHER }],
    ["to another one", { to: OTHER }],
    ["one that failed", { status: "failed" }],
    ["of another type", { type: "CALL_CONTRACT" }],
    ["of another log", { memo: ownerMemo({ ...OWNED, logId: "08".repeat(16) }, ENTRY) }],
    ["of another owner of the log", { memo: ownerMemo({ ...OWNED, owner: OTHER }, ENTRY) }],
    ["without a hash", { memo: ownerMemo(OWNED, "") }],
    ["with more words", { memo: `${ownerMemo(OWNED, ENTRY)} please` }],
  ])("is none that is %s", async (_, fields) => {
    expect(await look([payment(fields)])).toEqual({ found: undefined, seen: 5, hasMore: false });
  });

  it("is none of an account without transactions", async () => {
    const client = {
      getAccountFeed: () => Promise.reject(new HttpError(404, "no account")),
    } as unknown as Pick<NodeClient, "getAccountFeed">;
    await expect(findOwnerTransfer(client, { owner: OWNER, logId: LOG, after: 3 })).resolves.toEqual({
      found: undefined,
      seen: 3,
      hasMore: false,
    });
  });

  it("is found in a long history by looks within a bound, each from where the last one ended", async () => {
    // Seven transactions in each block: pages end within blocks.
    const before = Array.from({ length: 4_000 }, (_, index) => payment({ memo: "lunch", height: 10 + Math.floor(index / 7) }));
    const { client, reads } = node([...before, payment({ height: 2_000 })]);
    let after = 1;
    let looks = 0;
    for (;;) {
      looks += 1;
      const { found, seen, hasMore } = await findOwnerTransfer(client, { owner: OWNER, logId: LOG, after });
      expect(reads.splice(0).length).toBeLessThanOrEqual(MAX_TRANSFER_PAGES);
      if (found !== undefined) {
        expect(found).toEqual({ entry: ENTRY, height: 2_000 });
        break;
      }
      expect(hasMore).toBe(true);
      expect(seen).toBeGreaterThan(after);
      after = seen;
    }
    expect(looks).toBe(3);
  });

  it("is found in and after a block that is full of the owner's own transactions", async () => {
    const full = Array.from({ length: 700 }, () => payment({ memo: "", height: 9 }));
    expect(await look([...full, payment({ height: 9 })])).toMatchObject({ found: { entry: ENTRY, height: 9 } });
    expect(await look([...full, payment({ height: 12 })])).toMatchObject({ found: { entry: ENTRY, height: 12 } });
    const overfull = Array.from({ length: 1_200 }, () => payment({ memo: "", height: 9 }));
    expect(await look([...overfull, payment({ height: 12 })])).toMatchObject({ found: { entry: ENTRY, height: 12 } });
  });

  it("is not the one behind a thousand others in its block, wherever the look begins, but the next one is", async () => {
    const flood = Array.from({ length: 1_000 }, () => payment({ from: OTHER, memo: "", height: 9 }));
    const before = Array.from({ length: 130 }, () => payment({ memo: "", height: 8 }));
    for (const earlier of [[], before, before.slice(0, 60)])
      for (const after of [1, 7, 8])
        expect(
          await look([...earlier, ...flood, payment({ memo: ownerMemo(OWNED, RIVAL), height: 9 }), payment({ height: 10 })], after),
        ).toMatchObject({
          found: { entry: ENTRY, height: 10 },
        });
  });
});
