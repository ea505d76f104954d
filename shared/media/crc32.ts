// CRC-32 as PNG chunks carry it (ISO 3309, polynomial 0xEDB88320 reflected).

/** Checksum of the bytes, an unsigned 32-bit integer. Bit by bit: it is for a few dozen bytes at a time. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
