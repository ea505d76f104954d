// Pairs of devices in the store: they come back as they were, and a store from before there were pairs goes on with all that it has.
import "#test/support/host/indexed-db.ts";
import Database from "better-sqlite3";
import { deleteDB, openDB } from "idb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messagesFile, openMessagesIn } from "#node/storage/messages/message-database.ts";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { addCard } from "#shared/messenger/pairs/own-cards.ts";
import { newPairRecord, type PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { takeContent } from "#shared/messenger/pairs/take-content.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import type { OpenDatabase } from "#shared/messenger/store/store-database.ts";
import type { ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

const PEER = "ab".repeat(32);
const DEVICE = "cd".repeat(32);
const NOW = { ownMs: 5, blockMs: 6 };

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

const card = (instance: string, number: number): ShownCard => ({
  id: instance.slice(0, 8) + number.toString(16).padStart(8, "0"),
  kem: systemRandom(1_216),
  x: systemRandom(32),
  psk: systemRandom(32),
  signature: systemRandom(64),
});

/** A pair with own cards, and two instances of the other device that have both shown one. */
function samplePair(): PairRecord {
  const record = newPairRecord(PEER, DEVICE, "aa".repeat(8), 0);
  const context = { now: NOW, day: 1, isStranger: false, spread: 0.5 };
  const shown = ["bb", "cc"].map((byte, at) => ({
    ...{ cardId: "", id: "01".repeat(16), at: 1, stream: { instance: byte.repeat(8), last: 0, base: 0 } },
    card: card(byte.repeat(8), at + 1),
  }));
  const state = shown.reduce((before, content) => takeContent(before, content, context).state, addCard(record.state, "sealed", NOW));
  return { ...record, state, signingPub: "ef".repeat(32), shown: card(record.state.instance, 1), forgets: ["02".repeat(16)] };
}

const ANSWERED = { author: PEER, id: "03".repeat(16) };
const ANSWER: MessageRecord = {
  ...{ conversation: PEER, id: "04".repeat(16), direction: "in", at: 1, state: null, problem: null },
  ...{ isUnread: false, hasReceipts: true, raw: null },
  body: { kind: "reply", text: "no", to: ANSWERED, quote: "wait" },
};

interface Kind {
  readonly open: () => OpenDatabase;
  /** Makes the database one of the version before there were pairs, and names of what messages answer. */
  readonly age: (name: string) => Promise<void>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  IndexedDB: {
    open: () => openMessageDatabase,
    age: async (name) => {
      const now = await openDB(databaseName(name));
      const stores = [...now.objectStoreNames].filter((store) => store !== "pairs");
      const shapes = stores.map((store) => {
        const object = now.transaction(store).store;
        const indexes = [...object.indexNames]
          .filter((index) => index !== "by-answered")
          .map((index) => [index, object.index(index).keyPath] as const);
        const { keyPath, autoIncrement } = object;
        return { store, keyPath, autoIncrement, indexes };
      });
      const rows = await Promise.all(stores.map((store) => now.getAll(store)));
      now.close();
      await deleteDB(databaseName(name));
      const before = await openDB(databaseName(name), 5, {
        upgrade: (database) => {
          for (const { store, keyPath, autoIncrement, indexes } of shapes) {
            const object = database.createObjectStore(store, { keyPath: keyPath as string, autoIncrement });
            for (const [index, path] of indexes) object.createIndex(index, path as string | string[]);
          }
        },
      });
      for (const [at, store] of stores.entries()) for (const row of rows[at] ?? []) await before.put(store, row);
      before.close();
    },
  },
  SQLite: {
    open: () => openMessagesIn(folder.path),
    age: async (name) => {
      const database = new Database(messagesFile(folder.path, name));
      database.exec("DROP INDEX messages_by_answered; ALTER TABLE messages DROP COLUMN answers");
      database.exec("DROP TABLE pairs; PRAGMA user_version = 1");
      database.close();
    },
  },
};

describe.each(Object.entries(KINDS))("over %s", (_, { open, age }) => {
  let keys: StoreKeys<CryptoKey>;
  let store: LocalStore;

  const openStore = (): Promise<LocalStore> => openLocalStore({ keys, openDatabase: open(), onLost: () => undefined });
  const put = async (record: PairRecord): Promise<void> => {
    const batch = store.begin();
    await batch.putPair(record);
    await batch.commit();
  };

  beforeEach(async () => {
    keys = {
      name: Buffer.from(systemRandom(8)).toString("hex"),
      recordKey: await importStoreKey(systemRandom(32), "encrypt"),
      indexKey: await importStoreKey(systemRandom(32), "authenticate"),
      formerKeys: [],
      dayKeys: [],
    };
    store = await openStore();
  });

  it("a pair comes back as it was, until it is removed", async () => {
    const empty = newPairRecord(PEER, "de".repeat(32), "dd".repeat(8), 3);
    await put(samplePair());
    const full = { ...samplePair(), peer: "ba".repeat(32) };
    for (const record of [full, empty]) await put(record);
    store.close();
    store = await openStore();
    const loaded = await store.loadPairs();
    expect([...loaded].sort((a, b) => a.device.localeCompare(b.device))).toEqual([full, empty]);
    const batch = store.begin();
    await batch.deletePair(DEVICE);
    await batch.commit();
    expect(await store.loadPairs()).toEqual([empty]);
  });

  it("a store from before there were pairs keeps what it has, and takes pairs", async () => {
    const batch = store.begin();
    batch.putMeta("contacts", { accepted: [PEER], blocked: [] });
    batch.putMessage("aa", { ...ANSWER, quoted: "none" });
    batch.putConversation({ id: PEER, unread: 0, lastMessage: null, draft: "half", hasSent: true, updatedAt: 1 });
    await batch.commit();
    store.close();
    await age(keys.name);
    store = await openStore();
    expect(store.finding).toBeUndefined();
    expect(await store.readMeta("contacts")).toEqual({ accepted: [PEER], blocked: [] });
    expect(await store.loadConversations()).toHaveLength(1);
    const later = store.begin();
    later.putMessage("bb", ANSWER);
    await later.commit();
    expect(await store.begin().answersTo(ANSWERED)).toEqual(["bb"]);
    await put(samplePair());
    store.close();
    store = await openStore();
    expect([store.finding, (await store.loadPairs()).length]).toEqual([undefined, 1]);
  });
});
