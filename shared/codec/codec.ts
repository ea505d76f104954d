// One definition of an encoded value: its encoder, its bounded decoder and its type. A record is an array of its fields in their order:
//
//   const payment = record({ payer: hex(32), amountUt: integer(1), memo: textUpTo(256), paidAt: optional(integer()) });
//   type Payment = TypeOf<typeof payment>; // { readonly payer: string; readonly amountUt: number; … }
//   const bytes = encode(payment, { payer, amountUt: 5, memo: "", paidAt: undefined }); // 84 5820… 05 60 f6
//   const value = decode(payment, bytes); // throws on any other bytes than `encode` gives
//
// Where an interface with comments exists, `const payment: Codec<Payment> = …` holds the definition to it. The decoder reads by the
// definition: a bound is checked on the head of an item, before anything is built for it, and an item out of place ends it.
// The encoder refuses what the decoder would: a value out of bounds is a defect of the program that has it.
import { CborReader, type ShapeLimits } from "./cbor-reader.ts";
import { CborWriter } from "./cbor-writer.ts";

/** How a value is written in bytes. */
export interface Codec<T> {
  /** Items that it takes, one after the other: one but for the parts of a record. */
  readonly width: number;
  /** Reads the value at the position of the reader. @throws TypeError on anything else. */
  readonly read: (reader: CborReader) => T;
  /** Appends the value. @throws RangeError or TypeError when it is out of bounds. */
  readonly write: (writer: CborWriter, value: T) => void;
}

/** Any codec: what a definition is made of. */
export interface AnyCodec {
  readonly width: number;
  readonly read: (reader: CborReader) => unknown;
  readonly write: (writer: CborWriter, value: never) => void;
}

/** The type of the values of a codec. */
export type TypeOf<C extends AnyCodec> = ReturnType<C["read"]>;

/** A codec of one item. */
export function codec<T>(read: Codec<T>["read"], write: Codec<T>["write"], width = 1): Codec<T> {
  return { width, read, write };
}

/** Bytes of a value. @throws RangeError or TypeError when it is out of bounds. */
export function encode<T>({ write }: Codec<T>, value: T): Uint8Array {
  return CborWriter.encode((writer) => write(writer, value));
}

/**
 * The value of bytes that hold it and nothing else. With `limits`, their shape is bounded first, also where the definition takes anything.
 * @throws TypeError or RangeError on any other bytes.
 */
export function decode<T>({ read }: Codec<T>, bytes: Uint8Array, limits?: ShapeLimits): T {
  if (limits !== undefined) finish(new CborReader(bytes, limits), (reader) => reader.skip());
  return finish(new CborReader(bytes), read);
}

/** The value of bytes, or undefined when they are anything else. */
export function tryDecode<T>(of: Codec<T>, bytes: Uint8Array, limits?: ShapeLimits): T | undefined {
  try {
    return decode(of, bytes, limits);
  } catch {
    return undefined;
  }
}

function finish<T>(reader: CborReader, read: (reader: CborReader) => T): T {
  const value = read(reader);
  if (!reader.isAtEnd) throw new TypeError("More bytes follow the value");
  return value;
}
