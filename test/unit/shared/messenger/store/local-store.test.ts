import "#test/support/host/indexed-db.ts";
import { openDB } from "idb";
import { beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import { createDevice, TestRelay } from "#test/support/worlds/messenger-world.ts";

const PEER = "ab".repeat(32);

async function freshKeys(name = Buffer.from(systemRandom(8)).toString("hex")): Promise<StoreKeys<CryptoKey>> {
  return {
    name,
    recordKey: await importStoreKey(systemRandom(32), "encrypt"),
    indexKey: await importStoreKey(systemRandom(32), "authenticate"),
    formerKeys: [],
    dayKeys: [],
  };
}

function record(at: number, text: string, fields: Partial<MessageRecord> = {}): MessageRecord {
  return {
    conversation: PEER,
    id: "00",
    direction: "in",
    at,
    body: { kind: "text", text },
    state: null,
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
    ...fields,
  };
}

/** Every row of a database, as stored. */
async function dump(name: string): Promise<Record<string, unknown[]>> {
  const database = await openDB(databaseName(name));
  const rows: Record<string, unknown[]> = {};
  for (const store of database.objectStoreNames) rows[store] = await database.getAll(store);
  database.close();
  return rows;
}

/** Damages the sealed part of every row of an object store. */
async function damage(name: string, storeName: string): Promise<void> {
  const database = await openDB(databaseName(name));
  const transaction = database.transaction(storeName, "readwrite");
  for (const row of await transaction.store.getAll()) {
    row.sealed[20] ^= 1;
    await transaction.store.put(row);
  }
  await transaction.done;
  database.close();
}

let keys: StoreKeys<CryptoKey>;
let store: LocalStore;

beforeEach(async () => {
  keys = await freshKeys();
  store = await openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined });
});

describe("local store", () => {
  it("holds changes of a message that is not there yet by each person, so that no one takes the room of another one's", async () => {
    const batch = store.begin();
    const react = (from: string, emoji: string): Promise<void> =>
      batch.putAmendment([PEER, PEER, "1"], { from, at: 1, body: { kind: "reaction", to: { author: PEER, id: "1" }, emoji } }, 1);
    for (let index = 0; index < 40; index += 1) await react("flooder", `${index}`);
    for (let person = 0; person < 135; person += 1) await react(`person ${person}`, "👍");
    await react("person 0", "🎉");
    await batch.commit();
    const waiting = await store.begin().takeAmendments([PEER, PEER, "1"]);
    const by = (person: string): number => waiting.filter(({ from }) => from === person).length;
    expect([by("flooder"), by("person 0"), by("person 126"), by("person 127")]).toEqual([32, 2, 1, 0]);
  });

  it("pages messages newest first, also with equal times", async () => {
    const batch = store.begin();
    for (let index = 0; index < 25; index += 1)
      batch.putMessage(`k${String(index).padStart(2, "0")}`, record(Math.floor(index / 3), `m${index}`));
    batch.putMessage("other", record(99, "elsewhere", { conversation: "cd".repeat(32) }));
    await batch.commit();
    const seen: string[] = [];
    let before: { at: number; key: string } | undefined;
    for (;;) {
      const page = await store.readPage(PEER, before, 10);
      seen.push(...page.map(({ key }) => key));
      const last = page.at(-1);
      if (last === undefined) break;
      before = { at: last.record.at, key: last.key };
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `k${String(24 - index).padStart(2, "0")}`));
  });

  it("keeps neither texts nor peers nor ids in the clear", async () => {
    const batch = store.begin();
    const key = await store.messageKey(PEER, "11".repeat(16));
    batch.putMessage(key, record(1, "a very secret text", { id: "11".repeat(16), isUnread: true }));
    batch.putConversation({ id: PEER, unread: 1, lastMessage: null, draft: "secret draft", hasSent: false, updatedAt: 1 });
    batch.putMeta("contacts", { accepted: [PEER], blocked: [] });
    await batch.putEarly(["receipt", PEER, "22".repeat(16)], { at: 1, state: "read" });
    await batch.commit();
    const rows = await dump(keys.name);
    const everything = JSON.stringify(rows, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    expect(rows.messages).toHaveLength(1);
    for (const secret of ["secret", PEER, "11".repeat(16), "22".repeat(16)]) expect(everything).not.toContain(secret);
  });

  it("returns keys that the page cannot read", async () => {
    await expect(crypto.subtle.exportKey("raw", keys.recordKey)).rejects.toThrow();
    await expect(crypto.subtle.exportKey("raw", keys.indexKey)).rejects.toThrow();
  });

  it("refuses a store written with another key and leaves it as it is", async () => {
    store.close();
    const before = JSON.stringify(await dump(keys.name));
    await expect(
      openLocalStore({ keys: await freshKeys(keys.name), openDatabase: openMessageDatabase, onLost: () => undefined }),
    ).rejects.toMatchObject({
      code: "LOCAL_STORE_FAILED",
    });
    expect(JSON.stringify(await dump(keys.name))).toBe(before);
    await expect(openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined })).resolves.toBeDefined();
  });

  it("writes all of a batch or nothing", async () => {
    const batch = store.begin();
    batch.putMessage("good", record(1, "good"));
    batch.putMessage("bad", record(Number.NaN, "no valid key of the index"));
    batch.putConversation({ id: PEER, unread: 0, lastMessage: null, draft: "x", hasSent: false, updatedAt: 1 });
    store.close();
    await expect(batch.commit()).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    const rows = await dump(keys.name);
    expect(rows.messages).toEqual([]);
    expect(rows.conversations).toEqual([]);
  });

  it("reports damaged records, shows that they were there, and never touches them", async () => {
    const batch = store.begin();
    batch.putMessage("one", record(1, "one", { isUnread: true }));
    batch.putConversation({ id: PEER, unread: 1, lastMessage: null, draft: "x", hasSent: false, updatedAt: 1 });
    await batch.commit();
    await damage(keys.name, "messages");
    await damage(keys.name, "conversations");
    const before = JSON.stringify(await dump(keys.name));
    expect(await store.loadConversations()).toEqual([]);
    expect((await store.readPage(PEER, undefined, 10)).map(({ record: { body } }) => body)).toEqual([{ kind: "damaged" }]);
    expect(await store.readMessage("one")).toBeUndefined();
    expect(store.damagedRecords).toBe(2);
    expect(JSON.stringify(await dump(keys.name))).toBe(before);
  });

  it("does not take a record for one of another location", async () => {
    const batch = store.begin();
    batch.putMessage("one", record(1, "one"));
    batch.putMessage("two", record(2, "two"));
    await batch.commit();
    const database = await openDB(databaseName(keys.name));
    const [one, two] = [await database.get("messages", "one"), await database.get("messages", "two")];
    await database.put("messages", { ...one, sealed: two.sealed });
    database.close();
    expect((await store.readPage(PEER, undefined, 10)).map(({ record: { body } }) => body.kind)).toEqual(["text", "damaged"]);
  });

  it("forgets receipts whose message never came, after a while", async () => {
    const batch = store.begin();
    await batch.putEarly(["receipt", PEER, "1"], { at: 100, state: "delivered" });
    await batch.putEarly(["receipt", PEER, "2"], { at: 200, state: "delivered" });
    await batch.putEarly(["receipt", PEER, "2"], { at: 200, state: "read" });
    await batch.commit();
    const pruning = store.begin();
    await pruning.prune(150);
    await pruning.commit();
    const taking = store.begin();
    expect(await taking.takeEarly(["receipt", PEER, "1"])).toBeUndefined();
    expect(await taking.takeEarly(["receipt", PEER, "2"])).toBe("read");
    expect(await taking.takeEarly(["receipt", PEER, "2"])).toBeUndefined();
  });
});

describe("a messenger on a damaged store", () => {
  it("starts, says so, still receives, and deletes nothing", async () => {
    const relay = new TestRelay();
    const [ann, bob] = [await createDevice(relay), await createDevice(relay)];
    await ann.messenger.start();
    await bob.messenger.start();
    const [annKey, bobKey] = [ann.account.masterPub, bob.account.masterPub];
    await ann.messenger.sendText(bobKey, "old");
    await pollUntil(() => bob.messenger.getSnapshot().conversations.length === 1);
    await bob.messenger.stop();
    const { name } = await bob.client.storeKeys();
    await damage(name, "messages");
    await damage(name, "conversations");
    const rows = (await dump(name)).messages;
    await bob.messenger.start();
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "running", damagedRecords: 1 });
    for (const { time } of [ann, bob]) time.advance(1_000);
    await ann.messenger.sendText(bobKey, "new");
    await pollUntil(() => bob.messenger.getSnapshot().conversations[0]?.unread === 1);
    const view = bob.messenger.openConversation(annKey);
    await view.loadOlder();
    expect(view.getSnapshot().messages.map(({ body }) => ("text" in body ? body.text : body.kind))).toEqual(["damaged", "new"]);
    await bob.messenger.markRead(annKey);
    expect((await dump(name)).messages).toEqual(expect.arrayContaining(rows ?? []));
    expect(bob.messenger.getSnapshot().damagedRecords).toBe(2);
    await ann.messenger.stop();
    await bob.messenger.stop();
  });

  it("keeps mail in the mailbox while the store cannot be written", async () => {
    const relay = new TestRelay();
    const [ann, bob] = [await createDevice(relay), await createDevice(relay)];
    await ann.messenger.start();
    await bob.messenger.start();
    const put = IDBObjectStore.prototype.put;
    await ann.messenger.sendText(bob.account.masterPub, "precious");
    const { name } = await bob.client.storeKeys();
    IDBObjectStore.prototype.put = function refuse(this: IDBObjectStore, ...args: Parameters<typeof put>): ReturnType<typeof put> {
      if (this.transaction.db.name === databaseName(name)) throw new DOMException("full", "QuotaExceededError");
      return put.apply(this, args);
    };
    try {
      await pollUntil(() => relay.history.some(({ recipient_pub: to }) => to === bob.account.devicePub));
      await pollUntil(() => bob.messenger.getSnapshot().problem?.code === "LOCAL_STORE_FAILED");
      expect(relay.count(bob.account.devicePub)).toBe(1);
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    await pollUntil(() => {
      bob.time.advance(5_000);
      return bob.messenger.getSnapshot().conversations.length === 1;
    });
    await pollUntil(() => relay.count(bob.account.devicePub) === 0 && bob.messenger.getSnapshot().problem === null);
    await ann.messenger.stop();
    await bob.messenger.stop();
  });
});
