// A few records of a browser that are on the disk before they count: money rests on them. What is in them is sealed by who writes it.
import { openDB } from "idb";
import { equalBytes } from "#shared/util/bytes.ts";

/** Records by name. */
export interface DurableRecords {
  readonly read: (name: string) => Promise<Uint8Array | undefined>;
  /**
   * Writes a record that is still as it was read; undefined stands for no record. Resolves when it is on the disk, with false where another
   * window has changed it: then nothing was written.
   */
  readonly replace: (name: string, before: Uint8Array | undefined, after: Uint8Array | undefined) => Promise<boolean>;
}

const DATABASE = "parley-records";
const TABLE = "records";

export async function openDurableRecords(): Promise<DurableRecords> {
  const database = await openDB<{ [TABLE]: { key: string; value: Uint8Array } }>(DATABASE, 1, {
    upgrade: (created): void => void created.createObjectStore(TABLE),
  });
  return {
    read: (name) => database.get(TABLE, name),
    replace: async (name, before, after): Promise<boolean> => {
      const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
      const isSame = areSame(await transaction.store.get(name), before);
      if (isSame) await (after === undefined ? transaction.store.delete(name) : transaction.store.put(after, name));
      await transaction.done;
      return isSame;
    },
  };
}

function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : equalBytes(one, other);
}
