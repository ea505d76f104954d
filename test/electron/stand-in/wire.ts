// Values between the main process and the preload script's world: JSON with bytes, as structured cloning would keep them.

/** Text of a value. */
export function encodeWire(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Uint8Array ? { $bytes: Buffer.from(part).toString("base64") } : part === undefined ? null : part,
  );
}

/** Value of a text. */
export function decodeWire(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) =>
    typeof part === "object" && part !== null && "$bytes" in part ? new Uint8Array(Buffer.from(String(part.$bytes), "base64")) : part,
  );
}
