// Someone who can write to the disk puts older records back, or an older store: it is noticed, and honest histories never look like it.
import "#test/support/host/indexed-db.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { newPairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import { SerialQueue } from "#shared/messenger/store/serial-queue.ts";
import type { StoreBatch } from "#shared/messenger/store/store-batch.ts";
import {
  type OpenDatabase,
  STORE_TABLES,
  type StoreChange,
  type StoreDatabase,
  type StoreRows,
  type StoreTable,
} from "#shared/messenger/store/store-database.ts";
import type { StoreCheckpoint } from "#shared/messenger/store/store-guard.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { storeKeys } from "#test/support/worlds/sealed-storage.ts";

const PEER = "ab".repeat(32);
const GENERATION = 5;

let folder: TemporaryFolder;
let stores = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

function record(at: number, text: string): MessageRecord {
  const fields = { conversation: PEER, id: "00", direction: "in", at, body: { kind: "text", text } } as const;
  return { ...fields, state: null, problem: null, isUnread: false, hasReceipts: true, raw: null };
}

type Rows = { readonly [Table in StoreTable]: readonly StoreRows[Table][] };

/** Every row, as someone with the disk copies it. */
async function copyRows(database: StoreDatabase): Promise<Rows> {
  const tables = await Promise.all(STORE_TABLES.map(async (table) => [table, await database.list(table)] as const));
  return Object.fromEntries(tables) as unknown as Rows;
}

const keyOf = (row: { readonly key?: string; readonly seq?: number }): string | number => row.seq ?? row.key ?? "";

/** Puts rows back: those of one table, or of all. */
async function putBack(database: StoreDatabase, rows: Rows, only: readonly StoreTable[] = STORE_TABLES): Promise<void> {
  const changes: StoreChange[] = [];
  for (const table of only) {
    for (const row of await database.list(table)) changes.push({ table, delete: keyOf(row) } as StoreChange);
    for (const put of rows[table]) changes.push({ table, put } as StoreChange);
  }
  await database.write(changes);
}

const KINDS: readonly (readonly [string, () => OpenDatabase])[] = [
  ["IndexedDB", (): OpenDatabase => openMessageDatabase],
  ["SQLite", (): OpenDatabase => openMessagesIn(folder.path)],
];

describe.each(KINDS)("a store over %s", (_, databases) => {
  let keys: StoreKeys<CryptoKey>;
  let store: LocalStore;
  let lost = 0;
  let checkpoint: StoreCheckpoint;

  const open = (known: StoreCheckpoint | undefined = checkpoint, openDatabase = databases()): Promise<LocalStore> =>
    openLocalStore({ keys, openDatabase, onLost: () => (lost += 1), ...(known === undefined ? {} : { checkpoint: known }) });
  const raw = (): Promise<StoreDatabase> => databases()(keys.name, () => undefined);

  /** A chat, a draft, a task and a message, each saying so much. */
  async function write(word: string, to = store): Promise<void> {
    const batch = to.begin();
    batch.putSearchable(await to.messageKey(PEER, "1"), record(1, word));
    batch.putConversation({ id: PEER, unread: 0, lastMessage: null, draft: word, hasSent: true, updatedAt: 1 });
    batch.putMeta("contacts", { accepted: [], blocked: [word] });
    await batch.putStream({ peer: PEER, device: "d", stream: "s", upTo: word.length } as never);
    await batch.putPair(newPairRecord(PEER, "d", word, 0));
    await batch.commit();
  }

  const isWhole = async (of = store): Promise<boolean> => (await of.sweep(new SerialQueue())).areMessagesWhole;

  beforeEach(async () => {
    stores += 1;
    lost = 0;
    keys = await storeKeys(1, `put-back-${stores}`);
    checkpoint = { counter: 0, generation: GENERATION };
    store = await open();
    await write("before");
  });

  it.each(["conversations", "streams", "pairs", "meta"] as const)("notices older rows of %s", async (table) => {
    const database = await raw();
    const before = await copyRows(database);
    await write("after");
    const head = await database.get("meta", "head");
    await putBack(database, before, [table]);
    if (head !== undefined) await database.write([{ table: "meta", put: head }]);
    database.close();
    expect((await open()).finding).toBe("records");
  });

  it("notices rows that were removed, and ones that are back", async () => {
    const database = await raw();
    const batch = store.begin();
    batch.putOutbox({
      ...{ seq: 1, peer: PEER, queuedAt: 1, done: [], isRelayed: false, isFailed: false },
      task: { kind: "receipt", status: "read", ids: [] },
    });
    await batch.commit();
    const before = await copyRows(database);
    await database.write([{ table: "outbox", delete: 1 }]);
    expect((await open()).finding).toBe("records");
    await putBack(database, before, ["outbox"]);
    expect((await open()).finding).toBeUndefined();
    const sent = store.begin();
    sent.deleteOutbox(1);
    await sent.commit();
    expect((await open()).finding).toBeUndefined();
    await putBack(database, before, ["outbox"]);
    expect((await open()).finding).toBe("records");
    database.close();
  });

  it("notices older messages, deleted ones that are back, lost ones and changed columns", async () => {
    const database = await raw();
    expect(await isWhole()).toBe(true);
    const [row] = await database.list("messages");
    if (row === undefined) throw new Error("no message");
    const before = await copyRows(database);
    await write("after");
    expect(await isWhole()).toBe(true);
    await putBack(database, before, ["messages"]);
    const older = await open();
    expect([older.finding, await isWhole(older)]).toEqual([undefined, false]);

    const batch = older.begin();
    batch.deleteMessage(row.key);
    await batch.commit();
    const deleted = await open();
    expect(await isWhole(deleted)).toBe(true);
    await database.write([{ table: "messages", put: row }]);
    const found = await open();
    expect(await isWhole(found)).toBe(false);

    // With the next write that is over: the person was told.
    await write("again", found);
    const [now] = await database.list("messages");
    expect(await isWhole(await open())).toBe(true);
    await database.write([{ table: "messages", put: { ...(now ?? row), expiresAt: 99 } }]);
    expect(await isWhole(await open())).toBe(false);
    await database.write([{ table: "messages", delete: row.key }]);
    expect(await isWhole(await open())).toBe(false);
    database.close();
  });

  it("notices that all of it is older than the vault says, or gone", async () => {
    const database = await raw();
    const before = await copyRows(database);
    const { counter } = store;
    await write("after");
    checkpoint = { counter: store.counter, generation: GENERATION };
    expect((await open()).finding).toBeUndefined();
    await putBack(database, before);
    const older = await open();
    expect(older.finding).toBe("store");
    // What is written from there on is newer than all that was.
    await write("next", older);
    expect(older.counter).toBeGreaterThan(checkpoint.counter);
    expect((await open()).finding).toBeUndefined();
    const none = Object.fromEntries(STORE_TABLES.map((table) => [table, []])) as unknown as Rows;
    await putBack(database, none);
    expect((await open()).finding).toBe("store");
    // Both together, store and vault, cannot be told from what was.
    await putBack(database, before);
    expect((await open({ counter, generation: GENERATION })).finding).toBeUndefined();
    database.close();
  });

  it("notices an older vault, and that its own record was taken away or exchanged", async () => {
    const database = await raw();
    store.noteGeneration(GENERATION + 2);
    await write("after");
    expect((await open({ counter: 0, generation: GENERATION + 2 })).finding).toBeUndefined();
    expect((await open({ counter: 0, generation: GENERATION + 1 })).finding).toBe("vault");
    const [head, check] = [await database.get("meta", "head"), await database.get("meta", "check")];
    if (head === undefined || check === undefined) throw new Error("no rows");
    await database.write([{ table: "meta", put: { key: "head", sealed: check.sealed } }]);
    expect((await open({ counter: 0, generation: 0 })).finding).toBe("records");
    await database.write([{ table: "meta", delete: "head" }]);
    expect((await open({ counter: 1, generation: 0 })).finding).toBe("store");
    database.close();
  });

  it("takes a store of an earlier version as it is, and watches over it from then on", async () => {
    const database = await raw();
    await database.write([{ table: "meta", delete: "head" }]);
    const first = await open();
    expect([first.finding, await isWhole(first)]).toEqual([undefined, true]);
    await write("after", first);
    const before = await copyRows(database);
    await write("later", first);
    await putBack(database, before, ["messages"]);
    expect(await isWhole(await open())).toBe(false);
    database.close();
  });

  it("refuses the slower of two writers: its changes are not made, and it is told that it is out of date", async () => {
    const other = await open();
    await write("first", other);
    await expect(write("second")).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    expect(lost).toBe(1);
    const after = await open();
    expect([after.finding, await isWhole(after)]).toEqual([undefined, true]);
    expect(await after.readMessage(await after.messageKey(PEER, "1"))).toEqual(record(1, "first"));
  });

  it("finds nothing after any honest history, wherever its process was killed and whatever ran beside the check", async () => {
    const key = fc.integer({ min: 0, max: 9 });
    const change = fc.oneof(
      fc.record({ kind: fc.constant("message" as const), key, text: fc.string({ maxLength: 3 }) }),
      fc.record({ kind: fc.constant("gone" as const), key }),
      fc.record({ kind: fc.constant("draft" as const), key }),
      fc.record({ kind: fc.constant("outbox" as const), key }),
      fc.record({ kind: fc.constant("sent" as const), key }),
    );
    const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
    const runs = fc.array(fc.record({ batches, kill: fc.nat({ max: 8 }), isBefore: fc.boolean() }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(runs, async (all) => {
        stores += 1;
        keys = await storeKeys(1, `honest-${stores}`);
        let counter = 0;
        for (const run of all) counter = await live(run, counter);
        const last = await open({ counter, generation: GENERATION });
        expect([last.finding, await isWhole(last)]).toEqual([undefined, true]);
      }),
      { seed: 99, numRuns: extent(12, 40) },
    );
  }, 120_000);

  /** A process opens the store, checks it, and changes it until it is killed. Resolves with the last number that the vault was told. */
  async function live({ batches, kill, isBefore }: HonestRun, told: number): Promise<number> {
    const openDying: OpenDatabase = async (...args) => dying(await databases()(...args), kill, isBefore);
    const running = await open({ counter: told, generation: GENERATION }, openDying).catch(() => undefined);
    if (running === undefined) return told;
    expect(running.finding).toBeUndefined();
    let counter = told;
    const writer = new SerialQueue();
    const sweeping = running.sweep(writer).catch(() => undefined);
    for (const changes of batches) {
      const isDone = await writer
        .run(() => apply(running, changes))
        .then(
          () => true,
          () => false,
        );
      if (!isDone) break;
      counter = running.counter;
    }
    expect((await sweeping)?.areMessagesWhole).not.toBe(false);
    return counter;
  }
});

interface HonestChange {
  readonly kind: keyof typeof HONEST;
  readonly key: number;
  readonly text?: string;
}

interface HonestRun {
  readonly batches: readonly (readonly HonestChange[])[];
  readonly kill: number;
  readonly isBefore: boolean;
}

const HONEST = {
  message: (batch: StoreBatch, name: string, { key, text = "" }: HonestChange): void => batch.putSearchable(name, record(key, text)),
  gone: (batch: StoreBatch, name: string): void => batch.deleteMessage(name),
  draft: (batch: StoreBatch, _: string, { key }: HonestChange): void =>
    batch.putConversation({ id: `${key}`, unread: 0, lastMessage: null, draft: "d", hasSent: false, updatedAt: key }),
  outbox: (batch: StoreBatch, _: string, { key }: HonestChange): void => {
    const task = { kind: "receipt", status: "read", ids: [] } as const;
    batch.putOutbox({ seq: key + 1, peer: PEER, task, queuedAt: key, done: [], isRelayed: false, isFailed: false });
  },
  sent: (batch: StoreBatch, _: string, { key }: HonestChange): void => batch.deleteOutbox(key + 1),
};

async function apply(to: LocalStore, changes: readonly HonestChange[]): Promise<void> {
  const batch = to.begin();
  for (const change of changes) HONEST[change.kind](batch, await to.messageKey(PEER, String(change.key)), change);
  await batch.commit();
}

/** A database whose process ends with a write: before that has an effect, or right after it, unacknowledged. */
function dying(database: StoreDatabase, writes: number, isBefore: boolean): StoreDatabase {
  let left = writes;
  const write: StoreDatabase["write"] = async (...args) => {
    left -= 1;
    if (left < -1 || (left === -1 && isBefore)) throw new Error("killed");
    const isDone = await database.write(...args);
    if (left === -1) throw new Error("killed");
    return isDone;
  };
  return new Proxy(database, {
    get: (target, key): unknown => {
      const value = Reflect.get(target, key) as unknown;
      if (key === "write") return write;
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
