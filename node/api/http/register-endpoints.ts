// Registers every endpoint of the table: fields of the URL are read, input validated, the handler called, the response serialised.
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { type Awaitable, isLater } from "#node/queries/awaitable.ts";
import { type Api, api, type Operation } from "#shared/api/api.ts";
import { type AnyEndpoint, NoFields } from "#shared/api/endpoint.ts";
import { hasBody } from "#shared/api/openapi.ts";
import { jsonWriterOf } from "../exact-json.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { JsonText } from "../json-text.ts";
import { HttpContext } from "./http-context.ts";
import { ResponseBatch } from "./response-batch.ts";
import { createUrlFieldReader } from "./url-fields.ts";

const JSON_TYPE = "application/json; charset=utf-8";

type AnyHandler = (input: Readonly<Record<string, unknown>>, context: RequestContext) => Awaitable<unknown>;

/** Registers all routes of the table. */
export function registerEndpoints(app: FastifyInstance, handlers: Handlers): void {
  const batch = new ResponseBatch();
  for (const operation of Object.keys(api) as Operation[]) {
    app.route(routeOf((api as Api)[operation], handlers[operation] as AnyHandler, batch));
  }
}

function routeOf(endpoint: AnyEndpoint, handler: AnyHandler, batch: ResponseBatch): RouteOptions {
  const write = jsonWriterOf(endpoint);
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
      const response = handler(inputOf(request, hasQuery), new HttpContext(request, reply));
      // Most responses are there at once: waiting for them would cost as much as finding them.
      if (isLater(response)) response.then(send).catch((error: unknown) => reply.send(error));
      else send(response);
    },
  };
}

function inputOf(request: FastifyRequest, hasQuery: boolean): Readonly<Record<string, unknown>> {
  return { ...(request.params as object), ...(hasQuery ? (request.query as object) : {}), body: request.body };
}
