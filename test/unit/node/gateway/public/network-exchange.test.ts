// Mail between database and nodes: what one mailbox waits for holds up no other, and a node's position moves by its own mail alone.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { startExchange } from "#node/gateway/public/exchange/network-exchange.ts";
import { NOTICES_A_ROUND } from "#node/gateway/public/gateway-limits.ts";
import type { NetworkMail } from "#node/gateway/public/gateway-mail.ts";
import type { NodeResponse } from "#node/gateway/public/node-links.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { ROUTES } from "#shared/api/routes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const EMPTY = { envelopes: [], openings: [], deletions: [], has_more: false };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface World {
  readonly address: string;
  readonly database: PostgresDatabase;
  readonly taken: NetworkMail[];
  /** What went wrong. */
  readonly said: string[];
  start(answer: (path: string, body: string | undefined) => NodeResponse): void;
}

async function createWorld(): Promise<World> {
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  await prepareMail(database, CHAIN_ID, new Uint8Array(32).fill(1));
  const taken: NetworkMail[] = [];
  const said: string[] = [];
  return {
    address,
    database,
    taken,
    said,
    start(answer): void {
      const request = (path: string, { body }: { readonly body?: string | undefined }): Promise<NodeResponse> =>
        Promise.resolve(answer(path, body));
      const stop = startExchange({
        database,
        mail: {
          receive: (mail): Promise<void> => {
            taken.push(mail);
            return Promise.resolve();
          },
        },
        links: { request },
        clock: systemClock,
        timers: systemTimers,
        onError: (error, what) => said.push(`${what}: ${(error as Error).message}`),
      });
      onTestFinished(async () => {
        await stop();
        await database.close();
      });
    },
  };
}

it("hands mail of a mailbox over whatever others wait for, and nothing of one before what came earlier", async () => {
  const world = await createWorld();
  const notice = (pub: string, n: number): string => `(1, 'opening', '${JSON.stringify({ pub, n })}')`;
  const full = Array.from({ length: NOTICES_A_ROUND + 3 }, (_, n) => notice(`full${n}`, n));
  const values = [...full, notice("free", 1), notice("full0", 2), notice("free", 2)].join(", ");
  await runStatement(world.address, `INSERT INTO outgoing (written_at, kind, body) VALUES ${values}`);
  const tried: string[] = [];
  world.start((path, body) => {
    if (body === undefined) return { status: 503, text: path, at: 0 };
    tried.push(body);
    return { status: body.includes("full") ? 503 : 200, text: "{}", at: 0 };
  });
  await pollUntil(async () => {
    const [row] = await runStatement(world.address, "SELECT count(*)::int AS left FROM outgoing");
    return row?.left === full.length + 1;
  });
  expect(tried.filter((body) => body.includes("free"))).toEqual([1, 2].map((n) => JSON.stringify({ pub: "free", n })));
  expect(tried).not.toContain(JSON.stringify({ pub: "full0", n: 2 }));
});

it("moves the position of a node by no page of another one that answers in its place", async () => {
  const world = await createWorld();
  let asked = 0;
  let isOther = true;
  world.start((path) => {
    if (path === "/api/status") return { status: 200, text: JSON.stringify({ relay_pub: "first" }), at: 0 };
    asked += 1;
    return { status: 200, text: JSON.stringify({ ...EMPTY, after: isOther ? 900 : 5, deletions_after: 0 }), at: isOther ? 1 : 0 };
  });
  await pollUntil(() => asked > 0);
  isOther = false;
  const positions = (): ReturnType<typeof runStatement> => runStatement(world.address, "SELECT node, envelopes::int AS at FROM feeds");
  await pollUntil(async () => (await positions()).length > 0);
  expect(await positions()).toEqual([{ node: "first", at: 5 }]);
  expect(world.taken.length).toBeGreaterThan(0);
});

it("says that its only node takes no more for the moment, and nothing of a token", async () => {
  const world = await createWorld();
  const id = { status: 200, text: JSON.stringify({ relay_pub: "ab".repeat(32) }), at: 0 };
  world.start((path) => (path === ROUTES.getStatus[1] ? id : { status: 429, text: "", at: 0 }));
  await pollUntil(() => world.said.length > 0, { what: "the round to fail" });
  expect(world.said).toEqual([
    "Mail of a node could not be taken in: A node gives nothing of its mail (429): it takes no more requests of this gateway for the moment; " +
      "if that lasts, raise its --rate-limit",
  ]);
});
