// The gateway for programs: HTTP over a socket that only this user's programs reach. It parses, limits and forwards; it holds no key, meets
// no peer and never listens on a port.
import { chmodSync } from "node:fs";
import { type FastifyInstance, fastify } from "fastify";
import { describeInvalidInput } from "#node/api/http/error-responses.ts";
import { lazyCompilers } from "#node/api/http/lazy-validation.ts";
import { endStalledReaders } from "#node/api/http/stalled-readers.ts";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { registerGateway } from "./compose-gateway.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./gateway-limits.ts";
import { createAppErrorHandler, respondNoHttp } from "./http/app-errors.ts";
import { AppGuard } from "./http/app-guard.ts";
import { AppRates } from "./http/app-rates.ts";
import { createCallerCheck } from "./http/caller-checks.ts";
import type { GatewayServices } from "./services.ts";
import { OpenSockets } from "./socket/open-sockets.ts";

/** A gateway that serves. */
export interface Gateway {
  /** Ends streams and sockets, and takes the socket's file away. Safe to call twice. */
  close(): Promise<void>;
}

/** Where it listens, and what may be changed of its limits. */
export interface GatewayOptions {
  readonly endpoint: AppsEndpoint;
  /** A port of the loopback interface in place of the socket; the endpoint then has a secret. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** File of the places in events, in a folder of this user alone. */
  readonly placesFile: string;
  readonly limits?: Partial<GatewayLimits>;
}

/** Starts the gateway at a place that was prepared. @throws CodedError ADDRESS_IN_USE */
export async function startGateway(options: GatewayOptions, services: GatewayServices): Promise<Gateway> {
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const { socket, secret } = options.endpoint;
  const app = createApp(limits, services);
  const sockets = new OpenSockets(app.server, limits);
  const stopWatching = endStalledReaders(app.server, limits, () => services.clock.monotonicMs());
  const rates = new AppRates(limits, services.clock);
  const guard = new AppGuard({ keyring: services.keyring.api, checkCaller: createCallerCheck(secret), rates, sockets });
  app.addHook("onRequest", (request, reply) => guard.admit(request, reply));
  app.addHook("onSend", async (_request, reply) => {
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
  });
  app.setNotFoundHandler(({ method, url }) => {
    throw new CodedError("NOT_FOUND", `There is no ${method} ${url.split("?", 1)[0]?.slice(0, 200)}`);
  });
  const stop = registerGateway(app, guard, {
    ...{ services, limits, placesFile: options.placesFile },
    onEnded: (connection) => sockets.end(connection),
  });
  app.addHook("onClose", async () => {
    stop();
    stopWatching();
  });
  if (options.listen === undefined) await listen(app, socket);
  else await listenOnLoopback(app, options.listen, secret);
  return { close: () => close(app, limits.closeTimeoutMs) };
}

function createApp(limits: GatewayLimits, { log }: GatewayServices): FastifyInstance {
  const onError = createAppErrorHandler(log);
  const app = fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    http: {
      optimizeEmptyRequests: true,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: limits.paramChars },
    schemaController: { compilersFactory: lazyCompilers },
    schemaErrorFormatter: describeInvalidInput,
    frameworkErrors: onError,
    clientErrorHandler: respondNoHttp,
  });
  app.setErrorHandler(onError);
  app.removeAllContentTypeParsers();
  // A body is JSON whatever its type says: no page reaches this, and small clients name none.
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : JSON.parse(body as string));
    } catch {
      done(new CodedError("BAD_REQUEST", "The body is not valid JSON"));
    }
  });
  return app;
}

async function listen(app: FastifyInstance, socket: string): Promise<void> {
  try {
    await app.listen({ path: socket });
  } catch (cause) {
    throw new CodedError("ADDRESS_IN_USE", `Programs cannot be served at ${socket}: end what uses it`, { cause });
  }
  // Its folder is closed already; a socket that is moved out of it stays closed too.
  if (process.platform !== "win32") chmodSync(socket, 0o600);
}

async function listenOnLoopback(
  app: FastifyInstance,
  { host, port }: NonNullable<GatewayOptions["listen"]>,
  secret: string | null,
): Promise<void> {
  if (secret === null || !["127.0.0.1", "::1"].includes(host))
    throw new CodedError("INVARIANT", "A port is of the loopback interface, with a secret");
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw new CodedError("ADDRESS_IN_USE", `Programs cannot be served at ${host}:${port}: choose another port`, { cause });
  }
}

async function close(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
