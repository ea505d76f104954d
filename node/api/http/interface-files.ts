// The built interface at `/`: its files, the page itself for every deep link, and the headers that fence it in.
import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { respondNotFound } from "./error-responses.ts";

const PAGE = "index.html";
/** Paths that never belong to the interface. */
const RESERVED = /^\/(?:api|relay|v2|swagger|metrics)(?:\/|$)/;
/** Files whose names carry a hash of their contents. */
const HASHED_ASSETS = "assets/";
/** The worker that derives keys from passwords in WebAssembly. */
const KEYRING_WORKER = /(?:^|\/)assets\/keyring-worker-[^/]+\.js$/;
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>
<p>The node runs, but its interface has not been built: run <code>npm run build</code> and start the node again.</p></html>
`;

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Nodes that a person may choose instead of this one: by TLS anywhere, without it on this machine only. Scripts stay this node's. */
const OTHER_NODES = "https: wss: http://127.0.0.1:* ws://127.0.0.1:* http://localhost:* ws://localhost:*";

/** Content security policy of the interface on a host. */
export function contentSecurityPolicy(host: string, extraScriptSource = ""): string {
  return [
    "default-src 'none'",
    `script-src 'self'${extraScriptSource}`,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src blob:",
    "font-src 'self'",
    `connect-src 'self' ws://${host} wss://${host} ${OTHER_NODES}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
}

/** Headers of a page or file of the interface. The host has passed the Host check. */
export function pageHeaders(host: string | undefined, path: string): Readonly<Record<string, string>> {
  const extra = KEYRING_WORKER.test(path) ? " 'wasm-unsafe-eval'" : "";
  return { ...SECURITY_HEADERS, "content-security-policy": contentSecurityPolicy(host ?? "localhost", extra) };
}

/** Serves the folder at `/` and answers whatever no route takes. Without a folder there is only the latter. */
export async function registerInterface(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    app.setNotFoundHandler(respondNotFound);
    return;
  }
  if (!existsSync(join(folder, PAGE))) {
    registerNotBuilt(app);
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    cacheControl: false,
    dotfiles: "ignore",
    setHeaders: (reply, path) => {
      const isHashed = path
        .slice(folder.length + 1)
        .replaceAll("\\", "/")
        .startsWith(HASHED_ASSETS);
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.setNotFoundHandler((request, reply) => {
    if (isNavigation(request)) sendFile(request, reply, PAGE);
    else respondNotFound(request, reply);
  });
  app.route({
    method: "GET",
    url: "/*",
    config: { access: "open", isInterface: true },
    handler: (request, reply) => {
      const { "*": path = "" } = request.params as { readonly "*"?: string };
      if (RESERVED.test(`/${path}`)) reply.callNotFound();
      else sendFile(request, reply, path === "" ? PAGE : path);
    },
  });
}

function registerNotBuilt(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    if (isNavigation(request))
      reply.code(503).headers(pageHeaders(request.headers.host, "")).type("text/html; charset=utf-8").send(NOT_BUILT);
    else respondNotFound(request, reply);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string): void {
  reply.headers(pageHeaders(request.headers.host, path)).sendFile(path);
}

/** True when a browser asks for a page: a deep link of the interface. */
function isNavigation(request: FastifyRequest): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && !RESERVED.test(request.url.split("?", 1)[0] ?? "") && (request.headers.accept ?? "").includes("text/html");
}
