// The endpoints under /v2/chain: an ordered feed between blocks, submission in every encoding, drafts that can be signed as they are.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, signed } from "#test/support/worlds/ledger-world.ts";

let world: ApiWorld;
let client: NodeClient;
const sent: Transaction[] = [];

/** Pays bob one µT more with every call, each in a block of its own. */
async function payInBlock(): Promise<void> {
  const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: sent.length + 1, payload: { memo: `no ${sent.length + 1}` } });
  await client.submitChainTransaction({ body: { tx } });
  sent.push(tx);
  world.commit();
}

const transfer = (): Transaction => signed(alice, { type: "TRANSFER", to: carol.pub, amount: 7, payload: {} });

beforeAll(async () => {
  world = await createApiWorld();
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  for (let block = 1; block <= 5; block += 1) await payInBlock();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("the feed of an account", () => {
  const blocksOf = async (query: object): Promise<readonly number[]> =>
    (await client.getAccountFeed({ account_id: bob.pub, ...query })).transactions.map(({ block_index }) => block_index);

  it("has the fields of the contract", async () => {
    const feed = await client.getAccountFeed({ account_id: formatAddress(bob.pub), limit: 1 });
    expect(feed).toEqual({
      account_id: bob.pub,
      account_addr: formatAddress(bob.pub),
      count: 1,
      order: "desc",
      limit_applied: 1,
      transactions: [
        {
          id: sent[4]?.id,
          type: "TRANSFER",
          memo: "no 5",
          from: alice.pub,
          from_addr: formatAddress(alice.pub),
          to: bob.pub,
          to_addr: formatAddress(bob.pub),
          amount_ut: 5,
          fee_ut: 1_000,
          gas_fee_ut: 0,
          block_index: 5,
          block_hash: (await client.getBlock({ index: 5 })).hash,
          time: sent[4]?.timestamp,
          status: "ok",
        },
      ],
    });
  });

  it.each<[object, readonly number[]]>([
    [{}, [5, 4, 3, 2, 1]],
    [{ order: "asc" }, [1, 2, 3, 4, 5]],
    [{ order: "asc", limit: 2 }, [1, 2]],
    [{ after_block: 3 }, [5, 4]],
    [{ before_block: 3 }, [2, 1]],
    [{ after_block: 1, before_block: 5, order: "asc" }, [2, 3, 4]],
    [{ after_block: 4, before_block: 5 }, []],
    [{ after_block: 5, before_block: 1 }, []],
    [{ after_block: 0 }, [5, 4, 3, 2, 1]],
    [{ before_block: 0 }, []],
    [{ after_block: "18446744073709551615" }, []],
    [{ before_block: "18446744073709551615", limit: 1 }, [5]],
  ])("with %j holds the blocks %j", async (query, blocks) => expect(await blocksOf(query)).toEqual(blocks));

  it("is complete when it is read page by page", async () => {
    const read: string[] = [];
    for (let after = 0; ; ) {
      const { transactions } = await client.getAccountFeed({ account_id: bob.pub, order: "asc", limit: 2, after_block: after });
      if (transactions.length === 0) break;
      read.push(...transactions.map(({ id }) => id));
      after = transactions.at(-1)?.block_index ?? 0;
    }
    expect(read).toEqual(sent.map(({ id }) => id));
  });

  it("cuts a limit above the maximum and says so", async () => {
    expect((await client.getAccountFeed({ account_id: bob.pub, limit: 5_000 })).limit_applied).toBe(1_000);
  });

  it("of an unused key is empty", async () => {
    expect(await client.getAccountFeed({ account_id: carol.pub })).toMatchObject({ count: 0, limit_applied: 100, transactions: [] });
  });

  it.each([
    ["limit=0", 400],
    ["limit=x", 400],
    ["order=up", 400],
    ["order=DESC", 400],
    ["after_block=-1", 400],
    ["before_block=1.5", 400],
  ])("with %s is refused", async (query, status) => {
    const response = await world.server.app.inject(`/v2/chain/accounts/${bob.pub}/transactions?${query}`);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual({ error: expect.stringContaining(query.split("=")[0] ?? "") });
  });

  it("of something that is no account is a 404", async () => {
    expect((await world.server.app.inject("/v2/chain/accounts/nope/transactions")).statusCode).toBe(404);
  });
});

describe("one transaction", () => {
  it("comes with payload and signature", async () => {
    const [first] = sent;
    const detail = await client.getChainTransaction({ tx_id: first?.id ?? "" });
    expect(detail).toMatchObject({ tx: { id: first?.id, memo: "no 1", block_index: 1 }, payload: { memo: "no 1" } });
    expect(detail.payload_hex).toBe(toHex(utf8('{"memo":"no 1"}')));
    expect(toBase64(fromHex(detail.signature_hex))).toBe(first?.signature);
  });

  it("that no block holds is a 404", async () => {
    await expect(client.getChainTransaction({ tx_id: "none" })).rejects.toMatchObject({ httpStatus: 404 });
  });
});

describe("submission", () => {
  it.each<[string, (tx: Transaction) => object]>([
    ["an object", (tx): object => ({ tx })],
    ["an object beside an empty signed_tx", (tx): object => ({ tx, signed_tx: "" })],
    ["JSON text", (tx): object => ({ signed_tx: JSON.stringify(tx) })],
    ["JSON text with spaces, beside a null tx", (tx): object => ({ tx: null, signed_tx: ` ${JSON.stringify(tx, null, 2)}\n` })],
    ["base64", (tx): object => ({ signed_tx: toBase64(utf8(JSON.stringify(tx))) })],
    ["hex", (tx): object => ({ signed_tx: toHex(utf8(JSON.stringify(tx))) })],
    ["upper-case hex", (tx): object => ({ signed_tx: toHex(utf8(JSON.stringify(tx))).toUpperCase() })],
  ])("takes a transaction as %s", async (_name, bodyOf) => {
    const tx = transfer();
    expect(await client.submitChainTransaction({ body: bodyOf(tx) })).toMatchObject({ id: tx.id, status: "accepted" });
  });

  it.each<[string, object]>([
    ["neither", {}],
    ["nulls", { tx: null, signed_tx: null }],
    ["both", { tx: transfer(), signed_tx: JSON.stringify(transfer()) }],
    ["another encoding", { signed_tx: "***" }],
    ["base64 of no JSON", { signed_tx: toBase64(utf8("hello")) }],
    ["base64 of no UTF-8", { signed_tx: toBase64(Uint8Array.of(0xff, 0xfe)) }],
    ["half a JSON text", { signed_tx: '{"id":' }],
    ["a JSON list", { signed_tx: toHex(utf8("[]")) }],
    ["a number", { signed_tx: 5 }],
    ["a text as tx", { tx: "text" }],
    ["a forged transaction", { tx: { ...transfer(), amount: 8 } }],
  ])("refuses %s", async (_name, body) => {
    const size = world.services.mempool.size;
    const response = await world.server.app.inject({ method: "POST", url: "/v2/chain/transactions", payload: body });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: expect.any(String) });
    expect(world.services.mempool.size).toBe(size);
  });

  it("needs the token where one is set, drafting does not", async () => {
    await using closed = await createApiWorld({ api: { token: "secret" } });
    const post = async (url: string, payload: object): Promise<number> =>
      (await closed.server.app.inject({ method: "POST", url, payload })).statusCode;
    expect(await post("/v2/chain/transactions", { tx: transfer() })).toBe(401);
    expect(await post("/v2/chain/transactions/draft", { from: alice.pub, to: bob.pub, amount_ut: 1 })).toBe(200);
  });
});

describe("a draft", () => {
  it.each(["sign_bytes_hex", "sign_bytes_base64"] as const)("is accepted once %s are signed", async (form) => {
    const body = { from: formatAddress(alice.pub), to: bob.pub.toUpperCase(), amount_ut: 9, memo: "drafted", fee_ut: 2_000 };
    const draft = await client.draftTransaction({ body });
    const bytes = form === "sign_bytes_hex" ? fromHex(draft.sign_bytes_hex) : Buffer.from(draft.sign_bytes_base64, "base64");
    const tx = { ...draft.tx, signature: toBase64(signEd25519(bytes, alice.seed)) };
    expect(tx).toMatchObject({ type: "TRANSFER", from: alice.pub, to: bob.pub, amount: 9, fee: 2_000 });
    expect(await client.submitChainTransaction({ body: { tx } })).toMatchObject({ status: "accepted" });
    world.commit();
    expect(await client.getChainTransaction({ tx_id: tx.id })).toMatchObject({ tx: { memo: "drafted", fee_ut: 2_000 } });
  });

  it("costs the smallest fee and has an empty payload by default, and two never share an id", async () => {
    const body = { from: alice.pub, to: bob.pub, amount_ut: 1 };
    const [one, two] = [await client.draftTransaction({ body }), await client.draftTransaction({ body })];
    expect(one.tx).toMatchObject({ fee: 1_000, payload: toBase64(utf8("{}")) });
    expect(one.tx.id).not.toBe(two.tx.id);
    expect(Buffer.from(one.sign_bytes_hex, "hex").toString()).toBe(
      JSON.stringify({
        id: one.tx.id,
        type: "TRANSFER",
        from: alice.pub,
        to: bob.pub,
        amount: 1,
        fee: 1_000,
        payload: one.tx.payload,
        timestamp: one.tx.timestamp,
      }),
    );
  });

  it.each<[object, RegExp]>([
    [{ from: undefined }, /from/],
    [{ to: undefined }, /to/],
    [{ amount_ut: undefined }, /amount_ut/],
    [{ from: "nope" }, /nope/],
    [{ to: "0".repeat(64) }, /to/],
    [{ amount_ut: 0 }, /amount/],
    [{ amount_ut: 1.5 }, /amount_ut/],
    [{ amount_ut: "5" }, /amount_ut/],
    [{ amount_ut: 2 ** 53 }, /amount_ut/],
    [{ fee_ut: 999 }, /fee/],
    [{ memo: "x".repeat(257) }, /memo/],
    [{ memo: 5 }, /memo/],
  ])("with %j is refused", async (patch, words) => {
    const payload = { from: alice.pub, to: bob.pub, amount_ut: 1, ...patch };
    const response = await world.server.app.inject({ method: "POST", url: "/v2/chain/transactions/draft", payload });
    expect(response.statusCode).toBe(400);
    expect((response.json() as { readonly error: string }).error).toMatch(words);
  });
});
