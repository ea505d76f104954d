// Changes to encoded bytes, such as a careless or hostile writer makes.
import fc from "fast-check";
import { concatBytes } from "#shared/util/bytes.ts";

/** Bytes that begin items, close them or stand for longer forms of what is there. */
const HEADS = [
  0x00, 0x17, 0x18, 0x19, 0x1b, 0x20, 0x38, 0x40, 0x41, 0x58, 0x60, 0x61, 0x78, 0x80, 0x81, 0x82, 0x98, 0x9f, 0xa0, 0xa1, 0xb8, 0xbf,
];
const OTHERS = [0xc0, 0xef, 0xbb, 0xbf, 0xf4, 0xf5, 0xf6, 0xf7, 0xf9, 0xfb, 0xff];
const byte = fc.oneof(fc.constantFrom(...HEADS, ...OTHERS), fc.nat(255));

interface Change {
  readonly at: number;
  readonly kind: "set" | "add" | "insert" | "remove" | "repeat" | "cut" | "append";
  readonly byte: number;
  readonly length: number;
}

/** One to three changes. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.nat(400),
    kind: fc.constantFrom("set", "add", "insert", "remove", "repeat", "cut", "append"),
    byte,
    length: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The bytes after the changes. */
export function changed(bytes: Uint8Array, list: readonly Change[]): Uint8Array {
  return list.reduce(changedOnce, bytes);
}

function changedOnce(bytes: Uint8Array, { at, kind, byte, length }: Change): Uint8Array {
  const start = bytes.length === 0 ? 0 : at % bytes.length;
  const [front, back] = [bytes.subarray(0, start), bytes.subarray(start)];
  switch (kind) {
    case "set":
      return concatBytes(front, Uint8Array.of(byte), back.subarray(1));
    case "add":
      return concatBytes(front, Uint8Array.of(((back[0] ?? 0) + length - 5) & 0xff), back.subarray(1));
    case "insert":
      return concatBytes(front, Uint8Array.of(byte), back);
    case "remove":
      return concatBytes(front, back.subarray(length));
    case "repeat":
      return concatBytes(front, back.subarray(0, length), back);
    case "cut":
      return front;
    case "append":
      return concatBytes(bytes, Uint8Array.of(byte));
  }
}
