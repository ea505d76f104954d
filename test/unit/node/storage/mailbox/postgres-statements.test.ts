// Statements over a real PostgreSQL: many in one round trip, what comes of one that fails, and how long one may take.
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "#node/storage/mailbox/sharing/postgres/client-session.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { type Call, runBatch, statement } from "#node/storage/mailbox/sharing/postgres/statement-batch.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "../../../../support/postgres/test-postgres.ts";

const ADD = statement("add", "INSERT INTO numbers (n) VALUES ($1)");
const ALL = statement("all", "SELECT n FROM numbers ORDER BY n");
const COPY = statement("copy", "COPY numbers (n) FROM STDIN");
const LIMIT = statement("limit", "SELECT current_setting('statement_timeout') AS most");
const BACK = statement(
  "back",
  "SELECT $1::text[] AS texts, $2::bytea[] AS bytes, $3::int[] AS numbers, $4::text AS text, $5::bytea AS one",
);

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function open(): Promise<PostgresDatabase> {
  const address = await server.createDatabase();
  await runStatement(address, "CREATE TABLE numbers (n int PRIMARY KEY)");
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  return database;
}

function add(n: number): Call {
  return { query: ADD, values: [n] };
}

it("run in their order, with what is copied among them, and give the rows of each", async () => {
  const database = await open();
  const rows = await database.transaction(async (session) => {
    const given = await session.runAll([add(1), { query: ALL }, { query: COPY, copied: Buffer.from("2\n3\n") }, { query: ALL }]);
    await session.commit([add(4)]);
    return given;
  });
  expect(rows).toEqual([[], [{ n: 1 }], [], [{ n: 1 }, { n: 2 }, { n: 3 }]]);
  expect(await database.run(ALL)).toEqual([1, 2, 3, 4].map((n) => ({ n })));
});

it("leave nothing behind where one of them fails, and a connection that knows its statements", async () => {
  const database = await open();
  const failing: readonly (readonly Call[])[] = [
    [add(1), add(1), { query: ALL }],
    [add(1), { query: COPY, copied: Buffer.from("2\nno number\n") }],
    [add(1), { query: statement("wrong", "SELECT missing FROM numbers") }, { query: LIMIT }],
  ];
  for (const calls of failing) {
    await expect(database.transaction((session) => session.runAll(calls))).rejects.toThrow();
    await expect(database.transaction((session) => session.commit(calls))).rejects.toThrow();
    await expect(database.run(ALL)).resolves.toEqual([]);
  }
  await database.transaction((session) => session.runAll([{ query: COPY, copied: Buffer.from("7\n") }, { query: LIMIT }]));
  await expect(database.run(ALL)).resolves.toEqual([{ n: 7 }]);
});

it("commit nothing where one takes too long or the server ends in between, and the next ones have a clean connection", async () => {
  const database = await open();
  const pid = statement("pid", "SELECT pg_backend_pid() AS pid");
  const sleep = statement("sleep", "SELECT pg_sleep(60)");
  const [before] = await database.run(pid);
  const slow = database.transaction(async (session) => {
    await session.exec("SET LOCAL statement_timeout = 50");
    await session.commit([add(1), { query: sleep }, { query: COPY, copied: Buffer.from("2\n") }]);
  });
  await expect(slow).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await database.run(LIMIT)).toEqual([{ most: "10s" }]);
  expect(await database.run(pid)).toEqual([before]);
  const end = statement("end", "SELECT pg_terminate_backend(pg_backend_pid())");
  await expect(database.transaction((session) => session.commit([add(1), { query: end }, add(2)]))).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  // What is wrong at its beginning is refused while most of it is on its way.
  const large = Buffer.concat([Buffer.from("no number\n"), Buffer.alloc(16_777_216, "7\n")]);
  await expect(database.transaction((session) => session.commit([{ query: COPY, copied: large }]))).rejects.toMatchObject({
    code: "22P02",
  });
  expect(await database.run(ALL)).toEqual([]);
});

it("take texts with every sign of lists, bytes, numbers and null as they are", async () => {
  const texts = ['a "quoted" one', "{a,b}", "back\\slash", "", "NULL", "line\nend", "ü"];
  const bytes = [Buffer.from([0, 255, 34, 92]), Buffer.alloc(0)];
  const numbers = [2_147_483_647, -1];
  const [row] = await (await open()).run(BACK, [[...texts, null], bytes, numbers, null, bytes[0]]);
  expect(row).toEqual({ texts: [...texts, null], bytes, numbers, text: null, one: bytes[0] });
});

it("are given up after ten seconds each, be they alone or in a transaction, and clients are to come again", async () => {
  const database = await open();
  expect(await database.run(LIMIT)).toEqual([{ most: "10s" }]);
  expect(await database.transaction((session) => session.run(LIMIT))).toEqual([{ most: "10s" }]);
  const slow = database.transaction(async (session) => {
    await session.exec("SET LOCAL statement_timeout = 50");
    await session.run(statement("sleep", "SELECT pg_sleep(60)"));
  });
  await expect(slow).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retryAfterS: 2 } });
  expect(await database.run(ALL)).toEqual([]);
});

it("have that limit behind a pooler too, which gives each transaction any connection", async () => {
  const client = new pg.Client({ connectionString: await server.createDatabase() });
  await client.connect();
  onTestFinished(() => client.end());
  expect((await runBatch(client, [LIMITS, { query: LIMIT }]))[1]).toEqual([{ most: "10s" }]);
  expect(await runBatch(client, [{ query: LIMIT }])).toEqual([[{ most: "0" }]]);
});
