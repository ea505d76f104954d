// Two gateways over one PostgreSQL and a node, as processes: mail goes through all of them, and what was acknowledged outlives each.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { statement } from "#node/storage/mailbox/sharing/postgres/statement-batch.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { hostTimers } from "#shared/util/host.ts";
import { openTestSocket } from "#test/support/api/test-socket.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type RunningGateway, startGateway } from "#test/support/nodes/running-gateway.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { runStatement, startTestPair, type TestPair } from "#test/support/postgres/test-postgres.ts";

const TOKEN = "a-token-of-the-tests";
const MAILBOXES = 8;
/** Acknowledged between two faults. */
const ENVELOPES_A_PHASE = 40;
/** Between two attempts of a client, ms. */
const RETRY_MS = 20;

let folder: TemporaryFolder;
let postgres: TestPair;
/** Name of the database, on both servers. */
let database: string;
let node: RunningNode;
let one: RunningGateway;
let other: RunningGateway;
let chainId: string;
let owners: readonly MailboxOwner[];

const startFeeder = (port?: number): Promise<RunningNode> =>
  startNode({ dataDir: join(folder.path, "node"), ...(port === undefined ? {} : { port }), env: { SVC_API_TOKEN: TOKEN }, token: TOKEN });

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const tokenFile = join(folder.path, "token");
  await writeFile(tokenFile, `${TOKEN}\n`);
  [postgres, node] = await Promise.all([startTestPair(), startFeeder()]);
  // The first address of each is dead, as after a failure: the next one serves.
  const nothing = `127.0.0.1:${await findFreePort()}`;
  database = new URL(await postgres.primary.createDatabase()).pathname.slice(1);
  const pair = [postgres.primary, postgres.standby].map((server) => server.addressOf(database));
  const options = { databases: [`postgres://parley@${nothing}/parley`, ...pair], nodes: [`http://${nothing}`, node.baseUrl], tokenFile };
  [one, other] = await Promise.all([startGateway(options), startGateway(options)]);
  ({ chain_id: chainId } = await one.client.getNetworkInfo({}));
  owners = Array.from({ length: MAILBOXES }, (_, n) => mailboxOwner(chainId, n + 1));
}, 180_000);

afterAll(async () => {
  await Promise.all([one, other].map((gateway) => gateway?.[Symbol.asyncDispose]()));
  await node?.kill();
  await postgres?.stop();
  await folder?.remove();
});

let load: Load | undefined;

afterEach(async ({ task }) => {
  await load?.end();
  load = undefined;
  if (task.result?.state === "fail") process.stderr.write(`\nGateways:\n${one.log()}\n\n${other.log()}\n\nNode:\n${node.log()}\n`);
});

function ownerOf(n: number): MailboxOwner {
  const owner = owners[n % owners.length];
  if (owner === undefined) throw new Error("There is no such owner");
  return owner;
}

const countAt = async ({ client }: Pick<RunningNode, "client">, pub: string): Promise<number> => (await client.countInbox({ pub })).count;
const broadcast = ({ client }: Pick<RunningNode, "client">, envelope: Envelope): Promise<{ readonly id: string }> =>
  client.broadcastEnvelope({ body: { envelope } as Parameters<typeof client.broadcastEnvelope>[0]["body"] });

describe("two gateways and a node", () => {
  it("push and list what came in at any of them, and delete it everywhere", async () => {
    const owner = mailboxOwner(chainId, 100);
    const socket = await openTestSocket(`${other.baseUrl.replace("http", "ws")}/api/ws`);
    for (const topic of [`inbox:${owner.pub}`, "blocks"]) {
      socket.send({ type: "subscribe", topic });
      await socket.next({ type: "subscribed", topic });
    }
    await one.client.requestFaucet({ body: { to: toHex(new Uint8Array(32).fill(1)), amount_ut: 1_000_000 } });
    await socket.next({ type: "block" });
    const [atGateway, atNode] = [owner.envelope(1), owner.envelope(2)];
    await broadcast(one, atGateway);
    await socket.next({ type: "inbox", id: atGateway.id });
    await broadcast(node, atNode);
    await socket.next({ type: "inbox", id: atNode.id });
    socket.close();
    for (const gateway of [one, other]) {
      const { items } = await gateway.client.listInbox({ pub: owner.pub });
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set([atGateway.id, atNode.id]));
    }
    await pollUntil(async () => (await countAt(node, owner.pub)) === 2, { what: "the node to have the gateway's mail" });
    const { sync } = await one.client.getStatus({});
    const { mailbox: pub, ...deletion } = owner.deletion([atGateway.id, atNode.id], sync.height);
    expect(await other.client.deleteEnvelopes({ body: { pub, ...deletion, ids: [...deletion.ids] } })).toMatchObject({ count: 2 });
    for (const place of [one, other, node])
      await pollUntil(async () => (await countAt(place, owner.pub)) === 0, { what: "the deletion to arrive" });
  });

  it("serve the chain as the node does", async () => {
    const [mine, own] = [await other.client.getGenesis({}), await node.client.getGenesis({})];
    expect(mine).toEqual(own);
    await expect(one.client.getBlock({ index: 9_999_999 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const status = await Promise.all([one, other].map((gateway) => gateway.client.getStatus({})));
    expect(status[0]?.relay_pub).toBe(status[1]?.relay_pub);
    expect(status[0]?.relay_pub).not.toBe((await node.client.getStatus({})).relay_pub);
    for (const path of ["/relay/feed", "/api/chain/feed"]) expect((await fetch(`${node.baseUrl}${path}`)).status).toBe(401);
    await makeBlock();
    await expectSameExplorer();
  });

  it("lose nothing that they acknowledged when a gateway, the database or the node is killed under load", async () => {
    load = startLoad();
    const pushed = new Set<string>();
    const live = connectTo(one);
    live.subscribe(`inbox:${ownerOf(0).pub}`, ({ id }) => pushed.add(id));
    await load.more();
    await one.kill();
    await makeBlock();
    await load.more();
    await one.restart();
    await load.more();
    await other.kill();
    await makeBlock();
    await other.restart();

    await postgres.primary.kill();
    await expectAway();
    await makeBlock();
    // The explorer is the node's meanwhile.
    expect(await textOf(one, "/api/blocks?limit=1")).toBe(await textOf(node, "/api/blocks?limit=1"));
    await postgres.primary.restart();
    await load.more();
    await expectSameExplorer();

    const { port } = node;
    await node.kill();
    await load.more();
    const away = await fetch(`${one.baseUrl}/api/validators`);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "2"]);
    // What is final is in the database.
    expect((await other.client.getBlock({ index: 1 })).index).toBe(1);
    node = await startFeeder(port);
    await load.more();
    const acknowledged = await load.end();
    await makeBlock();
    await expectSameExplorer();

    expect(acknowledged.size).toBeGreaterThan(5 * ENVELOPES_A_PHASE);
    for (const gateway of [one, other]) expect(await missingAt(gateway, acknowledged)).toEqual(new Set());
    await pollUntil(async () => (await missingAt(node, acknowledged)).size === 0, { what: "the node to have all mail" });
    // The client of the killed gateway came back by itself.
    const last = ownerOf(0).envelope(999_999);
    await broadcast(other, last);
    await pollUntil(() => pushed.has(last.id), { what: "a push after the connection came back" });
    live.close();
  }, 180_000);

  it("continue at a standby that is promoted, and never at the old primary again", async () => {
    const [older, newer] = [postgres.primary.addressOf(database), postgres.standby.addressOf(database)];
    load = startLoad();
    const pushed = new Set<string>();
    const live = connectTo(other);
    live.subscribe(`inbox:${ownerOf(1).pub}`, ({ id }) => pushed.add(id));
    await load.more();
    await postgres.primary.kill();
    await expectAway();
    await runStatement(newer, "SELECT pg_promote()");
    await load.more();

    // The old primary comes back alone and would take mail: nothing goes there, also from a gateway that starts and meets it first.
    await postgres.primary.restart({ synchronous_standby_names: "" });
    const held = await rowsIn(older, "envelopes");
    expect(held).toBeGreaterThan(0);
    await one.kill();
    await one.restart();
    await load.more();
    await postgres.standby.kill();
    await expectAway();

    // Who starts where the old one alone is there cannot know; it leaves it as soon as the other one is back.
    const lone = openPostgres([older, newer], () => undefined);
    await lone.run(statement("one", "SELECT 1"));
    expect(lone.timeline).toBe(1);
    const interrupted = expect(lone.run(statement("sleep", "SELECT pg_sleep(60)"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await pollUntil(async () => (await rowsIn(older, "pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'")) === 1, {
      what: "a statement at the old primary",
    });
    await postgres.standby.restart();
    await interrupted;
    expect(lone.timeline).toBe(2);
    await lone.close();

    await load.more();
    const acknowledged = await load.end();
    for (const gateway of [one, other]) {
      const listed = await listedAt(gateway);
      expect([...acknowledged].filter((id) => !listed.includes(id))).toEqual([]);
      expect(listed.length).toBe(new Set(listed).size);
    }
    expect(await rowsIn(older, "envelopes")).toBe(held);
    await makeBlock();
    await expectSameExplorer();
    const last = ownerOf(1).envelope(999_998);
    await broadcast(one, last);
    await pollUntil(() => pushed.has(last.id), { what: "a push after the standby took over" });
    live.close();
  });
});

let receivers = 1;
const receiver = (): string => toHex(ed25519PublicKey(new Uint8Array(32).fill(receivers)));

/** A payment to someone new, in a block of its own. */
async function makeBlock(): Promise<void> {
  receivers += 1;
  await node.client.requestFaucet({ body: { to: receiver(), amount_ut: 1_000_000 } });
}

const textOf = async ({ baseUrl }: Pick<RunningNode, "baseUrl">, path: string): Promise<string> =>
  (await fetch(`${baseUrl}${path}`)).text();

/** Reads of the explorer that a gateway has answered from the database. */
async function databaseReads(gateway: RunningGateway): Promise<number> {
  const [, count] = /^parley_gateway_explorer_reads_total\{from="database"\} (\d+)$/m.exec(await textOf(gateway, "/metrics")) ?? [];
  return Number(count);
}

/** Both gateways answer with the same bytes as the node, out of the database. */
async function expectSameExplorer(): Promise<void> {
  const [newest] = await node.client.listRecentTransactions({ limit: 1 });
  const paths = [
    ...["/api/netstats", "/api/charts?resolution=day", "/api/blocks", "/api/block/0", `/api/block/${newest?.block_index}`],
    ...[`/api/block/hash/${newest?.block_hash}`, "/api/txs/recent", `/api/tx/${newest?.id}`, `/v2/chain/transactions/${newest?.id}`],
    ...[`/api/search?q=${newest?.block_index}`, "/api/contracts?limit=2", "/api/well-known-contracts", "/api/tokens", "/api/nfts"],
    ...[`/api/address/${newest?.from}`, `/api/address/${receiver()}?limit=1`, `/v2/chain/accounts/${newest?.from}/transactions?order=asc`],
  ];
  for (const gateway of [one, other])
    await pollUntil(
      async () => {
        const before = await databaseReads(gateway);
        for (const path of paths) if ((await textOf(gateway, path)) !== (await textOf(node, path))) return false;
        return (await databaseReads(gateway)) === before + paths.length;
      },
      { what: "the explorer of a gateway to be the node's" },
    );
}

/** Both gateways say that the database is away, and when to ask again. */
async function expectAway(): Promise<void> {
  const refusals = await Promise.all([one, other].map(({ baseUrl }) => fetch(`${baseUrl}/relay/inbox?pub=${ownerOf(0).pub}`)));
  expect(refusals.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [503, "2"],
    [503, "2"],
  ]);
}

const connectTo = ({ baseUrl }: RunningGateway): LiveConnection =>
  new LiveConnection({
    url: `${baseUrl.replace("http", "ws")}/api/ws`,
    createSocket: (url) => new WebSocket(url) as unknown as SocketLike,
    timers: hostTimers,
    jitter: () => 0,
  });

async function rowsIn(address: string, what: string): Promise<number> {
  return Number((await runStatement(address, `SELECT count(*) AS n FROM ${what}`))[0]?.n);
}

/** Ids that a place lists, each as often as it does. */
async function listedAt({ client }: Pick<RunningNode, "client">): Promise<readonly string[]> {
  const listed: string[] = [];
  for (const { pub } of owners) {
    let after = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await client.listInbox({ pub, after, limit: 500 });
      for (const { id, seq = 0 } of page.items) {
        listed.push(id);
        after = seq;
      }
      hasMore = page.has_more;
    }
  }
  return listed;
}

/** Ids that a place does not list. */
async function missingAt(place: Pick<RunningNode, "client">, ids: ReadonlySet<string>): Promise<Set<string>> {
  const listed = new Set(await listedAt(place));
  return new Set([...ids].filter((id) => !listed.has(id)));
}

interface Load {
  /** Waits until more was acknowledged. */
  more(): Promise<void>;
  /** Stops, also what waits for a gateway, and gives everything that was. */
  end(): Promise<ReadonlySet<string>>;
}

let sent = 0;

/** Clients that hand mail in at both gateways, and hand it in again until one takes it. */
function startLoad(): Load {
  const acknowledged = new Set<string>();
  let isEnding = false;
  let lastError: unknown;
  const sendOne = async (): Promise<void> => {
    sent += 1;
    const n = sent;
    const envelope = ownerOf(n).envelope(n);
    while (!isEnding)
      try {
        const gateway = Math.random() < 0.5 ? one : other;
        acknowledged.add((await broadcast(gateway, envelope)).id);
        return;
      } catch (error) {
        lastError = error;
        await delay(RETRY_MS);
      }
  };
  const clients = Array.from({ length: 4 }, async () => {
    while (!isEnding) await sendOne();
  });
  return {
    async more(): Promise<void> {
      const before = acknowledged.size;
      const hasMore = (): boolean => {
        if (acknowledged.size >= before + ENVELOPES_A_PHASE) return true;
        throw new Error(`${acknowledged.size - before} were acknowledged`, { cause: lastError });
      };
      await pollUntil(hasMore, { what: "more to be acknowledged" });
    },
    async end(): Promise<ReadonlySet<string>> {
      isEnding = true;
      await Promise.all(clients);
      return acknowledged;
    },
  };
}
