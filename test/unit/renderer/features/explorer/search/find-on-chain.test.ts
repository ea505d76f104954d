import { describe, expect, it } from "vitest";
import { findOnChain } from "#renderer/features/explorer/search/find-on-chain.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const HASH = "ab".repeat(32);
const NOTHING: SearchResult = {
  query: "",
  count: 0,
  blocks: [],
  transactions: [],
  accounts: [],
  usernames: [],
  contracts: [],
  tokens: [],
  nfts: [],
  relays: [],
  validators: [],
};
const username = { username: "anna", pub_key: KEY, address: formatAddress(KEY) };
const contract = { contract_id: "0".repeat(16), name: "tokens", version: "1", deployed_at: 0 };
const block = { index: 7, hash: HASH, time: "", validator: "", tx_count: 0, total_fees_ut: 0 };

const answering = (found: Partial<SearchResult>): Parameters<typeof findOnChain>[0] => ({
  search: (): Promise<SearchResult> => Promise.resolve({ ...NOTHING, count: Object.values(found).flat().length, ...found }),
});
const failing: Parameters<typeof findOnChain>[0] = { search: () => Promise.reject(new Error("must not be asked")) };

describe("searching the chain", () => {
  it("goes to the only hit, whatever it is found by", async () => {
    expect(await findOnChain(answering({ blocks: [block] }), HASH)).toEqual({ kind: "found", target: { kind: "block", height: 7 } });
    expect(await findOnChain(answering({ usernames: [username] }), "@anna")).toEqual({
      kind: "found",
      target: { kind: "account", publicKey: KEY },
    });
  });

  it("offers several hits, and kinds that have a list of their own", async () => {
    expect((await findOnChain(answering({ usernames: [username], contracts: [contract] }), "a")).kind).toBe("several");
    expect((await findOnChain(answering({ contracts: [contract] }), "tokens")).kind).toBe("several");
  });

  it("opens an address without asking: it is valid before it was ever used", async () => {
    expect(await findOnChain(failing, formatAddress(KEY))).toEqual({ kind: "found", target: { kind: "account", publicKey: KEY } });
  });

  it("tells a mistyped address from nothing", async () => {
    expect(await findOnChain(failing, formatAddress(KEY).replace(/.$/, "x"))).toEqual({ kind: "mistyped" });
    expect(await findOnChain(answering({}), "nothing of that name")).toEqual({ kind: "nothing", account: undefined });
    expect(await findOnChain(answering({}), KEY)).toEqual({ kind: "nothing", account: KEY });
  });

  it("waits at the page of a block that is not made yet", async () => {
    expect(await findOnChain(answering({}), "99")).toEqual({ kind: "found", target: { kind: "block", height: 99 } });
  });
});
