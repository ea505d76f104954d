// A file whose bytes are made as they are read, with how it was read.

import type { OutgoingFile } from "#shared/messenger/model/message.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";

/** A source with what was asked of it. */
export interface WatchedSource extends ByteSource {
  /** Bytes of the largest part that was read. */
  largest: number;
  /** Most readings at the same time. */
  together: number;
  /** Where each reading began. */
  readonly starts: number[];
  /** Waited for before each reading. */
  gate: () => Promise<void>;
}

/** Byte of a watched source at a position. */
export function byteAt(position: number): number {
  return (position * 7 + (position >> 8)) & 255;
}

/** A source of so many bytes. */
export function watchedSource(size: number): WatchedSource {
  let open = 0;
  const source: WatchedSource = {
    size,
    largest: 0,
    together: 0,
    starts: [],
    gate: async () => undefined,
    read: async (start, end) => {
      open += 1;
      source.together = Math.max(source.together, open);
      source.largest = Math.max(source.largest, end - start);
      source.starts.push(start);
      await source.gate();
      open -= 1;
      return Uint8Array.from({ length: end - start }, (_, index) => byteAt(start + index));
    },
  };
  return source;
}

/** It as a file to send. */
export function watchedFile(bytes: ByteSource): OutgoingFile<ByteSource> {
  return { name: "film.mkv", mediaType: "video/x-matroska", bytes, caption: "", image: null };
}
