// Framing of plaintexts: ff 50 4c 59 | version u8 | length u32 | content | zeros up to a Padmé length.
// The first byte is never part of UTF-8, so no plain text of another program begins like a frame.
import { concatBytes } from "#shared/util/bytes.ts";
import { padmeLength } from "./padme.ts";

/** Version of the content format. */
export const CONTENT_VERSION = 1;
/** Largest plaintext: the largest Padmé length whose envelope stays below the limit of envelopes. */
export const MAX_PLAINTEXT_BYTES = 192_512;
/** Smallest plaintext: short texts, receipts and marks look alike. */
export const MIN_PLAINTEXT_BYTES = 512;

const MAGIC = Uint8Array.of(0xff, 0x50, 0x4c, 0x59);
const HEAD_BYTES = MAGIC.length + 5;

/** What the frame says about a plaintext. */
export type FrameReading =
  | { readonly form: "framed"; readonly content: Uint8Array }
  | { readonly form: "unframed" }
  | { readonly form: "newer"; readonly version: number }
  | { readonly form: "invalid" };

/** Padded frame of an encoded content. @throws RangeError when it does not fit in an envelope. */
export function frameContent(content: Uint8Array): Uint8Array {
  const length = HEAD_BYTES + content.length;
  const frame = new Uint8Array(padmeLength(Math.max(MIN_PLAINTEXT_BYTES, length)));
  if (frame.length > MAX_PLAINTEXT_BYTES) throw new RangeError(`The content has ${content.length} bytes and does not fit in an envelope`);
  frame.set(concatBytes(MAGIC, Uint8Array.of(CONTENT_VERSION)));
  new DataView(frame.buffer).setUint32(MAGIC.length + 1, content.length);
  frame.set(content, HEAD_BYTES);
  return frame;
}

/** Content of a frame. Never throws. */
export function readFrame(plaintext: Uint8Array): FrameReading {
  if (!MAGIC.every((byte, index) => plaintext[index] === byte)) return { form: "unframed" };
  const version = plaintext[MAGIC.length] ?? 0;
  if (version > CONTENT_VERSION) return { form: "newer", version };
  if (version < 1 || plaintext.length < HEAD_BYTES || plaintext.length > MAX_PLAINTEXT_BYTES) return { form: "invalid" };
  const length = new DataView(plaintext.buffer, plaintext.byteOffset, plaintext.byteLength).getUint32(MAGIC.length + 1);
  const end = HEAD_BYTES + length;
  const isPadded = plaintext.length === padmeLength(Math.max(MIN_PLAINTEXT_BYTES, end));
  if (!isPadded || plaintext.subarray(end).some((byte) => byte !== 0)) return { form: "invalid" };
  return { form: "framed", content: plaintext.subarray(HEAD_BYTES, end) };
}
