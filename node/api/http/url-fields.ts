// Fields of a URL are texts: integers among them become numbers here, strictly, and too large limits are cut. Bodies are never coerced.
import type { TSchema } from "typebox";
import { CLAMP_KEYWORD } from "#shared/api/endpoint.ts";

/** Turns the texts of a path or query into what the schema asks for. A text that is no integer stays one, and validation names it. */
export type UrlFieldReader = (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>;

const INTEGER = /^-?\d+$/;

/** Reader for the properties of an object schema. */
export function createUrlFieldReader(schema: TSchema): UrlFieldReader {
  const maxima = new Map(
    Object.entries(propertiesOf(schema))
      .filter(([, property]) => property.type === "integer")
      .map(([name, property]) => [name, Number(property[CLAMP_KEYWORD] ?? Number.MAX_SAFE_INTEGER)]),
  );
  return (fields) => {
    const read: Record<string, unknown> = { ...fields };
    for (const [name, maximum] of maxima) {
      const text = fields[name];
      if (typeof text === "string" && INTEGER.test(text)) read[name] = Math.min(Number(text), maximum);
    }
    return read;
  };
}

/** Names of the properties of an object schema. */
export function fieldNames(schema: TSchema): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

function propertiesOf(schema: TSchema): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { properties = {} } = schema as { readonly properties?: ReturnType<typeof propertiesOf> };
  return properties;
}
