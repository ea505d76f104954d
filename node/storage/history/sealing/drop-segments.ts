// Drops the oldest segments, and the runs that find nothing else. The tables take them out first, in one transaction with the headers that
// stay; files go then: a crash in between leaves files that no table names, and the next start removes them. The newest segment and the newest
// run of a kind never go: what follows is numbered after them.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { FileLayer } from "../files/file-layer.ts";
import type { NamedSegment } from "../segments/segment-file.ts";
import { segmentName } from "../segments/segment-format.ts";
import { type Border, KEPT_HEADERS } from "./retention-border.ts";
import { RUN_KIND_NAMES, type RunList, type StoredRun, storedRunName } from "./sealed-runs.ts";

/** A header that stays, with its commit where there is one. CBOR. */
export interface KeptHeader {
  readonly height: Height;
  readonly header: Uint8Array;
  readonly commitRecord: Uint8Array | null;
}

/** An entry of an own account that stays, with what proves it. */
export interface KeptEntry {
  readonly publicKey: string;
  readonly number: number;
  readonly seq: number;
  /** What its id is found by, hex; null for a reward. */
  readonly key: string | null;
  readonly entry: Uint8Array;
}

/** What leaves the tables together. */
export interface DroppedFiles {
  readonly segment: NamedSegment;
  readonly runs: readonly StoredRun[];
  readonly headers: readonly KeptHeader[];
  /** Below it no further headers are promised. */
  readonly headersFrom: Height;
}

/** What the tables say of old blocks. */
export interface DropTables extends Pick<RunList, "runs"> {
  /** Segments in the order of their heights. */
  all(): readonly NamedSegment[];
  /** Up to here no block has a row but its own, and runs find all there is of it. */
  droppableTo(): Height;
  /** @throws CodedError STORAGE_CORRUPT where the file of its segment is damaged */
  header(height: Height): KeptHeader;
  /** Stores the entries of own accounts in the blocks of a segment, which stay readable as they are. @throws CodedError STORAGE_CORRUPT likewise */
  keep(segment: NamedSegment): void;
  /** In a transaction of its own that is durable on return. False, and nothing is changed, while entries are to be kept first. */
  drop(dropped: DroppedFiles): boolean;
}

/** Drops what lies below a border. Returns the highest block that went; undefined when none did. @throws CodedError of the storage */
export function dropSegments(files: FileLayer, tables: DropTables, border: Pick<Border, "bodiesFrom" | "headersFrom">): Height | undefined {
  const to = Math.min(border.bodiesFrom - 1, tables.droppableTo());
  const old = tables.all().slice(0, -1);
  let dropped: Height | undefined;
  for (const segment of old) {
    if (segment.last > to) break;
    const runs = RUN_KIND_NAMES.flatMap((kind) =>
      tables
        .runs(kind)
        .slice(0, -1)
        .filter(({ last }) => last <= segment.last),
    );
    const { headersFrom } = border;
    const headers = headersOf(tables, segment, headersFrom);
    // An account that is named meanwhile has entries to keep too.
    do tables.keep(segment);
    while (!tables.drop({ segment, runs, headers, headersFrom }));
    for (const name of [segmentName(segment), ...runs.map(storedRunName)]) files.unlink(name);
    files.syncFolder();
    dropped = segment.last;
  }
  return dropped;
}

function headersOf(tables: DropTables, { first, last }: NamedSegment, headersFrom: Height): readonly KeptHeader[] {
  const headers: KeptHeader[] = [];
  for (let height = first; height <= last; height += 1)
    if (height >= headersFrom || height % KEPT_HEADERS === 0) headers.push(tables.header(height));
  return headers;
}
