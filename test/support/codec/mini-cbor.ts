// A second encoder of deterministic CBOR (RFC 8949 §4.2.1), written by hand, for checking the first. All but maps and floats.

/** Bytes of a value. */
export function miniCbor(value: unknown): Buffer {
  if (value === null) return Buffer.of(0xf6);
  if (value === false || value === true) return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === "number") return value >= 0 ? head(0, BigInt(value)) : head(1, -1n - BigInt(value));
  if (value instanceof Uint8Array) return Buffer.concat([head(2, BigInt(value.length)), value]);
  if (typeof value === "string") return Buffer.concat([head(3, BigInt(Buffer.byteLength(value))), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, BigInt(value.length)), ...value.map(miniCbor)]);
  throw new TypeError(`No form for ${typeof value}`);
}

function head(major: number, argument: bigint): Buffer {
  const type = major << 5;
  if (argument < 24n) return Buffer.of(type | Number(argument));
  for (const [code, bytes] of [
    [24, 1],
    [25, 2],
    [26, 4],
  ] as const) {
    if (argument < 1n << BigInt(8 * bytes)) {
      const out = Buffer.alloc(1 + bytes);
      out[0] = type | code;
      out.writeUIntBE(Number(argument), 1, bytes);
      return out;
    }
  }
  const out = Buffer.alloc(9);
  out[0] = type | 27;
  out.writeBigUInt64BE(argument, 1);
  return out;
}
