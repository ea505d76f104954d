// Records of the state that were read for one request: by their keys, and ranges of keys without a gap.
import { hasPrefix } from "#node/ledger/journal.ts";
import type { StateEntry } from "#node/ledger/state-view.ts";
import { successor } from "#node/storage/chain/state-repository.ts";
import {
  RANGE_BYTES,
  type RangeRecord,
  type RecordKey,
  type RecordRange,
} from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import { toHex } from "#shared/util/bytes.ts";

/** All records from one key on, and below another one. */
interface KnownRange {
  readonly from: Uint8Array;
  readonly end: Uint8Array | undefined;
  readonly records: readonly RangeRecord[];
}

/** A record by its key: known, without a value where there is none, or not known. */
export type Looked = { readonly value: Uint8Array | undefined } | undefined;

/** What is known. */
export class KnownRecords {
  readonly #values = new Map<string, Uint8Array | undefined>();
  readonly #ranges = new Map<string, KnownRange[]>();

  /** Records that were asked for, each with what was found. */
  note(asked: readonly RecordKey[], found: Iterable<RecordKey & { readonly value: Uint8Array }>): void {
    for (const { namespace, key } of asked) this.#values.set(nameOf(namespace, key), undefined);
    for (const { namespace, key, value } of found) this.#values.set(nameOf(namespace, key), value);
  }

  /** Records of a range that was asked for, from its beginning on. */
  noteRange({ namespace, from, to, limit }: RecordRange, records: readonly RangeRecord[]): void {
    const bytes = records.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
    const last = records.at(-1);
    const isCut = last !== undefined && (records.length >= limit || bytes >= RANGE_BYTES);
    const range = { from, end: isCut ? behind(last.key) : to, records };
    this.#ranges.set(namespace, [...(this.#ranges.get(namespace) ?? []), range]);
  }

  look(namespace: string, key: Uint8Array): Looked {
    const name = nameOf(namespace, key);
    if (this.#values.has(name)) return { value: this.#values.get(name) };
    const range = this.#rangeOf(namespace, key);
    if (range === undefined) return undefined;
    const record = range.records[firstFrom(range.records, key)];
    if (record === undefined || Buffer.compare(record.key, key) !== 0) return { value: undefined };
    return record.value === null ? undefined : { value: record.value };
  }

  /**
   * The first record whose key begins with a prefix and comes after another one; where that is not known, from which key on a range is to be
   * read for it. `longValue` gives a value that is long.
   */
  next(
    namespace: string,
    prefix: Uint8Array,
    { after, longValue }: { readonly after: Uint8Array | undefined; readonly longValue: (key: Uint8Array) => Uint8Array | undefined },
  ): { readonly entry: StateEntry | undefined } | Pick<RecordRange, "from" | "to"> {
    const to = successor(prefix);
    let from = after === undefined || Buffer.compare(after, prefix) < 0 ? prefix : behind(after);
    for (;;) {
      const range = this.#rangeOf(namespace, from);
      if (range === undefined) return { from, to };
      const record = range.records[firstFrom(range.records, from)];
      if (record !== undefined) return { entry: hasPrefix(record.key, prefix) ? entryOf(record, longValue) : undefined };
      const isAll = range.end === undefined || (to !== undefined && Buffer.compare(range.end, to) >= 0);
      if (isAll || range.end === undefined) return { entry: undefined };
      from = range.end;
    }
  }

  #rangeOf(namespace: string, key: Uint8Array): KnownRange | undefined {
    return this.#ranges
      .get(namespace)
      ?.find(({ from, end }) => Buffer.compare(from, key) <= 0 && (end === undefined || Buffer.compare(key, end) < 0));
  }
}

function entryOf({ key, value }: RangeRecord, longValue: (key: Uint8Array) => Uint8Array | undefined): StateEntry {
  if (value !== null) return { key, value };
  return {
    key,
    get value(): Uint8Array {
      return longValue(key) ?? new Uint8Array(0);
    },
  };
}

/** Index of the first record whose key is not below another one. */
function firstFrom(records: readonly RangeRecord[], key: Uint8Array): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(records[middle]?.key ?? key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first key after another one. */
function behind(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, new Uint8Array(1)]);
}

function nameOf(namespace: string, key: Uint8Array): string {
  return `${namespace} ${toHex(key)}`;
}
