import "#test/support/host/indexed-db.ts";
import fc from "fast-check";
import { openDB } from "idb";
import { beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { type MessageSearch, SEARCH_BUILT, SEARCH_LOCATION, type SearchFilter } from "#shared/messenger/store/search/search-index.ts";
import { createSearchClient, type SearchChannel, serveSearch } from "#shared/messenger/store/search/search-port.ts";
import { foldText } from "#shared/messenger/store/search/search-text.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import { createWorld, keyOf, messageWith } from "#test/support/worlds/messenger-chat.ts";
import { TestRelay } from "#test/support/worlds/messenger-world.ts";

const PEER = "ab".repeat(32);
const OTHER = "cd".repeat(32);
let keys: StoreKeys<CryptoKey>;
let store: LocalStore;
let search: MessageSearch;

function record(text: string, fields: Partial<MessageRecord> = {}): MessageRecord {
  return {
    conversation: PEER,
    id: "00",
    direction: "in",
    at: 1,
    body: { kind: "text", text },
    state: null,
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
    ...fields,
  };
}

async function put(key: string, message: MessageRecord): Promise<void> {
  const batch = store.begin();
  batch.putSearchable(key, message);
  await batch.commit();
}

async function find(text: string, conversation?: string, from: MessageSearch = search): Promise<readonly string[]> {
  const hits = await from.find({ text, limit: 50, ...(conversation === undefined ? {} : { conversation }) });
  return hits.map(({ key }) => key);
}

beforeEach(async () => {
  keys = {
    name: Buffer.from(systemRandom(8)).toString("hex"),
    recordKey: await importStoreKey(systemRandom(32), "encrypt"),
    indexKey: await importStoreKey(systemRandom(32), "authenticate"),
    formerKeys: [],
    dayKeys: [],
  };
  store = await openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined });
  search = await openMessageSearch(keys);
});

describe("search", () => {
  it("finds all words in any order, without case and accents, newest first", async () => {
    await put("a", record("Grüße aus Ærøskøbing, naïve Café", { at: 1 }));
    await put("b", record("cafe GRUSSE", { at: 3 }));
    await put("c", record("nothing", { at: 2 }));
    expect(await find("café")).toEqual(["b", "a"]);
    expect(await find("aus grüße")).toEqual(["a"]);
    expect(await find("naive aeroskobing")).toEqual([]);
    expect(await find("ærøskøbing CAFE")).toEqual(["a"]);
    expect(await find("   ")).toEqual([]);
  });

  it("finds in one conversation", async () => {
    await put("a", record("here"));
    await put("b", record("here", { conversation: OTHER }));
    expect(await find("here", OTHER)).toEqual(["b"]);
  });

  it("narrows to kinds, days and a chat, with words or without", async () => {
    const attachment = (changes: object): MessageRecord["body"] =>
      ({ kind: "attachment", name: "x", mediaType: "image/png", size: 1, caption: "", image: null, ...changes }) as never;
    await put(
      "picture",
      record("", { at: 1, body: attachment({ image: { width: 1, height: 1, preview: "" }, caption: "see https://a.example" }) }),
    );
    await put("file", record("", { at: 2, body: attachment({ name: "plan.pdf" }) }));
    await put("voice", record("", { at: 3, body: attachment({ voice: { durationMs: 1, levels: [] } }) }));
    await put("payment", record("", { at: 4, body: { kind: "pay.request", amountUt: 1, note: "plan" }, conversation: OTHER }));
    await put("link", record("Plan: parley:pay?to=x", { at: 5 }));
    await put("text", record("no httplink, nor Parley:the-app or https://", { at: 6 }));
    const search = await openMessageSearch(keys);
    const narrowed = async (filter: SearchFilter, text = ""): Promise<readonly string[]> =>
      (await search.find({ text, limit: 50, ...filter })).map(({ key }) => key);
    expect(await narrowed({ kinds: ["picture"] })).toEqual(["picture"]);
    expect(await narrowed({ kinds: ["file", "voice"] })).toEqual(["voice", "file"]);
    expect(await narrowed({ kinds: ["link"] })).toEqual(["link", "picture"]);
    expect(await narrowed({ kinds: ["payment"] }, "plan")).toEqual(["payment"]);
    expect(await narrowed({ kinds: ["payment"], conversation: PEER })).toEqual([]);
    expect(await narrowed({ from: 2, before: 4 })).toEqual(["voice", "file"]);
    expect(await narrowed({ from: 6 })).toEqual(["text"]);
    expect(await narrowed({ before: 6 }, "plan")).toEqual(["link", "payment", "file"]);
    expect(await narrowed({ conversation: PEER })).toEqual([]);
    await put("file", record("", { at: 2, revision: 1, body: { kind: "deleted" } }));
    expect(await narrowed({ kinds: ["file"] })).toEqual([]);
    search.close();
  });

  it("builds an index again that knows no kinds", async () => {
    await put("a", record("https://a.example"));
    const database = await openDB(databaseName(keys.name));
    const cipher = createRecordCipher(keys);
    const old = [{ k: "a", c: PEER, a: 0, r: 0, t: "https://a.example" }];
    await database.clear("search");
    await database.put("search", { seq: 1, sealed: await cipher.seal(SEARCH_LOCATION, old) });
    await database.put("meta", { key: SEARCH_BUILT, sealed: await cipher.seal(`meta ${SEARCH_BUILT}`, true) });
    database.close();
    const search = await openMessageSearch(keys);
    expect(await search.find({ text: "", kinds: ["link"], limit: 5 })).toHaveLength(1);
    search.close();
  });

  it("follows what is added, reworded and removed after it was opened", async () => {
    await put("a", record("first wording"));
    expect(await find("wording")).toEqual(["a"]);
    await put("b", record("another wording", { at: 2 }));
    await put("a", record("second version", { revision: 1 }));
    expect(await find("wording")).toEqual(["b"]);
    expect(await find("version")).toEqual(["a"]);
    const batch = store.begin();
    batch.deleteMessage("b");
    batch.putSearchable("a", record("", { body: { kind: "deleted" } }));
    await batch.commit();
    expect(await find("wording")).toEqual([]);
    expect(await find("version")).toEqual([]);
  });

  it("finds messages of a store that had no index yet", async () => {
    const batch = store.begin();
    for (let index = 0; index < 1_500; index += 1) batch.putMessage(`k${index}`, record(`old ${index}`, { at: index }));
    await batch.commit();
    const database = await openDB(databaseName(keys.name));
    await database.delete("meta", SEARCH_BUILT);
    database.close();
    expect(await find("old 1234")).toEqual(["k1234"]);
    expect(await find("old")).toHaveLength(50);
  });

  it("merges many small rows into few and finds the same afterwards", async () => {
    for (let index = 0; index < 150; index += 1) await put(`k${index}`, record(`word ${index}`, { at: index }));
    expect(await find("word 77")).toEqual(["k77"]);
    await put("last", record("word last", { at: 999 }));
    expect(await find("word last")).toEqual(["last"]);
    const database = await openDB(databaseName(keys.name));
    expect((await database.getAll("search")).length).toBeLessThan(5);
    database.close();
    expect(await find("word 77", undefined, await openMessageSearch(keys))).toEqual(["k77"]);
  });

  it("rebuilds the index from the messages when a row of it is damaged", async () => {
    await put("a", record("kept"));
    const database = await openDB(databaseName(keys.name));
    const [row] = await database.getAll("search");
    row.sealed[20] ^= 1;
    await database.put("search", row);
    database.close();
    expect(await find("kept")).toEqual(["a"]);
  });

  it("keeps no word in the clear", async () => {
    await put("a", record("supercalifragilistic"));
    await find("supercalifragilistic");
    const database = await openDB(databaseName(keys.name));
    const rows = await database.getAll("search");
    database.close();
    expect(rows.length).toBeGreaterThan(0);
    for (const { sealed } of rows) expect(Buffer.from(sealed).includes("supercali")).toBe(false);
  });

  it("finds exactly what contains all words", async () => {
    const words = fc.array(fc.constantFrom("ann", "bob", "Älpler", "zoo", "banana"), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 8 }), words, async (messages, query) => {
        const conversation = Buffer.from(systemRandom(32)).toString("hex");
        for (const [index, text] of messages.entries())
          await put(`${conversation}${index}`, record(text.join(" "), { conversation, at: index }));
        const expected = messages.flatMap((text, index) =>
          query.every((word) => foldText(text.join(" ")).includes(foldText(word))) ? [`${conversation}${index}`] : [],
        );
        expect([...(await find(query.join(" "), conversation))].sort()).toEqual(expected.sort());
      }),
      { seed: 37, numRuns: 25 },
    );
  });
});

describe("search in a worker", () => {
  it("answers by messages, and says when it cannot", async () => {
    await put("a", record("over the wire"));
    const [near, far] = channel();
    serveSearch(far, openMessageDatabase);
    const client = createSearchClient(near, keys);
    expect(await find("wire", undefined, client)).toEqual(["a"]);
    store.close();
    const broken = createSearchClient(
      {
        post: (message) => queueMicrotask(() => far.post({ id: (message as { id: number }).id, failed: true })),
        listen: near.listen,
        close: near.close,
      },
      keys,
    );
    await expect(find("wire", undefined, broken)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    client.close();
  });
});

describe("the messenger", () => {
  it("finds what was sent and received", async () => {
    const relay = new TestRelay();
    const world = createWorld(relay);
    const ann = await world.join();
    await ann.messenger.sendText(keyOf(ann), "A note about Zürich");
    const { key } = await messageWith(ann, keyOf(ann), "A note about Zürich");
    expect(await ann.messenger.search("zurich note")).toEqual([
      {
        key,
        conversation: keyOf(ann),
        direction: "out",
        author: null,
        at: expect.any(Number),
        body: { kind: "text", text: "A note about Zürich" },
      },
    ]);
    expect(await ann.messenger.search("zurich", { conversation: PEER })).toEqual([]);
    await world.stop();
  });
});

function channel(): readonly [SearchChannel, SearchChannel] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const end = (mine: 0 | 1): SearchChannel => ({
    post: (message) =>
      queueMicrotask(() => {
        for (const listener of listeners[1 - mine] ?? []) listener(message);
      }),
    listen: (listener): void => void listeners[mine]?.push(listener),
    close: () => undefined,
  });
  return [end(0), end(1)];
}
