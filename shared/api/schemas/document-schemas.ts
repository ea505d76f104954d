// Schemas in an OpenAPI document: those with a title become named components.
import type { TSchema } from "typebox";
import type { Json } from "../json.ts";
import { PARAMETER_EXAMPLES } from "./examples.ts";
import { DOCUMENTED_WORDS } from "./primitives.ts";

/** Parameters of a path or query, each with what is known of it. */
export function parametersOf(
  schema: TSchema,
  location: "path" | "query",
  components: Map<string, Json>,
  examples: Readonly<Record<string, Json>> = PARAMETER_EXAMPLES,
): readonly Json[] {
  const { properties = {}, required = [] } = asRecord(schema) as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = toJson(property, components) as Record<string, Json>;
    const example = examples[name];
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      schema: rest,
    };
  });
}

/** Reference to a titled schema (registering it), or the schema itself. */
export function refer(schema: TSchema, components: Map<string, Json>): Json {
  const { title } = asRecord(schema);
  if (typeof title !== "string") return toJson(schema, components);
  if (!components.has(title)) {
    components.set(title, null);
    components.set(title, toJson(schema, components));
  }
  return { $ref: `#/components/schemas/${title}` };
}

function toJson(schema: TSchema, components: Map<string, Json>): Json {
  const { title: _, ...fields } = asRecord(schema);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name === DOCUMENTED_WORDS ? "enum" : name, fieldOf(name, value, components)]),
  );
}

function fieldOf(name: string, value: unknown, components: Map<string, Json>): Json {
  if (name === "properties" || name === "patternProperties") {
    const entries = Object.entries(value as Readonly<Record<string, TSchema>>);
    return Object.fromEntries(entries.map(([property, schema]) => [property, refer(schema, components)]));
  }
  if (name === "items") return refer(value as TSchema, components);
  if (name === "anyOf") return (value as readonly TSchema[]).map((schema) => refer(schema, components));
  return value as Json;
}

/** A schema as the JSON that it is. */
export function asRecord(schema: TSchema): Readonly<Record<string, unknown>> {
  return schema as unknown as Readonly<Record<string, unknown>>;
}
