// Every failure as a JSON object with one text, `error`. What went wrong inside is in the log only.
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from "fastify";
import type { Log } from "#node/observability/log.ts";
import { api } from "#shared/api/api.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODE_HEADER } from "#shared/errors/error-code-header.ts";
import { describeFailure, type Failure, retrySecondsOf } from "../failures.ts";

const JSON_TYPE = "application/json; charset=utf-8";
/** Errors of the HTTP parser that have a status of their own. */
const MALFORMED: Readonly<Record<string, Failure>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: "The request took too long to arrive" },
  HPE_HEADER_OVERFLOW: { status: 431, text: "The headers of the request are too large" },
};
const ROUTES = [...Object.values(api), ...Object.values(rawEndpoints)].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`),
}));

/** Error handler of the server. */
export function createErrorHandler(log: Log): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const { status, text } = describeFailure(error);
    const retrySeconds = error instanceof CodedError ? retrySecondsOf(error) : undefined;
    if (retrySeconds !== undefined && !reply.hasHeader("retry-after")) reply.header("retry-after", retrySeconds);
    if (status === 500) log.error({ err: error, method: request.method, path: pathOf(request) }, "A request failed");
    // A gateway tells by it a node that has no room for one mailbox from one that is away: both are a 503.
    if (isCodedError(error, "RELAY_FULL")) reply.header(ERROR_CODE_HEADER, error.code);
    reply.code(status).type(JSON_TYPE).send({ error: text });
  };
}

/** Response to bytes that are no HTTP request, of which there is no request object to reply to. */
export function respondMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, text } = MALFORMED[error.code ?? ""] ?? { status: 400, text: "The request is not HTTP/1.1" };
  const body = JSON.stringify({ error: text });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}

/** Response to a path or method that does not exist: 405 for a known path, 404 otherwise. */
export function respondNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(request);
  const methods = [...new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
  if (methods.length > 0 && !methods.some((method) => method === request.method)) {
    reply
      .code(405)
      .header("allow", methods.join(", "))
      .send({ error: `${path.slice(0, 200)} takes ${methods.join(", ")} only` });
    return;
  }
  reply.code(404).send({ error: `There is no ${request.method} ${path.slice(0, 200)}` });
}

/** Path without the query, which may hold a token. */
function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** Sentence for the first field that a schema refuses. */
export function describeInvalidInput(errors: readonly FastifySchemaValidationError[], place: string): Error {
  const [first] = errors;
  const field = (first?.instancePath ?? "").slice(1).replaceAll("/", ".");
  const subject = field === "" ? (place === "body" ? "The body" : "The request") : field;
  return new CodedError("BAD_REQUEST", `${subject} ${first?.message ?? "is malformed"}`);
}
