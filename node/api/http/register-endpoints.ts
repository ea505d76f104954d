// Registers every endpoint of the table: fields of the URL are read, input validated, the handler called, the response serialised.
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { type Awaitable, isLater } from "#node/queries/awaitable.ts";
import { type Api, api, type Operation } from "#shared/api/api.ts";
import { type AnyEndpoint, NoFields } from "#shared/api/endpoint.ts";
import { hasBody } from "#shared/api/openapi.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { jsonWriterOf } from "../json/exact-json.ts";
import { JsonText } from "../json/json-text.ts";
import type { CallerRights } from "../security/access-guard.ts";
import { HttpContext } from "./http-context.ts";
import { ResponseBatch } from "./response-batch.ts";
import { createUrlFieldReader, fieldNames } from "./url-fields.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** Name of the body in the input of a handler. */
const BODY = "body";
const JSON_TYPE = "application/json; charset=utf-8";

type AnyHandler = (input: Readonly<Record<string, unknown>>, context: RequestContext) => Awaitable<unknown>;

/** Registers all routes of the table. */
export function registerEndpoints(app: FastifyInstance, handlers: Handlers, { guard: rights, waiting }: EndpointGuards): void {
  const batch = new ResponseBatch();
  for (const operation of Object.keys(api) as Operation[]) {
    app.route(routeOf((api as Api)[operation], handlers[operation] as AnyHandler, { batch, rights, waiting }));
  }
}

/** What stands before every endpoint. */
export interface EndpointGuards {
  readonly guard: CallerRights;
  readonly waiting: WaitingBytes;
}

interface Surroundings {
  readonly batch: ResponseBatch;
  readonly rights: CallerRights;
  readonly waiting: WaitingBytes;
}

function routeOf(endpoint: AnyEndpoint, handler: AnyHandler, { batch, rights, waiting }: Surroundings): RouteOptions {
  const write = jsonWriterOf(endpoint);
  const inputOf = createInputReader(endpoint);
  const hasParams = endpoint.params !== NoFields;
  const hasQuery = endpoint.query !== NoFields;
  const readParams = createUrlFieldReader(endpoint.params);
  const readQuery = createUrlFieldReader(endpoint.query);
  return {
    method: endpoint.method,
    url: endpoint.path,
    config: { access: endpoint.access },
    schema: {
      ...(hasParams ? { params: endpoint.params } : {}),
      ...(hasQuery ? { querystring: endpoint.query } : {}),
      ...(hasBody(endpoint) ? { body: endpoint.body } : {}),
    },
    ...(hasParams || hasQuery
      ? {
          preValidation: (request, _reply, done): void => {
            if (hasParams) request.params = readParams(request.params as Record<string, unknown>);
            if (hasQuery) request.query = readQuery(request.query as Record<string, unknown>);
            done();
          },
        }
      : {}),
    handler: (request, reply): void => {
      const send = (response: unknown): void => {
        reply.type(JSON_TYPE);
        batch.add(reply, response instanceof JsonText ? response.text : write(response));
      };
      const context = new HttpContext(request, reply, rights);
      // Nothing is done for an address that does not read what it has got.
      if (waiting.total > 0) waiting.assertRoom(context, 0);
      const response = handler(inputOf(request), context);
      // Most responses are there at once: waiting for them would cost as much as finding them.
      if (isLater(response)) response.then(send).catch((error: unknown) => reply.send(error));
      else send(response);
    },
  };
}

/** The fields that the endpoint names, and no others. What the path says stands, whatever the query calls its fields. */
function createInputReader({ params, query }: AnyEndpoint): (request: FastifyRequest) => Readonly<Record<string, unknown>> {
  const ofPath = fieldNames(params);
  const ofQuery = fieldNames(query).filter((name) => name !== BODY && !ofPath.includes(name));
  return (request) => {
    const input: Record<string, unknown> = { [BODY]: request.body };
    take(input, request.query, ofQuery);
    take(input, request.params, ofPath);
    return input;
  };
}

function take(input: Record<string, unknown>, fields: unknown, names: readonly string[]): void {
  for (const name of names) {
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) input[name] = value;
  }
}
