// How a record lies in its row where a part of it, or all, goes with a day key: that part is sealed by itself, under the key, and all together
// under the key of the records. So neither an old image of the disk nor an old copy of the vault opens it alone.
import { concatBytes, fromHex, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";

/** No text in JSON begins so. */
const MARK = 1;
const ID_BYTES = 8;
const HEAD_BYTES = 1 + 4 + ID_BYTES;

/** What of a record goes with a day key. */
export interface HiddenPart {
  /** Id of the key. */
  readonly under: string;
  /** Fields that take the place of those of the record, or the record itself. */
  readonly value: unknown;
}

/** A row's plaintext in its parts. */
export interface SplitRow {
  readonly id: string;
  /** JSON of what stays; "" where all of the record is hidden. */
  readonly open: string;
  readonly hidden: Uint8Array;
}

/** The plaintext of a row; `open` is undefined where all of the record is hidden. */
export function joinRow({ id, open, hidden }: SplitRow): Uint8Array {
  const text = utf8(open);
  const head = new Uint8Array(HEAD_BYTES);
  head[0] = MARK;
  new DataView(head.buffer).setUint32(1, text.length);
  head.set(fromHex(id), 5);
  return concatBytes(head, text, hidden);
}

/** The parts of a plaintext; undefined where nothing of it is hidden. */
export function splitRow(plain: Uint8Array): SplitRow | undefined {
  if (plain[0] !== MARK || plain.length < HEAD_BYTES) return undefined;
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(1);
  const end = HEAD_BYTES + length;
  return { id: toHex(plain.subarray(5, HEAD_BYTES)), open: fromUtf8(plain.subarray(HEAD_BYTES, end)), hidden: plain.subarray(end) };
}
