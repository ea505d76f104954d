// Keyed hash of a row as it lies in the database: what is sealed, and the columns that are in the clear.
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { StoreRows, StoreTable } from "../store-database.ts";
import type { RecordCipher } from "./record-cipher.ts";

/** 256 bits. Sums of them, modulo 2^256, stand for sets of rows; who does not know the key finds no other set with the same sum. */
export type RowHash = bigint;

/** The hash of a row of a table. */
export async function rowHash(cipher: RecordCipher, table: StoreTable, row: StoreRows[StoreTable]): Promise<RowHash> {
  const { sealed = new Uint8Array(), ...plain } = row as { readonly sealed?: Uint8Array };
  const columns = Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1));
  const head = utf8(JSON.stringify([["row", table], ...columns]));
  return BigInt(`0x${toHex(await cipher.hash(head, sealed))}`);
}
