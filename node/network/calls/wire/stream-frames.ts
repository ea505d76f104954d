// What comes over TCP, cut into messages and data of channels (RFC 8656, 12.5): both say their length in their first four bytes.
import { padded } from "./stun-message.ts";

/** Longest frame, bytes: a datagram of a call fits with its head. */
export const MAX_FRAME_BYTES = 2_048;

/** Collects the bytes of one connection. */
export class StreamFrames {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are whole now, without what fills them up. @throws RangeError for what is no frame, after which the stream is lost */
  take(chunk: Buffer): readonly Buffer[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= 4) {
      const size = frameBytes(rest);
      const whole = padded(size);
      if (rest.length < whole) break;
      frames.push(rest.subarray(0, size));
      rest = rest.subarray(whole);
    }
    // Of a copy: else a small rest keeps all that came alive.
    this.#rest = Buffer.from(rest);
    return frames;
  }
}

/** Bytes of the frame that begins here, without what fills it up. */
function frameBytes(bytes: Buffer): number {
  const kind = (bytes[0] ?? 0) & 0xc0;
  const size = bytes.readUInt16BE(2) + (kind === 0 ? 20 : 4);
  if (kind > 0x40 || size > MAX_FRAME_BYTES) throw new RangeError("This is no frame of a relay of calls");
  return size;
}
