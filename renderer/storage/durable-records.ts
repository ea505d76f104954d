// A few records of a browser that are on the disk before they count: money rests on them. What is in them is sealed by who writes it.
import { openDB } from "idb";

/** Records by name. */
export interface DurableRecords {
  readonly read: (name: string) => Promise<Uint8Array | undefined>;
  /** Resolves when it is on the disk; undefined takes the record out. */
  readonly write: (name: string, bytes: Uint8Array | undefined) => Promise<void>;
}

const DATABASE = "parley-records";
const TABLE = "records";

export async function openDurableRecords(): Promise<DurableRecords> {
  const database = await openDB<{ [TABLE]: { key: string; value: Uint8Array } }>(DATABASE, 1, {
    upgrade: (created): void => void created.createObjectStore(TABLE),
  });
  return {
    read: (name) => database.get(TABLE, name),
    write: async (name, bytes): Promise<void> => {
      const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
      await (bytes === undefined ? transaction.store.delete(name) : transaction.store.put(bytes, name));
      await transaction.done;
    },
  };
}
