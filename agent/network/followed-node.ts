// The agent's node: one of an address, or this user's own, which may end and come back at another port with another secret.
import { runningNodes } from "#node/config/files/running-nodes.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { SOCKET_PATH } from "#shared/api/routes.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { hostTimers } from "#shared/util/host.ts";
import type { NodeSource } from "../process-messages.ts";

/** Longest wait for a response, ms. */
const ANSWER_MS = 15_000;
/** A node that was found is looked for again after this time, ms, and at once when it does not answer. */
const FOUND_MS = 1_000;

/** Where the node is now; undefined while none is found. */
export function findNode({ url, endpointFile, token }: NodeSource): NodeEndpoint | undefined {
  const own = runningNodes(endpointFile === undefined ? {} : { endpointFile });
  if (url === undefined) return own[0];
  const address = url.replace(/\/+$/, "");
  return { url: address, secret: token ?? own.find((node) => node.url === address)?.secret ?? "" };
}

/** A client that looks where the node is: every second, and after each request that failed. */
export function followingClient(source: NodeSource): NodeClient {
  let found: { readonly node: NodeEndpoint | undefined; readonly atMs: number } | undefined;
  const locate = (): NodeEndpoint | undefined => {
    const nowMs = performance.now();
    if (found?.node === undefined || nowMs - found.atMs > FOUND_MS) found = { node: findNode(source), atMs: nowMs };
    return found.node;
  };
  const send: HttpFetch = async (path, init) => {
    const node = locate();
    if (node === undefined) throw new CodedError("UNAVAILABLE", "No node of this user is found");
    const headers = { ...init?.headers, ...(node.secret === "" ? {} : { authorization: `Bearer ${node.secret}` }) };
    try {
      const request = { ...(init as RequestInit), headers, redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) } as const;
      return await fetch(`${node.url}${path}`, request);
    } catch (cause) {
      found = undefined;
      throw new CodedError("UNAVAILABLE", `The node at ${node.url} cannot be reached`, { cause });
    }
  };
  return createNodeClient({ baseUrl: "", fetch: send });
}

/** A live connection that looks where the node is with each try. */
export function followingConnection(source: NodeSource): LiveConnection {
  return new LiveConnection({
    url: "",
    createSocket: () => openSocket(findNode(source)),
    timers: hostTimers,
    jitter: Math.random,
  });
}

function openSocket(node: NodeEndpoint | undefined): SocketLike {
  if (node === undefined) {
    const none: SocketLike = { send: () => undefined, close: () => undefined, onopen: null, onmessage: null, onclose: null, onerror: null };
    queueMicrotask(() => none.onclose?.());
    return none;
  }
  const token = node.secret === "" ? "" : `?token=${encodeURIComponent(node.secret)}`;
  return new WebSocket(`${node.url.replace(/^http/, "ws")}${SOCKET_PATH}${token}`) as unknown as SocketLike;
}
