// Goes through a store a few rows at a time, between the changes of the messenger: whether the messages are those that were written last, and
// what lies under keys of former passwords, which is sealed again. It keeps no place: each start begins again.
import type { RecordCipher } from "./sealing/record-cipher.ts";
import { SEARCH_BUILT } from "./search/search-index.ts";
import type { SerialQueue } from "./serial-queue.ts";
import { storeCall } from "./store-call.ts";
import type { RowKey, StoreChange, StoreDatabase, StoreRows } from "./store-database.ts";
import { HEAD_KEY, type StoreGuard } from "./store-guard.ts";

/** Tables of sealed rows, and the name of each in the location of its rows. */
const SEALED_TABLES = {
  meta: "meta",
  conversations: "conversation",
  outbox: "outbox",
  streams: "stream",
  pairs: "pair",
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
  readonly database: Pick<StoreDatabase, "list" | "get" | "count">;
  /** Notices rows that were put back, and writes. */
  readonly guard: StoreGuard;
  readonly cipher: RecordCipher;
  /** The only way to change the store. */
  readonly writer: SerialQueue;
}

/** What came of it. */
export interface SweepResult {
  /** Nothing lay under a former key. */
  readonly isClean: boolean;
  /** The messages are those that were written last. */
  readonly areMessagesWhole: boolean;
}

/** Goes through a store once. @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE. */
export async function sweepStore(context: SweepContext): Promise<SweepResult> {
  const areMessagesWhole = await scanMessages(context);
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
  return { isClean, areMessagesWhole };
}

async function scanMessages({ guard, writer }: SweepContext): Promise<boolean> {
  guard.beginScan();
  for (;;) {
    const isWhole = await writer.run(() => guard.scanStep());
    if (isWhole !== undefined) return isWhole;
  }
}

/** `after`: the key to continue after; undefined at the end. */
async function sweepStep(
  { database, cipher, guard }: SweepContext,
  table: SealedTable,
  after: SweptKey | undefined,
): Promise<{ readonly after: SweptKey | undefined; readonly isClean: boolean }> {
  const range = after === undefined ? { limit: STEP_ROWS } : { after: after as never, limit: STEP_ROWS };
  const rows: readonly StoreRows[SealedTable][] = await storeCall(() => database.list(table, range));
  const changes = await Promise.all(
    rows.map(async (row): Promise<readonly StoreChange[]> => {
      // With each write it is sealed again anyway.
      if (keyOf(row) === HEAD_KEY) return [];
      const sealed = await cipher.reseal(`${SEALED_TABLES[table]} ${keyOf(row)}`, row.sealed);
      return sealed === undefined ? [] : [{ table, put: { ...row, sealed } } as StoreChange];
    }),
  );
  await guard.write(changes.flat());
  const last = rows.at(-1);
  const isEnd = rows.length < STEP_ROWS || last === undefined;
  return { after: isEnd ? undefined : keyOf(last), isClean: changes.flat().length === 0 };
}

/** The index holds words of all messages. It is built again at the next search. False where there was something to drop. */
async function dropFormerIndex({ database, cipher, guard }: SweepContext): Promise<boolean> {
  const built = await storeCall(() => database.get("meta", SEARCH_BUILT));
  if (built !== undefined && (await cipher.reseal(`meta ${SEARCH_BUILT}`, built.sealed)) === undefined) return true;
  const isEmpty = built === undefined && (await storeCall(() => database.count("search"))) === 0;
  if (isEmpty) return true;
  await guard.write([
    { table: "search", deleteUpTo: Number.MAX_SAFE_INTEGER },
    { table: "meta", delete: SEARCH_BUILT },
  ]);
  return false;
}

function keyOf(row: StoreRows[SealedTable]): SweptKey {
  return "seq" in row ? row.seq : row.key;
}
