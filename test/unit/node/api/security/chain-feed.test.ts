// GET /api/chain/feed: blocks in their order for holders of a secret alone, and none behind a block that the node does not have.
import { expect, it } from "vitest";
import type { ChainFeedPage } from "#node/storage/chain/feed/chain-feed.ts";
import { decodeBlock } from "#shared/protocol/chain/block.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed, validator } from "#test/support/worlds/ledger-world.ts";

const TOKEN = "token";

it("gives the blocks behind a position with what they did, and needs the token", async () => {
  await using world = await createApiWorld({ api: { token: TOKEN } });
  const pay = async (): Promise<void> => {
    await world.services.mempool.submit(signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: {} }), world.clock.nowMs());
    world.commit();
  };
  await pay();
  await pay();
  const ask = (query: string, token = TOKEN): Promise<{ readonly statusCode: number; json(): ChainFeedPage }> =>
    world.server.app.inject({ url: `/api/chain/feed${query}`, headers: { authorization: `Bearer ${token}` } });
  const heights = ({ blocks }: ChainFeedPage): readonly number[] => blocks.map(({ block }) => decodeBlock(fromBase64(block)).header.height);
  const all = (await ask("")).json();
  expect(heights(all)).toEqual([0, 1, 2]);
  expect(all).toMatchObject({ first: 0, tip: { height: 2 }, matches: true });
  expect(all.blocks[1]?.reward?.to).toBe(validator.pub);
  const named = new Set(all.records.map(([namespace, key]) => (namespace === "account" ? key : namespace)));
  expect(named).toEqual(new Set(["supply", "validators", alice.pub, bob.pub, validator.pub]));
  const hash = decodeBlock(fromBase64(all.blocks[2]?.block ?? "")).header.parentHash;
  expect(heights((await ask(`?after=1&hash=${hash}`)).json())).toEqual([2]);
  expect((await ask(`?after=2&hash=${all.tip.hash.toUpperCase()}`)).json()).toMatchObject({ blocks: [], records: [], matches: true });
  expect((await ask(`?after=1&hash=${all.tip.hash}`)).json()).toMatchObject({ blocks: [], matches: false });
  expect((await ask("", "other")).statusCode).toBe(401);
  for (const wrong of ["?after=1", `?hash=${hash}`, `?after=-1&hash=${hash}`, "?after=1&hash=ab"])
    expect((await ask(wrong)).statusCode).toBe(400);
});
