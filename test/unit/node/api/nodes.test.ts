// Reputation and rewards of nodes, and the registered relays, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { bindingOf, claimOf } from "#test/support/chain/ledger-payloads.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, deviceKey, signed, validator } from "#test/support/worlds/ledger-world.ts";

let world: ApiWorld;
let client: NodeClient;

async function block(...txs: readonly Transaction[]): Promise<void> {
  for (const tx of txs) await client.submitTransaction({ body: tx });
  world.commit();
}

const pay = (amount: number): Transaction => signed(alice, { type: "TRANSFER", to: validator.pub, amount, payload: {} });

beforeAll(async () => {
  world = await createApiWorld();
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  await block(
    signed(bob, {
      type: "REGISTER_RELAY",
      payload: { x25519_pub_key: deviceKey(30), fee_per_msg_ut: 1_000, multiaddr: "/ip4/1.2.3.4/tcp/1" },
    }),
    pay(100_000),
  );
  await block(
    signed(alice, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(31), fee_per_msg_ut: 0 } }),
    signed(bob, { type: "HEARTBEAT", payload: {} }),
    signed(bob, { type: "RELAY_PROOF", payload: { claims: [claimOf(alice, "env-1", 700)] } }),
  );
  await block(signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, carol) }));
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a node", () => {
  it("has the reputation and rewards of what it did", async () => {
    const stats = await client.getNodeStats({ pubkey: formatAddress(validator.pub) });
    expect(stats).toMatchObject({
      pub_key: validator.pub,
      address: formatAddress(validator.pub),
      wallet_binding_address: formatAddress(carol.pub),
      wallet_binding_balance_ut: 51_000,
      reputation_score: 15,
      reputation_rank: "Validator",
      blocks_produced: 3,
      relay_proofs: 0,
      slash_count: 0,
      heartbeats: 0,
      recent_window_blocks: 200,
      recent_blocks_produced: 3,
      recent_rewards_ut: 156_000,
      recent_rewards: "0.156 T",
    });
    expect(stats.node_balance).toBe(`${stats.node_balance_ut / 1_000_000} T`);
  });

  it("is listed as a validator with its bond and what it signed, unless it never was one", async () => {
    const { validator: validatorFields } = await client.getNodeStats({ pubkey: validator.pub });
    const { height } = await client.getNetworkInfo({});
    expect(validatorFields).toEqual({
      in_set: true,
      bond_ut: 1_000_000,
      commits_expected: height,
      commits_signed: height,
      recent_commits: { height, marks: "1".repeat(height) },
    });
    expect((await client.getNodeStats({ pubkey: validator.pub, window: 2 })).validator).toMatchObject({ commits_expected: 2 });
    expect(await client.getNodeStats({ pubkey: bob.pub })).not.toHaveProperty("validator");
  });

  it("is looked at over a window", async () => {
    expect(await client.getNodeStats({ pubkey: validator.pub, window: 1 })).toMatchObject({
      blocks_produced: 3,
      recent_window_blocks: 1,
      recent_blocks_produced: 1,
      recent_rewards_ut: 51_000,
    });
    expect((await client.getNodeStats({ pubkey: validator.pub, window: 1_000_000 })).recent_window_blocks).toBe(10_000);
  });

  it("gets points for relaying and heartbeats", async () => {
    expect(await client.getNodeStats({ pubkey: bob.pub })).toMatchObject({
      reputation_score: 11,
      reputation_rank: "Observer",
      relay_proofs: 1,
      heartbeats: 1,
      blocks_produced: 0,
      wallet_binding_address: "",
      wallet_binding_balance_ut: 0,
      recent_rewards: "0 T",
    });
  });

  it.each([
    ["/api/node/nope", 404],
    [`/api/node/${bob.pub}?window=0`, 400],
    [`/api/node/${bob.pub}?window=x`, 400],
  ])("%s is a %s", async (url, status) => {
    const response = await world.server.app.inject(url);
    expect([response.statusCode, response.json()]).toEqual([status, { error: expect.any(String) }]);
  });
});

describe("relays", () => {
  it("are listed with fee, address and last sign of life", async () => {
    const relays = await client.listRelays({});
    const now = Math.floor(Date.parse((await client.getBlock({ index: 2 })).time) / 1000);
    expect(relays).toHaveLength(2);
    expect(relays).toContainEqual({
      pub_key: bob.pub,
      address: formatAddress(bob.pub),
      relay: { x25519_pub_key: deviceKey(30), fee_per_msg_ut: 1_000, multiaddr: "/ip4/1.2.3.4/tcp/1" },
      last_heartbeat: now,
    });
    expect(relays).toContainEqual({
      pub_key: alice.pub,
      address: formatAddress(alice.pub),
      relay: { x25519_pub_key: deviceKey(31), fee_per_msg_ut: 0 },
    });
  });

  it("are listed page by page", async () => {
    const [first] = await client.listRelays({ limit: 1 });
    const rest = await client.listRelays({ after: first?.pub_key ?? "" });
    expect([first, ...rest]).toEqual(await client.listRelays({}));
    expect((await world.server.app.inject("/api/relays?after=x")).statusCode).toBe(400);
  });
});
