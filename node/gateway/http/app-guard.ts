// The first hook of every request, before its body is read: page or program, rate, token, scope, in this order.
import type { FastifyReply, FastifyRequest } from "fastify";
import { bearerToken } from "#node/api/security/token-check.ts";
import type { AppEndpoint } from "#shared/apps/api/apps-endpoints.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { AppsKeyring } from "../services.ts";
import type { OpenSockets } from "../socket/open-sockets.ts";
import type { AppRates } from "./app-rates.ts";
import type { CallerCheck } from "./caller-checks.ts";

/** Who sends a request. */
export interface AppCaller {
  readonly token: string;
  readonly connection: ConnectionView | undefined;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the operation of a route asks for; absent where there is none. */
    appAccess?: Pick<AppEndpoint, "access" | "isMoney">;
  }
}

/** What the guard looks at. */
export interface AppGuardDependencies {
  readonly keyring: Pick<AppsKeyring["api"], "authenticate">;
  readonly checkCaller: CallerCheck;
  readonly rates: AppRates;
  readonly sockets: OpenSockets;
}

/** Decides about requests. */
export class AppGuard {
  readonly #dependencies: AppGuardDependencies;
  readonly #callers = new WeakMap<FastifyRequest, AppCaller>();

  constructor(dependencies: AppGuardDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws CodedError FORBIDDEN, RATE_LIMITED, APP_TOKEN_INVALID, APP_ENDED, APP_SCOPE, APP_LOCKED */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { checkCaller, rates, sockets } = this.#dependencies;
    checkCaller(request.headers);
    const token = bearerToken(request.headers.authorization);
    rates.take(sockets.nameOf(request.raw.socket), token);
    const { appAccess } = request.routeOptions.config;
    if (appAccess === undefined || appAccess.access === "none") return;
    if (token === undefined) {
      reply.header("www-authenticate", "Bearer");
      throw new CodedError("APP_TOKEN_INVALID", "Send the token of the connection: Authorization: Bearer <token>");
    }
    const connection = appAccess.access === "secret" ? undefined : await this.#authenticate(request, token, appAccess);
    this.#callers.set(request, { token, connection });
  }

  /** Who sent a request that was admitted. */
  callerOf(request: FastifyRequest): AppCaller {
    return this.#callers.get(request) ?? { token: "", connection: undefined };
  }

  async #authenticate(
    request: FastifyRequest,
    token: string,
    { access, isMoney }: Pick<AppEndpoint, "access" | "isMoney">,
  ): Promise<ConnectionView> {
    const { keyring, rates, sockets } = this.#dependencies;
    const connection = await keyring.authenticate({ token }).catch((error: unknown) => {
      if (isCodedError(error, "APP_TOKEN_INVALID", "APP_ENDED")) rates.forget(token);
      throw error;
    });
    rates.learn(token, connection.id);
    if (!sockets.claim(request.raw.socket, connection.id))
      throw new CodedError(
        "RATE_LIMITED",
        "This connection has too many sockets: close some, or send requests one after the other on them",
      );
    if (isMoney === true) rates.takeMoney(connection.id);
    if (access !== "token" && !hasScope(connection, access))
      throw new CodedError("APP_SCOPE", `This connection does not have the scope ${access}: a new request can ask for it`, {
        details: { scope: access },
      });
    return connection;
  }
}

/** True when one of the scopes, in their normal form, has the name. */
export function hasScope({ scopes }: Pick<ConnectionView, "scopes">, name: string): boolean {
  return scopes.some((scope) => scope === name || scope.startsWith(`${name}:`));
}
