// A large body in slices: the next one is written when the reader has taken the one before, so that a reader's pace shows, and what still
// waits is counted.
import { Readable } from "node:stream";
import type { Reader } from "../security/client-address.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** Bodies up to this length are written at once; larger ones in slices of it, bytes. */
export const SLICE_BYTES = 65_536;

/** A body whose bytes are counted from the start until they are written. */
export class SlicedBody extends Readable {
  readonly #bytes: Uint8Array;
  readonly #waiting: WaitingBytes;
  readonly #address: string;
  #at = 0;

  /** @throws CodedError as {@link WaitingBytes.assertRoom} */
  constructor(bytes: Uint8Array, waiting: WaitingBytes, reader: Reader) {
    super({ highWaterMark: 1 });
    waiting.assertRoom(reader, bytes.length);
    waiting.change(reader.address, bytes.length);
    this.#bytes = bytes;
    this.#waiting = waiting;
    this.#address = reader.address;
  }

  override _read(): void {
    const slice = this.#bytes.subarray(this.#at, this.#at + SLICE_BYTES);
    this.#release(slice.length);
    this.push(slice.length === 0 ? null : slice);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#release(this.#bytes.length - this.#at);
    callback(error);
  }

  #release(bytes: number): void {
    this.#at += bytes;
    this.#waiting.change(this.#address, -bytes);
  }
}
