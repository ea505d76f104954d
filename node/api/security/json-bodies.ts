// Bodies of requests: JSON alone, counted before it is parsed.
import type { FastifyInstance } from "fastify";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AccessGuard } from "./access-guard.ts";
import { valueRequests } from "./json-cost.ts";

/**
 * Parser of bodies, which are JSON whatever their type says, as of clients that name none; an empty body is none. Pages of other origins,
 * whose browsers send some types without asking, were refused before.
 */
export function registerJsonParser(app: FastifyInstance, guard: Pick<AccessGuard, "chargeBody">): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
    if (body === "") {
      done(null, undefined);
      return;
    }
    const text = body as string;
    try {
      guard.chargeBody(request, { bytes: text.length, more: valueRequests(text) });
      done(null, parsed(text));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CodedError("BAD_REQUEST", "The body is not valid JSON");
  }
}
