// Holds every response that a test receives to the OpenAPI document: status, media type, and the schema of the body.
import { Compile } from "typebox/compile";
import type { Json, JsonObject } from "#shared/api/json.ts";
import { createOpenApiDocument } from "#shared/api/openapi.ts";

/** A response as it came over the wire. */
export interface ReceivedResponse {
  readonly method: string;
  /** Path with its query, or a whole URL. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

interface Operation {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, JsonObject>>;
}

const document = createOpenApiDocument();
const operations = readOperations();
const checks = new Map<Json, ReturnType<typeof Compile>>();
/** Statuses that the framework gives before a route is found, or to a caller who may not use it; all in the error shape. */
const GENERAL_STATUSES = [400, 401, 403, 404, 405, 413, 414, 415, 426, 429, 500, 503];
/** Paths of the interface and its documentation, which hold files. */
const API_PATHS = /^\/(?:api|relay|v2|metrics)(?:\/|$)/;

/** @throws Error that names what the document does not say of the response. */
export function assertDocumented(received: ReceivedResponse): void {
  const { pathname } = new URL(received.url, "http://node");
  if (!API_PATHS.test(pathname) || !["GET", "POST", "DELETE"].includes(received.method)) return;
  const operation = operations.find(({ method, pattern }) => method === received.method && pattern.test(pathname));
  const response = namedResponse(operation?.responses[String(received.status)]) ?? generalResponse(received);
  const content = (response.content ?? {}) as Readonly<Record<string, JsonObject>>;
  const mediaType = received.contentType.split(";")[0] ?? "";
  const media = content[mediaType];
  if (media === undefined) throw undocumented(received, `its media type is ${mediaType}, not ${Object.keys(content).join(" or ")}`);
  if (mediaType !== "application/json" || media.schema === undefined) return;
  const [error] = checkOf(media.schema).Errors(JSON.parse(received.body));
  if (error !== undefined) throw undocumented(received, `${error.instancePath} ${error.message}: ${received.body.slice(0, 300)}`);
}

/** A response, or the one that a reference names. */
function namedResponse(response: JsonObject | undefined): JsonObject | undefined {
  const { $ref } = response ?? {};
  if (typeof $ref !== "string") return response;
  const { responses } = document.components as unknown as { readonly responses: Readonly<Record<string, JsonObject>> };
  return responses[$ref.slice($ref.lastIndexOf("/") + 1)];
}

function generalResponse(received: ReceivedResponse): JsonObject {
  if (!GENERAL_STATUSES.includes(received.status)) throw undocumented(received, "its status is not documented");
  return { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
}

function undocumented({ method, url, status }: ReceivedResponse, reason: string): Error {
  return new Error(`The answer ${status} to ${method} ${url} is not the documented one: ${reason}`);
}

function readOperations(): readonly Operation[] {
  const paths = document.paths as unknown as Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Operation["responses"] }>>>
  >;
  const all = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`),
      responses,
    })),
  );
  // A path without parameters wins over one with.
  return all.sort((a, b) => a.template.split("{").length - b.template.split("{").length);
}

function checkOf(schema: Json): ReturnType<typeof Compile> {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = Compile(resolve(schema) as object);
  checks.set(schema, check);
  return check;
}

/** The schema with every reference replaced by what it refers to, and without room for fields that it does not name. */
function resolve(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(resolve);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...fields } = schema as JsonObject;
  if (typeof $ref !== "string") {
    const resolved = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, resolve(value)]));
    const isClosed = fields.type === "object" && fields.properties !== undefined && fields.patternProperties === undefined;
    return isClosed ? { additionalProperties: false, ...resolved } : resolved;
  }
  const { schemas } = document.components as unknown as { readonly schemas: Readonly<Record<string, Json>> };
  const target = schemas[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (target === undefined) throw new Error(`${$ref} does not exist`);
  return resolve(target);
}
