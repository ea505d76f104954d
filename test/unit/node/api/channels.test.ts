// Payment channels over HTTP: of both parties, page by page, before and after they close and after a rollback.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { type Actor, alice, bob, carol, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const EXPIRES_AT = Math.floor(START_MS / 1000) + 3_600;

let world: ApiWorld;
let client: NodeClient;

beforeEach(async () => {
  world = await createApiWorld();
  client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
});
afterEach(() => world[Symbol.asyncDispose]());

const channelId = (n: number): string => String(n).padStart(2, "a").repeat(16);

function opening(payer: Actor, payee: Actor, n: number): Transaction {
  const payload = { channel_id: channelId(n), expires_at: EXPIRES_AT };
  return signed(payer, { type: "OPEN_PAY_CHAN", to: payee.pub, amount: 1_000 + n, payload });
}

async function block(...txs: readonly Transaction[]): Promise<void> {
  for (const tx of txs) await client.submitTransaction({ body: tx });
  world.commit();
}

describe("payment channels", () => {
  it("are shown to both parties, open and closed", async () => {
    const opened = opening(alice, bob, 1);
    await block(opened);
    const channel = {
      channel_id: channelId(1),
      payer_pub: alice.pub,
      payer_addr: formatAddress(alice.pub),
      payee_pub: bob.pub,
      payee_addr: formatAddress(bob.pub),
      deposit_ut: 1_001,
      expires_at: EXPIRES_AT,
      status: "open",
      paid_ut: null,
      open_tx: opened.id,
      close_tx: null,
    };
    for (const account of [alice.pub, formatAddress(bob.pub)]) expect((await client.listChannels({ account })).channels).toEqual([channel]);
    expect(await client.listChannels({ account: carol.pub })).toEqual({ pub_key: carol.pub, count: 0, channels: [] });
    for (const id of [channelId(1), channelId(1).toUpperCase()]) expect(await client.getChannel({ channel_id: id })).toEqual(channel);

    world.clock.advance(3_600_000);
    const closing = signed(alice, {
      type: "CLOSE_PAY_CHAN",
      to: bob.pub,
      payload: { channel_id: channelId(1).toUpperCase(), paid_ut: 0 },
      nowMs: world.clock.nowMs(),
    });
    await block(closing);
    const closed = { ...channel, status: "closed", paid_ut: 0, close_tx: closing.id };
    expect(await client.getChannel({ channel_id: channelId(1) })).toEqual(closed);
    expect((await client.listChannels({ account: bob.pub })).channels).toEqual([closed]);
  });

  it("are listed newest first and page by page, on both sides, and not when their opening failed", async () => {
    const alternating = (n: number): Transaction => (n % 2 === 0 ? opening(alice, bob, n) : opening(bob, alice, n));
    for (let n = 1; n <= 6; n += 2) await block(alternating(n), alternating(n + 1));
    const taken = [opening(alice, carol, 9), opening(bob, carol, 9)];
    await block(...taken);
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const page = await client.listChannels({ account: alice.pub, limit: 2, ...(after === undefined ? {} : { after }) });
      pages.push(page.channels.map(({ channel_id }) => channel_id));
      after = page.next_after;
    } while (after !== undefined);
    const all = pages.flat();
    expect(all).toEqual((await client.listChannels({ account: alice.pub })).channels.map(({ channel_id }) => channel_id));
    expect([...all].sort()).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6].map(channelId)));
    expect(pages.slice(0, 3).every((page) => page.length === 2)).toBe(true);
    expect((await client.listChannels({ account: carol.pub })).count).toBe(1);
    expect((await client.listChannels({ account: alice.pub, after: "f".repeat(32) })).channels).toEqual([]);
  });

  it.each(["x", "0".repeat(31), "0".repeat(33), "g".repeat(32)])("named %j do not exist and begin no page", async (id) => {
    const { statusCode } = await world.server.app.inject(`/api/channels/${id}`);
    expect(statusCode).toBe(404);
    expect((await world.server.app.inject(`/api/channels?account=${alice.pub}&after=${id}`)).statusCode).toBe(400);
  });

  it.each(["", "?account=", "?account=x", `?account=${"0".repeat(64)}&limit=0`, "?limit=1"])("refuse the request %j", async (query) => {
    expect((await world.server.app.inject(`/api/channels${query}`)).statusCode).toBe(400);
  });
});
