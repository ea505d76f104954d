// A transaction by its id while it waits for a block, then in it, and once it is gone.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { isInBlock, readCommitted } from "#shared/api/reads/known-transaction.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

let world: ApiWorld;
let client: NodeClient;
let tx: Transaction;
beforeEach(async () => {
  world = await createApiWorld();
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1_500_000, fee: 2_000, payload: { memo: "lunch" } });
});
afterEach(() => world[Symbol.asyncDispose]());

const byId = (): Promise<unknown> => client.getTransaction({ txid: tx.id });
const byIdV2 = (): Promise<unknown> => client.getChainTransaction({ tx_id: tx.id });

describe("a transaction by its id", () => {
  it("is unknown, then pending without a block, then in its block", async () => {
    for (const read of [byId, byIdV2]) await expect(read()).rejects.toMatchObject({ httpStatus: 404 });
    await client.submitTransaction({ body: tx });
    const raw = {
      payload: { memo: "lunch" },
      payload_hex: Buffer.from(tx.payload, "base64").toString("hex"),
      signature_hex: Buffer.from(tx.signature, "base64").toString("hex"),
    };
    const entry = {
      id: tx.id,
      type: "TRANSFER",
      from: alice.pub,
      from_addr: formatAddress(alice.pub),
      to: bob.pub,
      to_addr: formatAddress(bob.pub),
      amount_ut: 1_500_000,
      fee_ut: 2_000,
      time: tx.timestamp,
      status: "pending",
    };
    expect(await byId()).toEqual({ ...entry, amount: "1.5 T", fee: "0.002 T", ...raw });
    expect(await byIdV2()).toEqual({ tx: { ...entry, memo: "lunch" }, ...raw });
    expect(await readCommitted(client, tx.id)).toBeUndefined();
    world.commit();
    for (const [read, where] of [
      [byId, { ...entry, status: "ok", block_index: 1, gas_fee_ut: 0 }],
      [byIdV2, { tx: { ...entry, status: "ok", block_index: 1, gas_fee_ut: 0 } }],
    ] as const)
      expect(await read()).toMatchObject(where);
    expect(isInBlock(await client.getTransaction({ txid: tx.id }))).toBe(true);
  });

  it("is not remembered as pending: one that expires is unknown again", async () => {
    await client.submitTransaction({ body: tx });
    // From the second time on final responses are kept.
    for (let n = 0; n < 3; n += 1) for (const read of [byId, byIdV2]) await read();
    world.clock.advance(2 * TX_WINDOW_MS);
    world.commit();
    expect(world.services.mempool.size).toBe(0);
    for (const read of [byId, byIdV2]) await expect(read()).rejects.toMatchObject({ httpStatus: 404 });
  });

  it("has no fields that only a block gives, whatever its type", async () => {
    const others = [
      signed(alice, { type: "HEARTBEAT", payload: {} }),
      signed(bob, { type: "CALL_CONTRACT", amount: 3, payload: { contract_id: "0".repeat(16), method: "none", args_json: "[]" } }),
    ];
    for (const other of others) {
      const accepted = await client.submitTransaction({ body: other }).catch(() => undefined);
      if (accepted === undefined) continue;
      const pending = await client.getTransaction({ txid: other.id });
      expect(pending).toMatchObject({ status: "pending", type: other.type, to_addr: "" });
      for (const field of ["block_index", "block_hash", "block_time", "gas_used", "gas_fee_ut"]) expect(pending).not.toHaveProperty(field);
    }
  });
});
