// A store after a change of password: nothing new lies under the keys of the password before, and little by little nothing at all.
import "#test/support/host/indexed-db.ts";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { SerialQueue } from "#shared/messenger/store/serial-queue.ts";
import type { OpenDatabase, StoreDatabase } from "#shared/messenger/store/store-database.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import {
  befriend,
  createWorld,
  type Device,
  keyOf,
  restart,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { createTestMessenger, restartAfterCrash, TEST_PASSWORD, TestNode, TestRelay } from "#test/support/worlds/messenger-world.ts";
import { storeKeys } from "#test/support/worlds/sealed-storage.ts";

const PEER = "ab".repeat(32);
const NEW_PASSWORD = "another horse battery";
const LOCATIONS = {
  messages: "message",
  conversations: "conversation",
  outbox: "outbox",
  streams: "stream",
  amendments: "amendment",
  sent: "sent",
  meta: "meta",
} as const;

let folder: TemporaryFolder;
let stores = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** Locations of sealed rows that keys can open, and of those that they cannot. */
async function rowsUnder(
  keys: StoreKeys<CryptoKey>,
  openDatabase: OpenDatabase,
): Promise<{ readonly open: readonly string[]; readonly closed: readonly string[] }> {
  const cipher = createRecordCipher(keys);
  const database = await openDatabase(keys.name, () => undefined);
  const rows = { open: [] as string[], closed: [] as string[] };
  for (const [table, kind] of [...Object.entries(LOCATIONS), ["search", "search"]] as const)
    for (const row of (await database.list(table as "messages")) as readonly { key?: string; seq?: number; sealed: Uint8Array }[]) {
      const location = `${kind} ${row.key ?? row.seq}`;
      const value = await cipher.open(table === "search" ? "search" : location, row.sealed);
      rows[value === undefined ? "closed" : "open"].push(location);
    }
  database.close();
  return rows;
}

function record(at: number): MessageRecord {
  const fields = { conversation: PEER, id: "00", direction: "in", at, body: { kind: "text", text: `text ${at}` } } as const;
  return { ...fields, state: null, problem: null, isUnread: false, hasReceipts: true, raw: null };
}

/** Writes rows of every table. */
async function fill(store: LocalStore, from: number, count: number): Promise<void> {
  const batch = store.begin();
  for (let at = from; at < from + count; at += 1) {
    batch.putSearchable(await store.messageKey(PEER, String(at)), record(at));
    batch.putConversation({
      id: `${PEER.slice(8)}${String(at).padStart(8, "0")}`,
      unread: 0,
      lastMessage: null,
      draft: "d",
      hasSent: true,
      updatedAt: at,
    });
    batch.putOutbox({
      ...{ seq: at + 1, peer: PEER, queuedAt: at, done: [], isRelayed: false, isFailed: false },
      task: { kind: "receipt", status: "read", ids: [] },
    });
    batch.putMeta(`note ${at}`, at);
    await batch.putWaiting(["group", String(at)], { at }, { nowMs: at, isFading: false });
    await batch.putSent("device", at, { peer: PEER, task: { kind: "receipt", status: "read", ids: [] } }, at);
    await batch.putStream({ peer: PEER, device: String(at), stream: "s", upTo: at } as never);
  }
  await batch.commit();
}

const KINDS: readonly (readonly [string, () => OpenDatabase, number])[] = [
  ["IndexedDB", (): OpenDatabase => openMessageDatabase, 7],
  ["SQLite", (): OpenDatabase => openMessagesIn(folder.path), 8],
];

describe.each(KINDS)("a store over %s", (_, databases, seed) => {
  it("lies under the new keys alone once it was swept, whole as before", async () => {
    stores += 1;
    const name = `swept-${stores}`;
    const openDatabase = databases();
    const [old, renewed] = [await storeKeys(1, name), await storeKeys(2, name, [1])];
    let store = await openLocalStore({ keys: old, openDatabase, onLost: () => undefined });
    await fill(store, 0, 300);
    await store.followKeys({ storeKeys: () => Promise.resolve(renewed) });
    await fill(store, 300, 5);
    const later = await rowsUnder(old, openDatabase);
    expect(later.closed.filter((location) => location.startsWith("message"))).toHaveLength(5);
    await store.sweep(new SerialQueue());
    const { open, closed } = await rowsUnder(old, openDatabase);
    expect(open).toEqual([]);
    expect(closed.length).toBeGreaterThan(305 * 7);
    expect((await rowsUnder(await storeKeys(2, name), openDatabase)).closed).toEqual([]);
    store.close();
    store = await openLocalStore({ keys: renewed, openDatabase, onLost: () => undefined });
    expect(await store.readMessage(await store.messageKey(PEER, "7"))).toEqual(record(7));
    expect([await store.readMeta("note 299"), await store.countMessages(), store.damagedRecords]).toEqual([299, 305, 0]);
    expect((await store.readPage(PEER, undefined, 400)).map(({ record: { at } }) => at)).toEqual([...Array(305).keys()].reverse());
    store.close();
  });

  it("loses nothing when it is killed at any write, whatever is written between", async () => {
    const run = fc.record({ kill: fc.nat({ max: 12 }), added: fc.array(fc.nat({ max: 6 }), { maxLength: 4 }), again: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(run, async ({ kill, added, again }) => {
        stores += 1;
        const name = `killed-${stores}`;
        const old = await storeKeys(1, name);
        const renewed = again ? await storeKeys(3, name, [2, 1]) : await storeKeys(2, name, [1]);
        const open = databases();
        const killed: OpenDatabase = async (...args) => dyingAfter(await open(...args), kill);
        const first = await openLocalStore({ keys: old, openDatabase: open, onLost: () => undefined });
        await fill(first, 0, 140);
        first.close();
        let expected = 140;
        const middle = again ? await storeKeys(2, name, [1]) : renewed;
        const second = await openLocalStore({ keys: middle, openDatabase: killed, onLost: () => undefined });
        const writer = new SerialQueue();
        const sweeping = second.sweep(writer).catch(() => undefined);
        for (const count of added)
          await writer
            .run(() => fill(second, expected, count))
            .then(
              () => (expected += count),
              () => undefined,
            );
        await sweeping;
        second.close();
        const third = await openLocalStore({ keys: renewed, openDatabase: open, onLost: () => undefined });
        await third.sweep(new SerialQueue());
        expect([await third.countMessages(), third.damagedRecords]).toEqual([expected, 0]);
        for (let at = 0; at < expected; at += 1) expectEqual(await third.readMessage(await third.messageKey(PEER, String(at))), record(at));
        third.close();
        expect((await rowsUnder(old, open)).open).toEqual([]);
        expect((await rowsUnder(await storeKeys(again ? 3 : 2, name), open)).closed).toEqual([]);
      }),
      { seed, numRuns: extent(3, 7) },
    );
  }, 120_000);
});

/** A database whose process ends after so many writes: the next one has no effect, and nothing after it. */
function dyingAfter(database: StoreDatabase, writes: number): StoreDatabase {
  let left = writes;
  const write: StoreDatabase["write"] = async (...args) => {
    left -= 1;
    if (left < 0) throw new Error("killed");
    return database.write(...args);
  };
  return new Proxy(database, {
    get: (target, key): unknown => {
      const value = Reflect.get(target, key) as unknown;
      if (key === "write") return write;
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

describe("a messenger whose person changes the password", () => {
  let relay: TestRelay;
  let world: World;
  let ann: Device;
  let bob: Device;
  const start = async (): Promise<void> => {
    relay = new TestRelay();
    world = createWorld(relay);
    ann = await world.join();
    bob = await world.join();
    await befriend(relay, ann, bob, world.devices);
    await ann.messenger.sendText(keyOf(bob), "before");
    await untilTexts(bob, keyOf(ann), ["before"]);
  };
  afterEach(() => world.stop());

  it("goes on at once, and leaves nothing under the keys of before", async () => {
    await start();
    const old = await bob.client.storeKeys();
    await bob.messenger.search("before");
    await bob.client.changePassword({ current: TEST_PASSWORD, next: NEW_PASSWORD });
    for (const { time } of world.devices) time.advance(1_000);
    await ann.messenger.sendText(keyOf(bob), "after");
    await untilTexts(bob, keyOf(ann), ["before", "after"]);
    await pollUntil(async () => (await rowsUnder(old, openMessageDatabase)).open.length === 0, { what: "the sweep" });
    expect(await bob.messenger.search("before")).toHaveLength(1);
    expect(await bob.messenger.search("after")).toHaveLength(1);
    expect((await rowsUnder(old, openMessageDatabase)).open).toEqual([]);
    expect((await bob.client.storeKeys()).formerKeys).toHaveLength(1);
    // What was sealed again is read back at the next start, and then the former key goes.
    await restart(bob, relay);
    await pollUntil(async () => (await bob.client.storeKeys()).formerKeys.length === 0, { what: "the end of the former key" });
    await untilTexts(bob, keyOf(ann), ["before", "after"]);
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "running", damagedRecords: 0 });
  });

  it("does not believe what someone with the keys of before puts there", async () => {
    await start();
    const old = await bob.client.storeKeys();
    await bob.client.changePassword({ current: TEST_PASSWORD, next: NEW_PASSWORD });
    await pollUntil(async () => (await rowsUnder(old, openMessageDatabase)).open.length === 0, { what: "the sweep" });
    await restart(bob, relay);
    await pollUntil(async () => (await bob.client.storeKeys()).formerKeys.length === 0, { what: "the end of the former key" });
    await bob.messenger.stop();
    const database = await openMessageDatabase(old.name, () => undefined);
    const [row] = await database.list("messages");
    if (row === undefined) throw new Error("no message");
    const sealed = await createRecordCipher(old).seal(`message ${row.key}`, { ...record(1), conversation: keyOf(ann) });
    await database.write([{ table: "messages", put: { ...row, sealed } }]);
    database.close();
    await bob.messenger.start();
    expect(await textsOf(bob, keyOf(ann))).toEqual(["damaged"]);
  });

  it("is whole after a crash right behind the change, and swept with the next start", async () => {
    await start();
    const old = await bob.client.storeKeys();
    bob.node.kill();
    await bob.client.changePassword({ current: TEST_PASSWORD, next: NEW_PASSWORD });
    await restartAfterCrash(bob, relay);
    await untilTexts(bob, keyOf(ann), ["before"]);
    await pollUntil(async () => (await rowsUnder(old, openMessageDatabase)).open.length === 0, { what: "the sweep" });
    expect(await textsOf(bob, keyOf(ann))).toEqual(["before"]);
  });

  it("is whole where the change came while the store was being opened", async () => {
    await start();
    await bob.messenger.stop();
    const old = await bob.client.storeKeys();
    let isChanged = false;
    const signedPrekey: typeof bob.client.signedPrekey = async (request) => {
      if (!isChanged) await bob.keyring.changePassword({ current: TEST_PASSWORD, next: NEW_PASSWORD });
      isChanged = true;
      return bob.client.signedPrekey(request);
    };
    const messenger = createTestMessenger({ ...bob, client: { ...bob.client, signedPrekey } }, bob.node);
    await messenger.start();
    bob = { ...bob, messenger };
    world.devices.push(bob);
    await ann.messenger.sendText(keyOf(bob), "after");
    await untilTexts(bob, keyOf(ann), ["before", "after"]);
    await pollUntil(async () => (await rowsUnder(old, openMessageDatabase)).open.length === 0, { what: "the sweep" });
    await restart(bob, relay);
    await pollUntil(async () => (await bob.client.storeKeys()).formerKeys.length === 0, { what: "the end of the former key" });
    await restart(bob, relay);
    await untilTexts(bob, keyOf(ann), ["before", "after"]);
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "running", damagedRecords: 0 });
  });

  it("is followed by a window that waited", async () => {
    await start();
    const other = createTestMessenger(bob, new TestNode(relay));
    await other.start();
    expect(other.getSnapshot().phase).toBe("otherTab");
    await bob.client.changePassword({ current: TEST_PASSWORD, next: NEW_PASSWORD });
    await bob.messenger.stop();
    await pollUntil(() => other.getSnapshot().phase === "running");
    const old = bob;
    bob = { ...old, messenger: other };
    world.devices.push(bob);
    await ann.messenger.sendText(keyOf(bob), "after");
    await pollUntil(() => other.getSnapshot().conversations[0]?.unread === 2);
    expect(other.getSnapshot().damagedRecords).toBe(0);
  });
});
