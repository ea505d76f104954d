// Mail that a client was acknowledged and a node refuses afterwards: it waits aside and is tried again, and its sender hears with the next one.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { startExchange } from "#node/gateway/public/exchange/network-exchange.ts";
import { RefusedMail } from "#node/gateway/public/exchange/refused-mail.ts";
import type { NodeResponse } from "#node/gateway/public/node-links.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import {
  FIRST_RETRY_S,
  LONGEST_RETRY_S,
  REFUSED_KEPT_S,
  type RoomAside,
} from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const bob = mailboxOwner(CHAIN_ID, 7);
const carol = mailboxOwner(CHAIN_ID, 8);
const CLOSED = "The mailbox takes only envelopes that its write key has signed: admit is missing";
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface World {
  readonly database: PostgresDatabase;
  readonly refused: RefusedMail;
  /** Requests that the node got, by path. */
  readonly asked: { readonly path: string; readonly body: string }[];
  nowSec: number;
  answer: (path: string, body: string) => { readonly status: number; readonly error?: string; readonly isUncertain?: boolean };
  write(...notices: readonly { readonly kind: string; readonly body: unknown; readonly client?: string }[]): Promise<void>;
  /** Bodies that wait, and those that wait aside. */
  waiting(): Promise<readonly [readonly unknown[], readonly unknown[]]>;
  /** What the log says. */
  readonly said: string[];
  exchange(): void;
}

async function createWorld(room?: RoomAside): Promise<World> {
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  await prepareMail(database, CHAIN_ID, new Uint8Array(32).fill(1));
  const clock = { nowMs: (): number => world.nowSec * 1_000 };
  const request = (path: string, { body }: { readonly body?: string | undefined }): Promise<NodeResponse> => {
    if (body === undefined) return Promise.resolve({ status: 503, text: path, at: 0 });
    world.asked.push({ path, body });
    const { status, error, isUncertain = false } = world.answer(path, body);
    return Promise.resolve({ status, text: JSON.stringify({ error }), at: 0, isUncertain });
  };
  const links = { request };
  const said: string[] = [];
  const bodies = async (table: string): Promise<readonly unknown[]> =>
    (await runStatement(address, `SELECT body FROM ${table} ORDER BY n`)).map(({ body }) => JSON.parse(String(body)));
  const world: World = {
    database,
    refused: new RefusedMail({ ...{ database, links, clock, timers: systemTimers, room }, onError: (_error, what) => said.push(what) }),
    asked: [],
    said,
    nowSec: 1_800_000_000,
    answer: takes,
    async write(...notices): Promise<void> {
      const rows = notices.map(({ kind, body, client }) => {
        const name = client === undefined ? "NULL" : `'${client}'`;
        return `(1, '${kind}', '${JSON.stringify(body)}', ${name})`;
      });
      await runStatement(address, `INSERT INTO outgoing (written_at, kind, body, client) VALUES ${rows.join(", ")}`);
    },
    waiting: async () => [await bodies("outgoing"), await bodies("refused_notices")],
    exchange(): void {
      const mail = { receive: (): Promise<void> => Promise.resolve() };
      const stop = startExchange({ database, mail, links, clock, timers: systemTimers, onError: () => undefined, roomAside: room });
      onTestFinished(stop);
    },
  };
  return world;
}

/** As for an envelope that a client hands in. */
function ask(refused: RefusedMail, envelope: Envelope, admit?: string): Promise<void> {
  return refused.ask({ kind: "envelope", body: JSON.stringify({ envelope, admit }), client: null }, envelope.recipient_pub);
}

const takes = (): { readonly status: number } => ({ status: 200 });
const refuses = (status: number, error: string) => (): { readonly status: number; readonly error: string } => ({ status, error });

it("keeps what a node refuses aside, holds up nothing that came later, and tries it again at growing pauses until a node takes it", async () => {
  const world = await createWorld();
  const [first, second] = [1, 2].map((n) => ({ kind: "envelope", body: { envelope: bob.envelope(n) } }) as const);
  if (first === undefined || second === undefined) throw new Error("two of them");
  await world.write(first, second);
  world.answer = (_path, body): ReturnType<World["answer"]> =>
    body.includes(bob.envelope(1).id) ? { status: 403, error: CLOSED } : { status: 200 };
  world.exchange();
  await pollUntil(async () => (await world.waiting())[0].length === 0);
  expect(await world.waiting()).toEqual([[], [first.body]]);
  const asked = (): number => world.asked.length;
  const before = asked();
  await world.refused.round();
  expect([asked(), world.refused.count]).toEqual([before, 1]);
  for (const pauseS of [FIRST_RETRY_S, 2 * FIRST_RETRY_S]) {
    world.nowSec += pauseS - 1;
    await world.refused.round();
    const soon = asked();
    world.nowSec += 1;
    await world.refused.round();
    expect(asked()).toBe(soon + 1);
  }
  world.answer = takes;
  world.nowSec += LONGEST_RETRY_S;
  await world.refused.round();
  expect([await world.waiting(), world.refused.count, world.refused.lost]).toEqual([[[], []], 0, 0]);
});

it("waits with what a node does not take because of its token, or because it is busy", async () => {
  const world = await createWorld();
  const notice = { kind: "envelope", body: { envelope: bob.envelope(1) } };
  await world.write(notice);
  world.answer = refuses(401, "The API token is wrong");
  world.exchange();
  await pollUntil(() => world.asked.length > 0);
  world.answer = refuses(429, "Too many requests");
  await pollUntil(() => world.asked.length > 1);
  expect(await world.waiting()).toEqual([[notice.body], []]);
  world.answer = takes;
  await pollUntil(async () => (await world.waiting())[0].length === 0);
});

it("hands over what an owner signed long ago by its own way, where a node knows of no clients of gateways or the client is not known", async () => {
  const world = await createWorld();
  const signed = { pub: bob.pub, height: 1, signature: "" };
  await world.write({ kind: "opening", body: signed }, { kind: "deletion", body: signed });
  world.answer = (path): ReturnType<World["answer"]> => {
    if (path === "/relay/feed/signed") return { status: 200 };
    return path === "/relay/feed/client" ? { status: 404 } : { status: 403, error: "height is more than 600 blocks from this" };
  };
  world.exchange();
  await pollUntil(async () => (await world.waiting())[0].length === 0);
  expect(await world.waiting()).toEqual([[], []]);
  expect(world.asked.filter(({ path }) => path === "/relay/feed/client").map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { deletion: signed },
  ]);
  const late = world.asked.filter(({ path }) => path === "/relay/feed/signed").map(({ body }) => JSON.parse(body) as unknown);
  expect(late).toEqual([{ opening: signed }, { deletion: signed }]);
});

it("names the client to a node, and hands in as a client itself where the node is of an earlier version or has another token", async () => {
  const world = await createWorld();
  const [envelope, opening] = [{ envelope: bob.envelope(1), admit: "admit" }, { pub: carol.pub }];
  const write = (): Promise<void> =>
    world.write({ kind: "envelope", body: envelope, client: "203.0.113.1" }, { kind: "opening", body: opening, client: "2001:db8:1:2" });
  world.exchange();
  const asked: unknown[] = [];
  for (const status of [200, 404, 401]) {
    world.answer = (path): { readonly status: number } => ({ status: path === "/relay/feed/client" ? status : 200 });
    const before = world.asked.length;
    await write();
    await pollUntil(async () => (await world.waiting())[0].length === 0);
    const bodies = world.asked.slice(before).map(({ path, body }) => [path, JSON.parse(body) as unknown]);
    asked.push(bodies.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  }
  const named = [
    ["/relay/feed/client", { client: "203.0.113.1", ...envelope }],
    ["/relay/feed/client", { client: "2001:db8:1:2", opening }],
  ];
  const unnamed = [["/relay/box", opening], ["/relay/broadcast", envelope], ...named];
  expect(asked).toEqual([named, unnamed, unnamed]);
});

it("says what the node says to who sends to such a mailbox next, and tries all of it again once the node takes that", async () => {
  const world = await createWorld();
  await world.write({ kind: "envelope", body: { envelope: bob.envelope(1) } });
  world.answer = refuses(404, CLOSED);
  world.exchange();
  await pollUntil(async () => (await world.waiting())[1].length === 1);
  await world.refused.round();
  const { refused } = world;
  await expect(ask(refused, bob.envelope(2))).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining(CLOSED) as string,
  });
  const before = world.asked.length;
  await ask(refused, carol.envelope(1));
  expect(world.asked).toHaveLength(before);
  world.answer = refuses(503, "Full");
  await ask(refused, bob.envelope(2), "admit");
  expect(JSON.parse(world.asked.at(-1)?.body ?? "")).toEqual({ envelope: bob.envelope(2), admit: "admit" });
  world.answer = takes;
  await ask(refused, bob.envelope(2), "admit");
  await refused.round();
  expect((await world.waiting())[1]).toEqual([]);
});

const envelopesOf = (owner: typeof bob, numbers: readonly number[]): { readonly kind: string; readonly body: unknown }[] =>
  numbers.map((n) => ({ kind: "envelope", body: { envelope: owner.envelope(n) } }));

it("gives up after a week", async () => {
  const world = await createWorld();
  await world.write(...envelopesOf(bob, [1, 2]));
  world.answer = refuses(400, "The recipient's mailbox is full.");
  world.exchange();
  await pollUntil(async () => (await world.waiting())[1].length === 2);
  world.nowSec += REFUSED_KEPT_S;
  await world.refused.round();
  expect((await world.waiting())[1]).toHaveLength(2);
  // While no node can be reached nothing is.
  world.nowSec += LONGEST_RETRY_S;
  world.answer = refuses(503, "Away");
  await world.refused.round();
  expect((await world.waiting())[1]).toHaveLength(2);
  world.answer = refuses(400, "The recipient's mailbox is full.");
  await world.refused.round();
  expect([(await world.waiting())[1], world.refused.lost]).toEqual([[], 2]);
});

it("gives up nothing that one node refuses while others are away, and says so to who sends next", async () => {
  const world = await createWorld();
  const { refused } = world;
  await world.write(...envelopesOf(bob, [1]));
  world.answer = (): ReturnType<World["answer"]> => ({ status: 400, error: "The recipient's mailbox is full.", isUncertain: true });
  world.exchange();
  await pollUntil(async () => (await world.waiting())[1].length === 1);
  for (let tries = 0; tries < 3; tries += 1) {
    world.nowSec += REFUSED_KEPT_S + LONGEST_RETRY_S;
    await refused.round();
  }
  expect([(await world.waiting())[1].length, refused.lost]).toEqual([1, 0]);
  await expect(ask(refused, bob.envelope(2))).rejects.toMatchObject({ code: "UNAVAILABLE", status: 503 });
  // A week after all answered.
  world.answer = refuses(400, "The recipient's mailbox is full.");
  world.nowSec += REFUSED_KEPT_S - 1;
  await refused.round();
  expect([(await world.waiting())[1].length, refused.lost]).toEqual([1, 0]);
  world.nowSec += LONGEST_RETRY_S + 1;
  await refused.round();
  expect([(await world.waiting())[1], refused.lost]).toEqual([[], 1]);
});

it.each([
  ["notices", { count: 3, bytes: 1_000_000 }],
  ["bytes", { count: 1_000, bytes: 3 * JSON.stringify({ envelope: bob.envelope(1) }).length }],
])("loses nothing where a node refuses more than there is room for aside, by %s", async (_name, room) => {
  const world = await createWorld(room);
  const notices = envelopesOf(bob, [1, 2, 3, 4, 5]);
  await world.write(...notices);
  world.answer = refuses(404, "No such path");
  world.exchange();
  await pollUntil(async () => (await world.waiting())[1].length === 3 && world.asked.length >= 7);
  const [waiting, aside] = await world.waiting();
  expect([...aside, ...waiting]).toEqual(notices.map(({ body }) => body));
  world.answer = takes;
  await pollUntil(async () => (await world.waiting())[0].length === 0);
  world.nowSec += FIRST_RETRY_S;
  await world.refused.round();
  expect([await world.waiting(), world.refused.lost]).toEqual([[[], []], 0]);
});

it("asks a node before any mail is acknowledged once there is little room for more of what it refuses, and says so in the log", async () => {
  const world = await createWorld({ count: 4, bytes: 1_000_000 });
  const { refused, said } = world;
  world.answer = refuses(404, "No such path");
  world.exchange();
  await world.write(...envelopesOf(bob, [1, 2]));
  await pollUntil(async () => (await world.waiting())[1].length === 2);
  await refused.round();
  await ask(refused, carol.envelope(1));
  expect([refused.isNearlyFull, said]).toEqual([false, []]);
  await world.write(...envelopesOf(bob, [3]));
  await pollUntil(async () => (await world.waiting())[1].length === 3);
  await refused.round();
  await refused.round();
  expect([refused.isNearlyFull, said.length]).toEqual([true, 1]);
  await expect(ask(refused, carol.envelope(1))).rejects.toMatchObject({ code: "RELAY_FULL", status: 503 });
  await expect(ask(refused, bob.envelope(4))).rejects.toMatchObject({ code: "NOT_FOUND" });
  world.answer = refuses(503, "Away");
  await ask(refused, carol.envelope(1));
  world.answer = takes;
  await ask(refused, carol.envelope(1));
  world.nowSec += LONGEST_RETRY_S;
  await refused.round();
  await refused.round();
  expect([refused.isNearlyFull, (await world.waiting())[1], said.length]).toEqual([false, [], 1]);
});
