// What the state of the newest block says of its index: contacts, and how many entries each history has.

import { decodeRecord } from "#node/ledger/record-codec.ts";
import { accountCodec } from "#node/ledger/records/records.ts";
import type { SqliteDatabase } from "#node/storage/sqlite-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { ReindexSource } from "./reindex-source.ts";
import type { FilledTables } from "./rewrite-index.ts";

interface LeafRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const KEY_BYTES = 32;

/** Lists the contacts that the state has. */
export function fillContacts(database: SqliteDatabase, { explorer }: Pick<FilledTables, "explorer">): void {
  const keys = database.prepare<[], Uint8Array>("SELECT key FROM state WHERE namespace = 'contact'").pluck().all();
  const contacts = keys.map((key) => ({ recipientPub: toHex(key.subarray(0, KEY_BYTES)), requesterPub: toHex(key.subarray(KEY_BYTES)) }));
  explorer.insertCarried({ contacts });
}

/**
 * Compares the number of entries of each account with its record. A chain that continues another one has accounts whose records count
 * entries of before: its index is not compared.
 * @throws CodedError STORAGE_CORRUPT for an account whose entries are not all there
 */
export function compareWithState(database: SqliteDatabase, { file, stateFile }: Pick<ReindexSource, "file" | "stateFile">): void {
  if (stateFile !== undefined) return;
  const last = database
    .prepare<[Uint8Array], number | null>(
      "SELECT MAX(number) FROM account_entries WHERE account_id = (SELECT account_id FROM accounts WHERE pub = ?)",
    )
    .pluck();
  const accounts = database.prepare<[], LeafRow>("SELECT key, value FROM state WHERE namespace = 'account'");
  for (const { key, value } of accounts.iterate()) {
    const { historyCount } = decodeRecord(accountCodec, value);
    const found = last.get(key) ?? 0;
    if (found === historyCount) continue;
    throw new CodedError(
      "STORAGE_CORRUPT",
      `The blocks of ${file} give account ${toHex(key)} ${found} entries, and its record counts ${historyCount}: the index stays as it was; add --execute to find the block`,
    );
  }
}
