// The first hook of every request, also of WebSocket upgrades: rate, Host, Origin, foreign pages, token, in this order.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "#shared/api/endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import type { ResolvedApiOptions } from "../options.ts";
import { addressGroup, isLocalRequest } from "./client-address.ts";
import { createHostCheck, type HostCheck } from "./host-check.ts";
import { valueRequests } from "./json-cost.ts";
import { LargeBodies } from "./large-bodies.ts";
import { corsHeaders, createOriginCheck, type OriginCheck, PREFLIGHT_HEADERS } from "./origin-check.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { RefusalPause } from "./refusal-pause.ts";
import { bearerToken, createTokenCheck, type TokenCheck } from "./token-check.ts";

/** What a route is: `open` ones never need a token (the files of the interface). */
export type RouteAccess = Access | "open";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Serves the interface: its files have a rate of their own. */
    isInterface?: boolean;
    /** For gateways of the node's operator, which count their clients themselves: those that hold a secret of the node are not counted here. */
    isForGateways?: boolean;
  }
}

/** What the guard decides about callers. */
export type CallerRights = Pick<AccessGuard, "isOwn" | "looksLocal" | "isExempt" | "chargeBody">;

/** Bytes of a body or of a response that count as one request. docs/limits.md lists it. */
export const REQUEST_BYTES = 65_536;

/** One for all: in a flood, the stack of each would cost as much as all else. */
const TOO_MANY = new CodedError("RATE_LIMITED", "Too many requests from this address: wait a moment and try again");

/** The same for large transactions, of which more wait than blocks take soon. */
const TOO_MANY_LARGE = new CodedError("LARGE_LIMIT", "More large transactions wait than blocks take soon: try again in a moment");

/** Values of Sec-Fetch-Site of requests that a browser makes for a page of another origin. */
const FOREIGN_PAGE: ReadonlySet<unknown> = new Set(["cross-site", "same-site"]);

/** Decides about requests. */
export class AccessGuard {
  readonly #options: ResolvedApiOptions;
  readonly #isHostAllowed: HostCheck;
  readonly #originOf: OriginCheck;
  readonly #isTokenRight: TokenCheck;
  readonly #isSecretRight: TokenCheck;
  readonly #rates: RateLimiter;
  readonly #files: RateLimiter;
  readonly #pause: RefusalPause;
  readonly #large: LargeBodies;
  readonly #clock: Clock;

  constructor(options: ResolvedApiOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#large = new LargeBodies(options.limits);
    this.#isHostAllowed = createHostCheck(options);
    this.#originOf = createOriginCheck(options.allowedOrigins);
    this.#isTokenRight = createTokenCheck(options.token);
    this.#isSecretRight = options.localSecret === undefined ? (): boolean => false : createTokenCheck(options.localSecret);
    this.#rates = new RateLimiter(options.limits, clock);
    this.#files = new RateLimiter({ ...options.limits, requestBurst: options.limits.fileBurst }, clock);
    this.#pause = new RefusalPause({ limits: options.limits, timers: hostTimers, trustedProxies: options.trustedProxies });
  }

  /** Passes the request on, answers a preflight (true), or throws. @throws CodedError RATE_LIMITED, FORBIDDEN or UNAUTHORIZED. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean {
    const waitMs = this.takeRate(request);
    if (waitMs > 0) this.#pause.begin(request.raw.socket);
    assertRate(waitMs, reply);
    const { host, origin } = request.headers;
    if (!this.#isHostAllowed(host)) {
      const name = String(host).slice(0, 80);
      throw new CodedError("FORBIDDEN", `This node does not answer to the host "${name}": its owner can allow it with SVC_ALLOWED_HOSTS`);
    }
    const requestOrigin = this.#originOf(origin, host);
    if (requestOrigin === "foreign" || (requestOrigin === "none" && this.#isOfForeignPage(request)))
      throw new CodedError(
        "FORBIDDEN",
        "Web pages of another origin cannot use this node: its owner can allow them with SVC_ALLOWED_ORIGINS",
      );
    if (requestOrigin === "allowed" && origin !== undefined) {
      reply.headers(corsHeaders(origin));
      if (isPreflight(request)) {
        reply.code(204).headers(PREFLIGHT_HEADERS).send();
        return true;
      }
    }
    this.#checkToken(request, reply);
    if (this.#isLargeTooSoon(request)) {
      this.#pause.begin(request.raw.socket);
      throw TOO_MANY_LARGE;
    }
    return false;
  }

  /** A large transaction of this sender found no room: the next one of its address may come after a moment. */
  refuseLarge(request: FastifyRequest, refusal: CodedError): void {
    // Else who goes on sending would keep the others of the address waiting without end.
    if (refusal !== TOO_MANY_LARGE && !this.isOwn(request)) this.#large.refuse(addressGroup(request.ip), this.#clock.monotonicMs());
  }

  #isLargeTooSoon(request: FastifyRequest): boolean {
    if (request.method !== "POST" || request.routeOptions.config.access !== "write" || this.isOwn(request)) return false;
    return this.#large.isTooSoon(addressGroup(request.ip), request.headers, this.#clock.monotonicMs());
  }

  /**
   * Takes one request of the sender's rate: 0 when it may continue, else the time to wait, ms. A page fetches some hundred files once it is
   * idle: where they took the rate of requests, the page itself would be refused.
   */
  takeRate(request: FastifyRequest): number {
    if (this.isExempt(request)) return 0;
    const isFile = request.routeOptions.config.isInterface === true;
    return isFile ? this.#files.take(addressGroup(request.ip)) : this.#rates.take(addressGroup(request.ip));
  }

  /** Counts a large response as one request for each {@link REQUEST_BYTES}, where the sender's rate counts. */
  charge(request: FastifyRequest, bytes: number): void {
    if (!this.isExempt(request)) this.#rates.charge(addressGroup(request.ip), Math.floor(bytes / REQUEST_BYTES));
  }

  /** Counts a body in the same way before there is work on it; `more` are the requests that this work counts as. @throws CodedError RATE_LIMITED */
  chargeBody(request: FastifyRequest, { bytes, more = 0 }: { readonly bytes: number; readonly more?: number }): void {
    const waitMs = this.#spend(request, Math.floor(bytes / REQUEST_BYTES) + more);
    if (waitMs > 0) this.#pause.begin(request.raw.socket);
    assertRate(waitMs);
  }

  /** Takes one frame of the sender's rate, and counts a large one as more: 0 when it may be read, else the time to wait, ms. */
  takeFrame(request: FastifyRequest, text: string): number {
    return this.takeRate(request) || this.#spend(request, Math.floor(text.length / REQUEST_BYTES) + valueRequests(text));
  }

  #spend(request: FastifyRequest, requests: number): number {
    // Nearly no body counts as more than its request: whose it is need not be found out once more.
    return requests < 1 || this.isExempt(request) ? 0 : this.#rates.spend(addressGroup(request.ip), requests);
  }

  /** True for a caller whose rate is not counted. */
  isExempt(request: FastifyRequest): boolean {
    if ((!this.#options.limitsLoopback && this.#isOfThisMachine(request)) || this.isOwn(request)) return true;
    return request.routeOptions.config.isForGateways === true && this.holdsSecret(request);
  }

  /** True for a request that looks like one of a program on this machine; a proxy may look like that too. */
  looksLocal(request: FastifyRequest): boolean {
    return this.#options.hasLocalPrograms && this.#isOfThisMachine(request);
  }

  #isOfThisMachine(request: FastifyRequest): boolean {
    return isLocalRequest(request) && !this.#options.trustedProxies.includes(request.socket.remoteAddress ?? "");
  }

  /** True for a program of the node's owner: it carries the secret of this start, or the token of a node that is open to no one else. */
  isOwn(request: FastifyRequest): boolean {
    const given = tokenOf(request);
    if (given === undefined) return false;
    const { openPart, token } = this.#options;
    return this.#isSecretRight(given) || (openPart === "chain" && token !== undefined && this.#isTokenRight(given));
  }

  /** True for a caller that has shown a secret of this node, which must have one. */
  holdsSecret(request: FastifyRequest): boolean {
    return this.isOwn(request) || (this.#options.token !== undefined && this.#isTokenRight(tokenOf(request)));
  }

  /** True when the request may write. */
  mayWrite(request: FastifyRequest): boolean {
    const { token, openPart } = this.#options;
    if (token === undefined && openPart === "all") return true;
    return this.isOwn(request) || (token !== undefined && this.#isTokenRight(tokenOf(request)));
  }

  /** True when the request may use mailboxes and their topics. */
  mayUseMailboxes(request: FastifyRequest): boolean {
    return this.#options.openPart === "all" || this.isOwn(request);
  }

  /** Browsers send no Origin for pictures, scripts and links of a page, but where the page is from. */
  #isOfForeignPage(request: FastifyRequest): boolean {
    return (
      FOREIGN_PAGE.has(request.headers["sec-fetch-site"]) &&
      request.routeOptions.config.access !== "open" &&
      bearerToken(request.headers.authorization) === undefined
    );
  }

  /** @throws CodedError UNAUTHORIZED without the secret of this start, FORBIDDEN with it from elsewhere than this machine. */
  #assertOwner(request: FastifyRequest, reply: FastifyReply): void {
    const given = tokenOf(request);
    if (given === undefined || !this.#isSecretRight(given)) {
      reply.header("www-authenticate", "Bearer");
      throw new CodedError(
        "UNAUTHORIZED",
        "Only programs of the node's user may ask this: they send the secret of endpoint.json as their token",
      );
    }
    if (!this.looksLocal(request)) throw new CodedError("FORBIDDEN", "This is for programs of the node's own machine");
  }

  #checkToken(request: FastifyRequest, reply: FastifyReply): void {
    const { token, isPrivate, openPart } = this.#options;
    if (request.routeOptions.config.access === "owner") {
      this.#assertOwner(request, reply);
      return;
    }
    if (token === undefined && openPart === "all") return;
    const access = request.routeOptions.config.access ?? "read";
    const isNeeded = access === "write" || (access === "mailbox" && openPart === "chain") || (isPrivate && access !== "open");
    if (!isNeeded || this.mayWrite(request)) return;
    reply.header("www-authenticate", "Bearer");
    throw new CodedError("UNAUTHORIZED", "This node needs its API token: send the header Authorization: Bearer <token>");
  }
}

/** @throws CodedError RATE_LIMITED when there is a time to wait */
function assertRate(waitMs: number, reply?: FastifyReply): void {
  if (waitMs === 0) return;
  reply?.header("retry-after", String(Math.ceil(waitMs / 1000)));
  throw TOO_MANY;
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}

function tokenOf(request: FastifyRequest): string | undefined {
  const bearer = bearerToken(request.headers.authorization);
  if (bearer !== undefined || request.routeOptions.config.access !== "socket") return bearer;
  const { token } = request.query as { readonly token?: unknown };
  return typeof token === "string" ? token : undefined;
}
