import { describe, expect, it } from "vitest";
import { findOnChain } from "#renderer/features/explorer/find-on-chain.ts";
import type { AddressDetail, BlockSummary, TransactionDetail } from "#shared/api/schemas/chain.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/address.ts";

const KEY = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const notFound = (): Promise<never> => Promise.reject(new CodedError("NOT_FOUND", "unknown"));

interface Known {
  readonly transaction?: string;
  readonly block?: string;
  readonly balanceUt?: number;
}

function nodeThatKnows(known: Known): Parameters<typeof findOnChain>[0] {
  const block = { index: 42, hash: known.block ?? "ff".repeat(32) } as BlockSummary;
  return {
    getTransaction: ({ txid }) => (txid === known.transaction ? Promise.resolve({ id: txid } as TransactionDetail) : notFound()),
    listBlocks: () => Promise.resolve([block]),
    getAddress: () => Promise.resolve({ tx_count: 0, balance_ut: known.balanceUt ?? 0 } as AddressDetail),
  };
}

describe("searching the chain", () => {
  it.each([
    ["a height", "12", { kind: "block", height: 12 }],
    ["an address", formatAddress(KEY), { kind: "account", publicKey: KEY }],
    ["a transaction id", "tx1abcdef0123", { kind: "transaction", id: "tx1abcdef0123" }],
    ["the id of a block reward", "reward-12", { kind: "transaction", id: "reward-12" }],
  ])("recognises %s without asking the node", async (_, text, target) => {
    const silent = { getTransaction: notFound, listBlocks: notFound, getAddress: notFound };
    expect(await findOnChain(silent, text)).toEqual({ kind: "found", target });
  });

  it("finds the transaction, the block or the account behind 64 hex digits", async () => {
    const text = KEY.toUpperCase();
    expect(await findOnChain(nodeThatKnows({ transaction: KEY }), text)).toMatchObject({ target: { kind: "transaction", id: KEY } });
    expect(await findOnChain(nodeThatKnows({ block: KEY }), text)).toMatchObject({ target: { kind: "block", height: 42 } });
    expect(await findOnChain(nodeThatKnows({ balanceUt: 5 }), text)).toMatchObject({ target: { kind: "account", publicKey: KEY } });
  });

  it("says when nothing is behind them, and keeps the key", async () => {
    expect(await findOnChain(nodeThatKnows({}), KEY)).toEqual({ kind: "nothing", account: KEY });
  });

  it.each(["hello world", "", "12.5", "<script>"])("calls %j malformed", async (text) => {
    expect(await findOnChain(nodeThatKnows({}), text)).toEqual({ kind: "malformed" });
  });

  it("tells a mistyped address, which would also be a possible transaction id", async () => {
    const address = formatAddress(KEY);
    expect(await findOnChain(nodeThatKnows({}), address.slice(0, -1))).toEqual({ kind: "mistyped" });
  });

  it("knows a name for a name", async () => {
    expect(await findOnChain(nodeThatKnows({}), "@anna")).toEqual({ kind: "name" });
  });

  it("tells when the node fails instead of calling it nothing", async () => {
    const failing = { ...nodeThatKnows({}), getTransaction: (): Promise<never> => Promise.reject(new CodedError("INTERNAL", "broken")) };
    await expect(findOnChain(failing, KEY)).rejects.toMatchObject({ code: "INTERNAL" });
  });
});
