// Makes the in-process requests of tests check what they get against the OpenAPI document.
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { assertDocumented } from "./documented-response.ts";

/** Replaces `inject` of a server by one that also throws on a response that is not documented. */
export function checkInjected(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>;
  const checked = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    const { method = "GET", url = "/" } = typeof options === "string" ? { url: options } : options;
    const contentType = String(response.headers["content-type"] ?? "");
    assertDocumented({ method: method.toUpperCase(), url: String(url), status: response.statusCode, contentType, body: response.body });
    return response;
  };
  app.inject = checked as unknown as FastifyInstance["inject"];
}
