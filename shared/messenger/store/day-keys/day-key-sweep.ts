// Puts what lies under a day key under another one, a few rows at a time, between the changes of the messenger; then the key goes. What a disk
// still holds of what was under it and is gone opens no more.
import type { RecordCipher } from "../sealing/record-cipher.ts";
import type { SerialQueue } from "../serial-queue.ts";
import { storeCall } from "../store-call.ts";
import type { StoreChange, StoreDatabase, StoreRows } from "../store-database.ts";
import type { StoreGuard } from "../store-guard.ts";
import { DAY_KEYS_KEY, type DayKeyNotes, type DayKeyRing, type NamedDayKey } from "./day-key-ring.ts";
import { NOT_BEGUN, WAITING, windowBegin } from "./day-windows.ts";

/** Tables beside that of messages in which something may lie under a day key, and the name of each in the location of its rows. */
const SMALL_TABLES = { meta: "meta", conversations: "conversation", outbox: "outbox", amendments: "amendment" } as const;
type SmallTable = keyof typeof SMALL_TABLES;
/** Rows of one step: nothing else is written meanwhile. */
const STEP_ROWS = 128;

/** What is gone through. */
export interface DayKeyStore {
  readonly database: Pick<StoreDatabase, "list" | "getMany" | "expiringMessages">;
  readonly guard: StoreGuard;
  readonly cipher: RecordCipher;
  readonly ring: DayKeyRing;
}

/** Messages of the window of a key, at most `limit`. */
export function messagesOf({ database }: Pick<DayKeyStore, "database">, until: number, limit?: number): Promise<readonly string[]> {
  const [after, upTo] = until === WAITING ? [NOT_BEGUN - 1, NOT_BEGUN] : [windowBegin(until), until];
  return storeCall(() => database.expiringMessages(after, upTo, limit));
}

/** Ids of keys under which something beside messages lies. Reads all of it. */
export async function otherUses(store: DayKeyStore): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const table of Object.keys(SMALL_TABLES) as SmallTable[])
    await inSteps(async (after) => {
      const rows = await stepOf(store, table, after);
      for (const row of rows) {
        const id = await store.cipher.dayKeyOf(locationOf(table, row), row.sealed);
        if (id !== undefined) ids.add(id);
      }
      return rows;
    });
  return ids;
}

/** Puts all that lies under a key under another one of the same window, and destroys the key. @throws CodedError LOCAL_STORE_FAILED, KEYRING_LOCKED. */
export async function leaveDayKey(store: DayKeyStore, key: NamedDayKey, writer: SerialQueue): Promise<void> {
  const { ring } = store;
  // Between two changes: none that has chosen this key is still being sealed or written then.
  const messages = await writer.run(() => {
    ring.close(key.id);
    return messagesOf(store, key.until);
  });
  for (let start = 0; start < messages.length; start += STEP_ROWS) {
    const keys = messages.slice(start, start + STEP_ROWS);
    await writer.run(async () => {
      const rows = await storeCall(() => store.database.getMany("messages", keys));
      const there = rows.filter((row) => row !== undefined);
      await moveRows(
        store,
        key,
        there.map((row) => ({ table: "messages", location: `message ${row.key}`, row })),
      );
    });
  }
  for (const table of Object.keys(SMALL_TABLES) as SmallTable[]) await moveTable(store, key, { table, writer });
  await writer.run(() => writeNotes(store, withLeaving(ring.notes, key.id)));
  await finishLeaving(store, writer);
}

/** Destroys the keys that were to go when the program ended. */
export async function finishLeaving(store: DayKeyStore, writer: SerialQueue): Promise<void> {
  const { ring } = store;
  const { leaving } = ring.notes;
  if (leaving.length === 0) return;
  await ring.drop(leaving);
  await writer.run(() => writeNotes(store, { ...ring.notes, leaving: ring.notes.leaving.filter((id) => !leaving.includes(id)) }));
}

async function moveTable(
  store: DayKeyStore,
  key: NamedDayKey,
  { table, writer }: { readonly table: SmallTable; readonly writer: SerialQueue },
): Promise<void> {
  await inSteps((after) =>
    writer.run(async () => {
      const rows = await stepOf(store, table, after);
      await moveRows(
        store,
        key,
        rows.map((row) => ({ table, location: locationOf(table, row), row })),
      );
      return rows;
    }),
  );
}

type SmallRow = StoreRows[SmallTable];

/** Takes the rows of a table, a few at a time. `step` takes those behind a key, and gives them. */
async function inSteps(step: (after: string | number | undefined) => Promise<readonly SmallRow[]>): Promise<void> {
  let last: SmallRow | undefined;
  do {
    const rows = await step(last && keyOf(last));
    last = rows.length < STEP_ROWS ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function stepOf({ database }: DayKeyStore, table: SmallTable, after: string | number | undefined): Promise<readonly SmallRow[]> {
  const range = after === undefined ? { limit: STEP_ROWS } : { after: after as never, limit: STEP_ROWS };
  return storeCall(() => database.list(table, range));
}

interface PlacedRow {
  readonly table: SmallTable | "messages";
  readonly location: string;
  readonly row: { readonly sealed: Uint8Array };
}

async function moveRows({ cipher, ring, guard }: DayKeyStore, { id, until }: NamedDayKey, rows: readonly PlacedRow[]): Promise<void> {
  const ids = await Promise.all(rows.map(({ location, row }) => cipher.dayKeyOf(location, row.sealed)));
  const under = rows.filter((_, at) => ids[at] === id);
  if (under.length === 0) return;
  await ring.require([until]);
  const to = ring.idFor(until);
  const changes = await Promise.all(
    under.map(async ({ table, location, row }): Promise<StoreChange | undefined> => {
      const sealed =
        to === undefined ? await cipher.unhide(location, row.sealed) : await cipher.rehide(location, row.sealed, { from: id, to });
      return sealed && ({ table, put: { ...row, sealed } } as StoreChange);
    }),
  );
  await guard.write(changes.filter((change) => change !== undefined));
}

async function writeNotes({ cipher, guard, ring }: DayKeyStore, notes: DayKeyNotes): Promise<void> {
  await guard.write([{ table: "meta", put: { key: DAY_KEYS_KEY, sealed: await cipher.seal(`meta ${DAY_KEYS_KEY}`, notes) } }]);
  ring.setNotes(notes);
}

function withLeaving({ stained, leaving }: DayKeyNotes, id: string): DayKeyNotes {
  const { [id]: _, ...others } = stained;
  return { stained: others, leaving: [...leaving, id] };
}

function locationOf(table: SmallTable, row: StoreRows[SmallTable]): string {
  return `${SMALL_TABLES[table]} ${keyOf(row)}`;
}

function keyOf(row: StoreRows[SmallTable]): string | number {
  return "seq" in row ? row.seq : row.key;
}
