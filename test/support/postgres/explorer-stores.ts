// The explorers over which tests of the interface run: a node's, and the one of gateways, which is brought up to date before each read.
import { afterAll } from "vitest";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { ExplorerFeeder } from "#node/gateway/public/explorer/explorer-feeder.ts";
import { GuardedReads } from "#node/gateway/public/explorer/guarded-reads.ts";
import { StateExplorer, type StateQueries } from "#node/gateway/public/explorer/state-explorer.ts";
import type { NodeResponse } from "#node/gateway/public/node-links.ts";
import type { ChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import { parseStatePosition } from "#node/storage/chain/feed/state-feed.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { StateReads } from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { OpenWorldExplorer } from "../worlds/api-world.ts";
import { startTestPostgres, type TestPostgres } from "./test-postgres.ts";

/** A kind of explorer by its name; undefined is the node's own. */
export type ExplorerStoreKind = readonly [name: string, explorer: OpenWorldExplorer | undefined];

/** What a node answers to a request of its feed. */
export async function answerFeed(path: string, read: ChainFeed["read"]): Promise<NodeResponse> {
  const { searchParams } = new URL(path, "http://node");
  const [after, hash, state] = ["after", "hash", "state"].map((name) => searchParams.get(name));
  const lastContract = searchParams.get("contract") ?? undefined;
  const copy = state === null || state === undefined ? undefined : { position: parseStatePosition(state), lastContract };
  const position = typeof after === "string" && typeof hash === "string" ? { height: Number(after), hash } : undefined;
  return { status: 200, text: JSON.stringify(await read(position, copy)), at: 0 };
}

/** To be called where a test file describes its tests: the server ends with them. */
export function explorerStores(): readonly ExplorerStoreKind[] {
  let server: Promise<TestPostgres> | undefined;
  afterAll(async () => {
    await (await server)?.stop();
  });
  const fail = (error: unknown): never => {
    throw error;
  };
  const inPostgres: OpenWorldExplorer = async ({ chainId, chainFeed }) => {
    server ??= startTestPostgres();
    const database = openPostgres([await (await server).createDatabase()], () => undefined);
    await prepareMail(database, chainId, new Uint8Array(32).fill(1));
    const feeder = new ExplorerFeeder({
      ...{ database, chainId, timers: systemTimers, onError: fail, onProgress: (): void => undefined },
      links: { request: (path) => answerFeed(path, (...asked) => chainFeed.read(...asked)) },
    });
    const sources = { reads: new ExplorerReads(database), state: new StateReads(database) };
    const explorer = new StateExplorer({ sources, guard: new GuardedReads({ clock: systemClock, onError: fail }) });
    const services = upToDate(explorer, async () => {
      while (await feeder.round());
    });
    return { services, close: () => database.close() };
  };
  return [
    ["SQLite", undefined],
    ["PostgreSQL", inPostgres],
  ];
}

/** The same queries, each after some work. */
function upToDate(queries: StateQueries, work: () => Promise<void>): StateQueries {
  const after = <T extends object>(some: T): T =>
    Object.fromEntries(
      Object.entries(some).map(([name, query]: [string, (...input: readonly unknown[]) => unknown]) => [
        name,
        async (...input: readonly unknown[]): Promise<unknown> => {
          await work();
          return await query(...input);
        },
      ]),
    ) as T;
  return { contracts: after(queries.contracts), search: after(queries.search) };
}
