// A TrueType font in which some characters are the same square: which characters a page takes from a font of a family can then be seen on
// any machine, whatever fonts it has.

/** Lengths are in font units, 1000 to the size of a line. */
const UNITS = 1_000;
const SIDE = 800;

/** The bytes of a font that has exactly these code points. */
export function tinyFont(codePoints: readonly number[]): Uint8Array {
  const sorted = [...new Set(codePoints)].sort((a, b) => a - b);
  const tables: Readonly<Record<string, Buffer>> = {
    "OS/2": os2Table(sorted),
    cmap: cmapTable(sorted),
    glyf: squareGlyph(),
    head: headTable(),
    hhea: words(1, 0, SIDE, SIDE - UNITS, 0, UNITS, 0, 0, SIDE, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    hmtx: words(UNITS, 0, UNITS, 0),
    // Halves of offsets: no outline of the first glyph, then the square.
    loca: words(0, 0, squareGlyph().length / 2),
    maxp: words(1, 0, 2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    name: words(0, 0, 6),
    post: Buffer.concat([words(3, 0), Buffer.alloc(28)]),
  };
  return fileOf(tables);
}

/** 16-bit words, signed or not. */
function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) buffer.writeUInt16BE(value & 0xffff, 2 * at);
  return buffer;
}

function longs(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) buffer.writeUInt32BE(value, 4 * at);
  return buffer;
}

/** One contour of four points: flags, then steps in x and in y. */
function squareGlyph(): Buffer {
  return Buffer.concat([
    words(1, 0, 0, SIDE, SIDE, 3, 0),
    Buffer.from([1, 1, 1, 1]),
    words(0, SIDE, 0, -SIDE, 0, 0, SIDE, 0),
    Buffer.alloc(2),
  ]);
}

/** Each code point is the second glyph: format 12, whose groups are single characters here. */
function cmapTable(codePoints: readonly number[]): Buffer {
  const groups = codePoints.map((codePoint) => longs(codePoint, codePoint, 1));
  const head = Buffer.concat([words(0, 1, 3, 10), longs(12), words(12, 0), longs(16 + 12 * groups.length, 0, groups.length)]);
  return Buffer.concat([head, ...groups]);
}

function headTable(): Buffer {
  const start = Buffer.concat([words(1, 0, 1, 0), longs(0, 0x5f0f3cf5), words(0, UNITS), Buffer.alloc(16)]);
  return Buffer.concat([start, words(0, 0, SIDE, SIDE, 0, 8, 2, 0, 0)]);
}

function os2Table(codePoints: readonly number[]): Buffer {
  const last = Math.min(0xffff, codePoints.at(-1) ?? 0);
  const shape = words(4, UNITS, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0);
  const names = Buffer.concat([Buffer.alloc(10 + 16), Buffer.from("test"), words(0x40, Math.min(0xffff, codePoints[0] ?? 0), last)]);
  const heights = Buffer.concat([words(SIDE, SIDE - UNITS, 0, SIDE, UNITS - SIDE), longs(0, 0), words(500, 700, 0, 32, 1)]);
  return Buffer.concat([shape, names, heights]);
}

function fileOf(tables: Readonly<Record<string, Buffer>>): Uint8Array {
  const entries = Object.entries(tables);
  const power = 2 ** Math.floor(Math.log2(entries.length));
  const head = Buffer.concat([longs(0x00010000), words(entries.length, 16 * power, Math.log2(power), 16 * (entries.length - power))]);
  let offset = head.length + 16 * entries.length;
  const directory: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const [tag, table] of entries) {
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    directory.push(Buffer.concat([Buffer.from(tag), longs(checksum(body), offset, table.length)]));
    bodies.push(body);
    offset += body.length;
  }
  return new Uint8Array(Buffer.concat([head, ...directory, ...bodies]));
}

function checksum(body: Buffer): number {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4) sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
