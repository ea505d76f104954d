// The HTTP server: every route of the endpoint table, the WebSocket, the interface and the documentation, behind one guard.
import { type FastifyInstance, fastify } from "fastify";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { registerEvents } from "./events/events-route.ts";
import type { Handlers } from "./handler-types.ts";
import { createHandlers } from "./handlers.ts";
import { capConnections } from "./http/connection-cap.ts";
import { registerDocsPage } from "./http/docs-page.ts";
import { createErrorHandler, describeInvalidInput, respondMalformed } from "./http/error-responses.ts";
import { registerInterface } from "./http/interface-files.ts";
import { isLarge, sendInSlices } from "./http/large-responses.ts";
import { lazyCompilers } from "./http/lazy-validation.ts";
import { registerMetrics } from "./http/metrics-route.ts";
import { registerChainFeed } from "./http/operator/chain-feed-route.ts";
import { registerClientNotices } from "./http/operator/client-notice-route.ts";
import { registerMailFeed } from "./http/operator/mail-feed-route.ts";
import { registerEndpoints } from "./http/register-endpoints.ts";
import { endStalledReaders } from "./http/stalled-readers.ts";
import { WaitingBytes } from "./http/waiting-bytes.ts";
import { type ApiOptions, type ResolvedApiOptions, resolveApiOptions } from "./options.ts";
import { withCachedReads } from "./reads/cached-reads.ts";
import { registerMediaRoutes } from "./routes/people/media.ts";
import { AccessGuard } from "./security/access-guard.ts";
import { registerJsonParser } from "./security/json-bodies.ts";
import { TrialBudget } from "./security/trial-budget.ts";
import type { ApiServices, SocketServices } from "./services.ts";
import { registerSocketServer } from "./websocket/socket-server.ts";

/** A server that can be started once. */
export interface ApiServer {
  /** The fastify instance, ready for `inject`. */
  readonly app: FastifyInstance;
  /** What answers its requests. */
  readonly handlers: Handlers;
  /** Listens; port 0 lets the system choose. @throws CodedError ADDRESS_IN_USE or CONFIG_INVALID in words. */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>;
  /** Ends connections in order and stops. */
  close(): Promise<void>;
}

/** What a server serves. */
export interface ServerParts {
  readonly services: SocketServices;
  /** Price of a search, for the budget of those who pay nothing. */
  readonly searchGas?: number | undefined;
  createHandlers(app: FastifyInstance, options: ResolvedApiOptions, budget: TrialBudget): Handlers;
  /** Registers what is beside the endpoint table. */
  registerRest(app: FastifyInstance, access: { readonly options: ResolvedApiOptions; readonly guard: AccessGuard }): void;
}

/** Builds the server over the node's services. */
export async function createApiServer(apiOptions: ApiOptions, services: ApiServices): Promise<ApiServer> {
  return await createServer(apiOptions, {
    services,
    searchGas: services.heavyReads?.searchGas,
    createHandlers: (app, options, budget) => rememberingHandlers(app, services, createHandlers(services, options, budget)),
    registerRest: (app, access): void => {
      registerMetrics(app, services, registerEvents(app, services, access));
      registerMailFeed(app, services, access.guard);
      registerClientNotices(app, services, access.guard);
      registerChainFeed(app, services, access.guard);
    },
  });
}

/** Builds a server of the same interface over other parts. */
export async function createServer(apiOptions: ApiOptions, parts: ServerParts): Promise<ApiServer> {
  const { services } = parts;
  const options = resolveApiOptions(apiOptions);
  const errorHandler = createErrorHandler(services.log);
  const app = createFastify(options, errorHandler);
  capConnections(app.server, options);
  const stopWatching = endStalledReaders(app.server, options.limits, () => services.clock.monotonicMs());
  const waiting = new WaitingBytes(options.limits);
  app.setErrorHandler(errorHandler);
  const guard = new AccessGuard(options, services.clock);
  registerJsonParser(app, guard);
  // Before the guard: the plugin's own hook must have seen an upgrade that the guard refuses, or its socket would stay open.
  const budget = new TrialBudget(options.limits, services.clock, parts.searchGas);
  await registerSocketServer(app, { services, options, guard, waiting, budget });
  app.addHook("onRequest", (request, reply, done) => {
    if (!guard.admit(request, reply)) done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    reply.header("x-content-type-options", "nosniff");
    reply.header("cross-origin-resource-policy", "same-origin");
    if (isLarge(payload)) sendInSlices({ request, reply, payload }, { waiting, guard }, done);
    else done(null, payload);
  });
  app.addHook("onError", (request, _reply, error, done) => {
    if (isCodedError(error, "LARGE_LIMIT")) guard.refuseLarge(request, error);
    done();
  });
  const handlers = parts.createHandlers(app, options, budget);
  registerEndpoints(app, handlers, { guard, waiting });
  registerMediaRoutes(app, guard);
  parts.registerRest(app, { options, guard });
  if (options.servesSwagger) registerDocsPage(app, options.isPrivate);
  await registerInterface(app, options.interfaceDir);
  app.addHook("onClose", (_app, done) => {
    stopWatching();
    done();
  });
  await app.ready();
  return {
    app,
    handlers,
    listen: (address) => listen(app, address),
    close: () => close(app, options.limits.closeTimeoutMs),
  };
}

/** With a cache of responses where every block is reported: a light node reports only those with subscribers. */
function rememberingHandlers(app: FastifyInstance, { node, events }: ApiServices, handlers: Handlers): Handlers {
  if (node.light !== undefined) return handlers;
  const reads = withCachedReads(handlers, events);
  app.addHook("onClose", (_app, done) => {
    reads.stop();
    done();
  });
  return reads.handlers;
}

/** A request that never ends would keep the server open: after a while its connection is cut. */
async function close(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

function createFastify(
  { limits, trustedProxies }: ResolvedApiOptions,
  errorHandler: ReturnType<typeof createErrorHandler>,
): FastifyInstance {
  return fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    // Saves the stream of a body that does not come.
    http: { optimizeEmptyRequests: true },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { maxParamLength: limits.paramChars },
    schemaController: { compilersFactory: lazyCompilers },
    schemaErrorFormatter: describeInvalidInput,
    frameworkErrors: errorHandler,
    clientErrorHandler: respondMalformed,
  });
}

async function listen(app: FastifyInstance, address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (cause) {
    throw listenError(address, cause);
  }
  const bound = app.server.address();
  return { port: typeof bound === "object" && bound !== null ? bound.port : address.port };
}

function listenError({ host, port }: { readonly host: string; readonly port: number }, cause: unknown): unknown {
  const { code } = cause as { readonly code?: string };
  const where = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return new CodedError("ADDRESS_IN_USE", `Port ${port} is taken by another program: stop it, or choose another with --stats-addr`, {
      cause,
    });
  if (code === "EACCES")
    return new CodedError("CONFIG_INVALID", `This user may not listen on ${where}: choose a port above 1023 with --stats-addr`, { cause });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new CodedError("CONFIG_INVALID", `${host} is no address of this machine: choose another with --stats-addr`, { cause });
  return cause;
}
