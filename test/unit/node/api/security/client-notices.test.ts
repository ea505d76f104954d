// POST /relay/feed/client: for holders of a secret alone, who are not counted; what it brings counts as the client's that it names.
import { expect, it } from "vitest";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const TOKEN = "token";
const [BEARER, REMOTE] = [`Bearer ${TOKEN}`, "192.0.2.1"];
const START_SEC = START_MS / 1_000;
const alice = boxWriter(CHAIN_ID, 20);
const bob = mailboxOwner(CHAIN_ID, 7, START_SEC);
const SIZE = envelopeBytes(bob.envelope(1));

const open = (limits: Partial<typeof MAILBOX_LIMITS> = {}, more: ApiWorldOptions = {}): Promise<ApiWorld> =>
  createApiWorld({
    ...more,
    api: { token: TOKEN, limitsLoopback: true, ...more.api },
    relay: { limits: { ...MAILBOX_LIMITS, ...limits }, height: () => 5_000, ...more.relay },
  });

async function give({ server }: ApiWorld, payload: object, authorization = BEARER): Promise<Record<string, unknown>> {
  const headers = { authorization };
  const response = await server.app.inject({ method: "POST", url: "/relay/feed/client", remoteAddress: REMOTE, headers, payload });
  return { http: response.statusCode, why: response.headers["x-error-code"], ...response.json<Record<string, unknown>>() };
}

/** An opening as clients send it, of long ago. */
function openingOf(number: number): object {
  const owner = mailboxOwner(CHAIN_ID, number, START_SEC);
  const {
    mailbox: pub,
    writeKey: write_pub,
    untilSec: until,
    ...rest
  } = owner.opening(alice.key, { untilSec: START_SEC + 9_000, height: 9 });
  return { pub, write_pub, until, ...rest };
}

it("is for those who hold the token or the secret of the node's start", async () => {
  await using world = await open({}, { api: { localSecret: "secret" } });
  const notice = { client: "203.0.113.1", envelope: bob.envelope(1), opening: openingOf(8), deletion: { pub: bob.pub } };
  for (const authorization of ["", "Bearer other", TOKEN])
    expect(await give(world, { ...notice, deletion: undefined }, authorization)).toMatchObject({ http: 401 });
  expect([world.relay.count(bob.pub), world.services.mailFeed?.last()]).toEqual([0, 0]);
  expect(await give(world, { client: "203.0.113.1", envelope: bob.envelope(1) }, "Bearer secret")).toMatchObject({
    http: 200,
    status: "taken",
  });
  expect(await give(world, { client: "203.0.113.1", opening: openingOf(8) })).toMatchObject({ http: 200, status: "taken" });
  const { mailbox: pub, ...deletion } = bob.deletion([bob.envelope(1).id], 9);
  expect(await give(world, { deletion: { pub, ...deletion } })).toMatchObject({ http: 200, status: "taken" });
  expect(world.relay.count(bob.pub)).toBe(0);
});

it("is not there at a node without a token, nor at one that keeps no mail of others", async () => {
  await using bare = await createApiWorld();
  expect(await give(bare, { client: "203.0.113.1", envelope: bob.envelope(1) })).toMatchObject({ http: 401 });
  await using light = await open({}, { services: { mailFeed: undefined } as never });
  expect(await give(light, { client: "203.0.113.1", envelope: bob.envelope(1) })).toMatchObject({ http: 404 });
});

it("counts what it brings as the client's that it names, and says a client's refusal without one of the request", async () => {
  await using world = await open({ sourceBoxes: 1, sourceDayBytes: 2 * SIZE + 10 });
  const [one, other] = ["203.0.113.1", "2001:db8:1:2"];
  const boxes = [
    [one, 11],
    ["203.0.113.9", 12],
    [other, 13],
  ] as const;
  const opened: unknown[] = [];
  for (const [client, number] of boxes) opened.push((await give(world, { client, opening: openingOf(number) })).code);
  expect(opened).toEqual([undefined, 503, undefined]);
  const sent: unknown[] = [];
  for (const [n, client] of [one, one, "203.0.113.9", other].entries()) sent.push(await give(world, { client, envelope: bob.envelope(n) }));
  expect(sent).toMatchObject([{ status: "taken" }, { status: "taken" }, { http: 200, status: "refused", code: 429 }, { status: "taken" }]);
  expect(Number((sent[2] as Record<string, unknown>).retry_after_s)).toBeGreaterThan(0);
  const { envelopes = [] } = world.services.mailFeed?.read({ after: 0, deletionsAfter: 0 }) ?? {};
  expect(envelopes.map(({ party, tag }) => `${party} ${tag}`)).toEqual([
    ...Array<string>(2).fill("client 203.0.113.0/24 203.0.113.1"),
    "client 2001:db8:1::/48 2001:db8:1:2",
  ]);
  // Whom it names is a client, and nothing else that is counted here.
  for (const client of [undefined, "", "own", "node 203.0.113.0/24", "203.0.113.0/24", "203.0.113.1 ", "2001:DB8:1:2", "::1"])
    expect(await give(world, { client, envelope: bob.envelope(9) })).toMatchObject({ http: 200, status: "refused", code: 400 });
  expect(await give(world, { client: other, envelope: { ...bob.envelope(9), nonce: "AAAA" } })).toMatchObject({
    status: "refused",
    code: 400,
  });
  expect(await give(world, { client: other, envelope: bob.envelope(9), admit: "x" })).toMatchObject({ status: "refused", code: 400 });
});

it("fails as a request where the node takes no mail at all, so that it waits", async () => {
  await using world = await open({}, { relay: { isEnabled: false } });
  for (const notice of [{ envelope: bob.envelope(1) }, { opening: openingOf(8) }])
    expect(await give(world, { client: "203.0.113.1", ...notice })).toMatchObject({ http: 503, why: "RELAY_FULL" });
});

it("counts on no rate for those who hold the token, and as any request for others", async () => {
  await using world = await open({}, { api: { limits: { requestBurst: 5, requestsPerSecond: 1 } } });
  for (let n = 0; n < 12; n += 1) expect((await give(world, { client: "203.0.113.1", envelope: bob.envelope(n) })).http).toBe(200);
  const codes: unknown[] = [];
  for (let n = 0; n < 7; n += 1) codes.push((await give(world, { client: "203.0.113.1" }, "Bearer other")).http);
  expect([codes.slice(0, 5), codes.at(-1)]).toEqual([Array<number>(5).fill(401), 429]);
  expect((await give(world, { client: "203.0.113.1", envelope: bob.envelope(20) })).http).toBe(200);
});
