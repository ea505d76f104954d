// From the path of an app:// address to a file of the built interface, and never to another.
import { isAbsolute, join, relative, sep } from "node:path";
import { pathRoots } from "#shared/api/routes.ts";

/** Where a request of the interface goes. */
export type AssetTarget =
  | { readonly kind: "node"; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "connection" }
  | { readonly kind: "refused" };

const NODE_PATHS = pathRoots().map((root) => `${root}/`);
/** Path that gives the interface the address of the node's live connection; the port changes when the node restarts. */
const CONNECTION_PATH = "/shell/connection";

/**
 * Target of a request: a path of the node's interface, a file below `root`, or nothing. Paths without a file ending are views of the
 * interface and get its document.
 */
export function resolveAsset(root: string, url: URL): AssetTarget {
  if (NODE_PATHS.some((prefix) => url.pathname.startsWith(prefix))) return { kind: "node", path: `${url.pathname}${url.search}` };
  if (url.pathname === CONNECTION_PATH) return { kind: "connection" };
  const decoded = decode(url.pathname);
  if (decoded === undefined || decoded.includes("\0") || decoded.includes("\\")) return { kind: "refused" };
  const isView = !/\.[a-z0-9]+$/i.test(decoded);
  const file = join(root, isView ? "index.html" : decoded);
  const inside = relative(root, file);
  return inside === "" || isAbsolute(inside) || inside.split(sep)[0] === ".." ? { kind: "refused" } : { kind: "file", path: file };
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
