// /swagger: a page of our own that lists the endpoints, and the machine-readable description that it reads.
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { createOpenApiDocument } from "#shared/api/openapi.ts";
import { pageHeaders } from "./interface-files.ts";

const FILES = [
  { path: "/swagger", file: "index.html", type: "text/html; charset=utf-8" },
  { path: "/swagger/page.js", file: "page.js", type: "text/javascript; charset=utf-8" },
  { path: "/swagger/page.css", file: "page.css", type: "text/css; charset=utf-8" },
] as const;

/** Registers the page and the document, which a private node shows to holders of its token alone. */
export function registerDocsPage(app: FastifyInstance, isPrivate: boolean): void {
  const document = JSON.stringify(createOpenApiDocument());
  app.route({
    method: "GET",
    url: "/swagger/openapi.json",
    config: { access: "read" },
    handler: (_request, reply) => {
      reply.type("application/json; charset=utf-8").send(document);
    },
  });
  for (const { path, file, type } of FILES) {
    const text = readFileSync(new URL(`./docs/${file}`, import.meta.url), "utf8");
    app.route({
      method: "GET",
      url: path,
      // Links of other sites may lead to it where it is public.
      config: { access: isPrivate ? "read" : "open" },
      handler: (request, reply) => {
        reply.headers(pageHeaders(request.headers.host, path)).header("cache-control", "no-cache").type(type).send(text);
      },
    });
  }
}
