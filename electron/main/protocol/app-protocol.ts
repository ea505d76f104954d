// app://parley: the built interface from disk, the node's public interface by proxy. The interface only ever uses relative addresses.
import { pathToFileURL } from "node:url";
import type { Protocol } from "electron";
import { SOCKET_PATH } from "#shared/api/routes.ts";
import { isConfirmationUrl, serveConfirmation } from "../confirmation/confirmation-page.ts";
import { connectSources, isNodeOrigin } from "../processes/other-node.ts";
import { contentSecurityPolicy } from "../security/content-security-policy.ts";
import { isAppUrl } from "../security/trusted-url.ts";
import { resolveAsset } from "./resolve-asset.ts";

/** Privileges under which the scheme is registered before the app is ready. */
export const APP_SCHEME = {
  scheme: "app",
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
} as const;

/** What the handler needs: the folder of the built interface, the node's port and a fetch that bypasses custom schemes. */
export interface AppProtocolOptions {
  readonly root: string;
  readonly nodePort: number;
  /** Secret of this launch, with which the shell opens the node's interface for the page. */
  readonly apiToken: string;
  /** Origin of another node that the person chose, looked up at each load. */
  readonly otherNode: () => string | null;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

/** Installs the handler. */
export function handleAppProtocol(protocol: Pick<Protocol, "handle">, options: AppProtocolOptions): void {
  protocol.handle("app", (request) => serveApp(request, options));
}

/** Answers one request of the interface. */
export async function serveApp(request: Request, options: AppProtocolOptions): Promise<Response> {
  if (isConfirmationUrl(request.url)) return serveConfirmation(request.url);
  if (!isAppUrl(request.url)) return new Response("Not found", { status: 404 });
  const url = new URL(request.url);
  const target = resolveAsset(options.root, url);
  if (target.kind === "refused") return new Response("Not found", { status: 404 });
  if (target.kind === "connection")
    return Response.json({ live_url: `ws://127.0.0.1:${options.nodePort}${SOCKET_PATH}?token=${options.apiToken}` });
  if (target.kind === "node") return proxy(request, `http://127.0.0.1:${options.nodePort}${target.path}`, options);
  const file = await options.fetch(pathToFileURL(target.path).href).catch(() => undefined);
  if (file === undefined || !file.ok) return new Response("Not found", { status: 404 });
  const headers = new Headers(file.headers);
  const other = options.otherNode();
  const others = other === null || !isNodeOrigin(other) ? [] : connectSources(other);
  headers.set("content-security-policy", contentSecurityPolicy(url.pathname, { nodePort: options.nodePort, others }));
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  return new Response(file.body, { status: 200, headers });
}

async function proxy(request: Request, url: string, options: AppProtocolOptions): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${options.apiToken}` });
  const contentType = request.headers.get("content-type");
  if (contentType !== null) headers.set("content-type", contentType);
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  try {
    return await options.fetch(url, { method: request.method, headers, body });
  } catch {
    return Response.json({ error: "The node is not running" }, { status: 503 });
  }
}
