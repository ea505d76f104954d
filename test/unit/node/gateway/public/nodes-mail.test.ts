// Lists of a gateway while keepers have mail that its database has not: what its node lists beyond comes behind, and says when some may lack.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import {
  ELSEWHERE_FRESH_MS,
  ELSEWHERE_INTERVAL_MS,
  ELSEWHERE_WAIT_MS,
  FEED_LOOK_MS,
  HEARD_BOXES,
  HEARD_PAUSE_MS,
} from "#node/gateway/public/gateway-limits.ts";
import type { GatewayMail } from "#node/gateway/public/gateway-mail.ts";
import type { NodeResponse } from "#node/gateway/public/node-links.ts";
import { NodesMail } from "#node/gateway/public/nodes-mail.ts";
import { openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { HeardElsewhere, type HeardElsewhereDependencies } from "#node/gateway/public/server/heard-elsewhere.ts";
import type { ArrivedEnvelope } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { follow } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const NODE = "node";
/** Where positions of a node's lists begin in this test. */
const FIRST = 2 ** 50 + 5;
const nowSec = Math.floor(Date.now() / 1_000);
const bob = mailboxOwner(CHAIN_ID, 7, nowSec);
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

type Listed = readonly { readonly id: string; readonly seq: number }[];

interface World {
  readonly database: PostgresDatabase;
  readonly mail: GatewayMail;
  readonly nodes: NodesMail;
  readonly time: VirtualTime;
  readonly asked: { readonly served?: string[]; readonly unproven?: string[] }[];
  /** Ids that keepers list, of all mailboxes. */
  ids: string[];
  /** Those that have come into the node's mailbox since, behind the others in its list. */
  come: string[];
  node: { isElsewhere: boolean; isUnread: boolean; isAway: boolean; read: string | null; after: number; status: number };
  /** The database has the node's mail up to here. */
  followTo(after: number): Promise<void>;
}

async function world(): Promise<World> {
  const database = openPostgres([await postgres.createDatabase()], () => undefined);
  onTestFinished(() => database.close());
  const time = new VirtualTime();
  const clock = time.clock(0);
  const asked: World["asked"] = [];
  const node = { isElsewhere: true, isUnread: false, isAway: false, read: null as string | null, after: 0, status: 200 };
  const made = { time, asked, node, ids: [] as string[], come: [] as string[] };
  const request = (path: string, { body = "{}" }: { readonly body?: string | undefined }): Promise<NodeResponse> => {
    if (node.isAway) return Promise.reject(new CodedError("UNAVAILABLE", "away"));
    const respond = (value: object): Promise<NodeResponse> => Promise.resolve({ status: node.status, text: JSON.stringify(value), at: 0 });
    if (path.startsWith("/relay/feed/inbox")) {
      const query = new URLSearchParams(path.split("?")[1]);
      const [after, limit] = [Number(query.get("after")), Number(query.get("limit"))];
      const listed = after > 0 ? [...made.ids, ...made.come] : made.ids;
      const all = listed.map((id, n): Listed[number] => ({ id, seq: FIRST + n })).filter(({ seq }) => seq > after);
      return respond({ has_more: all.length > limit, complete: true, items: all.slice(0, limit) });
    }
    const question = JSON.parse(body) as World["asked"][number];
    asked.push(question);
    const boxes = (question.unproven ?? []).map((pub) => ({ pub, ids: made.ids, has_more: false, read: node.read }));
    const unread = node.isUnread ? [...(question.served ?? []), ...(question.unproven ?? [])] : [];
    return respond({ node: NODE, elsewhere: node.isElsewhere, after: node.after, unread, boxes });
  };
  const nodes = new NodesMail({ links: { request }, database, clock, timers: time, onError: (): void => undefined });
  onTestFinished(() => nodes.close());
  const { mail, close } = await openGatewayMail({
    ...{ database, chainId: CHAIN_ID, clock: systemClock, timers: systemTimers, random: systemRandom, verify: createNativeVerifier() },
    ...{ limits: MAILBOX_LIMITS, height: () => 300, postage: undefined, onGap: () => undefined, onError: () => undefined },
    elsewhere: () => nodes.current,
  });
  onTestFinished(close);
  await nodes.start();
  const followTo = (after: number): Promise<void> => follow(database, NODE, () => Promise.resolve({ after, deletionsAfter: 0 }));
  return Object.assign(made, { database, mail, nodes, followTo });
}

async function list({ nodes }: World, afterSeq = 0, limit = 50): Promise<{ readonly items: Listed; readonly hasMore: boolean }> {
  await nodes.read([bob.pub]);
  const { items, hasMore } = await nodes.listText({ recipientPub: bob.pub, limit, afterSeq, hidesDeleted: true });
  return { items: JSON.parse(`[${items}]`) as Listed, hasMore };
}

const idsOf = ({ items }: { readonly items: Listed }): readonly string[] => items.map(({ id }) => id);

it("has the database's mail and then what keepers list beyond it, each once, page by page", async () => {
  const made = await world();
  const here = [bob.envelope(1), bob.envelope(2), bob.envelope(3)];
  for (const envelope of here) await made.mail.broadcast(envelope);
  const [first = "", second = "", deleted = ""] = here.map(({ id }) => id);
  await made.mail.deleteIf(bob.pub, deleted, () => true);
  const there = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(32));
  made.ids = [first, ...there.slice(0, 2), deleted, ...there.slice(2), second];
  const whole = await list(made);
  expect(idsOf(whole)).toEqual([first, second, ...there]);
  expect(await made.nodes.count(bob.pub)).toBe(7);
  const paged: string[] = [];
  let after = 0;
  for (let hasMore = true; hasMore; ) {
    const page = await list(made, after, 2);
    expect(page.items.length).toBeLessThanOrEqual(2);
    paged.push(...idsOf(page));
    after = page.items.at(-1)?.seq ?? after;
    ({ hasMore } = page);
  }
  expect(new Set(paged)).toEqual(new Set([first, second, ...there]));
  expect(made.asked.length).toBe(2);
  // What comes later is listed behind a position of either.
  made.time.advance(ELSEWHERE_FRESH_MS);
  made.ids.push("a".repeat(32));
  expect(idsOf(await list(made, after))).toEqual(["a".repeat(32)]);
  await made.mail.broadcast(bob.envelope(9));
  made.come.push(deleted, bob.envelope(9).id);
  expect(idsOf(await list(made, after))).toEqual(["a".repeat(32), bob.envelope(9).id]);
  expect(idsOf(await list(made, whole.items[1]?.seq))).toEqual([bob.envelope(9).id, ...there, "a".repeat(32)]);
});

it("says where too few keepers were read, or the node is away, and lists what the database has", async () => {
  const made = await world();
  const { id } = await made.mail.broadcast(bob.envelope(1));
  made.node.isUnread = true;
  expect(await made.nodes.read([bob.pub])).toEqual(new Set([bob.pub]));
  made.node.isUnread = false;
  made.time.advance(ELSEWHERE_FRESH_MS);
  expect(await made.nodes.read([bob.pub])).toEqual(new Set());
  expect(made.nodes.openingOf(bob.pub)).toBeUndefined();
  made.node.read = "owner";
  made.time.advance(ELSEWHERE_FRESH_MS);
  await made.nodes.read([bob.pub]);
  expect(made.nodes.openingOf(bob.pub)).toEqual({ read: "owner" });
  made.ids = ["0".repeat(32)];
  made.time.advance(ELSEWHERE_FRESH_MS);
  await made.nodes.read([bob.pub]);
  made.node.isAway = true;
  const cut = await made.nodes.listText({ recipientPub: bob.pub, limit: 50, hidesDeleted: true });
  expect([cut.count, cut.hasMore, cut.isComplete]).toEqual([1, true, false]);
  made.time.advance(ELSEWHERE_FRESH_MS);
  expect(await made.nodes.read([bob.pub])).toEqual(new Set([bob.pub]));
  expect(idsOf(await list(made, FIRST + 90))).toEqual([id]);
});

it("says of an owner's list that it is whole once the database has what the node had", async () => {
  const made = await world();
  made.node.after = 7;
  const reading = made.nodes.readServed([bob.pub]);
  await pollUntil(() => made.asked.length === 2);
  await made.followTo(7);
  const isOver = reading.then(() => true);
  await pollUntil(async () => {
    made.time.advance(100);
    return await Promise.race([isOver, new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
  });
  expect([await reading, made.asked]).toEqual([new Set(), [{}, { served: [bob.pub] }]]);
  made.node.after = 8;
  made.time.advance(ELSEWHERE_FRESH_MS);
  const late = made.nodes.readServed([bob.pub]);
  await pollUntil(() => made.asked.length === 3);
  made.time.advance(ELSEWHERE_WAIT_MS);
  expect(await late).toEqual(new Set([bob.pub]));
  const ended = made.nodes.readServed([bob.pub]);
  await pollUntil(() => made.asked.length === 4);
  made.nodes.close();
  await pollUntil(async () => {
    made.time.advance(FEED_LOOK_MS);
    return await Promise.race([ended.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);
  });
  expect(await ended).toEqual(new Set([bob.pub]));
});

it("is asked nothing while the database gets all mail, or by a node of an earlier version", async () => {
  const made = await world();
  expect(made.mail.elsewhere).toBe(made.nodes);
  made.node.isElsewhere = false;
  made.time.advance(ELSEWHERE_INTERVAL_MS);
  await pollUntil(() => made.mail.elsewhere === undefined);
  made.node.isElsewhere = true;
  made.node.status = 404;
  made.time.advance(ELSEWHERE_INTERVAL_MS);
  await pollUntil(() => made.asked.length === 3);
  expect(made.mail.elsewhere).toBeUndefined();
});

interface Listening {
  readonly heard: HeardElsewhere;
  /** What a node says of a mailbox that is followed there; undefined for another one. */
  push(envelope: ArrivedEnvelope): void;
  /** Mailboxes that are followed at the node. */
  readonly followed: ReadonlyMap<string, unknown>;
  /** Mailboxes that the node reads as those of its own readers. */
  readonly named: Set<string>;
  /** Ids of which listeners here were told, in this order. */
  readonly told: string[];
}

function listening({ database, mail, nodes, time }: World): Listening {
  const followed = new Map<string, (push: ArrivedEnvelope) => void>();
  const named = new Set<string>();
  const told: string[] = [];
  const topics = {
    follow: (topic: string, listener: (push: never) => void) => void followed.set(topic.slice("inbox:".length), listener as () => void),
    leave: (topic: string) => void followed.delete(topic.slice("inbox:".length)),
    close: () => followed.clear(),
  } as HeardElsewhereDependencies["topics"];
  const elsewhere: HeardElsewhereDependencies["elsewhere"] = () => nodes.current;
  const isNamed = (box: string): boolean => named.has(box);
  const heard = new HeardElsewhere({ topics, database, timers: time, elsewhere, isNamed });
  heard.tell = (envelope): void => mail.announce(envelope);
  onTestFinished(() => heard.close());
  onTestFinished(
    mail.onArrival(
      ({ id }) => told.push(id),
      (box) => box === bob.pub,
    ),
  );
  return { heard, followed, named, told, push: (envelope) => followed.get(envelope.recipient_pub)?.(envelope) };
}

it("tells those who listen without a proof of what keepers have and the database has not, once", async () => {
  const made = await world();
  const { heard, push, told, followed } = listening(made);
  const stop = heard.watch(bob.pub);
  const [here, there, other] = [bob.envelope(1), bob.envelope(2), bob.envelope(3)];
  await made.mail.broadcast(here);
  for (const envelope of [here, there, there]) push(envelope);
  push({ ...other, recipient_pub: bob.pub.replace(/./g, "0") });
  await pollUntil(() => {
    made.time.advance(HEARD_PAUSE_MS);
    return told.includes(there.id) && told.includes(here.id);
  });
  expect(told.toSorted()).toEqual([here.id, there.id].toSorted());
  stop();
  expect([...followed]).toEqual([]);
});

it("tells nothing, and fails at nothing, while the database is away with which the node's answer is compared", async () => {
  const made = await world();
  const { heard, push, told } = listening(made);
  heard.watch(bob.pub);
  made.ids = [bob.envelope(1).id];
  const failed: unknown[] = [];
  const note = (error: unknown): void => void failed.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  Object.assign(made.database, { run: () => Promise.reject(new CodedError("UNAVAILABLE", "away")) });
  push(bob.envelope(1));
  made.time.advance(HEARD_PAUSE_MS);
  await pollUntil(() => made.asked.length > 1);
  await expect(made.nodes.read([bob.pub])).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect([failed, told]).toEqual([[], []]);
});

it("tells them nothing of boxes that their owners alone read, or of which no node says who does", async () => {
  const made = await world();
  const { heard, push, told } = listening(made);
  heard.watch(bob.pub);
  const asked = async (n: number): Promise<void> => {
    push(bob.envelope(n));
    made.time.advance(Math.max(HEARD_PAUSE_MS, ELSEWHERE_FRESH_MS));
    await new Promise((resolve) => setImmediate(resolve));
  };
  made.node.read = "owner";
  await asked(1);
  await pollUntil(() => made.nodes.openingOf(bob.pub)?.read === "owner");
  made.node.isAway = true;
  await asked(2);
  made.node.isAway = false;
  made.node.read = null;
  await pollUntil(async () => {
    await asked(3);
    return told.length > 0;
  });
  expect(new Set(told)).toEqual(new Set([bob.envelope(3).id]));
});

it("is followed for no more than it may, and not for readers whose mail comes into the database", async () => {
  const made = await world();
  const { heard, followed, named } = listening(made);
  const boxes = Array.from({ length: HEARD_BOXES + 1 }, (_, n) => n.toString(16).padStart(64, "0"));
  const stops = boxes.map((box) => heard.watch(box));
  expect(followed.size).toBe(HEARD_BOXES);
  named.add(boxes[0] ?? "");
  made.time.advance(ELSEWHERE_INTERVAL_MS);
  expect([followed.has(boxes[0] ?? ""), followed.has(boxes.at(-1) ?? ""), followed.size]).toEqual([false, true, HEARD_BOXES]);
  made.node.isElsewhere = false;
  await pollUntil(() => {
    made.time.advance(ELSEWHERE_INTERVAL_MS);
    return followed.size === 0;
  });
  for (const stop of stops) stop();
});
