// Every failure as {error, code, details}, and when to come back. What went wrong inside is in the log only.
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "#node/observability/log.ts";
import { CodedError, type ErrorDetails } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const INTERNAL_TEXT = "Parley failed; its log says why";
/** Where nothing else says it. */
const RETRY_SECONDS = 1;
/** Codes of statuses that the server itself gives. */
const FRAMEWORK_CODES: Readonly<Record<number, ErrorCode>> = {
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};
/** Errors of the HTTP parser that have a status of their own. */
const MALFORMED: Readonly<Record<string, Failure>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "BAD_REQUEST", error: "The request took too long to arrive", details: {} },
  HPE_HEADER_OVERFLOW: { status: 431, code: "BAD_REQUEST", error: "The headers of the request are too large", details: {} },
};
const NO_HTTP: Failure = { status: 400, code: "BAD_REQUEST", error: "The request is not HTTP/1.1", details: {} };

interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly error: string;
  readonly details: ErrorDetails;
}

/** Status and public words of any error. */
export function describeAppFailure(error: unknown): Failure {
  if (error instanceof CodedError) {
    const { status, code, message, details } = error;
    // Codes of 500 are about this machine: not for programs.
    return status === 500 ? internal() : { status, code, error: message, details };
  }
  const { statusCode, message } = error as Partial<FastifyError>;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return internal();
  return {
    status: statusCode,
    code: FRAMEWORK_CODES[statusCode] ?? "BAD_REQUEST",
    error: message ?? "The request is malformed",
    details: {},
  };
}

/** Error handler of the server. */
export function createAppErrorHandler(log: Log): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const { status, ...body } = describeAppFailure(error);
    if (status === 500) log.error({ err: error, method: request.method, route: request.routeOptions.url }, "A request of a program failed");
    if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", String(retrySeconds(body.details)));
    // What comes behind a body that was not read cannot be distinguished from it; who is too fast begins again with a new socket.
    if (status === 413 || status === 429) reply.header("connection", "close");
    reply.code(status).type(JSON_TYPE).send(body);
  };
}

/** Response to bytes that are no HTTP request. */
export function respondNoHttp(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...failure } = MALFORMED[error.code ?? ""] ?? NO_HTTP;
  const body = JSON.stringify(failure);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}

/** The gateway says it in milliseconds, the keyring in seconds. */
function retrySeconds({ retryAfterMs, retryAfterS }: ErrorDetails): number {
  const seconds = typeof retryAfterMs === "number" ? retryAfterMs / 1000 : retryAfterS;
  return typeof seconds === "number" ? Math.max(RETRY_SECONDS, Math.ceil(seconds)) : RETRY_SECONDS;
}

function internal(): Failure {
  return { status: 500, code: "INTERNAL", error: INTERNAL_TEXT, details: {} };
}
