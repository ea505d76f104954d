// Payments to several people, from their signatures to the response of the node for each. All are signed and on the disk, encrypted,
// before the first one leaves: after a crash the same transactions leave again, and the chain takes each id once.
import { create } from "zustand";
import type { DurableRecords } from "#renderer/storage/durable-records.ts";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";

/** Most payments of one batch. */
export const MAX_BATCH_ROWS = 100;

/**
 * Where a payment is. `taken`: a node has it, and would lose it if it ended before a block has it. `expired`: its hour is over and no block
 * has it, so nothing was paid.
 */
export type BatchRowState =
  | { readonly kind: "waiting" | "taken" | "inBlock" | "expired" }
  | { readonly kind: "refused"; readonly reason: string };

export interface BatchRow {
  readonly signed: SignedIntent;
  readonly state: BatchRowState;
}

/** Payments that were confirmed together, in their order. */
export interface Batch {
  readonly chainId: string;
  readonly rows: readonly BatchRow[];
}

interface BatchStore {
  /** False until it was read, and while the keyring is closed. */
  readonly isOpen: boolean;
  readonly batch: Batch | undefined;
  /** Why it could not be read: nothing is signed then. */
  readonly error: unknown;
}

/** What is read while the keyring is open. */
export const useBatchStore = create<BatchStore>()(() => ({ isOpen: false, batch: undefined, error: undefined }));

type ChangeBatch = (stored: Batch | undefined) => Batch | undefined;

interface OpenRecord {
  readonly read: () => Promise<Batch | undefined>;
  /** Reads, changes and writes as one step, whatever other windows do; returns what is stored then. */
  readonly change: (task: ChangeBatch) => Promise<Batch | undefined>;
}

const RECORD = "payments to several people";
let record: OpenRecord | undefined;
let writing: Promise<unknown> = Promise.resolve();

/** Reads the batch of an opened keyring, and seals it again: its keys may be those of a former password. */
export async function openBatch(keys: StoreKeys<CryptoKey>, records: DurableRecords): Promise<void> {
  const cipher = createRecordCipher(keys);
  const name = `batch.${keys.name}`;
  const opened = async (sealed: Uint8Array | undefined): Promise<Batch | undefined> =>
    sealed === undefined ? undefined : ((await cipher.open(RECORD, sealed)) as Batch);
  const open: OpenRecord = {
    read: async () => await opened(await records.read(name)),
    change: async (task): Promise<Batch | undefined> => {
      for (;;) {
        const sealed = await records.read(name);
        const batch = task(await opened(sealed));
        if (await records.replace(name, sealed, batch === undefined ? undefined : await cipher.seal(RECORD, batch))) return batch;
      }
    },
  };
  record = open;
  const batch = await open.change((stored) => stored);
  if (record === open) useBatchStore.setState({ isOpen: true, batch });
}

/** Forgets what was read: when the keyring is locked. */
export function closeBatch(): void {
  record = undefined;
  useBatchStore.setState({ isOpen: false, batch: undefined, error: undefined });
}

/** Reads it again: another window may have gone on with it. */
export async function reloadBatch(): Promise<Batch | undefined> {
  await writing;
  const open = record;
  const batch = await open?.read();
  if (open !== undefined && record === open) useBatchStore.setState({ batch });
  return batch;
}

/**
 * Stores a new batch; resolves when it is on the disk, with false where there is one already, as of another window: then that one is shown.
 * @throws Error while the keyring is closed, or the disk refuses
 */
export async function storeBatch(batch: Batch): Promise<boolean> {
  return (await changeBatch((stored) => stored ?? batch)) === batch;
}

/** Takes the batch that is shown away, and no other one that another window began. @throws Error as `storeBatch` */
export async function clearBatch(): Promise<void> {
  const { batch: shown } = useBatchStore.getState();
  await changeBatch((stored) => (stored !== undefined && idOf(stored) === idOf(shown) ? undefined : stored));
}

/** Notes what became of one payment. */
export async function noteRow(id: string, state: BatchRowState): Promise<void> {
  if (record === undefined) return;
  const noted = (row: BatchRow): BatchRow => (row.signed.transaction.id === id ? { ...row, state } : row);
  await changeBatch((stored) => stored && { ...stored, rows: stored.rows.map(noted) });
}

async function changeBatch(task: ChangeBatch): Promise<Batch | undefined> {
  const open = record;
  if (open === undefined) throw new Error("The keyring is closed");
  const write = writing.then(() => open.change(task));
  writing = write.catch(() => undefined);
  const batch = await write;
  if (record === open) useBatchStore.setState({ batch });
  return batch;
}

function idOf(batch: Batch | undefined): string | undefined {
  return batch?.rows[0]?.signed.transaction.id;
}
