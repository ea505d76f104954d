// Requests over plain HTTP, which is how commands reach a node of this machine: loading the runtime's fetch takes longer than most commands
// run. What plain HTTP does not do, TLS, redirections and the proxy of an environment, is left to fetch.
import type { IncomingMessage } from "node:http";
import type { HttpFetch, HttpRequest, HttpResponse } from "#shared/api/client.ts";

/** Silence of a node that ends a request, ms: as long as the runtime's fetch waits. */
const MOST_SILENT_MS = 300_000;

/** As fetch. @throws whatever made it fail: no connection, an aborted signal, an answer that breaks off. */
export const plainFetch: HttpFetch = async (url, request) => {
  if (!url.startsWith("http://") || usesProxy()) return await fetch(url, request as RequestInit);
  const response = await answerOf(url, request);
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400 && response.headers.location !== undefined) {
    response.destroy();
    return await fetch(url, request as RequestInit);
  }
  return { status, text: () => textOf(response) } satisfies HttpResponse;
};

/** True where the runtime was started so that it takes the proxy that the environment names (`NODE_USE_ENV_PROXY`). */
function usesProxy(): boolean {
  const { globalAgent } = process.getBuiltinModule("node:http");
  return (globalAgent as unknown as { readonly options: { readonly proxyEnv?: object } }).options.proxyEnv !== undefined;
}

function answerOf(url: string, { method, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
  // An import of this module by name would load fetch with it, for the names that it exports.
  const http = process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      headers,
      agent: false,
      timeout: MOST_SILENT_MS,
      ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
    });
    request.once("response", resolve).on("error", reject);
    request.once("timeout", () => request.destroy(new Error("The node does not answer")));
    // With another protocol, which is no answer, the connection ends without an error.
    request.once("close", () => reject(new Error("The node sent no answer")));
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}
