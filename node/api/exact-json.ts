// JSON of answers with 64-bit integers: bigints become their digits, which JSON can hold and a JavaScript number cannot.

/** The part of JSON that the language's types do not know yet. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/** JSON text of a value whose bigints are integers. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value, exactInteger);
}

function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? (JSON as unknown as RawJson).rawJSON(String(value)) : value;
}
