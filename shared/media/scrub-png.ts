// PNG (ISO/IEC 15948, third edition): keeps the chunks that say how the picture looks. A new EXIF chunk replaces one that turns it.
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import { crc32 } from "./crc32.ts";
import { orientationTiff, readOrientation } from "./exif-orientation.ts";
import { type CountPart, malformedImage, nameAt, viewOf } from "./image-bytes.ts";
import { KeptBytes } from "./kept-bytes.ts";

const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12;
const CHUNK_NAME = /^[A-Za-z]{4}$/;
const CRITICAL_NAME = /^[A-Z]/;
/** Transparency, colour, pixel size, background, animation. */
const KEPT_CHUNKS: ReadonlySet<string> = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT".split(" "),
);
const HEADER_BYTES = 13;

/** The PNG without metadata. What follows its end is dropped. @throws CodedError BAD_REQUEST when it is malformed. */
export function scrubPng(bytes: Uint8Array, countPart: CountPart): Uint8Array {
  const kept = new KeptBytes(bytes);
  const view = viewOf(bytes);
  let hasPicture = false;
  let hasExif = false;
  kept.keep(0, SIGNATURE_BYTES);
  for (let at = SIGNATURE_BYTES; ; ) {
    countPart();
    if (at + FRAME_BYTES > bytes.length) throw malformedImage("PNG", "its end is missing");
    const length = view.getUint32(at);
    const name = nameAt(bytes, at + 4);
    const end = at + FRAME_BYTES + length;
    checkChunk({ name, length, isFirst: at === SIGNATURE_BYTES, fits: end <= bytes.length });
    hasPicture ||= name === "IDAT";
    if (KEPT_CHUNKS.has(name)) kept.keep(at, end);
    else if (name === "eXIf" && !hasExif) {
      hasExif = true;
      kept.insert(...orientationChunk(bytes.subarray(at + 8, end - 4)));
    }
    if (name === "IEND") break;
    at = end;
  }
  if (!hasPicture) throw malformedImage("PNG", "it holds no picture");
  return kept.bytes();
}

/** EXIF chunk that turns the picture as the given one does; none for an upright picture. */
function orientationChunk(tiff: Uint8Array): readonly Uint8Array[] {
  const orientation = readOrientation(tiff);
  return orientation === 1 ? [] : [chunkOf("eXIf", orientationTiff(orientation))];
}

interface ChunkHead {
  readonly name: string;
  readonly length: number;
  readonly isFirst: boolean;
  readonly fits: boolean;
}

function checkChunk({ name, length, isFirst, fits }: ChunkHead): void {
  if (!fits) throw malformedImage("PNG", "a chunk is longer than the file");
  if (!CHUNK_NAME.test(name)) throw malformedImage("PNG", "a chunk has no valid name");
  if (isFirst !== (name === "IHDR") || (isFirst && length !== HEADER_BYTES))
    throw malformedImage("PNG", "it does not begin with its header");
  if (name === "IEND" && length !== 0) throw malformedImage("PNG", "its last chunk is not empty");
  if (CRITICAL_NAME.test(name) && !KEPT_CHUNKS.has(name)) throw malformedImage("PNG", `it needs the unknown chunk ${name}`);
}

function chunkOf(name: string, body: Uint8Array): Uint8Array {
  const named = concatBytes(utf8(name), body);
  const chunk = concatBytes(new Uint8Array(4), named, new Uint8Array(4));
  viewOf(chunk).setUint32(0, body.length);
  viewOf(chunk).setUint32(chunk.length - 4, crc32(named));
  return chunk;
}
