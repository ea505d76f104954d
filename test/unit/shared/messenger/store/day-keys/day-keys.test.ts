// Day keys of a store, over both databases: what lies under them, what is left of it, and what a kill at any point leaves.
import "#test/support/host/indexed-db.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { importStoreKeys } from "#shared/keyring/port.ts";
import { MAX_DAY_KEYS } from "#shared/keyring/vault/vault-format.ts";
import type { MessageRecord, OutboxRecord } from "#shared/messenger/model/records.ts";
import { LATE_RENEWAL_MS, MANY_MESSAGES, RENEWAL_MS } from "#shared/messenger/store/day-keys/check-day-keys.ts";
import type { DayKeyHost } from "#shared/messenger/store/day-keys/day-key-ring.ts";
import { NOT_BEGUN, WAITING, windowBegin, windowOf } from "#shared/messenger/store/day-keys/day-windows.ts";
import { type LocalStore, openLocalStore } from "#shared/messenger/store/local-store.ts";
import { SerialQueue } from "#shared/messenger/store/serial-queue.ts";
import type { OpenDatabase, StoreDatabase } from "#shared/messenger/store/store-database.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { StoreRemains, withWrite } from "#test/support/worlds/store-remains.ts";

const PEER = "ab".repeat(32);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGIN = 1_750_000_000_000;

let folder: TemporaryFolder;
let stores = 0;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** The part of a vault that stores day keys; `onCall` may throw, before or after the vault has changed. */
class TestVault {
  keys: { readonly id: string; readonly until: number; readonly fill: number }[] = [];
  nowMs = BEGIN;
  made = 0;
  readonly name: string;
  onCall: (when: "before" | "after") => void = () => undefined;

  constructor(name: string) {
    this.name = name;
  }

  storeKeys(): Promise<StoreKeys<CryptoKey>> {
    const raw = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
    const dayKeys = this.keys.map(({ id, until, fill }) => ({ id, until, key: raw(fill) }));
    return importStoreKeys({ name: this.name, recordKey: raw(251), indexKey: raw(252), formerKeys: [], dayKeys }, importStoreKey);
  }

  get host(): DayKeyHost {
    return {
      clock: { nowMs: (): number => this.nowMs, monotonicMs: (): number => this.nowMs },
      keyring: {
        storeKeys: (): Promise<StoreKeys<CryptoKey>> => this.storeKeys(),
        makeDayKey: async ({ until }): Promise<boolean> => {
          if (this.keys.length >= MAX_DAY_KEYS) return false;
          this.onCall("before");
          this.made += 1;
          this.keys.push({ id: this.made.toString(16).padStart(16, "0"), until, fill: this.made % 250 });
          this.onCall("after");
          return true;
        },
        dropDayKeys: async ({ ids }): Promise<void> => {
          this.onCall("before");
          this.keys = this.keys.filter(({ id }) => !ids.includes(id));
          this.onCall("after");
        },
      },
    };
  }
}

interface Opened {
  readonly vault: TestVault;
  readonly remains: StoreRemains;
  readonly open: () => Promise<LocalStore>;
}

function profile(openDatabase: OpenDatabase): Opened {
  stores += 1;
  const vault = new TestVault(`day-keys-${stores}`);
  const remains = new StoreRemains();
  const open = async (): Promise<LocalStore> =>
    openLocalStore({
      keys: await vault.storeKeys(),
      openDatabase: remains.under(openDatabase),
      onLost: () => undefined,
      dayKeys: vault.host,
    });
  return { vault, remains, open };
}

interface Time {
  readonly seconds: number;
  readonly startedAt: number | null;
}

function record(text: string, expiry: Time | undefined, at = BEGIN): MessageRecord {
  const fields = { conversation: PEER, id: "00", direction: "in", at, body: { kind: "text", text } } as const;
  return { ...fields, state: null, problem: null, isUnread: false, hasReceipts: true, raw: null, ...(expiry && { expiry }) };
}

async function put(store: LocalStore, text: string, expiry: Time | undefined): Promise<void> {
  const batch = store.begin();
  batch.putSearchable(await store.messageKey(PEER, text), record(text, expiry));
  await batch.commit();
}

async function remove(store: LocalStore, text: string): Promise<void> {
  const batch = store.begin();
  batch.deleteMessage(await store.messageKey(PEER, text));
  await batch.commit();
}

const look = (store: LocalStore, { nowMs }: TestVault): Promise<number | undefined> =>
  store.checkDayKeys(new SerialQueue(), { ownMs: nowMs, chainMs: nowMs });

const readableIn = async ({ remains, vault }: Opened, text: string): Promise<readonly string[]> =>
  remains.tablesWith(await vault.storeKeys(), text);

const soon = (seconds = 60): Time => ({ seconds, startedAt: BEGIN });

const KINDS: readonly (readonly [string, () => OpenDatabase, number])[] = [
  ["IndexedDB", (): OpenDatabase => openMessageDatabase, 7],
  ["SQLite", (): OpenDatabase => openMessagesIn(folder.path), 8],
];

describe("windows", () => {
  it("are hours, days and 32 days, by how long a message stays, and begin where one of them may", () => {
    const over = (seconds: number): number => BEGIN + seconds * 1_000;
    for (const [seconds, step] of [
      [1, HOUR_MS],
      [3_600, HOUR_MS],
      [3_601, DAY_MS],
      [86_400, DAY_MS],
      [86_401, 32 * DAY_MS],
      [31_536_000, 32 * DAY_MS],
    ] as const) {
      const until = windowOf({ seconds, startedAt: BEGIN });
      expect([until % step, until >= over(seconds), until - over(seconds) < step]).toEqual([0, true, true]);
      expect(windowBegin(until)).toBeLessThan(over(seconds));
    }
    expect(windowOf({ seconds: 60, startedAt: null })).toBe(WAITING);
    expect(windowOf({ seconds: 60, startedAt: 5, chainAt: BEGIN })).toBe(windowOf({ seconds: 60, startedAt: BEGIN }));
  });
});

describe.each(KINDS)("day keys over %s", (_, databases, seed) => {
  it("go with the last message under them, and take what is left of it along", async () => {
    const opened = profile(databases());
    const store = await opened.open();
    await put(store, "first", soon());
    await put(store, "second", soon());
    await put(store, "stays", undefined);
    expect(opened.vault.keys.map(({ until }) => until)).toEqual([windowOf(soon())]);
    await remove(store, "first");
    await look(store, opened.vault);
    expect(await readableIn(opened, "first")).toEqual(["messages"]);
    await remove(store, "second");
    await look(store, opened.vault);
    expect([opened.vault.keys, await readableIn(opened, "first"), await readableIn(opened, "second")]).toEqual([[], [], []]);
    expect(await readableIn(opened, "stays")).toEqual(["messages", "search"]);
    store.close();
  });

  it("are renewed for the rest an hour after something under them went, and a day after where the rest is much", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const store = await opened.open();
    const week = 7 * 86_400;
    await put(store, "gone", soon(week));
    await put(store, "there", soon(week));
    await remove(store, "gone");
    vault.nowMs += RENEWAL_MS - 1;
    await look(store, vault);
    expect([vault.made, await readableIn(opened, "gone")]).toEqual([1, ["messages"]]);
    vault.nowMs += 1;
    await look(store, vault);
    expect([vault.made, vault.keys.length, await readableIn(opened, "gone")]).toEqual([2, 1, []]);
    expect(await store.readMessage(await store.messageKey(PEER, "there"))).toEqual(record("there", soon(week)));
    const batch = store.begin();
    for (let at = 0; at < MANY_MESSAGES; at += 1)
      batch.putMessage(await store.messageKey(PEER, `much ${at}`), record(`much ${at}`, soon(week)));
    await batch.commit();
    await remove(store, "there");
    await put(store, "one more", soon(week));
    vault.nowMs += LATE_RENEWAL_MS - 1;
    await look(store, vault);
    expect([vault.made, (await readableIn(opened, "there")).length > 0]).toEqual([2, true]);
    vault.nowMs += 1;
    await look(store, vault);
    expect([vault.made, vault.keys.length, await readableIn(opened, "there"), store.damagedRecords]).toEqual([3, 1, [], 0]);
    expect(await store.readMessage(await store.messageKey(PEER, "much 1999"))).toEqual(record("much 1999", soon(week)));
    store.close();
  }, 60_000);

  it("hold what waits to leave and what is written, and all of it is there after a renewal and a start", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    let store = await opened.open();
    const entry = (seq: number, text: string): OutboxRecord => ({
      ...{ seq, peer: PEER, queuedAt: BEGIN, done: [], isRelayed: false, isFailed: false },
      task: { kind: "message", key: "k", id: "00", at: BEGIN, body: { kind: "text", text }, expiresInS: 60 },
    });
    const conversation = { id: PEER, unread: 0, lastMessage: null, hasSent: true, updatedAt: 1, timer: { seconds: 60, at: 1 } };
    const batch = store.begin();
    batch.putOutbox(entry(1, "leaves"));
    batch.putOutbox(entry(2, "left"));
    batch.putConversation({ ...conversation, draft: "typed" });
    batch.putMeta("note", ["noted"], true);
    batch.putMessage(await store.messageKey(PEER, "unseen"), record("unseen", { seconds: 60, startedAt: null }));
    await batch.commit();
    const left = store.begin();
    left.deleteOutbox(2);
    await left.commit();
    expect([vault.keys.map(({ until }) => until), await store.nextExpiry()]).toEqual([[WAITING], undefined]);
    const keys = await vault.storeKeys();
    for (const text of ["leaves", "left", "typed", "noted", "unseen"])
      expect(await opened.remains.tablesWith({ ...keys, dayKeys: [] }, text)).toEqual([]);
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([vault.made, await readableIn(opened, "left")]).toEqual([2, []]);
    store.close();
    store = await opened.open();
    expect([(await store.loadOutbox()).map(({ seq }) => seq), await store.readMeta("note")]).toEqual([[1], ["noted"]]);
    expect((await store.loadConversations())[0]).toEqual({ ...conversation, draft: "typed" });
    expect(await store.readMessage(await store.messageKey(PEER, "unseen"))).toEqual(record("unseen", { seconds: 60, startedAt: null }));
    store.close();
  });

  it("go an hour after a change that came before its message was taken or forgotten", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const store = await opened.open();
    const come = async (text: string): Promise<void> => {
      const batch = store.begin();
      await batch.putAmendment([text], { from: PEER, at: BEGIN, body: { kind: "edit", id: "00", revision: 1, text } }, BEGIN);
      batch.putMessage(await store.messageKey(PEER, "unseen"), record("unseen", { seconds: 60, startedAt: null }));
      await batch.commit();
    };
    await come("taken");
    expect(await opened.remains.tablesWith({ ...(await vault.storeKeys()), dayKeys: [] }, "taken")).toEqual([]);
    const batch = store.begin();
    expect(await batch.takeAmendments(["taken"])).toHaveLength(1);
    await batch.commit();
    await come("forgotten");
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([await readableIn(opened, "taken"), await readableIn(opened, "forgotten")]).toEqual([[], ["amendments"]]);
    expect(await store.begin().waitingAmendments(["forgotten"])).toMatchObject([{ body: { text: "forgotten" } }]);
    const later = store.begin();
    await later.prune(BEGIN);
    await later.commit();
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([await readableIn(opened, "forgotten"), vault.keys.length]).toEqual([[], 1]);
    store.close();
  });

  it("go an hour after a draft, or what waited for its time, was taken back, also where they were renewed meanwhile", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const store = await opened.open();
    const chat = { id: PEER, unread: 0, lastMessage: null, hasSent: true, updatedAt: 1, timer: { seconds: 60, at: 1 } };
    const write = async (draft: string, notes: readonly string[]): Promise<void> => {
      const batch = store.begin();
      batch.putConversation({ ...chat, draft });
      batch.putMeta("note", notes, notes.length > 0);
      batch.putMessage(await store.messageKey(PEER, "unseen"), record("unseen", { seconds: 60, startedAt: null }));
      await batch.commit();
    };
    await write("typed", ["noted"]);
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([vault.made, await readableIn(opened, "typed")]).toEqual([2, ["conversations"]]);
    await write("", ["noted"]);
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([vault.made, await readableIn(opened, "typed"), await readableIn(opened, "noted")]).toEqual([3, [], ["meta"]]);
    await write("typed later", []);
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    await write("", []);
    vault.nowMs += RENEWAL_MS;
    await look(store, vault);
    expect([await readableIn(opened, "typed later"), await readableIn(opened, "noted"), vault.keys.length]).toEqual([[], [], 1]);
    store.close();
  });

  it("a conversation whose last message is gone with its key loses nothing else", async () => {
    const opened = profile(databases());
    let store = await opened.open();
    const lastMessage = { key: "k", direction: "in", author: null, at: 1, body: { kind: "text", text: "last" }, state: null } as const;
    const batch = store.begin();
    batch.putConversation({
      ...{ id: PEER, unread: 3, draft: "", hasSent: true, updatedAt: 1, timer: { seconds: 60, at: 1 } },
      lastMessage: { ...lastMessage, expiry: soon() },
    });
    await batch.commit();
    store.close();
    opened.vault.keys = [];
    store = await opened.open();
    expect(await store.loadConversations()).toEqual([
      { id: PEER, unread: 3, draft: "", hasSent: true, updatedAt: 1, timer: { seconds: 60, at: 1 }, lastMessage: null },
    ]);
    store.close();
  });

  it("are no more than the vault holds: what is beyond lies under the key of the records, and is there all the same", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const store = await opened.open();
    vault.keys = Array.from({ length: MAX_DAY_KEYS }, (__, at) => ({ id: `f${at}`.padStart(16, "f"), until: 1, fill: 9 }));
    await put(store, "beyond", soon());
    expect(await store.readMessage(await store.messageKey(PEER, "beyond"))).toEqual(record("beyond", soon()));
    expect(await opened.remains.tablesWith({ ...(await vault.storeKeys()), dayKeys: [] }, "beyond")).toEqual(["messages"]);
    store.close();
  });

  it("stay where something is being put under them while they are looked at", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const gate = Promise.withResolvers<void>();
    let isHeld = false;
    const held: OpenDatabase = async (...args) => {
      const database = await databases()(...args);
      return withWrite(database, async (...change): Promise<boolean> => {
        if (isHeld) await gate.promise;
        return database.write(...change);
      });
    };
    const keys = await vault.storeKeys();
    const store = await openLocalStore({ keys, openDatabase: held, onLost: () => undefined, dayKeys: vault.host });
    await put(store, "gone", soon());
    await remove(store, "gone");
    const writer = new CountingQueue();
    isHeld = true;
    const putting = writer.run(() => put(store, "late", soon()));
    const looking = store.checkDayKeys(writer, { ownMs: vault.nowMs, chainMs: vault.nowMs });
    await pollUntil(() => writer.queued === 2, { what: "the key's turn" });
    gate.resolve();
    await Promise.all([putting, looking]);
    expect(await store.readMessage(await store.messageKey(PEER, "late"))).toEqual(record("late", soon()));
    expect([vault.keys.length, vault.made]).toEqual([1, 2]);
    store.close();
  });

  it("are looked at together: what lies beside messages is read once for all of them", async () => {
    const { vault } = profile(databases());
    const read: { readonly table: string; readonly limit: number | undefined }[] = [];
    const counted: OpenDatabase = async (...args) => {
      const database = await databases()(...args);
      const list: StoreDatabase["list"] = (table, range) => {
        read.push({ table, limit: range?.limit });
        return database.list(table, range);
      };
      return new Proxy(database, {
        get: (target, name): unknown => {
          const value = name === "list" ? list : (Reflect.get(target, name) as unknown);
          return typeof value === "function" ? (value as (...all: unknown[]) => unknown).bind(target) : value;
        },
      });
    };
    const store = await openLocalStore({
      ...{ keys: await vault.storeKeys(), openDatabase: counted, onLost: (): void => undefined, dayKeys: vault.host },
    });
    for (const seconds of [60, 86_400, 7 * 86_400]) {
      await put(store, `after ${seconds}`, soon(seconds));
      await remove(store, `after ${seconds}`);
    }
    expect(vault.keys).toHaveLength(3);
    read.length = 0;
    await look(store, vault);
    expect(vault.keys).toEqual([]);
    // And once more for each key that goes; a few rows at a time.
    for (const name of ["meta", "conversations", "outbox", "amendments"])
      expect(read.filter(({ table }) => table === name)).toHaveLength(4);
    expect(read.filter(({ limit = Number.POSITIVE_INFINITY }) => limit > 128)).toEqual([]);
    store.close();
  });

  it("stay where the last of many rows beside messages lies under them", async () => {
    const { vault, open } = profile(databases());
    const store = await open();
    const batch = store.begin();
    for (let at = 0; at < 300; at += 1) batch.putMeta(`note ${at}`, at);
    batch.putMeta("what waits", "words", true);
    await batch.commit();
    await put(store, "unseen", { seconds: 60, startedAt: null });
    await remove(store, "unseen");
    await look(store, vault);
    expect([vault.keys.length, vault.made]).toEqual([1, 1]);
    store.close();
  });

  it("are taken over from the vault one time after the other, however long an answer takes", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const gate = Promise.withResolvers<void>();
    let asking = 0;
    let most = 0;
    const storeKeys = async (): Promise<StoreKeys<CryptoKey>> => {
      asking += 1;
      most = Math.max(most, asking);
      const keys = await vault.storeKeys();
      if (most === asking) await gate.promise;
      asking -= 1;
      return keys;
    };
    const keyring = { ...vault.host.keyring, storeKeys };
    const store = await openLocalStore({
      ...{ keys: await vault.storeKeys(), openDatabase: databases(), onLost: (): void => undefined },
      dayKeys: { ...vault.host, keyring },
    });
    const dropping = store.ring.drop([]);
    await pollUntil(() => asking === 1, { what: "a question that waits for its answer" });
    const putting = put(store, "late", soon());
    const following = store.followKeys(keyring);
    await pollUntil(() => vault.made === 1, { what: "the key of the message" });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    gate.resolve();
    await Promise.all([dropping, putting, following]);
    expect([most, store.ring.all.length]).toEqual([1, 1]);
    expect(await store.readMessage(await store.messageKey(PEER, "late"))).toEqual(record("late", soon()));
    store.close();
  });

  it("are used by no other window once one has let go of them", async () => {
    const opened = profile(databases());
    const { vault } = opened;
    const one = await opened.open();
    await put(one, "gone", soon());
    const other = await opened.open();
    await remove(one, "gone");
    // The key is about to go when the other window writes under it: that write is refused.
    vault.onCall = (when): void => {
      if (when === "before") throw new Error("killed");
    };
    await expect(look(one, vault)).rejects.toThrow("killed");
    vault.onCall = (): void => undefined;
    await expect(put(other, "late", soon())).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    one.close();
    other.close();
    const next = await opened.open();
    await put(next, "late", soon());
    expect(vault.keys).toHaveLength(2);
    await look(next, vault);
    expect([vault.keys.length, await readableIn(opened, "gone"), await readableIn(opened, "late")]).toEqual([1, [], ["messages"]]);
    expect(await next.readMessage(await next.messageKey(PEER, "late"))).toEqual(record("late", soon()));
    next.close();
  });

  it("lose nothing that is there, and leave nothing that is gone, whenever the program is killed", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("put" as const), name: fc.nat({ max: 5 }), time: fc.nat({ max: 3 }) }),
      fc.record({ kind: fc.constant("remove" as const), name: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant("look" as const), hours: fc.nat({ max: 30 }) }),
    );
    const run = fc.record({ steps: fc.array(step, { minLength: 3, maxLength: 14 }), kill: fc.nat({ max: 30 }), after: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(run, async ({ steps, kill, after }) => {
        const opened = profile(databases());
        const model = new KilledRun(opened);
        await model.run(await openDying(opened, databases(), { kill, after }), steps);
        opened.vault.onCall = (): void => undefined;
        const next = await opened.open();
        await model.expectThere(next);
        await look(next, opened.vault);
        opened.vault.nowMs += LATE_RENEWAL_MS;
        await look(next, opened.vault);
        await model.expectGone();
        await model.expectThere(next);
        expect(next.damagedRecords).toBe(0);
        next.close();
      }),
      { seed, numRuns: extent(25, 60) },
    );
  }, 120_000);
});

/** A queue that says how many tasks it was given. */
class CountingQueue extends SerialQueue {
  queued = 0;

  override run<T>(task: () => Promise<T>): Promise<T> {
    this.queued += 1;
    return super.run(task);
  }
}

const TIMES: readonly Time[] = [
  { seconds: 60, startedAt: null },
  { seconds: 40 * 86_400, startedAt: BEGIN },
  { seconds: 30 * 86_400, startedAt: BEGIN },
  { seconds: 300 * 86_400, startedAt: BEGIN },
];

type Step =
  | { readonly kind: "put"; readonly name: number; readonly time: number }
  | { readonly kind: "remove"; readonly name: number }
  | { readonly kind: "look"; readonly hours: number };

/** What one run puts and removes, until it is killed. */
class KilledRun {
  readonly #opened: Opened;
  readonly #there = new Map<number, string>();
  readonly #gone: string[] = [];
  /** The message that was being changed when the program was killed: it is as before or as after. */
  #unsure: number | undefined;
  #count = 0;

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  async run(store: LocalStore, steps: readonly Step[]): Promise<void> {
    try {
      for (const step of steps) await this.#take(store, step);
    } catch (error) {
      if (!String(error).includes("killed")) throw error;
    }
    store.close();
  }

  async expectThere(store: LocalStore): Promise<void> {
    for (const [name, text] of this.#there)
      if (name !== this.#unsure) expect((await store.readMessage(await keyOf(store, name)))?.body).toEqual({ kind: "text", text });
  }

  /** What was written in place of another wording, or removed, opens in nothing that is left. */
  async expectGone(): Promise<void> {
    for (const text of this.#gone) expect([text, await readableIn(this.#opened, text)]).toEqual([text, []]);
  }

  async #take(store: LocalStore, step: Step): Promise<void> {
    const { vault } = this.#opened;
    if (step.kind === "look") {
      vault.nowMs += step.hours * HOUR_MS;
      await look(store, vault);
      return;
    }
    const last = this.#there.get(step.name);
    if (step.kind === "remove" && last === undefined) return;
    this.#unsure = step.name;
    const batch = store.begin();
    const key = await keyOf(store, step.name);
    this.#count += 1;
    const text = `name ${step.name} ${this.#count} end`;
    if (step.kind === "remove") batch.deleteMessage(key);
    else batch.putMessage(key, record(text, TIMES[(step.time + this.#count) % TIMES.length]));
    await batch.commit();
    this.#unsure = undefined;
    if (step.kind === "remove") this.#there.delete(step.name);
    else this.#there.set(step.name, text);
    // A wording that stays in the same window goes with the message.
    if (last !== undefined && step.kind === "remove") this.#gone.push(last);
  }
}

function keyOf(store: LocalStore, name: number): Promise<string> {
  return store.messageKey(PEER, `name ${name}`);
}

/** Opens a store whose program ends at a write, to the store or the vault: without effect, or (`after`) right after it. */
async function openDying(
  opened: Opened,
  openDatabase: OpenDatabase,
  { kill, after }: { readonly kill: number; readonly after: boolean },
): Promise<LocalStore> {
  (await opened.open()).close();
  let left = kill;
  const tick = (when: "before" | "after"): void => {
    if (when === "before") left -= 1;
    const isLast = after ? left < -1 || (left === -1 && when === "after") : left < 0;
    if (isLast) throw new Error("killed");
  };
  const { vault, remains } = opened;
  vault.onCall = tick;
  const dying: OpenDatabase = async (...args) => {
    const database = await remains.under(openDatabase)(...args);
    return withWrite(database, async (changes, expected): Promise<boolean> => {
      tick("before");
      const isWritten = await database.write(changes, expected);
      tick("after");
      return isWritten;
    });
  };
  return openLocalStore({ keys: await vault.storeKeys(), openDatabase: dying, onLost: () => undefined, dayKeys: vault.host });
}

it("the time of a message that has not begun is none that a clock can show", () => {
  expect(NOT_BEGUN).toBeGreaterThan(8_640_000_000_000_000);
});
