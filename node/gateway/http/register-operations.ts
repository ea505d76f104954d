// Registers the operations of the table for programs.
import type { FastifyInstance, FastifyReply, RouteOptions } from "fastify";
import { createUrlFieldReader } from "#node/api/http/url-fields.ts";
import { NoFields } from "#shared/api/endpoint.ts";
import { APP_ENDPOINTS, type AppEndpoint, type AppOperation } from "#shared/apps/api/apps-endpoints.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { AppGuard } from "./app-guard.ts";
import type { AnsweredOperation, AppHandlers } from "./app-handlers.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const STREAM: AppOperation = "streamEvents";

interface AnyCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly token: string;
  readonly connection: ConnectionView;
}
type AnyHandler = (call: AnyCall) => Promise<{ readonly status?: number; readonly body: unknown }>;

/** Registers all routes but the stream of events. */
export function registerOperations(
  app: FastifyInstance,
  handlers: AppHandlers,
  { guard, limits }: { readonly guard: AppGuard; readonly limits: Pick<GatewayLimits, "bodyBytes" | "messageBodyBytes"> },
): void {
  for (const operation of Object.keys(APP_ENDPOINTS) as AppOperation[]) {
    if (operation === STREAM) continue;
    const route = routeOf(operation, handlers[operation as AnsweredOperation] as unknown as AnyHandler, guard);
    app.route({ ...route, bodyLimit: operation === "sendMessage" ? limits.messageBodyBytes : limits.bodyBytes });
  }
}

/** What fastify is given of an endpoint besides its handler. */
export function routeOptions(operation: AppOperation): Omit<RouteOptions, "handler"> {
  const endpoint: AppEndpoint = APP_ENDPOINTS[operation];
  const { route, params, query, body, access, isMoney } = endpoint;
  const readQuery = createUrlFieldReader(query);
  return {
    method: route[0],
    url: route[1],
    config: { appAccess: { access, ...(isMoney === undefined ? {} : { isMoney }) } },
    schema: {
      ...(params === NoFields ? {} : { params }),
      ...(query === NoFields ? {} : { querystring: query }),
      ...(isUndefined(body) ? {} : { body }),
    },
    preValidation: (request, _reply, done): void => {
      request.query = readQuery(request.query as Record<string, unknown>);
      done();
    },
  };
}

function routeOf(operation: AppOperation, handler: AnyHandler, guard: AppGuard): RouteOptions {
  return {
    ...routeOptions(operation),
    handler: async (request, reply): Promise<FastifyReply> => {
      const { token, connection } = guard.callerOf(request);
      const { params, query, body } = request;
      const call: AnyCall = {
        ...{ params, query, body, token },
        get connection(): ConnectionView {
          if (connection === undefined) throw new CodedError("INVARIANT", `${operation} has no connection`);
          return connection;
        },
      };
      const response = await handler(call);
      return await reply
        .code(response.status ?? 200)
        .type(JSON_TYPE)
        .send(JSON.stringify(response.body));
    },
  };
}

function isUndefined(schema: unknown): boolean {
  return (schema as { readonly type?: unknown }).type === "undefined";
}
