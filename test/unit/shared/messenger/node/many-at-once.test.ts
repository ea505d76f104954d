// Keys of many people and envelopes for many devices, at a node with real mailboxes, and at one of an earlier version.
import { expect, it } from "vitest";
import { createNodeClient, type HttpFetch } from "#shared/api/client.ts";
import { handInTogether, keysOfPeople } from "#shared/messenger/node/many-at-once.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, CHAIN_ID, carol, deviceKey, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const owners = [1, 2, 3].map((number) => mailboxOwner(CHAIN_ID, number, START_MS / 1_000));

interface Connected {
  readonly keysOf: ReturnType<typeof keysOfPeople>;
  readonly handIn: ReturnType<typeof handInTogether>;
  readonly paths: string[];
}

function connect({ server }: ApiWorld, isEarlier = false): Connected {
  const paths: string[] = [];
  const fetch = injectFetch(server.app);
  const asking: HttpFetch = (url, options) => {
    paths.push(`${options.method} ${url}`);
    return fetch(isEarlier && /\/batch$|\/api\/devices$/.test(url) ? "/unknown" : url, options);
  };
  const client = createNodeClient({ baseUrl: "", fetch: asking });
  return { keysOf: keysOfPeople(client), handIn: handInTogether(client), paths };
}

const PEOPLE = [alice.pub, bob.pub, carol.pub];

/** Bob has a key and a device, Alice a device alone, Carol nothing. */
async function worldWithDevices(): Promise<ApiWorld> {
  const world = await createApiWorld();
  const client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  for (const body of [
    signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(50), nickname: "Bob" } }),
    signed(bob, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(51), device_name: "desk" } }),
    signed(alice, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(52), device_name: "desk" } }),
  ])
    await client.submitTransaction({ body });
  world.commit();
  return world;
}

it("are two requests, in the order of the people", async () => {
  await using world = await worldWithDevices();
  const { keysOf, paths } = connect(world);
  const keys = await Promise.all(PEOPLE.map(keysOf));
  expect(paths.toSorted()).toEqual(["POST /api/devices", "POST /api/identities"]);
  const alone = connect(world);
  for (const [at, person] of PEOPLE.entries()) expect(keys[at]).toEqual(await alone.keysOf(person));
  expect(keys.map(({ devices, identityKey }) => [devices, identityKey])).toEqual([
    [[deviceKey(52)], ""],
    [[deviceKey(51)], deviceKey(50)],
    [[], ""],
  ]);
});

it("of a node of an earlier version come one by one, as do those beside a key that is none", async () => {
  await using world = await worldWithDevices();
  const earlier = connect(world, true);
  const known = await Promise.all(PEOPLE.map(connect(world).keysOf));
  for (const __ of [1, 2]) expect(await Promise.all(PEOPLE.map(earlier.keysOf))).toEqual(known);
  expect(earlier.paths.filter((path) => path === "POST /api/devices")).toHaveLength(1);
  const { keysOf, paths } = connect(world);
  const nothing = { devices: [], identityKey: "", linkedAt: {} };
  expect(await Promise.all(["no key", alice.pub].map(keysOf))).toEqual([nothing, known[0]]);
  await Promise.all(PEOPLE.map(keysOf));
  expect(paths.filter((path) => path === "POST /api/devices")).toHaveLength(2);
});

it.each([false, true])("are stored each as if it came alone, at an earlier node: %s", async (isEarlier) => {
  await using world = await createApiWorld();
  const { handIn, paths } = connect(world, isEarlier);
  const envelopes = owners.map((owner, n) => owner.envelope(n));
  const [broken] = envelopes.map((envelope) => ({ ...envelope, nonce: "AAAA" }));
  const handed = [...envelopes, ...(broken === undefined ? [] : [broken])];
  const outcomes = await Promise.allSettled(handed.map((envelope) => handIn({ envelope })));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: "BAD_REQUEST", httpStatus: 400 } });
  for (const { pub } of owners) expect(await world.mail.count(pub)).toBe(1);
  expect(paths.filter((path) => path.endsWith("/batch"))).toHaveLength(1);
  expect(paths).toHaveLength(isEarlier ? 1 + handed.length : 1);
});
