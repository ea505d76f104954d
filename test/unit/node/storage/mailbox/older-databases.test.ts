// Databases that older releases of gateways made and filled: the newest release loses nothing of them, and both run side by side.
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { type OpenedMail, openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { MAIL_MIGRATIONS } from "#node/storage/mailbox/sharing/postgres/mail/mail-migrations.ts";
import { feedPosition, handOver } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import { migrate } from "#node/storage/mailbox/sharing/postgres/migrate.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

/** When the older programs ran. */
const FILLED_SEC = 1_800_000_000;
const [bob, carol, dave] = [7, 8, 9].map((n) => mailboxOwner(CHAIN_ID, n, FILLED_SEC - 1_000));
const writer = boxWriter(CHAIN_ID, 20);
const FRIEND = { party: "friend", tag: "", isLimited: true };
const NODE = "aa".repeat(32);
const NEWEST = MAIL_MIGRATIONS.length;
if (bob === undefined || carol === undefined || dave === undefined) throw new Error("three of them");

type Row = Readonly<Record<string, unknown>>;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

/** A database as a program with this version of the schema left it. */
async function olderDatabase(version: number): Promise<string> {
  const address = await postgres.createDatabase();
  await runStatement(address, readFileSync(new URL(`../../../../support/postgres/older/mail-${version}.sql`, import.meta.url), "utf8"));
  return address;
}

/** Rows of all tables that a program writes. */
async function rowsOf(address: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = await runStatement(
    address,
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT relispartition
      AND relname <> 'schema_versions' ORDER BY 1`,
  );
  const rows = new Map<string, readonly Row[]>();
  for (const name of tables.map((table) => String(table.name))) {
    const found = await runStatement(address, `SELECT row_to_json(t) AS row FROM ${name} t ORDER BY row_to_json(t)::text`);
    rows.set(
      name,
      found.map(({ row }) => row as Row),
    );
  }
  return rows;
}

interface Opened extends OpenedMail {
  readonly database: PostgresDatabase;
}

async function openNewest(address: string): Promise<Opened> {
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  const opened = await openGatewayMail({
    database,
    chainId: CHAIN_ID,
    clock: { nowMs: () => (FILLED_SEC + 60) * 1_000, monotonicMs: () => 0 },
    timers: systemTimers,
    random: systemRandom,
    verify: createNativeVerifier(),
    limits: MAILBOX_LIMITS,
    height: () => 300,
    postage: undefined,
    onGap: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => opened.close());
  return { ...opened, database };
}

interface Listed {
  readonly id: string;
  readonly seq: number;
}

async function listOf({ mail }: OpenedMail, pub: string): Promise<readonly Listed[]> {
  const { items } = await mail.listText({ recipientPub: pub, limit: 500 });
  return JSON.parse(`[${items}]`) as readonly Listed[];
}

const idsOf = (listed: readonly Listed[]): readonly string[] => listed.map(({ id }) => id);

it.each([1, 2])("of version %i are brought up to date with every row that they had", async (version) => {
  const address = await olderDatabase(version);
  const before = await rowsOf(address);
  // Tables without rows would prove nothing.
  const empty = [...before].filter(([, rows]) => rows.length === 0).map(([name]) => name);
  expect(empty).toEqual([]);
  await migrate((await openNewest(address)).database, MAIL_MIGRATIONS);
  const after = await rowsOf(address);
  for (const [name, rows] of before) {
    const columns = Object.keys(rows[0] ?? {});
    const kept = after.get(name)?.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    expect([name, kept]).toEqual([name, rows]);
  }
  const versions = await runStatement(address, "SELECT version FROM schema_versions ORDER BY version");
  expect(versions.map((row) => row.version)).toEqual(Array.from({ length: NEWEST }, (_, n) => n + 1));
});

it.each([1, 2])(
  "of version %i mean to the newest program what they meant: mail, deletions, openings, proofs, what nodes are to get",
  async (version) => {
    const address = await olderDatabase(version);
    const opened = await openNewest(address);
    const { mail, database } = opened;
    expect(idsOf(await listOf(opened, bob.pub))).toEqual([2, 4, 5, 6].map((n) => bob.envelope(n).id));
    // The second was read.
    expect([await mail.count(bob.pub, true), await mail.count(bob.pub)]).toEqual([3, 4]);
    expect(idsOf(await listOf(opened, carol.pub))).toEqual([carol.envelope(1).id, expect.any(String), carol.envelope(5).id]);
    expect(idsOf(await listOf(opened, dave.pub))).toEqual([1, 2].map((n) => dave.envelope(n).id));
    // What was deleted does not come back, and what is there is not there twice.
    const again = [1, 4, 7].map((n) => ({ envelope: bob.envelope(n), admission: undefined, source: { party: "node x", tag: "" } }));
    await mail.receive({ mail: again, openings: [], deletions: [] });
    expect(idsOf(await listOf(opened, bob.pub))).toEqual([2, 4, 5, 6, 7].map((n) => bob.envelope(n).id));
    await expect(mail.broadcast(dave.envelope(3), FRIEND)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await mail.broadcast(dave.envelope(3), FRIEND, writer.admit(dave.envelope(3)));
    const used = (): boolean => {
      mail.proofs.add({ mac: 12_345, unixSeconds: FILLED_SEC, address: "" }, FILLED_SEC);
      return true;
    };
    await expect(mail.deleteIf(bob.pub, bob.envelope(4).id, used)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await feedPosition(database, NODE)).toBe(41);
    const kinds: string[] = [];
    await handOver(database, { after: 0, until: undefined, limit: 100, nowSec: FILLED_SEC }, (notices) => {
      kinds.push(...notices.map(({ kind }) => kind));
      return Promise.resolve({ done: notices.map(({ n }) => n), refused: [] });
    });
    expect(kinds.length).toBeGreaterThan(12);
    expect([kinds.filter((kind) => kind === "deletion").length, kinds.filter((kind) => kind === "opening").length]).toEqual([1, 1]);
  },
);

/** One envelope in the statements of the program with version 1, on lane 3. */
async function writeAsFirstRelease(address: string, n: number): Promise<void> {
  const envelope = bob?.envelope(n);
  if (envelope === undefined) throw new Error("one of them");
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query("BEGIN; SELECT pg_advisory_xact_lock_shared(1347570688); SELECT 1 FROM lanes WHERE lane = 3 FOR UPDATE");
    const pub = Buffer.from(envelope.recipient_pub, "hex");
    const { rows } = await client.query<{ readonly mailbox: string; readonly seq: string }>(
      "UPDATE mailboxes SET last_seq = last_seq + 1, envelope_count = envelope_count + 1, bytes = bytes + 400 WHERE pub = $1 RETURNING mailbox, last_seq AS seq",
      [pub],
    );
    const { mailbox, seq } = rows[0] ?? { mailbox: "", seq: "" };
    await client.query(
      `INSERT INTO envelopes (mailbox, seq, received_at, sent_at, fee_ut, received_day, bytes, room, is_hidden, is_authentic, id, party, tag,
          sender_pub, sender_ed25519_pub, fee_sig, admit, nonce, ciphertext)
        VALUES ($1, $2, $3, $4, 0, $5, 400, 0, false, false, $6, 'friend', '', $7, $8, NULL, NULL, $9, $10)`,
      [
        ...[mailbox, seq, FILLED_SEC + 60, envelope.sent_at, Math.floor(FILLED_SEC / 86_400), envelope.id],
        ...[Buffer.from(envelope.sender_pub, "hex"), Buffer.from(envelope.sender_ed25519_pub ?? "", "hex")],
        ...[Buffer.from(envelope.nonce, "base64"), Buffer.from(envelope.ciphertext, "base64")],
      ],
    );
    await client.query(
      "UPDATE lanes SET n = n + 1, envelope_count = envelope_count + 1, bytes = bytes + 400, used_at = $1 WHERE lane = 3",
      [FILLED_SEC + 60],
    );
    await client.query("INSERT INTO wake (lane, n, written_at, pubs, seqs) SELECT 3, n, $1, $2, $3 FROM lanes WHERE lane = 3", [
      FILLED_SEC + 60,
      [pub],
      [seq],
    ]);
    await client.query("INSERT INTO outgoing (written_at, kind, body) VALUES ($1, 'envelope', $2)", [
      FILLED_SEC + 60,
      JSON.stringify({ envelope }),
    ]);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

it("take what a process of the first release writes after a newer one migrated them, and it reads what that writes", async () => {
  const address = await olderDatabase(1);
  const opened = await openNewest(address);
  const arrived: string[] = [];
  onTestFinished(
    opened.mail.onArrival(
      ({ id }) => arrived.push(id),
      () => true,
    ),
  );
  // It starts again beside the newest one, which has been here.
  const older = openPostgres([address], () => undefined);
  onTestFinished(() => older.close());
  await migrate(older, MAIL_MIGRATIONS.slice(0, 1));
  await opened.mail.broadcast(bob.envelope(8), FRIEND);
  await writeAsFirstRelease(address, 9);
  await opened.mail.broadcast(bob.envelope(10), FRIEND);
  const wanted = [8, 9, 10].map((n) => bob.envelope(n).id);
  await pollUntil(() => arrived.length >= 3, { what: "pushes of both releases" });
  expect(arrived.toSorted()).toEqual(wanted.toSorted());
  const listed = (await listOf(opened, bob.pub)).slice(-3);
  expect(idsOf(listed)).toEqual(wanted);
  // As the first release lists and counts.
  const [first] = listed;
  const read = await runStatement(
    address,
    `SELECT id FROM envelopes JOIN mailboxes USING (mailbox) WHERE pub = decode('${bob.pub}', 'hex') AND seq >= ${first?.seq ?? 0}
      AND received_day >= first_day AND NOT is_hidden ORDER BY seq`,
  );
  expect(read.map(({ id }) => id)).toEqual(wanted);
  const waiting = await runStatement(address, "SELECT body::json -> 'envelope' ->> 'id' AS id FROM outgoing ORDER BY n DESC LIMIT 3");
  expect(waiting.map(({ id }) => id)).toEqual(wanted.toReversed());
});

it("refuse in words a program that cannot run beside one that has migrated them", async () => {
  const address = await olderDatabase(1);
  const { database } = await openNewest(address);
  const next = { version: NEWEST + 1, oldestProgram: NEWEST + 1, sql: "ALTER TABLE mailboxes RENAME COLUMN bytes TO size" };
  await migrate(database, [...MAIL_MIGRATIONS, next]);
  await expect(openNewest(address)).rejects.toMatchObject({
    code: "STORAGE_NEWER",
    message: expect.stringContaining("migrated by a newer version, which this one cannot run beside") as string,
  });
  // It has changed nothing.
  const versions = await runStatement(address, "SELECT max(version) AS version FROM schema_versions");
  expect(versions).toEqual([{ version: NEWEST + 1 }]);
});
