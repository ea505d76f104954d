// GET /relay/feed: for holders of a secret alone, in order, and anew for who comes with a position of another file.
import { expect, it } from "vitest";
import { NAMED_AT_ONCE } from "#node/api/http/operator/mail-feed-route.ts";
import { GATEWAY_READER_MS, MAX_GATEWAY_READERS } from "#node/relay/readers/gateway-readers.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const TOKEN = "token";
const bob = mailboxOwner(CHAIN_ID, 7);

it("begins anew behind a position that this mailbox never gave, and needs the token", async () => {
  await using world = await createApiWorld({ api: { token: TOKEN } });
  for (const n of [1, 2]) await world.mail.broadcast(bob.envelope(n));
  const read = async (query: string): Promise<readonly number[]> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const page = (await world.server.app.inject({ url: `/relay/feed?${query}`, headers })).json<{
      readonly envelopes: readonly { readonly seq: number }[];
      readonly after: number;
    }>();
    return [...page.envelopes.map(({ seq }) => seq), page.after];
  };
  expect(await read("")).toEqual([1, 2, 2]);
  expect(await read("after=2&deletions_after=0")).toEqual([2]);
  expect(await read("after=900&deletions_after=900")).toEqual([1, 2, 2]);
  expect((await world.server.app.inject({ url: "/relay/feed" })).statusCode).toBe(401);
  expect((await world.server.app.inject({ url: "/relay/feed", headers: { authorization: "Bearer other" } })).statusCode).toBe(401);
});

it("takes the names of a gateway's readers with the token, as many as there is room for, until they are not named any more", async () => {
  await using world = await createApiWorld({ api: { token: TOKEN } });
  const name = async (readers: unknown, token = TOKEN, more: object = {}): Promise<readonly [number, unknown]> => {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await world.server.app.inject({
      method: "POST",
      url: "/relay/feed/readers",
      headers,
      payload: { readers, ...more },
    });
    return [statusCode, (JSON.parse(body) as { readonly taken?: number }).taken];
  };
  const readers = Array.from({ length: MAX_GATEWAY_READERS + 5 }, (_, n) => n.toString(16).padStart(64, "0"));
  const [first = ""] = readers;
  expect(await name([first.toUpperCase(), bob.pub])).toEqual([200, 2]);
  expect([...world.relay.readers.all].toSorted()).toEqual([bob.pub, first].toSorted());
  // Nothing is stored for them, and who reads here comes first.
  expect(world.relay.readers.has(bob.pub)).toBe(true);
  expect(await name([], "other")).toEqual([401, undefined]);
  for (const wrong of [readers.slice(0, NAMED_AT_ONCE + 1), [7], ["ab"], "all"]) expect(await name(wrong)).toEqual([400, undefined]);
  for (const parties of [["a", "b"], [7], "all"]) expect(await name([first], TOKEN, { parties })).toEqual([400, undefined]);
  for (const idle of [[1, 2], [-1], ["1"]]) expect(await name([first], TOKEN, { idle_s: idle })).toEqual([400, undefined]);
  let taken = 0;
  for (let at = 0; at < readers.length; at += NAMED_AT_ONCE) taken += (await name(readers.slice(at, at + NAMED_AT_ONCE)))[1] as number;
  expect([taken, world.relay.readers.all.size]).toEqual([MAX_GATEWAY_READERS - 1, MAX_GATEWAY_READERS]);
  world.clock.advance(GATEWAY_READER_MS - 1);
  expect(await name([first])).toEqual([200, 1]);
  world.clock.advance(1);
  expect([...world.relay.readers.all]).toEqual([first]);
});

it("takes what an owner signed at a gateway long ago, with the token, and passes it on", async () => {
  // The chain is far beyond the heights that were signed.
  await using world = await createApiWorld({ api: { token: TOKEN }, relay: { height: () => 5_000 } });
  const give = async (payload: object, token = TOKEN): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await world.server.app.inject({ method: "POST", url: "/relay/feed/signed", headers, payload })).statusCode;
  };
  const passedOn: unknown[] = [];
  world.relay.boxes.onOpening((opening) => passedOn.push(opening));
  world.relay.deletions.onNotice((notice) => passedOn.push(notice));
  const carol = mailboxOwner(CHAIN_ID, 8, Math.floor(world.clock.nowMs() / 1_000));
  await world.mail.broadcast(bob.envelope(1));
  const opening = carol.opening(boxWriter(CHAIN_ID, 20).key, { untilSec: Math.floor(world.clock.nowMs() / 1_000) + 3_600, height: 100 });
  const { mailbox: pub, writeKey: write_pub, read, untilSec: until, height, signature } = opening;
  const body = { pub, write_pub, read, until, height, signature };
  expect(await give({ opening: body }, "other")).toBe(401);
  expect(await give({ opening: { ...body, until: until - 1 } })).toBe(403);
  for (const wrong of [{ opening: { pub } }, { opening: { ...body, height: 9_000 } }, { deletion: 7 }]) expect(await give(wrong)).toBe(400);
  expect(await give({ opening: body })).toBe(200);
  expect(world.relay.boxes.find(pub)?.isOpen).toBe(true);
  const { mailbox, ...deleted } = bob.deletion([bob.envelope(1).id], 100);
  expect(await give({ deletion: { pub: mailbox, ...deleted, height: 101 } })).toBe(403);
  expect(await give({ deletion: { pub: mailbox, ...deleted } })).toBe(200);
  expect(world.relay.count(bob.pub)).toBe(0);
  expect(passedOn).toEqual([opening, { type: "deletion", deletion: { mailbox, ...deleted } }]);
});
