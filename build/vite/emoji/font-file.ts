// Files of fonts: tables out of WOFF, and WOFF2 and plain OpenType of tables. Every number is big-endian.
import { promisify } from "node:util";
import { brotliCompress, constants, inflateSync } from "node:zlib";

/** A table by its tag of four characters. */
export interface FontTable {
  readonly tag: string;
  readonly data: Uint8Array;
}

const TRUETYPE = 0x00_01_00_00;
/** `loca` counts from the start of `glyf`: of two tables in this order WOFF2 knows the format. */
const IN_ORDER = ["glyf", "loca"];
/** Quality of Brotli: the best one takes six times as long and saves a twentieth. */
const QUALITY = 9;
/** "wOF2" */
const WOFF2 = 0x77_4f_46_32;
const WOFF2_HEADER = 48;
/** In place of the number of a known tag: its characters follow. */
const OTHER_TAG = 0x3f;
/** These two tables as they are; all others have no other form. */
const UNCHANGED = 0xc0;

const compress = promisify(brotliCompress);

/** Tables of a WOFF file, uncompressed. @throws Error when it is none. */
export function readWoff(file: Uint8Array): readonly FontTable[] {
  const view = viewOf(file);
  if (view.getUint32(0) !== 0x77_4f_46_46) throw new Error("This is no WOFF file");
  return Array.from({ length: view.getUint16(12) }, (_, index) => {
    const at = 44 + 20 * index;
    const [offset, packed, size] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)];
    const data = file.subarray(offset, offset + packed);
    return { tag: tagAt(file, at), data: packed < size ? inflateSync(data) : data };
  });
}

/** A plain OpenType font of these tables, without sums: no reader of ours checks them. */
export function writeOpenType(tables: readonly FontTable[]): Uint8Array {
  const sizes = tables.map(({ data }) => padded(data.length));
  const directory = 12 + 16 * tables.length;
  const file = new Uint8Array(directory + sizes.reduce((sum, size) => sum + size, 0));
  const view = viewOf(file);
  view.setUint32(0, TRUETYPE);
  view.setUint16(4, tables.length);
  let offset = directory;
  for (const [index, { tag, data }] of tables.entries()) {
    const at = 12 + 16 * index;
    file.set(Buffer.from(tag, "latin1"), at);
    view.setUint32(at + 8, offset);
    view.setUint32(at + 12, data.length);
    file.set(data, offset);
    offset += sizes[index] ?? 0;
  }
  return file;
}

/** Tables of a plain OpenType font. */
export function readOpenType(file: Uint8Array): readonly FontTable[] {
  const view = viewOf(file);
  return Array.from({ length: view.getUint16(4) }, (_, index) => {
    const at = 12 + 16 * index;
    return { tag: tagAt(file, at), data: file.subarray(view.getUint32(at + 8), view.getUint32(at + 8) + view.getUint32(at + 12)) };
  });
}

/** A WOFF2 file of these tables, each as it is. */
export async function writeWoff2(tables: readonly FontTable[]): Promise<Uint8Array> {
  const sorted = tables.toSorted((a, b) => place(a) - place(b));
  const directory = Buffer.concat(
    sorted.map(({ tag, data }) =>
      Buffer.from([OTHER_TAG | (IN_ORDER.includes(tag) ? UNCHANGED : 0), ...Buffer.from(tag, "latin1"), ...base128(data.length)]),
    ),
  );
  const body = Buffer.concat(sorted.map(({ data }) => data));
  const packed = await compress(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
  const header = new DataView(new ArrayBuffer(WOFF2_HEADER));
  const whole = padded(WOFF2_HEADER + directory.length + packed.length);
  header.setUint32(0, WOFF2);
  header.setUint32(4, TRUETYPE);
  header.setUint32(8, whole);
  header.setUint16(12, sorted.length);
  header.setUint32(16, 12 + sorted.reduce((sum, { data }) => sum + 16 + padded(data.length), 0));
  header.setUint32(20, packed.length);
  return Buffer.concat([new Uint8Array(header.buffer), directory, packed], whole);
}

/** The first tables in no order of theirs, these two behind them. */
function place({ tag }: FontTable): number {
  return IN_ORDER.indexOf(tag);
}

/** Seven bits a byte, the highest in front; all bytes but the last have their highest bit set. */
function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function padded(size: number): number {
  return Math.ceil(size / 4) * 4;
}

function tagAt(file: Uint8Array, at: number): string {
  return Buffer.from(file.subarray(at, at + 4)).toString("latin1");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
