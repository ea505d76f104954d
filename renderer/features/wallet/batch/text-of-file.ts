// The text of a file that a spreadsheet saved: UTF-8, or what Windows wrote before it. Pure.

/** Reads what is UTF-8 as such, what begins as UTF-16 as that, and anything else as Windows-1252, in which every byte is a character. */
export function textOfFile(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isUtf16) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
