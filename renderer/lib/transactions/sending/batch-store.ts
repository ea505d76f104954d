// Payments to several people, from their signatures to the response of the node for each. All are signed and on the disk, encrypted,
// before the first one leaves: after a crash the same transactions leave again, and the chain takes each id once.
import { create } from "zustand";
import type { DurableRecords } from "#renderer/storage/durable-records.ts";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createRecordCipher } from "#shared/messenger/store/record-cipher.ts";

/** Most payments of one batch. */
export const MAX_BATCH_ROWS = 100;

/** Where a payment is. `expired`: its hour is over and no block has it, so nothing was paid. */
export type BatchRowState = { readonly kind: "waiting" | "taken" | "expired" } | { readonly kind: "refused"; readonly reason: string };

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

interface OpenRecord {
  readonly read: () => Promise<Batch | undefined>;
  readonly write: (batch: Batch | undefined) => Promise<void>;
}

const RECORD = "payments to several people";
let record: OpenRecord | undefined;
let writing: Promise<unknown> = Promise.resolve();

/** Reads the batch of an opened keyring, and seals it again: its keys may be those of a former password. */
export async function openBatch(keys: StoreKeys<CryptoKey>, records: DurableRecords): Promise<void> {
  const cipher = createRecordCipher(keys);
  const name = `batch.${keys.name}`;
  record = {
    read: async (): Promise<Batch | undefined> => {
      const sealed = await records.read(name);
      return sealed === undefined ? undefined : ((await cipher.open(RECORD, sealed)) as Batch | undefined);
    },
    write: async (batch): Promise<void> => await records.write(name, batch === undefined ? undefined : await cipher.seal(RECORD, batch)),
  };
  const batch = await record.read();
  if (batch !== undefined) await record.write(batch);
  useBatchStore.setState({ isOpen: true, batch });
}

/** Forgets what was read: when the keyring is locked. */
export function closeBatch(): void {
  record = undefined;
  useBatchStore.setState({ isOpen: false, batch: undefined, error: undefined });
}

/** Reads it again: another window may have gone on with it. */
export async function reloadBatch(): Promise<Batch | undefined> {
  await writing;
  const batch = await record?.read();
  if (record !== undefined) useBatchStore.setState({ batch });
  return batch;
}

/** Stores a new batch, or none; resolves when it is on the disk. @throws Error while the keyring is closed, or the disk refuses */
export async function storeBatch(batch: Batch | undefined): Promise<void> {
  const open = record;
  if (open === undefined) throw new Error("The keyring is closed");
  const write = writing.catch(() => undefined).then(() => open.write(batch));
  writing = write.catch(() => undefined);
  await write;
  useBatchStore.setState({ batch });
}

/** Notes what became of one payment. */
export async function noteRow(id: string, state: BatchRowState): Promise<void> {
  const { batch } = useBatchStore.getState();
  if (batch === undefined) return;
  const rows = batch.rows.map((row) => (row.signed.transaction.id === id ? { ...row, state } : row));
  await storeBatch({ ...batch, rows });
}
