// Clients of a gateway are at its node whom they are: what one network has used up there takes nothing of another one's, and holds up no mail.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { clientOf } from "#node/api/security/mail-input.ts";
import { systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { startExchange } from "#node/gateway/public/exchange/network-exchange.ts";
import { RefusedMail } from "#node/gateway/public/exchange/refused-mail.ts";
import type { GatewayMail } from "#node/gateway/public/gateway-mail.ts";
import { NodeLinks } from "#node/gateway/public/node-links.ts";
import { openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import { LONGEST_RETRY_S } from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const TOKEN = "token";
const HEIGHT = 300;
const START_SEC = START_MS / 1_000;
const DAY_MS = 86_400_000;
/** Two networks of clients. */
const [flood, friend] = ["203.0.113.1", "2001:db8:1:2"].map((address) => clientOf({ isOwn: false, isExempt: false, address }));
if (flood === undefined || friend === undefined) throw new Error("two of them");
const alice = boxWriter(CHAIN_ID, 20);
const [bob, carol] = [7, 8].map((n) => mailboxOwner(CHAIN_ID, n, START_SEC));
if (bob === undefined || carol === undefined) throw new Error("two of them");
const boxes = [11, 12, 13, 14].map((n) => mailboxOwner(CHAIN_ID, n, START_SEC));

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface World {
  readonly node: ApiWorld;
  readonly mail: GatewayMail;
  readonly refused: RefusedMail;
  /** Notices that wait, and statuses of those that wait aside. */
  waiting(): Promise<readonly [number, readonly unknown[]]>;
}

/** A gateway with the usual limits, and a node with these, at which requests over loopback count as others do. */
async function createWorld(limits: Partial<MailboxLimits>, token = TOKEN): Promise<World> {
  const node = await createApiWorld({
    api: { token: TOKEN, limitsLoopback: true },
    relay: { limits: { ...MAILBOX_LIMITS, ...limits }, height: () => HEIGHT },
  });
  onTestFinished(() => node[Symbol.asyncDispose]());
  const { port } = await node.server.listen({ host: "127.0.0.1", port: 0 });
  const links = new NodeLinks([{ url: `http://127.0.0.1:${port}`, token }]);
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  const { clock } = node;
  const onError = (): void => undefined;
  const refused = new RefusedMail({ database, links, clock, timers: systemTimers, onError });
  const opened = await openGatewayMail({
    ...{ database, chainId: CHAIN_ID, clock, timers: systemTimers, random: systemRandom, verify: createNativeVerifier() },
    ...{ height: () => HEIGHT, postage: undefined, onGap: onError, onError },
    askFirst: (notice, mailbox) => refused.ask(notice, mailbox),
  });
  onTestFinished(() => opened.close());
  const { mail } = opened;
  onTestFinished(startExchange({ database, mail, links, clock, timers: systemTimers, onError }));
  return {
    ...{ node, mail, refused },
    async waiting(): Promise<readonly [number, readonly unknown[]]> {
      const [row] = await runStatement(address, "SELECT count(*)::int AS count FROM outgoing");
      const aside = await runStatement(address, "SELECT status FROM refused_notices ORDER BY n");
      return [Number(row?.count), aside.map(({ status }) => status)];
    },
  };
}

function openingOf(owner: (typeof boxes)[number] | undefined, hours: number): BoxOpening {
  if (owner === undefined) throw new Error("as many as there are");
  return owner.opening(alice.key, { untilSec: START_SEC + hours * 3_600, height: HEIGHT });
}

/** Until nothing waits but what is aside. */
async function untilHandedOver({ waiting }: World): Promise<void> {
  await pollUntil(async () => (await waiting())[0] === 0, { what: "the node to get what waits" });
}

it("opens boxes for another network where one has as many as it may, and tries that one's again until some have ended", async () => {
  const world = await createWorld({ sourceBoxes: 2 });
  const { node, mail, refused } = world;
  for (const n of [0, 1, 2]) await mail.boxes.take(openingOf(boxes[n], n < 2 ? 2 : 48), flood);
  await mail.boxes.take(openingOf(boxes[3], 48), friend);
  const [own, theirs] = [boxes[3]?.envelope(1), boxes[2]?.envelope(1)];
  if (own === undefined || theirs === undefined) throw new Error("there are four");
  await mail.broadcast(own, friend, alice.admit(own));
  await mail.broadcast(theirs, friend, alice.admit(theirs));
  await untilHandedOver(world);
  const isOpen = (): readonly unknown[] => boxes.map(({ pub }) => node.relay.boxes.find(pub)?.isOpen);
  expect([isOpen(), node.relay.count(own.recipient_pub)]).toEqual([[true, true, undefined, true], 1]);
  // The opening, and mail for the box, which the node does not know.
  expect((await world.waiting())[1]).toEqual([503, 404]);
  // From now on that network hears at once, and others as before.
  await refused.round();
  await expect(mail.boxes.take(carol.opening(alice.key, { untilSec: START_SEC + 3_600, height: HEIGHT }), flood)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("More than 2 boxes are open from this network") as string,
  });
  await mail.boxes.take(bob.opening(alice.key, { untilSec: START_SEC + 3_600, height: HEIGHT }), friend);
  await untilHandedOver(world);
  node.clock.advance(3 * 3_600_000);
  for (let n = 0; n < 2; n += 1) {
    await refused.round();
    node.clock.advance(LONGEST_RETRY_S * 1_000);
  }
  expect([await world.waiting(), isOpen()[2], node.relay.count(theirs.recipient_pub)]).toEqual([[0, []], true, 1]);
});

it("takes mail of another network where one has used its day up, for the same mailbox too; that one hears when to send on", async () => {
  const size = envelopeBytes(bob.envelope(1));
  const world = await createWorld({ sourceDayBytes: 3 * size + 10 });
  const { node, mail, refused } = world;
  for (const n of [1, 2, 3, 4, 5]) await mail.broadcast(bob.envelope(n), flood);
  for (const owner of [bob, carol]) await mail.broadcast(owner.envelope(6), friend);
  await untilHandedOver(world);
  expect([node.relay.count(bob.pub), node.relay.count(carol.pub), (await world.waiting())[1]]).toEqual([4, 1, [429, 429]]);
  await refused.round();
  await expect(mail.broadcast(carol.envelope(7), flood)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    details: { retryAfterS: expect.any(Number) as number },
  });
  await mail.broadcast(bob.envelope(8), friend);
  await untilHandedOver(world);
  node.clock.advance(DAY_MS);
  await refused.round();
  expect([node.relay.count(bob.pub), (await world.waiting())[1]]).toEqual([7, []]);
});

it("counts at the node as the gateway itself where its token is not the node's", async () => {
  const world = await createWorld({}, "other");
  await world.mail.broadcast(bob.envelope(1), friend);
  await world.mail.boxes.take(openingOf(boxes[0], 2), friend);
  await untilHandedOver(world);
  const { envelopes = [] } = world.node.services.mailFeed?.read({ after: 0, deletionsAfter: 0 }) ?? {};
  expect(envelopes.map(({ party, tag }) => [party, tag])).toEqual([["client 127.0.0.0/24", "127.0.0.1"]]);
  expect(world.node.relay.boxes.find(boxes[0]?.pub ?? "")?.isOpen).toBe(true);
});
