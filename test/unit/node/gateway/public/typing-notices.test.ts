// Typing notices from a client of one gateway to those of another one over the same database, and what is lost rather than held.
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { TYPING_A_NOTICE, TYPING_WAITING } from "#node/gateway/public/gateway-limits.ts";
import { openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { createGatewayServer, type GatewayServerDependencies } from "#node/gateway/public/server/gateway-server.ts";
import { TypingNotices } from "#node/gateway/public/server/typing-notices.ts";
import { createLog } from "#node/observability/log.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import type { TypingNotice } from "#node/relay/typing-exchange.ts";
import { NOTICE_BYTES, NoticeChannel } from "#node/storage/mailbox/sharing/postgres/notice-channel.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { openTestSocket, signSocketAuth, type TestSocket } from "#test/support/api/test-socket.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const keyOf = (n: number): string => n.toString(16).padStart(64, "0");
const seed = new Uint8Array(32).fill(9);
const person = { publicKey: toHex(ed25519PublicKey(seed)), seed };
const box = keyOf(77);
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface Process {
  readonly typing: TypingNotices;
  readonly heard: TypingNotice[];
  readonly errors: string[];
}

function openProcess(database: PostgresDatabase, time?: VirtualTime): Process {
  const errors: string[] = [];
  const typing = new TypingNotices({
    database,
    clock: time?.clock(0) ?? systemClock,
    timers: time ?? systemTimers,
    random: systemRandom,
    onError: (_, what): void => void errors.push(what),
  });
  onTestFinished(() => typing.close());
  const heard: TypingNotice[] = [];
  typing.exchange.onNotice((notice) => heard.push(notice));
  return { typing, heard, errors };
}

async function openDatabase(): Promise<{ readonly address: string; readonly database: PostgresDatabase }> {
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  return { address, database };
}

const listening = (address: string, processes: number): Promise<unknown> =>
  pollUntil(
    async () => {
      const query = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN parley_typing'";
      return (await runStatement(address, query))[0]?.n === processes;
    },
    { what: "all processes to listen", intervalMs: 20 },
  );

/** Time in which promises are kept as well. */
async function pass(time: VirtualTime, durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 50) {
    time.advance(50);
    await setImmediate();
  }
}

async function openServer(database: PostgresDatabase, { typing }: Process): Promise<TestSocket> {
  const parts = { clock: systemClock, timers: systemTimers, random: systemRandom, verify: createNativeVerifier() };
  const { mail, close } = await openGatewayMail({
    ...{ ...parts, database, chainId: CHAIN_ID, limits: MAILBOX_LIMITS, height: () => 300, postage: undefined },
    ...{ onGap: () => undefined, onError: () => undefined },
  });
  onTestFinished(close);
  const server = await createGatewayServer({
    api: { listenHost: "127.0.0.1" },
    ...{ chainId: CHAIN_ID, mail, typing: typing.exchange, verify: parts.verify, log: createLog("text", { write: () => undefined }) },
    explorer: {
      ...{ explorer: {}, state: { contracts: {}, search: {} }, gate: { pass: () => undefined }, counts: {} },
    } as unknown as GatewayServerDependencies["explorer"],
    links: {
      client: {
        getIdentity: () => Promise.resolve({ x25519_pub: box }),
        listDevices: () => Promise.resolve({ devices: [] }),
      },
    } as unknown as GatewayServerDependencies["links"],
    ...{ onSkipped: () => () => undefined, onGap: () => undefined, waitingNotices: () => 0, refused: { count: 0, lost: 0 } },
  });
  onTestFinished(() => server.close());
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = await openTestSocket(`ws://127.0.0.1:${port}/api/ws`);
  onTestFinished(() => socket.close());
  const hello = await socket.next({ type: "hello" });
  socket.send({ type: "auth", ...signSocketAuth(hello as unknown as { readonly chain_id: string; readonly nonce: string }, person) });
  await socket.next({ type: "auth_ok" });
  return socket;
}

it("reach who listens at another gateway, once, and come back when the connection does", async () => {
  const { address, database } = await openDatabase();
  const [one, other] = [openProcess(database), openProcess(database)];
  const [here, there] = [await openServer(database, one), await openServer(database, other)];
  await listening(address, 2);
  for (const socket of [here, there]) {
    socket.send({ type: "subscribe", topic: `typing:${box}` });
    await socket.next({ type: "subscribed" });
  }
  here.send({ type: "typing", to: box, from: box });
  for (const socket of [here, there]) await socket.next({ type: "typing", to: box, from: box });
  // The next text comes after the first one, also to who sent it.
  other.typing.exchange.publish({ to: keyOf(1), from: keyOf(2) });
  await pollUntil(() => one.heard.length === 1, { what: "a notice the other way" });
  expect(one.heard).toEqual([{ to: keyOf(1), from: keyOf(2) }]);
  expect(here.frames.filter(({ type }) => type === "typing")).toHaveLength(1);
  await runStatement(
    address,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley-notices' AND datname = current_database()",
  );
  let n = 10;
  await pollUntil(
    () => {
      n += 1;
      one.typing.exchange.publish({ to: keyOf(1), from: keyOf(n) });
      return other.heard.length > 1;
    },
    { what: "notices to be heard again" },
  );
});

it("hear nothing of texts of another form, and of a database that no longer answers once", async () => {
  const { address, database } = await openDatabase();
  const process = openProcess(database);
  await listening(address, 1);
  for (const text of ["", "x", "other:", "other:*", `other:${"A".repeat(84)}`, "other:AAAA"])
    await runStatement(address, `SELECT pg_notify('parley_typing', '${text}')`);
  await runStatement(address, `SELECT pg_notify('parley_typing', 'other:${Buffer.alloc(128, 3).toString("base64")}')`);
  await pollUntil(() => process.heard.length > 0, { what: "the last text" });
  const each = "03".repeat(32);
  expect(process.heard).toEqual([
    { to: each, from: each },
    { to: each, from: each },
  ]);
  const nothing = { run: () => Promise.reject(new Error("away")), address: "postgres://postgres@127.0.0.1:1/none", timeline: 0 };
  const away = openProcess(nothing as unknown as PostgresDatabase);
  away.typing.exchange.publish({ to: keyOf(1), from: keyOf(2) });
  await pollUntil(() => away.errors.length > 0, { what: "the failure" });
  expect(away.errors).toEqual(["Typing notices of other processes are not heard"]);
});

it("pass once a second and pair, as many as have room, in texts that PostgreSQL takes", async () => {
  const texts: string[] = [];
  const time = new VirtualTime();
  const database = {
    run: (_: unknown, [, text]: readonly string[] = []) => {
      texts.push(text ?? "");
      return Promise.resolve([]);
    },
    address: "postgres://postgres@127.0.0.1:1/none",
    timeline: 0,
  };
  const { typing } = openProcess(database as unknown as PostgresDatabase, time);
  for (let n = 0; n < 3; n += 1) typing.exchange.publish({ to: keyOf(1), from: keyOf(2) });
  await pass(time, 900);
  expect(texts).toHaveLength(1);
  for (let n = 0; n < 2 * TYPING_WAITING; n += 1) typing.exchange.publish({ to: keyOf(n), from: keyOf(5) });
  await pass(time, 5_000);
  const sizes = texts.map((text) => Buffer.from(text.split(":")[1] ?? "", "base64").length / 64);
  // The first of them left at once.
  expect(sizes).toEqual([1, 1, ...Array.from({ length: 11 }, () => TYPING_A_NOTICE), TYPING_WAITING - 11 * TYPING_A_NOTICE]);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(NOTICE_BYTES);
  typing.exchange.publish({ to: keyOf(1), from: keyOf(2) });
  await pass(time, 100);
  expect(texts.at(-1)?.length).toBeLessThan(200);
});

it("are not heard from a database that another one has taken over from", async () => {
  const { address, database } = await openDatabase();
  const heard: string[] = [];
  const errors: string[] = [];
  const later = { run: database.run.bind(database), address, timeline: 7 };
  const channel = new NoticeChannel({
    database: later,
    name: "parley_typing",
    onNotice: (text) => heard.push(text),
    onError: (error) => errors.push(String(error)),
  });
  onTestFinished(() => channel.close());
  await pollUntil(() => errors.length > 0, { what: "the refusal" });
  expect(errors).toEqual([expect.stringContaining("followed by another one")]);
  await runStatement(address, "SELECT pg_notify('parley_typing', 'text')");
  await channel.close();
  expect(heard).toEqual([]);
});
