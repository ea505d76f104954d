// The types of the client for programs, made from the endpoint table: plain TypeScript that needs neither the table nor its schema library.
import type { TSchema } from "typebox";
import { APP_ENDPOINTS, type AppEndpoint } from "#shared/apps/api/apps-endpoints.ts";

type Schema = Readonly<Record<string, unknown>>;

const HEAD = "// Made of the endpoint table for programs by `npm run openapi`: do not edit.\n";

/** Text of client/api-types.ts, deterministic: same table, same text. */
export function createClientTypes(): string {
  const named = new Map<string, string>();
  const table = Object.entries(APP_ENDPOINTS as Readonly<Record<string, AppEndpoint>>).map(([operation, endpoint]) => {
    const { params, query, body, response, route } = endpoint;
    const types = `params: ${typeOf(params, named)}; query: ${typeOf(query, named)}; body: ${typeOf(body, named)}; response: ${typeOf(response, named)}`;
    return { operation, types, route: `["${route[0]}", "${route[1]}"]` };
  });
  const interfaces = [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  const operations = table.map(({ operation, types }) => `  readonly ${operation}: { ${types} };`);
  const routes = table.map(({ operation, route }) => `  ${operation}: ${route},`);
  return [
    HEAD,
    ...interfaces,
    "/** Every operation with what it takes and gives. */",
    "export interface Operations {",
    ...operations,
    "}\n",
    "/** Method and path of each. */",
    'export const ROUTES: { readonly [K in keyof Operations]: readonly [method: "GET" | "POST" | "DELETE", path: string] } = {',
    ...routes,
    "};\n",
  ].join("\n");
}

/** Type of a schema; objects with a title become interfaces of that name. */
function typeOf(schema: TSchema, named: Map<string, string>): string {
  const fields = schema as unknown as Schema;
  const { title, type } = fields;
  if (typeof title !== "string" || type !== "object") return inline(fields, named);
  if (!named.has(title)) {
    named.set(title, "");
    named.set(title, `export interface ${title} ${objectOf(fields, named, "\n")}\n`);
  }
  return title;
}

function inline(schema: Schema, named: Map<string, string>): string {
  const {
    type,
    anyOf,
    enum: words,
    items,
    patternProperties,
  } = schema as {
    readonly type?: string;
    readonly anyOf?: readonly TSchema[];
    readonly enum?: readonly unknown[];
    readonly items?: TSchema;
    readonly patternProperties?: Readonly<Record<string, TSchema>>;
  };
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (anyOf !== undefined) return [...new Set(anyOf.map((schemaOf) => typeOf(schemaOf, named)))].join(" | ");
  switch (type) {
    case "array":
      return `ReadonlyArray<${items === undefined ? "unknown" : typeOf(items, named)}>`;
    case "object": {
      const [value] = Object.values(patternProperties ?? {});
      return value === undefined ? objectOf(schema, named, " ") : `Readonly<Record<string, ${typeOf(value, named)}>>`;
    }
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return type;
    default:
      return "unknown";
  }
}

function objectOf(schema: Schema, named: Map<string, string>, separator: string): string {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly required?: readonly string[];
  };
  const lines = Object.entries(properties).map(([name, property]) => {
    const { description } = property as unknown as { readonly description?: string };
    const note = description === undefined || separator === " " ? "" : `  /** ${description} */\n`;
    const isRequired = required.includes(name);
    const type = typeOf(property, named);
    const indent = separator === " " ? "" : "  ";
    return `${note}${indent}readonly ${name}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`;
  });
  return lines.length === 0 ? "Readonly<Record<never, never>>" : `{${separator}${lines.join(separator)}${separator}}`;
}
