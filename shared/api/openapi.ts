// OpenAPI 3.1 document of the endpoint table. Schemas with a title become named components.
import { api } from "./api.ts";
import { type AnyEndpoint, NoFields } from "./endpoint.ts";
import type { Json, JsonObject } from "./json.ts";
import { type RawEndpoint, rawEndpoints } from "./raw-endpoints.ts";
import { asRecord, parametersOf, refer } from "./schemas/document-schemas.ts";
import { COMPONENT_EXAMPLES } from "./schemas/examples.ts";
import { ErrorBody } from "./schemas/primitives.ts";
import { FRAME_SCHEMAS } from "./socket/frames.ts";
import { API_TITLE, API_VERSION } from "./version.ts";

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request is malformed or refused",
  404: "Nothing is stored under that name",
  410: "The node does not hold blocks that old",
  413: "The body is too large",
  415: "The body is of another type",
  426: "The path takes WebSocket connections only",
  502: "A server that the node asked did not answer as expected",
  503: "The node cannot serve this now",
};
/** Errors that every operation may have, by status. */
const EVERYWHERE: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  401: { name: "Unauthorized", description: "The API token is missing or wrong" },
  403: { name: "Forbidden", description: "Host, Origin or page is not allowed, or the proof of a mailbox is missing" },
  429: { name: "TooManyRequests", description: "Too many requests of one address: `Retry-After` says when to come back" },
  500: { name: "NodeFailed", description: "The node failed; its log says why" },
};
/** What the operations of a tag are about, in the order of the document. */
const TAGS = {
  Chain: "Blocks, transactions, accounts and validators",
  "Chain v2": "An ordered feed of an account, submission in several encodings, drafts to sign",
  Identity: "Published names and encryption keys, devices",
  Relay: "Mailboxes of sealed envelopes, relays",
  Contacts: "Contact requests, received and sent",
  Contracts: "Contracts with their state and logs, calls without a transaction",
  Tokens: "Tokens of the native contract",
  NFTs: "NFTs of the native contract",
  Channels: "Payment channels",
  Proofs: "Proofs of state and of transactions against signed blocks",
  Search: "What a text may name",
  Node: "The node and its network",
  Media: "Pictures without their metadata",
  "Real-time": "Pushes over WebSocket and server-sent events",
} as const;
const SERVERS: Json = [
  { url: "/", description: "The node that serves this document" },
  {
    url: "http://{address}",
    description: "A node",
    variables: { address: { default: "127.0.0.1:8080", description: "Host and port: --stats-addr of the node" } },
  },
];
const LICENSE: Json = { name: "MIT", identifier: "MIT" };
const DESCRIPTION =
  "Amounts ending in _ut are integers of µT (1 T = 1,000,000 µT). Every error is a JSON object with one text, `error`. " +
  "Real-time pushes: GET /api/ws, whose frames are the schemas ClientFrame and NodeFrame, and GET /api/events, whose data is StreamEvent.";

/** The whole document, deterministic: same table, same text. */
export function createOpenApiDocument(): JsonObject {
  const components = new Map<string, Json>();
  const paths: Record<string, Record<string, Json>> = {};
  for (const [operation, endpoint] of Object.entries(api as Readonly<Record<string, AnyEndpoint>>)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(operation, endpoint, components) };
  }
  for (const [operation, endpoint] of Object.entries(rawEndpoints))
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: rawOperationOf(operation, endpoint, components) };
  for (const schema of FRAME_SCHEMAS) refer(schema, components);
  const names = [...components.keys()].sort();
  return {
    openapi: "3.1.0",
    info: { title: API_TITLE, version: API_VERSION, description: DESCRIPTION, license: LICENSE },
    servers: SERVERS,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(names.map((name) => [name, withExample(name, components.get(name) ?? null)])),
      responses: Object.fromEntries(
        Object.values(EVERYWHERE).map(({ name, description }) => [name, { description, ...errorContent(components) }]),
      ),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "SVC_API_TOKEN of the node" } },
    },
  };
}

function operationOf(operation: string, endpoint: AnyEndpoint, components: Map<string, Json>): Json {
  const hasInput = endpoint.params !== NoFields || endpoint.query !== NoFields || hasBody(endpoint);
  const errors = [...(hasInput ? [400] : []), ...endpoint.errors];
  return {
    operationId: operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    parameters: [...parametersOf(endpoint.params, "path", components), ...parametersOf(endpoint.query, "query", components)],
    ...(hasBody(endpoint)
      ? { requestBody: { required: true, content: { "application/json": { schema: refer(endpoint.body, components) } } } }
      : {}),
    responses: {
      "200": { description: "OK", content: { "application/json": { schema: refer(endpoint.response, components) } } },
      ...errorResponses(errors, components),
    },
    security: [{}, { bearer: [] }],
  };
}

function rawOperationOf(operation: string, endpoint: RawEndpoint, components: Map<string, Json>): Json {
  return {
    operationId: operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    parameters: endpoint.parameters ?? [],
    ...(endpoint.requestBody === undefined ? {} : { requestBody: endpoint.requestBody }),
    responses: { ...endpoint.responses, ...errorResponses(endpoint.errors, components) },
    security: [{}, { bearer: [] }],
  };
}

function errorResponses(errors: readonly number[], components: Map<string, Json>): JsonObject {
  const error = errorContent(components);
  const own = errors.filter((status) => EVERYWHERE[status] === undefined);
  return {
    ...Object.fromEntries(own.map((status) => [String(status), { description: STATUS_WORDS[status] ?? "Error", ...error }])),
    ...Object.fromEntries(Object.entries(EVERYWHERE).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }])),
    default: { description: "413, 415 or 503, as the text says", ...error },
  };
}

function errorContent(components: Map<string, Json>): JsonObject {
  return { content: { "application/json": { schema: refer(ErrorBody, components) } } };
}

function withExample(title: string, schema: Json): Json {
  const example = COMPONENT_EXAMPLES[title];
  return example === undefined ? schema : { ...(schema as JsonObject), examples: [example] };
}

/** True when requests of the endpoint carry a JSON body. */
export function hasBody(endpoint: AnyEndpoint): boolean {
  return asRecord(endpoint.body).type !== "undefined";
}
