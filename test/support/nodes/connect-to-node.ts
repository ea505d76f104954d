// Both ways to a node that runs as a process, as the interface has them: typed HTTP and the live connection.
import { setTimeout as delay } from "node:timers/promises";
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { createNodeClient, type HttpFetch } from "#shared/api/client.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { hostTimers } from "#shared/util/host.ts";

/** How long {@link patientFetch} asks again, and how often. */
const PATIENCE = { forMs: 60_000, everyMs: 200 };
/** The node has no room for a large read now. */
const NO_ROOM: readonly number[] = [429, 503];

/** The caller closes `live`. */
export function connectToNode(baseUrl: string, token = ""): NodeAccess {
  const live = new LiveConnection({
    url: `${baseUrl.replace(/^http/, "ws")}/api/ws${token === "" ? "" : `?token=${token}`}`,
    createSocket: (url): SocketLike => new WebSocket(url) as unknown as SocketLike,
    timers: hostTimers,
    jitter: (): number => 0,
  });
  const client = createNodeClient({ baseUrl, fetch: plainFetch, ...(token !== "" && { token }) });
  return { client, live, address: baseUrl };
}

/** The runtime's own, with an end to waiting. */
export const plainFetch: HttpFetch = async (url, init) => {
  const response = await fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  return { status: response.status, text: () => Promise.resolve(body) };
};

/** The same, but what is read is asked for again where the node has no room for it now, as on a machine with far more to do than processors. */
export const patientFetch: HttpFetch = async (url, init) => {
  const deadline = performance.now() + PATIENCE.forMs;
  for (;;) {
    const response = await plainFetch(url, init);
    if (init.method !== "GET" || !NO_ROOM.includes(response.status) || performance.now() > deadline) return response;
    await delay(PATIENCE.everyMs);
  }
};
