// Frames of gossip come whole, and soon. The library collects the pieces of a frame, up to 16 MiB of them, for as long as its stream lasts: in
// single bytes each takes up hundreds, and a peer that sends a few a second fills any memory within hours.
import type { Stream } from "@libp2p/interface";
import { hostTimers } from "#shared/util/host.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { dropStream } from "../wire/frames.ts";

type Handler = (stream: Stream, connection: never) => unknown;

interface Registrar {
  handle(protocol: string, handler: never, options?: unknown): Promise<void>;
}

/** Pieces of one frame, beside one for each KiB of it: senders cut frames at 64 KiB. */
export const SPARE_PIECES = 64;
const PIECE_BYTES = 1_024;
const VARINT_BITS = 7;
const MOST_VARINT_BYTES = 5;

/** Components whose streams end when a frame comes in too many pieces, or too slowly. */
export function withWholeFrames<C extends { readonly registrar: object }>(components: C): C {
  const registrar = components.registrar as Registrar;
  const handle = (protocol: string, handler: Handler, options?: unknown): Promise<void> => {
    const watched: Handler = (stream, connection) => {
      watchFrames(stream);
      return handler(stream, connection);
    };
    return registrar.handle(protocol, watched as never, options);
  };
  const watching = Object.create(registrar, { handle: { value: handle } }) as Registrar;
  return Object.create(components, { registrar: { value: watching } }) as C;
}

/** Ends a stream with a frame that does not become whole. */
export function watchFrames(stream: Stream, timers = hostTimers): void {
  const progress = new FrameProgress();
  let cancel: (() => void) | undefined;
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  stream.addEventListener("message", ({ data }) => {
    const frames = progress.frames;
    if (!progress.take(data.subarray())) {
      stop();
      dropStream(stream, "A frame came in too many pieces");
      return;
    }
    if (progress.frames > frames || progress.isWhole) stop();
    if (!progress.isWhole) cancel ??= timers.setTimer(NETWORK_LIMITS.gossipFrameMs, () => dropStream(stream, "A frame took too long"));
  });
  stream.addEventListener("close", stop);
}

/** Follows frames that begin with their length as a varint. */
export class FrameProgress {
  /** Frames that were whole. */
  frames = 0;
  #pieces = 0;
  #length = 0;
  #lengthBytes = 0;
  /** Bytes that the frame lacks; undefined while its length is not known. */
  #left: number | undefined;

  /** True between two frames. */
  get isWhole(): boolean {
    return this.#lengthBytes === 0;
  }

  /** False when the frame comes in too many pieces, or its length is none. */
  take(piece: Uint8Array): boolean {
    this.#pieces += 1;
    let at = 0;
    while (at < piece.length) {
      if (this.#left === undefined) {
        if (!this.#takeLength(piece[at] ?? 0)) return false;
        at += 1;
      } else {
        const taken = Math.min(this.#left, piece.length - at);
        this.#left -= taken;
        at += taken;
      }
      if (this.#left === 0) this.#end();
    }
    return this.#pieces <= SPARE_PIECES + this.#length / PIECE_BYTES;
  }

  #takeLength(byte: number): boolean {
    this.#length += (byte & 0x7f) * 2 ** (VARINT_BITS * this.#lengthBytes);
    this.#lengthBytes += 1;
    if (byte < 0x80) this.#left = this.#length;
    return this.#left !== undefined || this.#lengthBytes < MOST_VARINT_BYTES;
  }

  #end(): void {
    this.frames += 1;
    this.#pieces = 0;
    this.#length = 0;
    this.#lengthBytes = 0;
    this.#left = undefined;
  }
}
