// GIF (89a): keeps pictures with their timing and the number of repetitions; comments, texts and other extensions go.
import { utf8 } from "#shared/util/bytes.ts";
import { type CountPart, hasText, malformedImage } from "./image-bytes.ts";
import { KeptBytes } from "./kept-bytes.ts";

const HEADER_BYTES = 13;
const IMAGE_HEADER_BYTES = 10;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Extension, label, length 4, four bytes, end. */
const GRAPHIC_CONTROL_BYTES = 8;
const LOOP_EXTENSIONS = ["NETSCAPE2.0", "ANIMEXTS1.0"];
const APPLICATION_NAME_BYTES = 11;
const LOOP_BLOCK = 1;

/** The GIF without metadata. What follows its end is dropped. @throws CodedError BAD_REQUEST when it is malformed. */
export function scrubGif(bytes: Uint8Array, countPart: CountPart): Uint8Array {
  const kept = new KeptBytes(bytes);
  let hasPicture = false;
  let at = HEADER_BYTES + colourTableBytes(bytes[10]);
  kept.keep(0, at);
  for (;;) {
    countPart();
    const kind = bytes[at];
    if (kind === TRAILER) {
      if (!hasPicture) throw malformedImage("GIF", "it holds no picture");
      kept.keep(at, at + 1);
      return kept.bytes();
    }
    if (kind === IMAGE) {
      hasPicture = true;
      // The byte after the colour table is the smallest code size of the compression.
      const end = endOfBlocks(bytes, at + IMAGE_HEADER_BYTES + colourTableBytes(bytes[at + 9]) + 1);
      kept.keep(at, end);
      at = end;
    } else if (kind === EXTENSION) at = passExtension(bytes, at, kept);
    else throw malformedImage("GIF", kind === undefined ? "its end is missing" : "a block is of no known kind");
  }
}

/** Bytes of the colour table that a packed field announces. */
function colourTableBytes(packed: number | undefined): number {
  if (packed === undefined) throw malformedImage("GIF", "it is cut off");
  return packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0;
}

/** Position after a run of sub-blocks. */
function endOfBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== 0; length = bytes[at]) {
    if (length === undefined) throw malformedImage("GIF", "its end is missing");
    at += length + 1;
  }
  return at + 1;
}

/** Keeps timing and repetition, drops the rest; gives the position after the extension. */
function passExtension(bytes: Uint8Array, at: number, kept: KeptBytes): number {
  const label = bytes[at + 1];
  const end = endOfBlocks(bytes, at + 2);
  if (label === GRAPHIC_CONTROL) {
    if (bytes[at + 2] !== 4 || end !== at + GRAPHIC_CONTROL_BYTES) throw malformedImage("GIF", "a timing has another length than 4");
    kept.keep(at, end);
  } else if (label === APPLICATION && bytes[at + 2] === APPLICATION_NAME_BYTES) {
    const name = LOOP_EXTENSIONS.find((candidate) => hasText(bytes, at + 3, candidate));
    const repetitions = name === undefined ? undefined : findRepetitions(bytes, at + 3 + APPLICATION_NAME_BYTES);
    if (name !== undefined && repetitions !== undefined)
      kept.insert(
        Uint8Array.of(EXTENSION, APPLICATION, APPLICATION_NAME_BYTES),
        utf8(name),
        Uint8Array.of(3, LOOP_BLOCK),
        repetitions,
        Uint8Array.of(0),
      );
  }
  return end;
}

/** The two bytes of the repetition count among an extension's sub-blocks. */
function findRepetitions(bytes: Uint8Array, start: number): Uint8Array | undefined {
  let at = start;
  for (let length = bytes[at]; length !== undefined && length !== 0; length = bytes[at]) {
    if (length === 3 && bytes[at + 1] === LOOP_BLOCK) return bytes.subarray(at + 2, at + 4);
    at += length + 1;
  }
  return undefined;
}
