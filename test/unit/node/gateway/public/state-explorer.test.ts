// Contracts, tokens, NFTs and the search from the copy of a node's state in PostgreSQL: they are what the node says, or left to it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { createChainQueries } from "#node/explorer/queries/read-queries.ts";
import { ElsewhereError } from "#node/gateway/public/explorer/elsewhere-error.ts";
import { ExplorerFeeder } from "#node/gateway/public/explorer/explorer-feeder.ts";
import { GuardedReads } from "#node/gateway/public/explorer/guarded-reads.ts";
import { StateExplorer, type StateQueries } from "#node/gateway/public/explorer/state-explorer.ts";
import { STATE_AT_ONCE } from "#node/gateway/public/gateway-limits.ts";
import { type ChainFeed, type ChainFeedPage, openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { LINES_AT_ONCE } from "#node/storage/explorer/log-bounds.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { StateReads } from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { PEOPLE } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";
import { answerFeed } from "#test/support/postgres/explorer-stores.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { alice, bob, CHAIN_ID, carol, START_MS, validator } from "#test/support/worlds/ledger-world.ts";

/** More than what a node remembers of what its blocks changed. */
const BLOCKS = 130;
const EVERYONE = [...new Set([...PEOPLE, alice, bob, carol, validator].map(({ pub }) => pub))];
const NATIVE = ["tokens", "nfts", "username_registry", "governance"].map((name) => nativeContractId(name as "tokens"));

let postgres: TestPostgres;
let chain: TestChain;
let feed: ChainFeed & { close(): void };
let height = 0;
const opened: (() => Promise<void> | void)[] = [];

function commit(...txs: readonly Transaction[]): void {
  height += 1;
  chain.commit(txs, START_MS + 1_000 * height);
}

beforeAll(async () => {
  const folder = await createTemporaryFolder();
  postgres = await startTestPostgres();
  chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  feed = openChainFeed(folder.path);
  opened.push(
    folder.remove,
    () => chain.close(),
    () => feed.close(),
  );
  const random = createRandom(3);
  while (height < BLOCKS) commit(...mixedBlock(height + 1, random));
});
afterAll(async () => {
  for (const close of opened.reverse()) await close();
  await postgres?.stop();
});

interface World {
  readonly address: string;
  readonly database: PostgresDatabase;
  readonly reads: StateReads;
  readonly explorer: StateExplorer;
  readonly guard: GuardedReads;
  /** A process that feeds the database from what a node says. */
  feeder(read?: ChainFeed["read"]): ExplorerFeeder;
}

let world: World;

beforeEach(async () => {
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  await prepareMail(database, CHAIN_ID, new Uint8Array(32).fill(1));
  onTestFinished(() => database.close());
  const onError = (error: unknown): never => {
    throw error;
  };
  const guard = new GuardedReads({ clock: { monotonicMs: (): number => 0 }, onError });
  const reads = new StateReads(database);
  world = {
    ...{ address, database, reads, guard },
    explorer: new StateExplorer({ sources: { reads: new ExplorerReads(database), state: reads }, guard }),
    feeder: (read = feed.read) =>
      new ExplorerFeeder({
        ...{ database, chainId: CHAIN_ID, timers: systemTimers, onError, onProgress: (): void => undefined },
        links: { request: (path) => answerFeed(path, read) },
      }),
  };
});

async function fill(feeder: ExplorerFeeder): Promise<void> {
  while (await feeder.round());
  // However long a test takes.
  await runStatement(world.address, "UPDATE explorer_feed SET current_at = now() + interval '1 hour'");
}

type Ask = (queries: StateQueries) => unknown;
type Request = readonly [name: string, ask: Ask];

const request = (name: string, ask: Ask): Request => [name, ask];
const ORDERS = ["asc", "desc"] as const;

/** Requests of all kinds, each by its name. */
function requests(): readonly Request[] {
  const known = createChainQueries(chain.database);
  const ids = (known.contracts.list({ limit: 500 }) as { readonly items: readonly { readonly contract_id: string }[] }).items.map(
    ({ contract_id }) => contract_id,
  );
  const pages = ORDERS.flatMap((order) =>
    [{ limit: 1 }, { limit: 500 }, { limit: 2, after: ids[1] ?? "" }, { limit: 2, after: "of none" }].map((page) => ({ ...page, order })),
  );
  const [block] = chain.database.blocks.summaries(1);
  const txs = chain.database.explorer.recentTransactions(3).map(({ id }) => id);
  const texts = ["1", "#7", "99999", block?.hash ?? "", `${"0".repeat(63)}1`, ...txs, "reward-3", "te", "one", "t", "@a", "inn", "user"];
  return [
    ...pages.map((page) => request(`contracts ${JSON.stringify(page)}`, ({ contracts }) => contracts.list(page))),
    request("well known", ({ contracts }) => contracts.wellKnown()),
    ...[...ids, "ab".repeat(8)].flatMap(contractRequests),
    ...tokenRequests(),
    ...EVERYONE.flatMap((key) => [1, 50].flatMap((limit) => ownerRequests(key, limit))),
    ...[...texts, ...ids, ...EVERYONE, ...EVERYONE.map(formatAddress)].map((text) =>
      request(`search ${text}`, ({ search }) => search.search(text, 5)),
    ),
  ];
}

function contractRequests(id: string): readonly Request[] {
  const queries = [{ limit: 3 }, { limit: 500, since: 20 }, { limit: 2, after: { height: 40, position: 1, line: 0 } }];
  return [
    request(`contract ${id}`, ({ contracts }) => contracts.contract(id)),
    ...ORDERS.flatMap((order) => queries.map((query) => ({ ...query, order }))).map((query) =>
      request(`logs ${id} ${JSON.stringify(query)}`, ({ contracts }) => contracts.logs(id, query)),
    ),
  ];
}

function tokenRequests(): readonly Request[] {
  const pages = [{ limit: 1 }, { limit: 500 }, { limit: 3, after: "one" }, { limit: 3, after: "tea" }];
  return [
    ...["t:tea:name", "t:tea:supply", "n:one:owner", "none"].map((key) =>
      request(`value ${key}`, ({ contracts }) => contracts.value(NATIVE[key.startsWith("n") ? 1 : 0] ?? "", key)),
    ),
    ...pages.map((page) => request(`tokens ${JSON.stringify(page)}`, ({ contracts }) => contracts.tokens(page))),
    ...pages.map((page) => request(`nfts ${JSON.stringify(page)}`, ({ contracts }) => contracts.nfts(page))),
    ...["tea", "one", "two", "x"].flatMap((id) => [
      request(`token ${id}`, ({ contracts }) => contracts.token(id)),
      request(`nft ${id}`, ({ contracts }) => contracts.nft(id)),
    ]),
  ];
}

function ownerRequests(key: string, limit: number): readonly Request[] {
  return [
    request(`balance ${key}`, ({ contracts }) => contracts.tokenBalance("tea", key)),
    request(`tokens of ${key} ${limit}`, ({ contracts }) => contracts.tokensOf(key, { limit })),
    request(`nfts of ${key} ${limit}`, ({ contracts }) => contracts.nftsOf(key, { limit })),
  ];
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)) ?? "undefined";

/** Every request gets the same text from both. */
async function expectSame(): Promise<void> {
  const own = createChainQueries(chain.database);
  for (const [name, ask] of requests()) expect(`${name}: ${textOf(await ask(world.explorer))}`).toBe(`${name}: ${textOf(await ask(own))}`);
}

/** Where it is answered. */
async function placeOf(ask: Ask = ({ contracts }): unknown => contracts.tokens({ limit: 5 })): Promise<string> {
  try {
    await ask(world.explorer);
    return "database";
  } catch (error) {
    if (error instanceof ElsewhereError) return "node";
    throw error;
  }
}

/** A feed of small pieces, with a block in between now and then. */
function smallPieces(most: number, onPage: () => void): ChainFeed["read"] {
  return async (after, copy): Promise<ChainFeedPage> => {
    onPage();
    const page = await feed.read(after, copy);
    const { state } = page;
    const last = state?.records[most - 1];
    if (state === undefined || last === undefined || state.records.length <= most) return page;
    return { ...page, state: { ...state, records: state.records.slice(0, most), position: `${last[0]}.${last[1]}` } };
  };
}

it("are what the node says, once the state is copied, and block by block", async () => {
  const feeder = world.feeder();
  expect(await placeOf()).toBe("node");
  await fill(feeder);
  await expectSame();
  commit(
    deployEmpty(carol, { contract: "tavern" }),
    callNative(alice, "tokens", "issue", { args: ["mate", "Mate", "MATE", 2, 70] }),
    callNative(bob, "username_registry", "register", { args: ["bobby"], amountUt: 10_000 }),
  );
  commit(callNative(alice, "nfts", "burn", { args: ["one"] }), callNative(alice, "tokens", "transfer", { args: ["mate", bob.pub, 70] }));
  expect(await feeder.round()).toBe(false);
  await runStatement(world.address, "UPDATE explorer_feed SET current_at = now() + interval '1 hour'");
  await expectSame();
});

it("are left to the node until all pieces are copied, and hold what blocks changed meanwhile", async () => {
  let pages = 0;
  let n = 0;
  const change = (): void => {
    pages += 1;
    if (pages % 9 !== 0 || n > 12) return;
    n += 1;
    // What was copied already, what was not, and what goes.
    commit(callNative(alice, "nfts", "mint", { args: [`thing-${n}`, "Thing", ""] }), deployEmpty(bob, { contract: `place-${n}` }));
    commit(callNative(alice, "nfts", n % 2 === 0 ? "burn" : "transfer", { args: n % 2 === 0 ? [`thing-${n}`] : [`thing-${n}`, bob.pub] }));
  };
  const feeder = world.feeder(smallPieces(2, change));
  const places = new Set<string>();
  while (await feeder.round()) places.add(await placeOf());
  expect([pages > 50, n > 5, ...places]).toEqual([true, true, "node"]);
  await fill(feeder);
  expect(await placeOf()).toBe("database");
  await expectSame();
});

it("are left to the node behind blocks of an older program, until the state is copied again", async () => {
  await fill(world.feeder());
  commit(callNative(alice, "nfts", "mint", { args: ["late", "Late", ""] }));
  // Such a program asks nothing about the state.
  await fill(world.feeder((after) => feed.read(after)));
  expect(await placeOf()).toBe("node");
  commit(callNative(alice, "nfts", "transfer", { args: ["late", bob.pub] }));
  await runStatement(world.address, "INSERT INTO explorer_records VALUES ('contract_state', '\\x00ff', 'left by the copy before')");
  await fill(world.feeder());
  expect(await placeOf()).toBe("database");
  const logs: Ask = ({ contracts }) => contracts.logs(NATIVE[0] ?? "", { limit: 5, order: "desc" });
  // Lines of that block are missing for good.
  expect(await placeOf(logs)).toBe("node");
  const left = await runStatement(world.address, "SELECT 1 FROM explorer_records WHERE key = '\\x00ff'");
  expect(left).toEqual([]);
  const own = createChainQueries(chain.database);
  for (const [name, ask] of requests())
    if (!name.startsWith("logs")) expect(`${name}: ${textOf(await ask(world.explorer))}`).toBe(`${name}: ${textOf(await ask(own))}`);
});

it("are copied again where a node no longer knows what its blocks changed, and left to it while it is ahead", async () => {
  await fill(world.feeder());
  const [before] = await runStatement(world.address, "SELECT state_position FROM explorer_feed");
  for (let n = 0; n < 110; n += 1) commit(callNative(alice, "tokens", "transfer", { args: ["tea", bob.pub, n % 2] }));
  const feeder = world.feeder();
  await feeder.round();
  const [during] = await runStatement(world.address, "SELECT state_position FROM explorer_feed");
  expect([before?.state_position, during?.state_position]).toEqual(["all", null]);
  expect(await placeOf()).toBe("node");
  await fill(feeder);
  await expectSame();
  world.guard.noteShown(height + 1);
  expect(await placeOf()).toBe("node");
  await runStatement(world.address, "UPDATE explorer_feed SET has_conflict = true");
  expect(await placeOf()).toBe("node");
});

it("begin again where an operator emptied the explorer with the statements of docs/operators.md", async () => {
  await fill(world.feeder());
  const page = readFileSync(join(projectRoot, "docs/operators.md"), "utf8");
  const [, sql = ""] = /^```sql\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const statements = sql.split(";").filter((statement) => statement.trim() !== "");
  expect(statements).toHaveLength(2);
  for (const statement of statements) await runStatement(world.address, statement);
  expect(await runStatement(world.address, "SELECT * FROM explorer_blocks")).toEqual([]);
  await fill(world.feeder());
  await expectSame();
});

it("are refused where a piece does not continue the one before", async () => {
  const strange = async (...asked: Parameters<ChainFeed["read"]>): Promise<ChainFeedPage> => {
    const page = await feed.read(...asked);
    return page.state === undefined
      ? page
      : { ...page, state: { ...page.state, records: [["supply", "", "AA=="]], position: "nothing.zz" } };
  };
  const feeder = world.feeder(strange);
  await expect(
    (async (): Promise<void> => {
      while (await feeder.round());
    })(),
  ).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
});

it("run a few at once, and those that wait ask nothing of a database that failed meanwhile", async () => {
  let asked = 0;
  const { promise, reject } = Promise.withResolvers<never>();
  const reads = {
    state: async (): Promise<never> => {
      asked += 1;
      return await promise;
    },
  } as unknown as ExplorerReads;
  const guard = new GuardedReads({ clock: { monotonicMs: (): number => 0 }, onError: () => undefined });
  const explorer = new StateExplorer({ sources: { reads, state: world.reads }, guard });
  const answers = Array.from({ length: 3 * STATE_AT_ONCE }, async () => await explorer.search.search("1", 5));
  await setImmediate();
  expect(asked).toBe(STATE_AT_ONCE);
  reject(new CodedError("UNAVAILABLE", "away"));
  for (const answer of await Promise.allSettled(answers)) expect(answer).toMatchObject({ reason: expect.any(ElsewhereError) });
  // The one whose turn came at that very moment may have.
  expect(asked).toBeLessThanOrEqual(STATE_AT_ONCE + 1);
});

it("reads no more of a transaction with a line that it logged than its id", async () => {
  commit(callNative(alice, "nfts", "mint", { args: ["long", "Long", "x".repeat(900)] }));
  await fill(world.feeder());
  const lengths: number[] = [];
  const reads = new StateReads({
    async run<Row extends object>(...asked: Parameters<PostgresDatabase["run"]>): Promise<readonly Row[]> {
      const rows = await world.database.run<Row & { readonly record: Buffer }>(...asked);
      lengths.push(...rows.map(({ record }) => record.length));
      return rows;
    },
  });
  const { value } = await reads.logs(NATIVE[1] ?? "", { limit: 1, order: "desc" });
  expect(value.logs).toMatchObject([{ height, txId: chain.database.explorer.recentTransactions(1)[0]?.id }]);
  expect(lengths.every((length) => length < 200)).toBe(true);
});

it("end a page of events where a replica that is read next is behind", async () => {
  const heights = [10, 9];
  const reads = new StateReads({
    async run<Row extends object>({ name }: { readonly name: string }): Promise<readonly Row[]> {
      if (name === "contract_events_rarest") return [{ key: 1 }] as unknown as readonly Row[];
      const height = heights.shift();
      const rows = Array.from({ length: height === 10 ? LINES_AT_ONCE : 1 }, (_, n) => ({
        ...{ f_first: 0, f_height: height, seq: 7 * SEQ_PER_BLOCK, line: n, message: Buffer.from("no event") },
      }));
      return rows as unknown as readonly Row[];
    },
  });
  const page = await reads.logs("ab".repeat(8), { limit: 5, order: "asc", filter: { event: "Paid", where: [] } });
  expect(page).toMatchObject({ state: { height: 10 }, value: { logs: [], next: { height: 7, position: 0, line: LINES_AT_ONCE - 1 } } });
});
