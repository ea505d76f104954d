// JPEG (ITU-T T.81 Annex B): keeps what a decoder needs. Of the application segments only these stay: JFIF without its thumbnail,
// the colour profile, Adobe's colour transform, and a new EXIF when the picture is turned.
import { concatBytes } from "#shared/util/bytes.ts";
import { orientationTiff, readOrientation } from "./exif-orientation.ts";
import { type CountPart, hasText, malformedImage, viewOf } from "./image-bytes.ts";
import { KeptBytes } from "./kept-bytes.ts";

const MARKER = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Frame headers; C8 is reserved. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** Segments of the coding process: frames, tables, restart interval, hierarchy. */
const CODING_SEGMENTS: ReadonlySet<number> = new Set([...FRAMES, 0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xde, 0xdf]);
const JFIF = "JFIF\0";
const EXIF = "Exif\0\0";
const COLOUR_PROFILE = "ICC_PROFILE\0";
const ADOBE = "Adobe";
/** JFIF header up to the thumbnail's size, and Adobe's segment, with marker and length. */
const JFIF_BYTES = 18;
const ADOBE_BYTES = 16;

interface Segment {
  readonly code: number;
  /** Position of the marker. */
  readonly start: number;
  /** Position after the segment. */
  readonly end: number;
}

interface Progress {
  hasFrame: boolean;
  hasScan: boolean;
  hasJfif: boolean;
  hasExif: boolean;
}

interface Target {
  readonly kept: KeptBytes;
  readonly progress: Progress;
}

/** The JPEG without metadata. What follows its end is dropped. @throws CodedError BAD_REQUEST when it is malformed. */
export function scrubJpeg(bytes: Uint8Array, countPart: CountPart): Uint8Array {
  const kept = new KeptBytes(bytes);
  const progress: Progress = { hasFrame: false, hasScan: false, hasJfif: false, hasExif: false };
  kept.keep(0, 2);
  let segment = readSegment(bytes, 2);
  while (segment.code !== END_OF_IMAGE) {
    countPart();
    segment = readSegment(bytes, passSegment(bytes, segment, { kept, progress }));
  }
  if (!progress.hasScan) throw malformedImage("JPEG", "it holds no picture");
  kept.keep(segment.start, segment.end);
  return kept.bytes();
}

/** Keeps or drops a segment; gives the position after it and its data. */
function passSegment(bytes: Uint8Array, segment: Segment, target: Target): number {
  const { code, start, end } = segment;
  const { kept, progress } = target;
  if (code === START_OF_SCAN) {
    if (!progress.hasFrame) throw malformedImage("JPEG", "a scan comes before its frame");
    progress.hasScan = true;
    const next = endOfScan(bytes, end);
    kept.keep(start, next);
    return next;
  }
  if (CODING_SEGMENTS.has(code)) {
    progress.hasFrame ||= FRAMES.has(code);
    kept.keep(start, end);
  } else if (!progress.hasScan) keepApplicationSegment(bytes, segment, target);
  return end;
}

function readSegment(bytes: Uint8Array, at: number): Segment {
  if (bytes[at] !== MARKER) throw malformedImage("JPEG", at >= bytes.length ? "its end is missing" : "a marker is missing");
  let position = at;
  while (bytes[position + 1] === MARKER) position += 1;
  const code = bytes[position + 1];
  if (code === undefined) throw malformedImage("JPEG", "its end is missing");
  if (code === END_OF_IMAGE) return { code, start: position, end: position + 2 };
  if (code <= 0x01 || (code >= 0xd0 && code <= START_OF_IMAGE)) throw malformedImage("JPEG", "a marker stands where none may");
  const length = position + 4 <= bytes.length ? viewOf(bytes).getUint16(position + 2) : 0;
  const end = position + 2 + length;
  if (length < 2 || end > bytes.length) throw malformedImage("JPEG", "a segment is longer than the file");
  return { code, start: position, end };
}

/** Position of the marker that ends the entropy-coded data: the first that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(MARKER, start); at !== -1; at = bytes.indexOf(MARKER, at)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== MARKER) return at;
    at += isData ? 2 : 1;
  }
  throw malformedImage("JPEG", "its end is missing");
}

function keepApplicationSegment(bytes: Uint8Array, { code, start, end }: Segment, { kept, progress }: Target): void {
  const body = start + 4;
  if (code === APP0 && hasText(bytes, body, JFIF) && end - start >= JFIF_BYTES && !progress.hasJfif) {
    progress.hasJfif = true;
    kept.insert(segmentOf(APP0, bytes.subarray(body, body + 12), Uint8Array.of(0, 0)));
  } else if (code === APP1 && hasText(bytes, body, EXIF) && !progress.hasExif) {
    progress.hasExif = true;
    const orientation = readOrientation(bytes.subarray(body + EXIF.length, end));
    if (orientation !== 1) kept.insert(segmentOf(APP1, bytes.subarray(body, body + EXIF.length), orientationTiff(orientation)));
  } else if (code === APP2 && hasText(bytes, body, COLOUR_PROFILE)) {
    kept.keep(start, end);
  } else if (code === APP14 && hasText(bytes, body, ADOBE) && end - start >= ADOBE_BYTES) {
    kept.insert(segmentOf(APP14, bytes.subarray(body, start + ADOBE_BYTES)));
  }
}

function segmentOf(code: number, ...body: readonly Uint8Array[]): Uint8Array {
  const head = Uint8Array.of(MARKER, code, 0, 0);
  const segment = concatBytes(head, ...body);
  viewOf(segment).setUint16(2, segment.length - 2);
  return segment;
}
