// Typed HTTP client over the routes of the endpoint table. Runs anywhere with fetch; the fetch function is an argument.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { Input, Operation, Output } from "./api.ts";
import { ROUTES } from "./routes.ts";

/** The part of a fetch response that the client reads. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The part of fetch that the client uses. */
export type HttpFetch = (url: string, init: HttpRequest) => Promise<HttpResponse>;

export interface HttpRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignalLike | undefined;
}

/** Anything that fetch takes as its signal. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

/** What a client needs to know of its node. */
export interface ClientOptions {
  /** Root address without a trailing slash; "" for the page's own origin. */
  readonly baseUrl: string;
  readonly fetch: HttpFetch;
  /** API token, sent as a bearer token. */
  readonly token?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignalLike;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One method per operation of the table. @throws CodedError: the node's error in words, or UNAVAILABLE when it cannot be reached. */
export type NodeClient = { readonly [K in Operation]: (input: Input<K>, options?: CallOptions) => Promise<Output<K>> };

/** Error of a response that was not 200. `retryAfterS` in its details, seconds: when to ask again, where the node says so. */
export class HttpError extends CodedError {
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string, retryAfter?: string | null) {
    const retryAfterS = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : undefined;
    super(codeOfStatus(httpStatus), message, { details: { status: httpStatus, ...(retryAfterS !== undefined && { retryAfterS }) } });
    this.name = "HttpError";
    this.httpStatus = httpStatus;
  }
}

/** Digits enough for an integer beyond 2^53; most responses have none and are parsed without a second look. */
const LONG_INTEGER = /\d{16}/;

/** What a call asks of the node. */
export type CallRequest = Pick<HttpRequest, "method" | "body"> & { readonly path: string };

export function createNodeClient(options: ClientOptions): NodeClient {
  const methods = (Object.keys(ROUTES) as Operation[]).map((operation) => [operation, callOf(operation, options)] as const);
  return Object.fromEntries(methods) as unknown as NodeClient;
}

/** Method, path with query and JSON body of a call. */
export function requestOf(operation: Operation, input: Readonly<Record<string, unknown>>): CallRequest {
  const [method, template] = ROUTES[operation];
  const names = new Set<string>(["body"]);
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    names.add(name);
    return encodeURIComponent(String(input[name]));
  });
  const query = Object.entries(input)
    .filter(([name, value]) => !names.has(name) && value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
  // Without a body there is no text of it either, whatever the type of the function says.
  const body: string | undefined = JSON.stringify(input.body);
  return { method, path: query === "" ? path : `${path}?${query}`, body };
}

function callOf(
  operation: Operation,
  options: ClientOptions,
): (input: Readonly<Record<string, unknown>>, call?: CallOptions) => Promise<unknown> {
  return async (input, call = {}) => {
    const { method, path, body } = requestOf(operation, input);
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...call.headers,
    };
    const response = await reach(options, path, { method, headers, body, signal: call.signal });
    const text = await textOf(options, response, call.signal);
    if (response.status !== 200)
      throw new HttpError(response.status, errorText(text, response.status), response.headers?.get("retry-after"));
    return parseResponse(text);
  };
}

async function reach(options: ClientOptions, path: string, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await options.fetch(`${options.baseUrl}${path}`, request);
  } catch (cause) {
    if (request.signal?.aborted || cause instanceof CodedError) throw cause;
    throw new CodedError("UNAVAILABLE", `The node at ${options.baseUrl || "this address"} cannot be reached`, { cause });
  }
}

async function textOf(options: ClientOptions, response: HttpResponse, signal: AbortSignalLike | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new CodedError("UNAVAILABLE", `The node at ${options.baseUrl || "this address"} broke off its answer`, { cause });
  }
}

/** Value of the JSON of a response, with integers as they were written. @throws CodedError UPSTREAM_FAILED for a text that is no JSON. */
export function parseResponse(text: string): unknown {
  try {
    return LONG_INTEGER.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text);
  } catch (cause) {
    throw new CodedError("UPSTREAM_FAILED", "The node's answer is not JSON", { cause });
  }
}

/** Integers that a number cannot hold become bigints, by the digits they were written with. */
function exactInteger(_key: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown {
  if (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value) || context?.source === undefined) return value;
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

function errorText(text: string, status: number): string {
  try {
    const value = JSON.parse(text) as { readonly error?: unknown };
    return typeof value.error === "string" ? value.error : `The node answered ${status}`;
  } catch {
    return `The node answered ${status}`;
  }
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    410: "HISTORY_PRUNED",
    413: "PAYLOAD_TOO_LARGE",
    429: "RATE_LIMITED",
    502: "UPSTREAM_FAILED",
    503: "UNAVAILABLE",
  };
  return codes[status] ?? (status >= 500 ? "INTERNAL" : "BAD_REQUEST");
}
