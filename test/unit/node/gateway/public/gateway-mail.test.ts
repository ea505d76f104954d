// What processes share that keep their mailboxes in one PostgreSQL: order, limits, proofs, the key, and what goes with its week.
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { clientOf } from "#node/api/security/mail-input.ts";
import { systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { WAITING_NOTICE_BYTES, WAITING_NOTICES } from "#node/gateway/public/gateway-limits.ts";
import { type OpenedMail, openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import type { ArrivedEnvelope } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { MailboxText } from "#node/storage/mailbox/mailbox-repository.ts";
import { MailQueue } from "#node/storage/mailbox/sharing/postgres/mail/mail-queue.ts";
import { forgetOld, versionCall, versionOf } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import { countNotices, type WaitingNotices } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { statement } from "#node/storage/mailbox/sharing/postgres/statement-batch.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { LinkProxy } from "#test/support/nodes/link-proxy.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const START_SEC = 1_800_000_000;
const DAY_S = 86_400;
const bob = mailboxOwner(CHAIN_ID, 7);
const carol = mailboxOwner(CHAIN_ID, 8, START_SEC);
const alice = boxWriter(CHAIN_ID, 20);
const FRIEND = { party: "friend", tag: "", isLimited: true };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface World {
  readonly address: string;
  nowSec: number;
  /** What a node says of mail first. */
  askFirst: () => Promise<void>;
  /** What waits for nodes, as processes believe. */
  waiting: WaitingNotices;
  open(limits?: Partial<MailboxLimits>, chainId?: string): Promise<OpenedMail>;
}

async function createWorld(): Promise<World> {
  const world: World = {
    address: await postgres.createDatabase(),
    nowSec: START_SEC,
    askFirst: () => Promise.resolve(),
    waiting: { count: 0, bytes: 0 },
    async open(limits = {}, chainId = CHAIN_ID): Promise<OpenedMail> {
      const database = openPostgres([world.address], () => undefined);
      onTestFinished(() => database.close());
      const opened = await openGatewayMail({
        database,
        chainId,
        clock: { nowMs: () => world.nowSec * 1_000, monotonicMs: () => 0 },
        timers: systemTimers,
        random: systemRandom,
        verify: createNativeVerifier(),
        limits: { ...MAILBOX_LIMITS, ...limits },
        height: () => 300,
        askFirst: () => world.askFirst(),
        waitingNotices: () => world.waiting,
        postage: undefined,
        onGap: () => undefined,
        onError: (error) => {
          throw error;
        },
      });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
  return world;
}

async function seqsOf({ mail }: OpenedMail, pub: string): Promise<readonly number[]> {
  const { items } = await mail.listText({ recipientPub: pub, limit: 500 });
  return (JSON.parse(`[${items}]`) as readonly { readonly seq: number }[]).map(({ seq }) => seq);
}

it("is brought up to date by one of several that start at once; all have one key, and none is of another chain", async () => {
  const world = await createWorld();
  const opened = await Promise.all([world.open(), world.open(), world.open()]);
  expect(new Set(opened.map(({ mail }) => mail.publicKey)).size).toBe(1);
  await expect(world.open({}, "another-chain")).rejects.toMatchObject({ code: "STORAGE_FOREIGN" });
  await runStatement(world.address, "UPDATE schema_versions SET oldest_program = 999");
  await expect(world.open()).rejects.toMatchObject({ code: "STORAGE_NEWER" });
});

it("is looked for at its next address when the first one is away, and not because of what the work itself lacks", async () => {
  const { address } = await createWorld();
  const { port } = new URL(address);
  const proxy = new LinkProxy(Number(port));
  await proxy.listen();
  const database = openPostgres([address.replace(`:${port}/`, `:${proxy.port}/`), address], () => undefined);
  onTestFinished(() => Promise.all([database.close(), proxy.close()]).then(() => undefined));
  const ask = statement("ask", "SELECT 1 AS n");
  expect(await database.run(ask)).toEqual([{ n: 1 }]);
  proxy.setCut(true);
  await expect(database.run(ask)).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retryAfterS: 2 } });
  const nodeAway = new CodedError("UNAVAILABLE", "No node");
  await expect(database.transaction(() => Promise.reject(nodeAway))).rejects.toBe(nodeAway);
  expect(await database.run(ask)).toEqual([{ n: 1 }]);
});

it("asks a connection that went silent nothing more, and keeps one on which work failed", async () => {
  const { address } = await createWorld();
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  const pids: unknown[] = [];
  const fail = (error: Error): Promise<void> =>
    database.transaction(async (session) => {
      pids.push((await session.run(statement("pid", "SELECT pg_backend_pid() AS pid")))[0]);
      throw error;
    });
  await expect(fail(new CodedError("FORBIDDEN", "Work"))).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(fail(new Error("Query read timeout"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(fail(new CodedError("FORBIDDEN", "Work"))).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(pids[1]).toEqual(pids[0]);
  expect(pids[2]).not.toEqual(pids[1]);
});

it("takes mail of nodes however much of clients waits, and none of clients while too much waits for nodes", async () => {
  const world = await createWorld();
  const { mail } = await world.open({ waitingEnvelopes: 1, batchEnvelopes: 1 });
  const source = { party: "node a", tag: "" };
  const arrived = [1, 2, 3].map((n) => ({ envelope: bob.envelope(n), admission: undefined, source }));
  await mail.receive({ mail: arrived, openings: [], deletions: [] });
  expect(await mail.count(bob.pub)).toBe(3);
  for (const waiting of [
    { count: WAITING_NOTICES, bytes: 0 },
    { count: 1, bytes: WAITING_NOTICE_BYTES },
  ]) {
    world.waiting = waiting;
    await expect(mail.broadcast(bob.envelope(4))).rejects.toMatchObject({ code: "RELAY_FULL" });
  }
  world.waiting = { count: 0, bytes: 0 };
  await mail.broadcast(bob.envelope(4));
  const database = openPostgres([world.address], () => undefined);
  onTestFinished(() => database.close());
  const waiting = await countNotices(database);
  expect(waiting.count).toBe(1);
  expect(waiting.bytes).toBeGreaterThan(envelopeBytes(bob.envelope(4)));
});

it("lets none wait for a database that went away before its turn", async () => {
  let runs = 0;
  const queue = new MailQueue(
    () => {
      runs += 1;
      return Promise.reject(new CodedError("UNAVAILABLE", "Away"));
    },
    { batchEnvelopes: 1, waitingEnvelopes: 9 },
  );
  const task = { keys: { receiving: [], present: [], envelopes: [] }, work: (): void => undefined };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => queue.add(task)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(runs).toBe(1);
});

it("numbers a mailbox without gaps and twice nothing, whichever process stores, and tells all of them", async () => {
  const world = await createWorld();
  const [one, other] = await Promise.all([world.open(), world.open()]);
  const heard: ArrivedEnvelope[] = [];
  other.mail.onArrival(
    (envelope) => heard.push(envelope),
    (pub) => pub === bob.pub,
  );
  // The positions from which it listens are read first.
  await pollUntil(async () => {
    await one.mail.broadcast(carol.envelope(1));
    await other.mail.broadcast(bob.envelope(1_000));
    return heard.length > 0;
  });
  const envelopes = Array.from({ length: 120 }, (_, n) => bob.envelope(n));
  await Promise.all(envelopes.flatMap((envelope) => [one.mail.broadcast(envelope), other.mail.broadcast(envelope)]));
  const seqs = await seqsOf(one, bob.pub);
  const [first = 0] = seqs;
  expect(seqs).toEqual(Array.from({ length: 121 }, (_, n) => first + n));
  await pollUntil(() => heard.length >= 121);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
  expect(await other.mail.count(bob.pub)).toBe(121);
});

it("shows a page as it is now, also one that was asked for before another process changed the mailbox", async () => {
  const world = await createWorld();
  const [one, other] = await Promise.all([world.open(), world.open()]);
  const page = async (afterSeq = 0): Promise<MailboxText> =>
    await one.mail.listText({ recipientPub: bob.pub, limit: 3, afterSeq, hidesDeleted: true });
  const ids = async (): Promise<readonly string[]> =>
    (JSON.parse(`[${(await page()).items}]`) as readonly { readonly id: string }[]).map(({ id }) => id);
  const [first = "", second = "", third = "", fourth = ""] = [1, 2, 3, 4].map((n) => bob.envelope(n).id);
  expect(await ids()).toEqual([]);
  await other.mail.broadcast(bob.envelope(1));
  expect(await ids()).toEqual([first]);
  await other.mail.broadcast(bob.envelope(2));
  await other.mail.broadcast(bob.envelope(3));
  expect(await ids()).toEqual([first, second, third]);
  // The same text, as nothing has changed.
  expect(await page()).toBe(await page());
  await other.mail.hide(bob.pub, first);
  expect(await ids()).toEqual([second, third]);
  await other.mail.deleteIf(bob.pub, second, () => true);
  expect(await ids()).toEqual([third]);
  await other.mail.deleteIf(bob.pub, third, () => true);
  await other.mail.broadcast(bob.envelope(4));
  expect(await ids()).toEqual([fourth]);
  // A standby that took over without the last changes gives their figures to others.
  const database = openPostgres([world.address], () => undefined);
  onTestFinished(() => database.close());
  const [[row = {}] = []] = await database.runAll([versionCall(bob.pub)]);
  expect(row).toMatchObject({ timeline: 1 });
  expect(versionOf([{ ...row, timeline: 2 }])).not.toBe(versionOf([row]));
});

it("stores an envelope once that two processes have for a mailbox which neither has seen", async () => {
  const world = await createWorld();
  const [one, other] = await Promise.all([world.open(), world.open()]);
  // The weeks are made, and a lane is chosen.
  await one.mail.broadcast(carol.envelope(1));
  await other.mail.broadcast(carol.envelope(2));
  const between = new pg.Client({ connectionString: world.address });
  await between.connect();
  onTestFinished(() => between.end());
  const waiting = async (): Promise<number> =>
    (await between.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")).rowCount ?? 0;
  // Both have looked for the mailbox by the time that either may make it.
  await between.query("BEGIN; LOCK TABLE mailboxes IN SHARE MODE");
  const stored = Promise.all([one.mail.broadcast(bob.envelope(1)), other.mail.broadcast(bob.envelope(1))]);
  await pollUntil(async () => (await waiting()) === 2);
  await between.query("COMMIT");
  await stored;
  expect(await seqsOf(one, bob.pub)).toHaveLength(1);
});

it("takes a proof once, and so many bytes a day of a network, over all processes", async () => {
  const world = await createWorld();
  const size = envelopeBytes(bob.envelope(1));
  const limits = { sourceDayBytes: 3 * size + 10 };
  const [one, other] = await Promise.all([world.open(limits), world.open(limits)]);
  const codes: string[] = [];
  for (const [n, { mail }] of [one, other, one, other, one].entries())
    codes.push(
      await mail.broadcast(bob.envelope(n), FRIEND).then(
        () => "stored",
        ({ code }: { code: string }) => code,
      ),
    );
  expect(codes).toEqual(["stored", "stored", "stored", "RATE_LIMITED", "RATE_LIMITED"]);
  world.nowSec += DAY_S;
  await other.mail.broadcast(bob.envelope(9), FRIEND);
  const proof = { mac: 77, unixSeconds: world.nowSec, address: "a" };
  const deleteAt = ({ mail }: OpenedMail, id: string): Promise<void> =>
    mail.deleteIf(bob.pub, id, () => {
      mail.proofs.add(proof, 0);
      return true;
    });
  await deleteAt(one, bob.envelope(0).id);
  await expect(deleteAt(other, bob.envelope(1).id)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await one.mail.count(bob.pub)).toBe(3);
});

it("drops mail with its week, and every figure with it; the mailbox continues above what it had", async () => {
  const world = await createWorld();
  const opened = await world.open();
  const { mail, maintain } = opened;
  await mail.boxes.take(carol.opening(alice.key, { untilSec: world.nowSec + 1_000, height: 1 }), FRIEND);
  for (const n of [1, 2, 3]) await mail.broadcast(bob.envelope(n), FRIEND);
  const admitted = carol.envelope(1);
  await mail.broadcast(admitted, FRIEND, alice.admit(admitted));
  await mail.hide(bob.pub, bob.envelope(1).id);
  const before = await seqsOf(opened, bob.pub);
  world.nowSec += 29 * DAY_S;
  await mail.broadcast(bob.envelope(4), FRIEND);
  await maintain();
  expect([await mail.count(bob.pub), await mail.count(bob.pub, true), mail.envelopeCount]).toEqual([4, 3, 5]);
  world.nowSec += 10 * DAY_S;
  await maintain();
  expect([await mail.count(bob.pub), await mail.count(bob.pub, true), await mail.count(carol.pub), mail.envelopeCount]).toEqual([
    1, 1, 0, 1,
  ]);
  const [sums] = await runStatement(
    world.address,
    `SELECT (SELECT sum(bytes) FROM lanes)::int AS bytes, (SELECT sum(open_bytes) FROM lanes)::int AS open,
      (SELECT sum(waiting_bytes) FROM sources)::int AS waiting, (SELECT coalesce(sum(open_bytes), 0) FROM sources)::int AS opened`,
  );
  const size = envelopeBytes(bob.envelope(4));
  expect(sums).toEqual({ bytes: size, open: 0, waiting: size, opened: 0 });
  world.nowSec += 40 * DAY_S;
  await maintain();
  expect(await runStatement(world.address, "SELECT count(*)::int AS boxes FROM mailboxes")).toEqual([{ boxes: 0 }]);
  await mail.broadcast(bob.envelope(1), FRIEND);
  expect((await seqsOf(opened, bob.pub))[0]).toBeGreaterThan(before.at(-1) ?? 0);
});

it("forgets what is over so much at a time that no statement takes too long, all of it and nothing else", async () => {
  const { address, open } = await createWorld();
  await open();
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  for (const insert of [
    "INSERT INTO used_proofs SELECT n, n FROM generate_series(1, 9) AS n",
    "INSERT INTO wake SELECT 0, n, n, '{}', '{}' FROM generate_series(1, 9) AS n",
    "INSERT INTO opened_boxes SELECT int4send(n), '', '', n, n, '', n, '', false FROM generate_series(1, 9) AS n",
  ])
    await runStatement(address, insert);
  const removed: number[] = [];
  const run: PostgresDatabase["run"] = async (query, values) => {
    const rows = await database.run<never>(query, values);
    if (values?.length === 2) removed.push(rows.length);
    return rows;
  };
  await forgetOld({ run }, { wakeSec: 8, proofsSec: 6, boxesSec: 10, readersSec: 0 }, { most: 3 });
  expect(removed).toEqual([3, 3, 1, 3, 2, 3, 3, 3, 0]);
  const [left] = await runStatement(
    address,
    `SELECT (SELECT min(n) FROM wake)::int AS wake, (SELECT min(mac) FROM used_proofs)::int AS proofs,
      (SELECT count(*) FROM opened_boxes)::int AS boxes`,
  );
  expect(left).toEqual({ wake: 8, proofs: 6, boxes: 0 });
});

it("notes with what waits for nodes whose it is, of those who are counted", async () => {
  const world = await createWorld();
  const { mail } = await world.open();
  const [address, isOwn] = ["203.0.113.1", false];
  const [counted, exempt] = [clientOf({ isOwn, isExempt: false, address }), clientOf({ isOwn, isExempt: true, address: "127.0.0.1" })];
  await mail.broadcast(bob.envelope(1), counted);
  await mail.send(bob.pub, new Uint8Array(5), counted);
  await mail.broadcast(bob.envelope(2), exempt);
  await mail.broadcast(bob.envelope(3), FRIEND);
  await mail.broadcast(bob.envelope(4));
  await mail.boxes.take(carol.opening(alice.key, { untilSec: START_SEC + 3_600, height: 300 }), counted);
  await mail.deletions.take(bob.deletion([bob.envelope(1).id], 300));
  const rows = await runStatement(world.address, "SELECT kind, client FROM outgoing ORDER BY n");
  expect(rows.map(({ kind, client }) => `${String(kind)} ${String(client)}`)).toEqual([
    ...[`envelope ${address}`, `envelope ${address}`, "envelope null", "envelope null", "envelope null"],
    ...[`opening ${address}`, "deletion null"],
  ]);
});

it("stores nothing that a node refuses first, and says why", async () => {
  const world = await createWorld();
  const opened = await world.open();
  world.askFirst = (): Promise<never> => Promise.reject(new CodedError("FORBIDDEN", "admit is missing"));
  await expect(opened.mail.broadcast(bob.envelope(1), FRIEND)).rejects.toMatchObject({ code: "FORBIDDEN", message: "admit is missing" });
  await expect(opened.mail.send(bob.pub, new Uint8Array(5), FRIEND)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const opening = bob.opening(alice.key, { untilSec: START_SEC + 3_600, height: 300 });
  await expect(opened.mail.boxes.take(opening, FRIEND)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect([await opened.mail.count(bob.pub), await opened.mail.boxes.find(bob.pub)]).toEqual([0, undefined]);
});
