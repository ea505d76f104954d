// WebP (RFC 9649): keeps the chunks that say how the picture looks, clears the flags of what is gone, and writes the sizes again.
// A new EXIF chunk replaces one that turns the picture.
import { utf8 } from "#shared/util/bytes.ts";
import { orientationTiff, readOrientation } from "./exif-orientation.ts";
import { hasText, joinBytes, malformedImage, nameAt, viewOf } from "./image-bytes.ts";

interface Chunk {
  readonly name: string;
  readonly body: Uint8Array;
}

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const EXTENDED_BYTES = 10;
const FRAME_HEADER_BYTES = 16;
/** More chunks than an honest picture has: a frame of an animation is one. */
const MAX_CHUNKS = 16_384;
const EXTENDED = "VP8X";
const FRAME = "ANMF";
const BITMAPS: ReadonlySet<string> = new Set(["VP8 ", "VP8L"]);
const KEPT_CHUNKS: ReadonlySet<string> = new Set(["VP8 ", "VP8L", EXTENDED, "ALPH", "ANIM", FRAME, "ICCP"]);
const KEPT_IN_FRAME: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "ALPH"]);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const EXIF_PREFIX = "Exif\0\0";

/** The WebP without metadata. What follows its end is dropped. @throws CodedError BAD_REQUEST when it is malformed. */
export function scrubWebp(bytes: Uint8Array): Uint8Array {
  const end = CHUNK_HEADER_BYTES + viewOf(bytes).getUint32(4, true);
  if (end > bytes.length || end < RIFF_HEADER_BYTES) throw malformedImage("WebP", "it is shorter than it says");
  const chunks = readChunks(bytes.subarray(RIFF_HEADER_BYTES, end));
  const [first] = chunks;
  if (first !== undefined && BITMAPS.has(first.name)) return fileOf([first]);
  if (first?.name !== EXTENDED || first.body.length < EXTENDED_BYTES) throw malformedImage("WebP", "it does not begin with its header");
  const exif = chunks.find(({ name }) => name === "EXIF");
  const orientation = exif === undefined ? 1 : readOrientation(tiffOf(exif.body));
  const kept = chunks.slice(1).filter(({ name }) => KEPT_CHUNKS.has(name) && name !== EXTENDED);
  if (!kept.some(({ name }) => BITMAPS.has(name) || name === FRAME)) throw malformedImage("WebP", "it holds no picture");
  return fileOf([
    { name: EXTENDED, body: extendedHeader(first.body, orientation !== 1) },
    ...kept.map((chunk) => (chunk.name === FRAME ? scrubFrame(chunk) : chunk)),
    ...(orientation === 1 ? [] : [{ name: "EXIF", body: orientationTiff(orientation) }]),
  ]);
}

function readChunks(bytes: Uint8Array): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; ) {
    if (at + CHUNK_HEADER_BYTES > bytes.length) throw malformedImage("WebP", "a chunk is cut off");
    const length = view.getUint32(at + 4, true);
    const start = at + CHUNK_HEADER_BYTES;
    if (start + length > bytes.length) throw malformedImage("WebP", "a chunk is longer than the file");
    if (chunks.push({ name: nameAt(bytes, at), body: bytes.subarray(start, start + length) }) > MAX_CHUNKS)
      throw malformedImage("WebP", `it has more than ${MAX_CHUNKS} chunks`);
    at = start + length + (length % 2);
  }
  return chunks;
}

/** TIFF structure of an EXIF chunk; some writers put JPEG's prefix before it. */
function tiffOf(body: Uint8Array): Uint8Array {
  return hasText(body, 0, EXIF_PREFIX) ? body.subarray(EXIF_PREFIX.length) : body;
}

function extendedHeader(body: Uint8Array, hasExif: boolean): Uint8Array {
  const header = body.slice(0, EXTENDED_BYTES);
  const flags = (header[0] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
  header[0] = hasExif ? flags | EXIF_FLAG : flags;
  return header;
}

/** A frame of an animation: its place and time, and the chunks of its bitmap. */
function scrubFrame({ body }: Chunk): Chunk {
  if (body.length < FRAME_HEADER_BYTES) throw malformedImage("WebP", "a frame is cut off");
  const kept = readChunks(body.subarray(FRAME_HEADER_BYTES)).filter(({ name }) => KEPT_IN_FRAME.has(name));
  if (!kept.some(({ name }) => BITMAPS.has(name))) throw malformedImage("WebP", "a frame holds no picture");
  return { name: FRAME, body: joinBytes([body.subarray(0, FRAME_HEADER_BYTES), ...kept.flatMap(partsOf)]) };
}

function fileOf(chunks: readonly Chunk[]): Uint8Array {
  const file = joinBytes([utf8("RIFF"), new Uint8Array(4), utf8("WEBP"), ...chunks.flatMap(partsOf)]);
  viewOf(file).setUint32(4, file.length - CHUNK_HEADER_BYTES, true);
  return file;
}

function partsOf({ name, body }: Chunk): readonly Uint8Array[] {
  const length = new Uint8Array(4);
  viewOf(length).setUint32(0, body.length, true);
  return [utf8(name), length, body, new Uint8Array(body.length % 2)];
}
