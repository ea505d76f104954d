// Seals again what lies under keys of former passwords: table by table, a few rows at a time, between the changes of the messenger. It keeps
// no place: each start goes through all rows, and what was sealed again is passed over.
import type { RecordCipher } from "./record-cipher.ts";
import { SEARCH_BUILT } from "./search-index.ts";
import type { SerialQueue } from "./serial-queue.ts";
import { storeCall } from "./store-call.ts";
import type { RowKey, StoreChange, StoreDatabase, StoreRows } from "./store-database.ts";

/** Tables of sealed rows, and the name of each in the location of its rows. */
const SEALED_TABLES = {
  meta: "meta",
  conversations: "conversation",
  outbox: "outbox",
  streams: "stream",
  amendments: "amendment",
  sent: "sent",
  messages: "message",
} as const;
type SealedTable = keyof typeof SEALED_TABLES;
type SweptKey = RowKey<"outbox"> | RowKey<"messages">;
/** Rows of one step: nothing else is written meanwhile. */
const STEP_ROWS = 128;

/** What a sweep goes through. */
export interface SweepContext {
  readonly database: StoreDatabase;
  readonly cipher: RecordCipher;
  /** The only way to change the store. */
  readonly writer: SerialQueue;
}

/** Goes through a store once; true where nothing lay under a former key. @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE. */
export async function sweepStore(context: SweepContext): Promise<boolean> {
  let isClean = await context.writer.run(() => dropFormerIndex(context));
  for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
    let after: SweptKey | undefined;
    do {
      const from = after;
      const step = await context.writer.run(() => sweepStep(context, table, from));
      isClean &&= step.isClean;
      after = step.after;
    } while (after !== undefined);
  }
  return isClean;
}

/** `after`: the key to continue after; undefined at the end. */
async function sweepStep(
  { database, cipher }: SweepContext,
  table: SealedTable,
  after: SweptKey | undefined,
): Promise<{ readonly after: SweptKey | undefined; readonly isClean: boolean }> {
  const range = after === undefined ? { limit: STEP_ROWS } : { after: after as never, limit: STEP_ROWS };
  const rows: readonly StoreRows[SealedTable][] = await storeCall(() => database.list(table, range));
  const changes = await Promise.all(
    rows.map(async (row): Promise<readonly StoreChange[]> => {
      const sealed = await cipher.reseal(`${SEALED_TABLES[table]} ${keyOf(row)}`, row.sealed);
      return sealed === undefined ? [] : [{ table, put: { ...row, sealed } } as StoreChange];
    }),
  );
  await storeCall(() => database.write(changes.flat()));
  const last = rows.at(-1);
  const isEnd = rows.length < STEP_ROWS || last === undefined;
  return { after: isEnd ? undefined : keyOf(last), isClean: changes.flat().length === 0 };
}

/** The index holds words of all messages. It is built again at the next search. False where there was something to drop. */
async function dropFormerIndex({ database, cipher }: SweepContext): Promise<boolean> {
  const built = await storeCall(() => database.get("meta", SEARCH_BUILT));
  if (built !== undefined && (await cipher.reseal(`meta ${SEARCH_BUILT}`, built.sealed)) === undefined) return true;
  const isEmpty = built === undefined && (await storeCall(() => database.count("search"))) === 0;
  if (isEmpty) return true;
  await storeCall(() =>
    database.write([
      { table: "search", deleteUpTo: Number.MAX_SAFE_INTEGER },
      { table: "meta", delete: SEARCH_BUILT },
    ]),
  );
  return false;
}

function keyOf(row: StoreRows[SealedTable]): SweptKey {
  return "seq" in row ? row.seq : row.key;
}
