// What the interface says of the network's parameters while they change, and what it asks of fees then.
import { expect, it } from "vitest";
import { createNodeClient } from "#shared/api/client.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, signed, validator } from "#test/support/worlds/ledger-world.ts";

const DAY_MS = 86_400_000;

it("parameters, what waits and what is proposed come with their times, and drafts take the fee that holds", async () => {
  await using world = await createApiWorld();
  const client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  const nowMs = (): number => world.clock.nowMs();
  const submit = async (tx: ReturnType<typeof signed>): Promise<void> => {
    await client.submitTransaction({ body: tx });
    world.commit();
  };
  const before = await client.getParams({});
  expect(before).toMatchObject({ height: 0, params: { min_fee_ut: 1_000, version: 2 }, known_versions: [2, 3, 4, 5, 6], proposals: [] });
  expect(before.reachable.min_fee_ut).toEqual({ least: 500, most: 2_000 });
  expect(before.pending).toBeUndefined();
  await submit(signed(alice, { type: "TRANSFER", to: validator.pub, amount: 1_000_000, payload: {}, nowMs: nowMs() }));
  const payload: PayloadOf<"UPGRADE"> = { set: { min_fee_ut: 2_000 }, at_height: 3 };
  await submit(signed(validator, { type: "UPGRADE", payload, nowMs: nowMs() }));
  const { pending } = await client.getParams({});
  expect(pending).toMatchObject({ set: { min_fee_ut: 2_000 }, at_height: 3 });
  expect((pending?.not_before ?? 0) - (pending?.approved_at ?? 0)).toBe(DAY_MS / 1_000);
  const draft = { body: { from: alice.pub, to: bob.pub, amount_ut: 1 } };
  expect((await client.draftTransaction(draft)).tx).toMatchObject({ fee: 1_000 });
  world.clock.advance(DAY_MS + 1_000);
  world.commit();
  world.clock.advance(DAY_MS);
  world.commit();
  const after = await client.getParams({});
  expect(after).toMatchObject({ height: 4, params: { min_fee_ut: 2_000 }, reachable: { min_fee_ut: { least: 1_000, most: 4_000 } } });
  expect(after.pending).toBeUndefined();
  expect((await client.draftTransaction(draft)).tx).toMatchObject({ fee: 2_000 });
  await expect(client.draftTransaction({ body: { ...draft.body, fee_ut: 1_999 } })).rejects.toThrow("must be at least 2000 µT");
  const cheap = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, fee: 1_999, payload: {}, nowMs: nowMs() });
  await expect(client.submitTransaction({ body: cheap })).rejects.toThrow("must be at least 2000 µT");
});
