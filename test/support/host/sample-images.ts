// Small pictures of every format that carry all kinds of metadata, made byte by byte. What must go holds the word SECRET.
import { crc32, deflateSync } from "node:zlib";

/** Word that every piece of metadata in the samples holds. */
export const SECRET = "SECRET";

const text = (value: string): Buffer => Buffer.from(value, "latin1");
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.from([(value >>> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const u32le = (value: number): Buffer => Buffer.from(u32(value)).reverse();

/** TIFF structure with a maker's name, an orientation (none when undefined) and a place. */
export function tiff(orientation: number | undefined, isLittle = false): Buffer {
  const order = (bytes: Buffer): Buffer => (isLittle ? Buffer.from(bytes).reverse() : bytes);
  const entry = (tag: number, type: number, count: number, value: Buffer): Buffer =>
    Buffer.concat([order(u16(tag)), order(u16(type)), order(u32(count)), value]);
  const entries = [
    entry(0x010f, 2, 30, order(u32(0x40))),
    ...(orientation === undefined ? [] : [entry(0x0112, 3, 1, Buffer.concat([order(u16(orientation)), u16(0)]))]),
    entry(0x8825, 4, 1, order(u32(0x40))),
  ];
  const head = Buffer.concat([text(isLittle ? "II" : "MM"), order(u16(42)), order(u32(8)), order(u16(entries.length)), ...entries]);
  return Buffer.concat([head, Buffer.alloc(0x60 - head.length), text(`${SECRET} camera, 52.5N 13.4E`)]);
}

/** A marker segment of a JPEG. */
export function segment(code: number, ...body: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(body);
  return Buffer.concat([Buffer.from([0xff, code]), u16(bytes.length + 2), bytes]);
}

/** Segments without which a JPEG is none, up to its end. The entropy-coded data holds a stuffed byte and a restart. */
export const JPEG_PICTURE = Buffer.concat([
  segment(0xdb, Buffer.alloc(65, 1)),
  segment(0xc0, Buffer.from([8, 0, 8, 0, 8, 1, 1, 0x11, 0])),
  segment(0xc4, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(15), Buffer.from([0])])),
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
]);
export const COLOUR_PROFILE = segment(0xe2, text("ICC_PROFILE\0"), Buffer.from([1, 1]), text("colours"));
export const ADOBE = segment(0xee, text("Adobe"), Buffer.from([0, 100, 0, 0, 0, 0, 1]));
export const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/** A JPEG with metadata of every kind, before, between and after its scans. */
export function jpeg(orientation: number | undefined, isLittle = false): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, text("JFIF\0"), Buffer.from([1, 2, 1, 0, 72, 0, 72, 1, 2]), text(SECRET)),
    segment(0xe0, text(`JFXX\0${SECRET}`)),
    segment(0xe1, text("Exif\0\0"), tiff(orientation, isLittle)),
    segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SECRET}`)),
    COLOUR_PROFILE,
    segment(0xe2, text(`MPF\0${SECRET}`)),
    segment(0xed, text(`Photoshop 3.0\x008BIM${SECRET}`)),
    Buffer.concat([ADOBE.subarray(0, 2), u16(14 + SECRET.length), ADOBE.subarray(4), text(SECRET)]),
    segment(0xef, text(SECRET)),
    Buffer.from([0xff, 0xff]),
    segment(0xfe, text(`${SECRET} comment`)),
    JPEG_PICTURE,
    segment(0xfe, text(`${SECRET} between scans`)),
    segment(0xe1, text("Exif\0\0"), tiff(8)),
    JPEG_PICTURE.subarray(JPEG_PICTURE.lastIndexOf(Buffer.from([0xff, 0xda]))),
    END_OF_JPEG,
    text(`${SECRET} after the end`),
  ]);
}

/** A chunk of a PNG. */
export function pngChunk(name: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([text(name), body]);
  return Buffer.concat([u32(body.length), named, u32(crc32(named))]);
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
export const PNG_HEADER = pngChunk("IHDR", Buffer.concat([u32(1), u32(1), Buffer.from([8, 0, 0, 0, 0])]));
export const PNG_DATA = pngChunk("IDAT", deflateSync(Buffer.from([0, 200])));
export const PNG_END = pngChunk("IEND");
/** Chunks that say how a PNG looks. */
export const PNG_LOOKS = Buffer.concat([
  pngChunk("gAMA", u32(45_455)),
  pngChunk("iCCP", text("colours")),
  pngChunk("pHYs", Buffer.alloc(9)),
  pngChunk("acTL", Buffer.concat([u32(1), u32(0)])),
]);

/** A PNG with metadata of every kind. */
export function png(orientation: number | undefined): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    PNG_HEADER,
    pngChunk("tEXt", text(`Author\0${SECRET}`)),
    PNG_LOOKS,
    pngChunk("zTXt", text(`Comment\0\0${SECRET}`)),
    pngChunk("iTXt", text(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)),
    pngChunk("tIME", text(`${SECRET}.`)),
    pngChunk("eXIf", tiff(orientation)),
    pngChunk("eXIf", tiff(8)),
    pngChunk("prVt", text(SECRET)),
    PNG_DATA,
    pngChunk("tEXt", text(`Late\0${SECRET}`)),
    PNG_END,
    text(`${SECRET} after the end`),
  ]);
}

/** A chunk of a WebP, padded to an even length. */
export function webpChunk(name: string, body: Buffer): Buffer {
  return Buffer.concat([text(name), u32le(body.length), body, Buffer.alloc(body.length % 2)]);
}

/** A WebP file of chunks. */
export function webpFile(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([text("WEBP"), ...chunks]);
  return Buffer.concat([text("RIFF"), u32le(body.length), body]);
}

/** Header of an extended WebP: flags, then the size of the canvas. */
export const webpHeader = (flags: number): Buffer => webpChunk("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
/** A picture of a size, whose pixels are not there; `seed` makes other bytes. */
export function smallWebp(side: number, seed = 0): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((side - 1) | ((side - 1) << 14));
  return webpFile(webpChunk("VP8L", Buffer.concat([Buffer.from([0x2f]), size, Buffer.from([seed])])));
}

export const WEBP_BITMAP = webpChunk("VP8L", Buffer.from([0x2f, 1, 2, 3, 4]));
export const WEBP_PROFILE = webpChunk("ICCP", text("colours"));

/** An animation's frame, clean or with metadata inside. */
export const webpFrame = (isClean: boolean): Buffer =>
  webpChunk("ANMF", Buffer.concat([Buffer.alloc(16), ...(isClean ? [] : [webpChunk("note", text(SECRET))]), WEBP_BITMAP]));

/** An extended WebP with metadata of every kind. */
export function webp(orientation: number | undefined, hasPrefix = false): Buffer {
  return Buffer.concat([
    webpFile(
      webpHeader(0x20 | 0x08 | 0x04 | 0x02),
      WEBP_PROFILE,
      webpFrame(false),
      webpChunk("EXIF", Buffer.concat([text(hasPrefix ? "Exif\0\0" : ""), tiff(orientation)])),
      webpChunk("XMP ", text(SECRET)),
      webpChunk("prVt", text(`${SECRET}.`)),
    ),
    text(`${SECRET} after the end`),
  ]);
}

const subBlocks = (...bodies: readonly Buffer[]): Buffer =>
  Buffer.concat([...bodies.flatMap((body) => [Buffer.from([body.length]), body]), Buffer.from([0])]);

/** An extension of a GIF. */
export function gifExtension(label: number, ...bodies: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x21, label]), subBlocks(...bodies)]);
}

export const GIF_HEADER = Buffer.concat([text("GIF89a"), Buffer.from([1, 0, 1, 0, 0x80, 0, 0]), Buffer.alloc(6, 7)]);
export const GIF_LOOP = gifExtension(0xff, text("NETSCAPE2.0"), Buffer.from([1, 5, 0]));
export const GIF_TIMING = gifExtension(0xf9, Buffer.from([0, 10, 0, 0]));
export const GIF_IMAGE = Buffer.concat([
  Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80]),
  Buffer.alloc(6, 9),
  Buffer.from([2]),
  subBlocks(Buffer.from([0x44, 1])),
]);

/** An animated GIF with metadata of every kind. */
export function gif(): Buffer {
  return Buffer.concat([
    GIF_HEADER,
    gifExtension(0xfe, text(SECRET), text(SECRET)),
    gifExtension(0xff, text("NETSCAPE2.0"), text(`\x02${SECRET}`), Buffer.from([1, 5, 0]), text(SECRET)),
    gifExtension(0xff, text("XMP DataXMP"), text(SECRET)),
    GIF_TIMING,
    gifExtension(0x01, Buffer.alloc(12), text(SECRET)),
    GIF_IMAGE,
    gifExtension(0x42, text(SECRET)),
    GIF_TIMING,
    GIF_IMAGE,
    Buffer.from([0x3b]),
    text(`${SECRET} after the end`),
  ]);
}
