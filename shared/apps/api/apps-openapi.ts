// OpenAPI 3.1 document of the interface for programs, made from its table.
import type { Json, JsonObject } from "#shared/api/json.ts";
import { asRecord, parametersOf, refer } from "#shared/api/schemas/document-schemas.ts";
import { AppErrorBody } from "./app-schemas.ts";
import { APP_ENDPOINTS, type AppEndpoint } from "./apps-endpoints.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const VERSION = "1";
const DESCRIPTION =
  "Served on a Unix socket of the user, on Windows on a named pipe, and never on a port: its place is `apps.socket` of endpoint.json. " +
  "Requests carry `Host: parley`, and on Windows `x-parley-secret` with `apps.secret` of that file; any with `Origin` or `Sec-Fetch-*` is " +
  "refused. Amounts ending in _ut are integers of µT (1 T = 1,000,000 µT). Every error is {error, code, details}.";
const STATUS_WORDS: Readonly<Record<number, string>> = {
  202: "Taken, and not decided yet",
  402: "The account cannot pay all that it costs",
  404: "This connection has nothing under that name",
  409: "The idempotency key was used for another request",
  410: "The program's own time for it is over",
};
/** Errors that every operation may have, by status. */
const EVERYWHERE: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: "BadRequest", description: "The request is malformed" },
  401: { name: "NoConnection", description: "APP_TOKEN_INVALID or APP_ENDED: ask again" },
  403: { name: "Refused", description: "FORBIDDEN, APP_SCOPE, APP_LIMIT or APP_DENIED" },
  413: { name: "TooLarge", description: "The body is too large" },
  423: { name: "Locked", description: "APP_LOCKED: details say whether keyring or wallet is locked, or the connection rests" },
  429: { name: "TooManyRequests", description: "RATE_LIMITED or APP_SILENCED: `Retry-After` says when to come back" },
  500: { name: "ParleyFailed", description: "Parley failed; its log says why" },
  503: { name: "Unavailable", description: "UNAVAILABLE or MESSENGER_UNAVAILABLE: try again in a moment" },
};
const TAGS = {
  Connection: "Asking, this connection, its token",
  Money: "Payments, calls, own transactions, history",
  Invoices: "Invoices of this connection",
  Messages: "Messages and contacts that the person chose",
  Events: "What happened, at least once",
} as const;
const EXAMPLES = { key: "payout-2026-11-0001" } as const;
const LICENSE: Json = { name: "MIT", identifier: "MIT" };

/** The whole document, deterministic: same table, same text. */
export function createAppsDocument(): JsonObject {
  const components = new Map<string, Json>();
  const paths: Record<string, Record<string, Json>> = {};
  for (const [operation, endpoint] of Object.entries(APP_ENDPOINTS as Readonly<Record<string, AppEndpoint>>)) {
    const [method, route] = endpoint.route;
    const path = route.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, endpoint, components) };
  }
  const responses = Object.entries(EVERYWHERE).map(([, { name, description }]) => [name, { description, ...errorContent(components) }]);
  const names = [...components.keys()].sort();
  return {
    openapi: "3.1.0",
    info: { title: "Parley for programs", version: VERSION, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: "http://parley", description: "The socket of endpoint.json; the name is never looked up" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(names.map((name) => [name, components.get(name) ?? null])),
      responses: Object.fromEntries(responses) as JsonObject,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "parley_app_…, of a connection" },
        secret: { type: "http", scheme: "bearer", description: "Of the request, which POST /apps/requests gave" },
      },
    },
  };
}

function operationOf(operation: string, endpoint: AppEndpoint, components: Map<string, Json>): Json {
  const { route, summary, access, params, query, body, response, statuses, errors, isStream = false } = endpoint;
  const content: Json = { [isStream ? STREAM_TYPE : JSON_TYPE]: { schema: refer(response, components) } };
  const ok = statuses.length === 1 && operation === "openRequest" ? statuses : [200, ...statuses];
  const own = errors.filter((status) => EVERYWHERE[status] === undefined);
  return {
    operationId: operation,
    tags: [tagOf(route[1])],
    summary,
    description: ACCESS_WORDS[access] ?? `With the scope ${access}.`,
    parameters: [...parametersOf(params, "path", components, EXAMPLES), ...parametersOf(query, "query", components, EXAMPLES)],
    ...(asRecord(body).type === "undefined"
      ? {}
      : { requestBody: { required: true, content: { [JSON_TYPE]: { schema: refer(body, components) } } } }),
    responses: {
      ...Object.fromEntries(ok.map((status) => [String(status), { description: STATUS_WORDS[status] ?? "OK", content }])),
      ...Object.fromEntries(
        own.map((status) => [String(status), { description: STATUS_WORDS[status] ?? "Error", ...errorContent(components) }]),
      ),
      ...Object.fromEntries(Object.entries(EVERYWHERE).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }])),
    },
    security: access === "none" ? [{}] : [{ [access === "secret" ? "secret" : "token"]: [] }],
  };
}

const ACCESS_WORDS: Readonly<Record<string, string>> = {
  none: "Without a token.",
  secret: "With the secret of the request.",
  token: "With the token of any connection.",
};

function tagOf(path: string): keyof typeof TAGS {
  if (/\/(?:payments|calls|transactions|history)/.test(path)) return "Money";
  if (path.includes("/invoices")) return "Invoices";
  if (/\/(?:messages|contacts)/.test(path)) return "Messages";
  return path.includes("/events") ? "Events" : "Connection";
}

function errorContent(components: Map<string, Json>): JsonObject {
  return { content: { [JSON_TYPE]: { schema: refer(AppErrorBody, components) } } };
}
