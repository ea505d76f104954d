// How records of the state are read. Another shape is a broken invariant: only execution writes records.
import { type Codec, decode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** The record of a value of the state. @throws CodedError INVARIANT on any other bytes. */
export function decodeRecord<T>(codec: Codec<T>, value: Uint8Array): T {
  try {
    return decode(codec, value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError("INVARIANT", `A state record has another shape: ${reason}`, { cause });
  }
}
