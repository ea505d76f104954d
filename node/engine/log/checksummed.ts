// Bytes with a CRC-32 behind them, for small files that are read back after a crash.
import { crc32 } from "node:zlib";
import { concatBytes } from "#shared/util/bytes.ts";

const CHECKSUM_BYTES = 4;

/** The bytes and their checksum. */
export function withChecksum(body: Uint8Array): Uint8Array {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  return concatBytes(body, checksum);
}

/** The bytes of {@link withChecksum}. @throws Error when the checksum differs. */
export function checkedBody(bytes: Uint8Array): Uint8Array {
  const body = bytes.subarray(0, -CHECKSUM_BYTES);
  if (Buffer.from(bytes.subarray(-CHECKSUM_BYTES)).readUInt32LE() !== crc32(body)) throw new TypeError("The checksum differs");
  return body;
}
