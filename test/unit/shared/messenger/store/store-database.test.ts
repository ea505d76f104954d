// The contract of the messaging engine's database, held by the one of browsers and the one over SQLite; and both against each other.
import "#test/support/host/indexed-db.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { messagesFile, openMessagesIn } from "#node/storage/messages/message-database.ts";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { STORE_TABLES, type StoreChange, type StoreDatabase } from "#shared/messenger/store/store-database.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";

let folder: TemporaryFolder;
let stores = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

type Open = (name: string) => Promise<StoreDatabase>;

const KINDS: readonly (readonly [string, Open])[] = [
  ["IndexedDB", (name): Promise<StoreDatabase> => openMessageDatabase(name, () => undefined)],
  ["SQLite", (name): Promise<StoreDatabase> => openMessagesIn(folder.path)(name, () => undefined)],
];

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values);
const message = (
  key: string,
  at: number,
  fields: { readonly conversation?: string; readonly unread?: 1; readonly expiresAt?: number; readonly answers?: string } = {},
): StoreChange => ({ table: "messages", put: { key, conversation: "c", at, sealed: bytes(at % 256), ...fields } });

describe.each(KINDS)("%s", (_, open) => {
  let name = "";
  let database: StoreDatabase;

  beforeEach(async () => {
    stores += 1;
    name = `contract-${stores}`;
    database = await open(name);
  });

  it("is empty at first", async () => {
    for (const table of STORE_TABLES) {
      expect(await database.list(table)).toEqual([]);
      expect(await database.count(table)).toBe(0);
    }
    expect(await database.lastSeq("outbox")).toBeUndefined();
    expect(await database.nextExpiry()).toBeUndefined();
    expect(await database.get("meta", "check")).toBeUndefined();
    await database.write([]);
  });

  it("gives back every kind of row as it was put, and what replaced it", async () => {
    const rows: readonly StoreChange[] = [
      { table: "messages", put: { key: "m", conversation: "c", at: 1.25, sealed: bytes(1, 0, 255) } },
      { table: "conversations", put: { key: "k", sealed: bytes() } },
      { table: "outbox", put: { seq: 7, sealed: bytes(2) } },
      { table: "seen", put: { key: "m" } },
      { table: "early", put: { key: "e", at: 3, state: "read" } },
      { table: "amendments", put: { key: "a", at: 4, sealed: bytes(4) } },
      { table: "sent", put: { key: "s", at: 5, sealed: bytes(5) } },
      { table: "streams", put: { key: "t", sealed: bytes(6) } },
      { table: "pairs", put: { key: "p", sealed: bytes(11) } },
      { table: "search", put: { seq: 1, sealed: bytes(7) } },
      { table: "chunks", put: { key: "h", file: "f", data: bytes(8), orphanAt: 9 } },
      { table: "meta", put: { key: "n", sealed: bytes(10) } },
      { table: "arrivals", put: { seq: 1, key: "m", conversation: "c", at: 2.5 } },
    ];
    await database.write(rows);
    for (const change of rows) if ("put" in change) expect(await database.list(change.table)).toEqual([change.put]);
    await database.write([{ table: "chunks", put: { key: "h", file: "f", data: bytes(9) } }, message("m", 2, { unread: 1, expiresAt: 5 })]);
    expect(await database.getMany("messages", ["other", "m"])).toEqual([undefined, await database.get("messages", "m")]);
    expect(await database.getMany("messages", [])).toEqual([]);
    expect(await database.get("chunks", "h")).toEqual({ key: "h", file: "f", data: bytes(9) });
    expect(await database.get("messages", "m")).toEqual({ key: "m", conversation: "c", at: 2, sealed: bytes(2), unread: 1, expiresAt: 5 });
    expect([await database.has("seen", "m"), await database.has("seen", "n"), await database.has("chunks", "h")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("pages by key, and by time and key in both directions", async () => {
    await database.write([..."dacb"].map((key, index) => message(key, Math.floor(index / 2))));
    await database.write([message("x", 0, { conversation: "d" })]);
    expect((await database.list("messages", { after: "a", limit: 2 })).map(({ key }) => key)).toEqual(["b", "c"]);
    const first = await database.messagesBefore("c", undefined, 3);
    expect(first.map(({ key }) => key)).toEqual(["c", "b", "d"]);
    expect((await database.messagesBefore("c", { at: 1, key: "c" }, 9)).map(({ key }) => key)).toEqual(["b", "d", "a"]);
    expect((await database.messagesBefore("c", { at: 0, key: "a" }, 9)).map(({ key }) => key)).toEqual([]);
    expect((await database.messagesAfter("c", undefined, 3)).map(({ key }) => key)).toEqual(["a", "d", "b"]);
    expect((await database.messagesAfter("c", { at: 0, key: "d" }, 9)).map(({ key }) => key)).toEqual(["b", "c"]);
    expect((await database.messagesAfter("c", { at: 1, key: "c" }, 9)).map(({ key }) => key)).toEqual([]);
    expect(await database.messageKeysOf("c")).toEqual(["a", "d", "b", "c"]);
  });

  it("finds by its indexes what is there now, and nothing that was", async () => {
    await database.write([
      message("a", 1, { unread: 1, expiresAt: 30 }),
      message("b", 2, { expiresAt: 10 }),
      message("e", 3, { unread: 1 }),
      message("g", 4, { answers: "q" }),
      message("f", 5, { answers: "q" }),
      message("h", 5, { answers: "r" }),
    ]);
    expect(await database.answersTo("q", 5)).toEqual(["f", "g"]);
    expect(await database.answersTo("q", 1)).toEqual(["f"]);
    expect((await database.get("messages", "f"))?.answers).toBe("q");
    expect((await database.unreadMessages("c")).map(({ key }) => key)).toEqual(["a", "e"]);
    expect(await database.expiredMessages(30, 5)).toEqual(["b", "a"]);
    expect(await database.expiredMessages(29, 5)).toEqual(["b"]);
    expect(await database.expiredMessages(30, 1)).toEqual(["b"]);
    expect(await database.nextExpiry()).toBe(10);
    expect(await database.expiringMessages(10, 30)).toEqual(["a"]);
    expect(await database.expiringMessages(9, 30)).toEqual(["b", "a"]);
    expect(await database.expiringMessages(9, 29)).toEqual(["b"]);
    expect(await database.expiringMessages(0, Number.MAX_SAFE_INTEGER, 1)).toEqual(["b"]);
    await database.write([message("n", 5, { expiresAt: Number.MAX_SAFE_INTEGER })]);
    expect(await database.expiringMessages(Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER)).toEqual(["n"]);
    await database.write([{ table: "messages", delete: "n" }]);
    await database.write([message("a", 1), { table: "messages", delete: "b" }, { table: "messages", delete: "g" }, message("f", 5)]);
    expect(await database.answersTo("q", 5)).toEqual([]);
    expect((await database.unreadMessages("c")).map(({ key }) => key)).toEqual(["e"]);
    expect([await database.expiredMessages(99, 5), await database.nextExpiry()]).toEqual([[], undefined]);
    const data = bytes(1);
    await database.write([
      { table: "chunks", put: { key: "2", file: "f", data, orphanAt: 5 } },
      { table: "chunks", put: { key: "1", file: "f", data } },
      { table: "chunks", put: { key: "3", file: "g", data, orphanAt: 6 } },
      { table: "sent", put: { key: "o", at: 1, sealed: data } },
      { table: "sent", put: { key: "n", at: 2, sealed: data } },
    ]);
    expect((await database.chunksOf("f")).map(({ key }) => key)).toEqual(["1", "2"]);
    expect(await database.orphanedChunks(5)).toEqual(["2"]);
    expect(await database.agedKeys("sent", 1)).toEqual(["o"]);
    expect(await database.agedKeys("early", 99)).toEqual([]);
  });

  it("numbers rows of the search behind all that ever were", async () => {
    await database.write([1, 2, 3].map((value) => ({ table: "search", add: { sealed: bytes(value) } })));
    await database.write([
      { table: "search", deleteUpTo: 3 },
      { table: "search", put: { seq: 1, sealed: bytes(9) } },
    ]);
    await database.write([{ table: "search", add: { sealed: bytes(4) } }]);
    const rows = await database.list("search", { after: 3 });
    expect(rows.map(({ sealed }) => sealed)).toEqual([bytes(4)]);
    expect(await database.count("search")).toBe(2);
  });

  it("keeps the order of arrival, also by time, behind what was dropped", async () => {
    const arrival = (key: string, at: number): StoreChange => ({ table: "arrivals", add: { key, conversation: "c", at } });
    await database.write([arrival("a", 10), arrival("b", 10), arrival("c", 20)]);
    expect([await database.lastArrival(9), await database.lastArrival(10), await database.lastArrival(99)]).toEqual([undefined, 2, 3]);
    await database.write([{ table: "arrivals", deleteUpTo: 3 }]);
    expect([await database.lastSeq("arrivals"), await database.lastArrival(99)]).toEqual([undefined, undefined]);
    await database.write([arrival("d", 30)]);
    expect(await database.list("arrivals", { after: 0 })).toEqual([{ seq: 4, key: "d", conversation: "c", at: 30 }]);
    expect(await database.lastSeq("arrivals")).toBe(4);
  });

  it("makes all changes of a write or none", async () => {
    await database.write([{ table: "outbox", put: { seq: 1, sealed: bytes(1) } }]);
    const bad = { table: "meta", put: { key: undefined as never, sealed: bytes(1) } } as const;
    await expect(
      database.write([message("good", 1), { table: "outbox", delete: 1 }, bad, { table: "outbox", put: { seq: 2, sealed: bytes(2) } }]),
    ).rejects.toThrow();
    expect(await database.list("messages")).toEqual([]);
    expect((await database.list("outbox")).map(({ seq }) => seq)).toEqual([1]);
    expect(await database.lastSeq("outbox")).toBe(1);
  });

  it("writes only while a row holds what is expected, as one step for everyone", async () => {
    const put = (value: number): StoreChange => ({ table: "meta", put: { key: "head", sealed: bytes(value) } });
    expect(await database.write([put(1), message("a", 1)], { key: "head", sealed: undefined })).toBe(true);
    expect(await database.write([put(2), message("b", 2)], { key: "head", sealed: undefined })).toBe(false);
    expect(await database.write([put(2), message("b", 2)], { key: "head", sealed: bytes(2) })).toBe(false);
    expect((await database.list("messages")).map(({ key }) => key)).toEqual(["a"]);
    expect(await database.write([put(2), message("b", 2)], { key: "head", sealed: bytes(1) })).toBe(true);
    const second = await open(name);
    const both = await Promise.all(
      [3, 4].map((value) => (value === 3 ? database : second).write([put(value)], { key: "head", sealed: bytes(2) })),
    );
    expect(both.filter((isDone) => isDone)).toHaveLength(1);
    expect(await database.write([], { key: "head", sealed: bytes(9) })).toBe(true);
    second.close();
  });

  it("has everything when it is opened again, and refuses when it is closed", async () => {
    await database.write([message("a", 1), { table: "seen", put: { key: "a" } }]);
    database.close();
    await expect(database.list("messages")).rejects.toThrow();
    await expect(database.write([message("b", 2)])).rejects.toThrow();
    database = await open(name);
    expect((await database.list("messages")).map(({ key }) => key)).toEqual(["a"]);
  });

  it("is read by a second connection while it is written", async () => {
    const second = await open(name);
    await database.write([{ table: "search", add: { sealed: bytes(1) } }]);
    expect(await second.count("search")).toBe(1);
    await second.write([{ table: "search", deleteUpTo: Number.MAX_SAFE_INTEGER }]);
    expect(await database.count("search")).toBe(0);
  });
});

describe("both databases", () => {
  it("read the same after any changes", async () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const time = fc.integer({ min: 0, max: 3 });
    const sealed = fc.uint8Array({ maxLength: 3 });
    const rest = fc.record({ unread: fc.constant(1 as const), expiresAt: time }, { requiredKeys: [] });
    const change: fc.Arbitrary<StoreChange> = fc.oneof(
      fc
        .record({ key, conversation: key, at: time, sealed, rest })
        .map(({ rest: more, ...row }) => ({ table: "messages" as const, put: { ...row, ...more } })),
      key.map((gone) => ({ table: "messages" as const, delete: gone })),
      fc.record({ key, file: key, data: sealed }).map((put) => ({ table: "chunks" as const, put })),
      fc
        .record({ key, at: time, state: fc.constantFrom("read" as const, "delivered" as const) })
        .map((put) => ({ table: "early" as const, put })),
      key.map((gone) => ({ table: "early" as const, delete: gone })),
      fc.record({ seq: time, sealed }).map((put) => ({ table: "outbox" as const, put })),
      time.map((gone) => ({ table: "outbox" as const, delete: gone })),
    );
    const read = async (database: StoreDatabase): Promise<unknown> => [
      await Promise.all(STORE_TABLES.map((table) => database.list(table))),
      await Promise.all(
        ["a", "b", "c"].flatMap((each) => [
          database.messagesBefore(each, { at: 2, key: "b" }, 3),
          database.messagesAfter(each, { at: 0, key: "b" }, 3),
          database.unreadMessages(each),
          database.messageKeysOf(each),
          database.chunksOf(each),
        ]),
      ),
      await Promise.all([database.expiredMessages(2, 3), database.nextExpiry(), database.agedKeys("early", 1), database.lastSeq("outbox")]),
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), async (writes) => {
        stores += 1;
        const open = await Promise.all(KINDS.map(([, each]) => each(`both-${stores}`)));
        const [indexed, sqlite] = open;
        for (const changes of writes) {
          for (const database of open) await database.write(changes);
          expect(await read(sqlite as StoreDatabase)).toEqual(await read(indexed as StoreDatabase));
        }
        for (const database of open) database.close();
      }),
      { seed: 172, numRuns: extent(20, 60) },
    );
  });
});

describe("SQLite, when its process is killed", () => {
  it("has every write that was acknowledged, and no half of one", async () => {
    const writer = join(ROOT, "test/unit/shared/messenger/store/database-writer.ts");
    for (const kills of [1, 2, 3]) {
      const child = spawn(process.execPath, [writer, folder.path, "killed"], { stdio: ["ignore", "pipe", "inherit"] });
      let acknowledged = 0;
      for await (const text of child.stdout) {
        acknowledged = Math.max(acknowledged, ...String(text).trim().split("\n").map(Number));
        if (acknowledged >= 40 * kills) child.kill("SIGKILL");
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      expect(child.signalCode).toBe("SIGKILL");
      const database = await openMessagesIn(folder.path)("killed", () => undefined);
      const [messages, outbox] = [await database.count("messages"), await database.count("outbox")];
      expect(outbox).toBe(messages);
      expect(messages).toBeGreaterThanOrEqual(acknowledged);
      database.close();
    }
    expect(messagesFile(folder.path, "killed")).toContain("messages-killed.db");
  });
});
