// A snapshot: the state after one block in a file of its own, by paths, with the pages of its tree. Written once, then only read.
import type { Namespace } from "#node/ledger/state-view.ts";
import type { ChunkRecord, LeafSource } from "#node/state/state-chunk.ts";
import type { PathRange } from "#node/state/tree-place.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { type DatabaseKind, openSqliteReader, type SqliteDatabase } from "../sqlite-database.ts";

const INITIAL_SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE leaves (
  path BLOB PRIMARY KEY,
  namespace TEXT NOT NULL,
  key BLOB NOT NULL,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tree_pages (prefix TEXT PRIMARY KEY, page BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;

/** A snapshot: "PRLS". */
export const SNAPSHOT_DATABASE: DatabaseKind = { applicationId: 0x50_52_4c_53, initialSchema: INITIAL_SCHEMA, migrations: [] };

/** An open snapshot. */
export interface SnapshotReader extends LeafSource {
  readonly height: Height;
  readonly stateRoot: HashHex;
  readonly records: number;
  close(): void;
}

interface LeafRow {
  readonly path: Uint8Array;
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const CACHE_KIB = 4_096;
const FILE_NAME = /^([1-9]\d{0,14})\.db$/;
/** Endings of what is written before it has its name: the copy of the state, and the snapshot that is made of it. */
export const [COPY_ENDING, UNFINISHED_ENDING] = [".copy.tmp", ".new.tmp"];
const OWN_NAME = /^[1-9]\d{0,14}\.db(?:\.(?:copy|new)\.tmp)?(?:-(?:wal|shm|journal))?$/;

/** Name of the file of a height. */
export function snapshotName(height: Height): string {
  return `${height}.db`;
}

/** Height of a whole snapshot by the name of its file; undefined for everything else, such as one that was never finished. */
export function heightOfSnapshot(name: string): Height | undefined {
  const height = FILE_NAME.exec(name)?.[1];
  return height === undefined ? undefined : Number(height);
}

/** True for names that only snapshots have: whole ones, and what is left of those that were not finished. */
export function isNameOfSnapshot(name: string): boolean {
  return OWN_NAME.test(name);
}

/** Opens a snapshot. @throws CodedError of the storage. */
export function openSnapshot(file: string): SnapshotReader {
  const database = openSqliteReader(file, SNAPSHOT_DATABASE);
  database.pragma(`cache_size = -${CACHE_KIB}`);
  const leaves = database.prepare<[Uint8Array, Uint8Array], LeafRow>(
    "SELECT path, namespace, key, value FROM leaves WHERE path >= ? AND path <= ? ORDER BY path",
  );
  const page = database.prepare<[string], Uint8Array>("SELECT page FROM tree_pages WHERE prefix = ?").pluck();
  const meta = readMeta(database);
  return {
    height: Number(meta.get("height")),
    stateRoot: meta.get("state_root") ?? "",
    records: Number(meta.get("records")),
    getPage: (prefix) => page.get(prefix),
    leaves: ({ first, last }: PathRange): Iterable<ChunkRecord & { readonly path: Uint8Array }> => leaves.iterate(first, last),
    close: () => database.close(),
  };
}

function readMeta(database: SqliteDatabase): ReadonlyMap<string, string> {
  const rows = database.prepare<[], { readonly name: string; readonly value: string }>("SELECT name, value FROM meta").all();
  return new Map(rows.map(({ name, value }) => [name, value]));
}
