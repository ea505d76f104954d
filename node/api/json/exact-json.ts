// JSON of answers with 64-bit integers: bigints become their digits, which JSON can hold and a JavaScript number cannot.
import type { EndpointDefinition } from "#shared/api/endpoint.ts";

/** The part of JSON that the language's types do not know yet. */
interface RawJson {
  rawJSON(text: string): unknown;
}

/** Writer of the responses of an endpoint. */
export function jsonWriterOf({ hasBigIntegers }: EndpointDefinition): (response: unknown) => string {
  return hasBigIntegers === true ? writeExactJson : JSON.stringify;
}

/** JSON text of a value whose bigints are integers. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value, exactInteger);
}

function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? (JSON as unknown as RawJson).rawJSON(String(value)) : value;
}
