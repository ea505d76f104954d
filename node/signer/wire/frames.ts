// Frames between node and signer: four bytes of length, most significant first, and so many bytes. Their number is bounded before any of
// them is stored.
import { concatBytes } from "#shared/util/bytes.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";

const HEAD_BYTES = 4;

/** The bytes of a frame. */
export function frameOf(body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return concatBytes(head, body);
}

/** Puts frames together from whatever pieces arrive. */
export class FrameReader {
  #rest: Uint8Array = new Uint8Array();

  /** True while a frame has begun and is not complete. */
  get isInside(): boolean {
    return this.#rest.length > 0;
  }

  /** The frames that a piece completes, or undefined when one of them is empty or too large: nothing behind it can be read. */
  take(piece: Uint8Array): readonly Uint8Array[] | undefined {
    const bytes = this.#rest.length === 0 ? piece : concatBytes(this.#rest, piece);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const frames: Uint8Array[] = [];
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const length = view.getUint32(at);
      if (length === 0 || length > SIGNER_LIMITS.frameBytes) return undefined;
      if (bytes.length - at - HEAD_BYTES < length) break;
      frames.push(bytes.slice(at + HEAD_BYTES, at + HEAD_BYTES + length));
      at += HEAD_BYTES + length;
    }
    this.#rest = bytes.slice(at);
    return frames;
  }
}
