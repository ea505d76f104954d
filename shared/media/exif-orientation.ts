// The one piece of EXIF that belongs to the picture itself: how it is turned. Everything else of EXIF is dropped.
import { viewOf } from "./image-bytes.ts";

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;
const ENTRY_BYTES = 12;

/** Orientation 1–8 of a TIFF structure (EXIF 2.32 §4.6.4); 1, upright, when it says none or cannot be read. */
export function readOrientation(tiff: Uint8Array): number {
  if (tiff.length < 8) return 1;
  const view = viewOf(tiff);
  const order = view.getUint16(0);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return 1;
  const isLittle = order === LITTLE_ENDIAN;
  const directory = view.getUint32(4, isLittle);
  if (view.getUint16(2, isLittle) !== 42 || directory + 2 > tiff.length) return 1;
  const first = directory + 2;
  const entries = Math.min(view.getUint16(directory, isLittle), Math.floor((tiff.length - first) / ENTRY_BYTES));
  for (let entry = first; entry < first + entries * ENTRY_BYTES; entry += ENTRY_BYTES) {
    if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, isLittle);
    const isValid = view.getUint16(entry + 2, isLittle) === SHORT && value >= 1 && value <= 8;
    return isValid ? value : 1;
  }
  return 1;
}

/** TIFF structure that holds an orientation and nothing else. */
export function orientationTiff(orientation: number): Uint8Array {
  const tiff = new Uint8Array(26);
  const view = viewOf(tiff);
  view.setUint16(0, BIG_ENDIAN);
  view.setUint16(2, 42);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, ORIENTATION_TAG);
  view.setUint16(12, SHORT);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return tiff;
}
