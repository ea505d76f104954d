// A client with the rights of the owner of a running node: by the secret that the node leaves for programs of its user.
import { join } from "node:path";
import { readEndpointFile } from "#node/config/files/endpoint-file.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";

const plainFetch: HttpFetch = (url, init) => fetch(url, init as RequestInit);

/** @throws Error when the node does not run */
export function ownClient({ dataDir, baseUrl }: { readonly dataDir: string; readonly baseUrl: string }): NodeClient {
  return createNodeClient({ baseUrl, fetch: plainFetch, token: ownSecret(dataDir) });
}

/** The secret of the present start. @throws Error when the node does not run */
export function ownSecret(dataDir: string): string {
  const endpoint = readEndpointFile(join(dataDir, ENDPOINT_FILE))?.node ?? undefined;
  if (endpoint === undefined) throw new Error(`No node runs in ${dataDir}`);
  return endpoint.secret;
}
