// Damage to the file of a snapshot, as a disk does it.
import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";

const PAGE_BYTES = 4_096;

/** Turns one bit in the value of a record, which stands in the file as it is. */
export function flipRecordBit(file: string): void {
  const database = new Database(file, { readonly: true });
  const row = database
    .prepare<[], Buffer[]>("SELECT path, CAST(namespace AS BLOB), key, value FROM leaves WHERE length(value) > 20 LIMIT 1")
    .raw()
    .get();
  database.close();
  const [record, content] = [Buffer.concat(row ?? []), readFileSync(file)];
  const places: number[] = [];
  // Pages that are in no use any more may have it too.
  for (let at = content.indexOf(record); at >= 0; at = content.indexOf(record, at + 1)) places.push(at);
  if (record.length === 0 || places.length === 0) throw new Error("The file has no such record");
  for (const at of places.map((place) => place + record.length - 10)) content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(file, content);
}

/** Fills every page behind the first two with other bytes. */
export function breakPages(file: string): void {
  const content = readFileSync(file);
  content.fill(0x5a, 2 * PAGE_BYTES);
  writeFileSync(file, content);
}
