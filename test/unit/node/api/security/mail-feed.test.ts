// GET /relay/feed: for holders of a secret alone, in order, and anew for who comes with a position of another file.
import { expect, it } from "vitest";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
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
