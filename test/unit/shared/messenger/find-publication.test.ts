// Where in a long history the signature of a device is found, and what a node says that does not hold it.
import { describe, expect, it } from "vitest";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { findPublication } from "#shared/messenger/node/find-publication.ts";

const [MASTER, KEY, OTHER] = ["aa".repeat(32), "bb".repeat(32), "cc".repeat(32)];
const START_S = 1_700_000_000;
const PAGE = 100;

interface Answer {
  readonly missingBelow?: number;
}

/** A node at which the person has so many transactions, one an hour; some link a device. */
function node(
  count: number,
  links: Readonly<Record<number, string>>,
  { missingBelow }: Answer = {},
): { client: NodeClient; reads: number[] } {
  const reads: number[] = [];
  const entryAt = (index: number): object => ({
    id: `t${index}`,
    type: index in links ? "LINK_DEVICE" : "TRANSFER",
    from: MASTER,
    to: "",
    time: new Date((START_S + index * 3_600) * 1000).toISOString(),
  });
  const client = {
    getAddress: async ({ limit, offset }: { limit: number; offset: number }): Promise<object> => {
      reads.push(offset / PAGE);
      const newest = count - 1 - offset;
      const indexes = Array.from({ length: Math.max(0, Math.min(limit, newest + 1)) }, (_, position) => newest - position);
      return {
        tx_count: count,
        transactions: indexes.map(entryAt),
        ...(missingBelow === undefined ? {} : { missing_below: missingBelow }),
      };
    },
    getTransaction: async ({ txid }: { txid: string }): Promise<object> => {
      const index = Number(txid.slice(1));
      const payload = { x25519_pub_key: links[index] };
      return { ...entryAt(index), amount_ut: 0, fee_ut: 1_000, payload, payload_hex: "7b7d", signature_hex: "00".repeat(64) };
    },
  };
  return { client: client as unknown as NodeClient, reads };
}

const wanted = (index: number | undefined): Parameters<typeof findPublication>[1] => ({
  masterPub: MASTER,
  key: KEY,
  addedAt: index === undefined ? undefined : START_S + index * 3_600,
});

describe("the transaction that publishes a key", () => {
  it.each([0, 1, 4_999, 99_900, 99_999])("is found at place %i of a hundred thousand with few reads", async (index) => {
    const { client, reads } = node(100_000, { [index]: KEY, 7: OTHER });
    expect(await findPublication(client, wanted(index))).toMatchObject({ id: `t${index}`, fee: 1_000, payload: "e30=" });
    expect(reads.length).toBeLessThan(16);
  });

  it("is absent where the history is whole, whatever else was linked", async () => {
    const { client } = node(500, { 3: OTHER, 250: OTHER });
    expect(await findPublication(client, wanted(250))).toBe("absent");
    expect(await findPublication(client, wanted(undefined))).toBe("absent");
    expect(await findPublication(node(0, {}).client, wanted(5))).toBe("absent");
  });

  it("cannot be known of a history that is not here, or too long to read", async () => {
    expect(await findPublication(node(50, {}, { missingBelow: 9 }).client, wanted(5))).toBe("unknown");
    expect(await findPublication(node(1_000_000, {}).client, wanted(undefined))).toBe("unknown");
    const pruned = { getAddress: () => Promise.reject(new HttpError(410, "gone")) } as unknown as NodeClient;
    expect(await findPublication(pruned, wanted(5))).toBe("unknown");
    const absent = { getAddress: () => Promise.reject(new HttpError(404, "none")) } as unknown as NodeClient;
    expect(await findPublication(absent, wanted(5))).toBe("absent");
  });

  it("of the identity's own key is found among the first and the newest transactions", async () => {
    for (const index of [2, 9_950])
      expect(await findPublication(node(10_000, { [index]: KEY }).client, wanted(undefined))).toMatchObject({ id: `t${index}` });
  });

  it("is not looked for without end where many devices were linked", async () => {
    const links = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [index, OTHER]));
    expect(await findPublication(node(90, links).client, wanted(50))).toBe("unknown");
  });

  it("waits where the node cannot answer", async () => {
    const down = { getAddress: () => Promise.reject(new HttpError(503, "down")) } as unknown as NodeClient;
    await expect(findPublication(down, wanted(5))).rejects.toThrow();
  });
});
