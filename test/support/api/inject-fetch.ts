// A fetch function for the typed client that reaches a server without a socket.
import type { FastifyInstance } from "fastify";
import type { HttpFetch } from "#shared/api/client.ts";

/** Sends requests into the server; a path is all there is to their URL. */
export function injectFetch(app: FastifyInstance): HttpFetch {
  return async (url, { method, headers, body }) => {
    const response = await app.inject({
      method: method as "GET" | "POST" | "DELETE",
      url,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, text: () => Promise.resolve(response.body) };
  };
}
