// Where the bytes of a file come from: read part by part, so that a large one is never in memory whole.
import { concatBytes } from "./bytes.ts";

/** Bytes that can be read in parts. */
export interface ByteSource {
  /** Bytes of all of it. */
  readonly size: number;
  /** Bytes from `start` up to, without, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Bytes that are in memory. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** A file that comes in parts, for who reads it once, from its beginning to its end. @throws Error for any other reading. */
export function partsSource({ size, parts }: { readonly size: number; readonly parts: AsyncIterable<Uint8Array> }): ByteSource {
  const coming = parts[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  let at = 0;
  return {
    size,
    read: async (start, end): Promise<Uint8Array> => {
      if (start !== at) throw new Error("A file that comes in parts is read in order");
      const found = [rest];
      let length = rest.length;
      while (length < end - start) {
        const step = await coming.next();
        if (step.done === true) break;
        found.push(step.value);
        length += step.value.length;
      }
      // With the end of the file its digest is compared: reading on past the last part does that.
      if (end === size && (await coming.next()).done !== true) throw new Error("The file is longer than it says");
      const bytes = concatBytes(...found);
      at = end;
      rest = bytes.slice(end - start);
      return bytes.subarray(0, end - start);
    },
  };
}
