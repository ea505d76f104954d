// Frames over a stream: four bytes of length, most significant first, then the content. Reading is bounded by a largest frame.
import type { Stream } from "@libp2p/interface";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes } from "#shared/util/bytes.ts";

/** Bytes before a frame. */
export const FRAME_HEAD_BYTES = 4;

/** Frames up to this length are copied behind their head: one write is cheaper than the copy. */
const SMALL_FRAME_BYTES = 16_384;

/** Pieces below this are put together while a frame waits for the rest of it: each takes up hundreds of bytes by itself. */
const SMALL_PIECE_BYTES = 16_384;

/** What a reader does. */
export interface FrameReaderDependencies {
  readonly maxBytes: number;
  readonly onFrame: (frame: Uint8Array) => void;
  /** Something came, if only a part of a frame. */
  readonly onProgress?: (bytes: number) => void;
  /** Once, at the end: undefined when the peer ended the stream between two frames. */
  readonly onEnd: (problem: FrameProblem | undefined) => void;
}

/** Why a stream ended early: the peer broke the format, or the stream broke. */
export type FrameProblem = "malformed" | "broken";

/** Cuts a stream into frames. */
export function readFrames(stream: Stream, dependencies: FrameReaderDependencies): void {
  const decoder = new FrameDecoder(dependencies.maxBytes);
  let isOver = false;
  const end = (problem: FrameProblem | undefined): void => {
    if (isOver) return;
    isOver = true;
    stream.removeEventListener("message", onMessage);
    dependencies.onEnd(problem);
  };
  const onMessage = (event: { readonly data: { subarray(): Uint8Array } }): void => {
    if (isOver) return;
    const piece = event.data.subarray();
    dependencies.onProgress?.(piece.length);
    const isSound = decoder.push(piece, (frame) => {
      if (!isOver) dependencies.onFrame(frame);
    });
    if (!isSound) end("malformed");
  };
  stream.addEventListener("end", () => end(decoder.isAtBoundary ? undefined : "broken"));
  stream.addEventListener("close", ({ error }) => end(error === undefined && decoder.isAtBoundary ? undefined : "broken"));
  stream.addEventListener("message", onMessage);
  if (stream.readableEnded) end(undefined);
}

/** Writes a frame; false when the stream asks to wait for its drain event. @throws Error when the stream cannot be written to. */
export function writeFrame(stream: Stream, frame: Uint8Array): boolean {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, frame.length);
  if (frame.length <= SMALL_FRAME_BYTES) return stream.send(concatBytes(head, frame));
  stream.send(head);
  return stream.send(frame);
}

/** Ends a stream at once, without a closing handshake. */
export function dropStream(stream: Stream, why: string): void {
  if (stream.status === "open" || stream.status === "closing") stream.abort(new CodedError("UPSTREAM_FAILED", why));
}

/** Reassembles frames from pieces of any size. */
export class FrameDecoder {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Pieces of a frame that wait for the rest of it. */
  get pieces(): number {
    return this.#pieces.length;
  }

  /** True when no frame has begun. */
  get isAtBoundary(): boolean {
    return this.#bytes === 0;
  }

  /** Takes a piece and passes on every complete frame; false when a frame is announced that is too long. */
  push(piece: Uint8Array, onFrame: (frame: Uint8Array) => void): boolean {
    this.#add(piece);
    this.#bytes += piece.length;
    while (this.#bytes >= FRAME_HEAD_BYTES) {
      const length = this.#announced();
      if (length > this.#maxBytes) return false;
      if (this.#bytes < FRAME_HEAD_BYTES + length) return true;
      const all = this.#joined();
      this.#bytes = all.length - FRAME_HEAD_BYTES - length;
      this.#pieces = this.#bytes === 0 ? [] : [all.subarray(FRAME_HEAD_BYTES + length)];
      // A copy: the piece belongs to the stream, and a frame may outlive it.
      onFrame(all.slice(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + length));
    }
    return true;
  }

  /** Small pieces are joined with small ones that are no longer, so that each byte is copied a few times, however many pieces come. */
  #add(piece: Uint8Array): void {
    let added = piece;
    for (let last = this.#pieces.at(-1); last !== undefined; last = this.#pieces.at(-1)) {
      if (last.length > added.length || last.length >= SMALL_PIECE_BYTES) break;
      this.#pieces.pop();
      added = concatBytes(last, added);
    }
    this.#pieces.push(added);
  }

  #announced(): number {
    if ((this.#pieces[0]?.length ?? 0) < FRAME_HEAD_BYTES) this.#pieces = [this.#joined()];
    const first = this.#pieces[0] ?? new Uint8Array(FRAME_HEAD_BYTES);
    return new DataView(first.buffer, first.byteOffset, first.length).getUint32(0);
  }

  #joined(): Uint8Array {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first !== undefined ? first : concatBytes(...this.#pieces);
  }
}
