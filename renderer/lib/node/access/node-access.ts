// The connection to the node: typed HTTP client and live updates, both on the page's own origin unless another node was chosen. In
// the desktop's window the live connection has an address of its own, which the shell reports and which changes when the node restarts.

import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { SOCKET_PATH } from "#shared/api/routes.ts";
import type { NodeFrame } from "#shared/api/socket/frames.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { hostClock, hostTimers } from "#shared/util/host.ts";
import { desktopApi } from "../../desktop/desktop-api.ts";
import { readChosenNode } from "./chosen-node.ts";
import { createPatientFetch } from "./patient-fetch.ts";

/** Where the desktop shell gives the address of the live connection. */
const SHELL_CONNECTION_PATH = "/shell/connection";

/** Both ways to the node. */
export interface NodeAccess {
  readonly client: NodeClient;
  readonly live: LiveConnection;
  /** Address of the node for people. */
  readonly address: string;
}

/** Signs the node's nonce with a key; undefined stays anonymous. */
export type Authenticate = (hello: NodeFrame<"hello">) => Promise<{ readonly pub: string; readonly sig: string } | undefined>;

/** Connects to the node that serves this page, or to the one that was chosen instead. */
export function createNodeAccess(authenticate: Authenticate): NodeAccess {
  const { url = "", token = "" } = readChosenNode() ?? {};
  const isShells = desktopApi() !== undefined && url === "";
  const origin = url === "" ? location.origin : url;
  const live = new LiveConnection({
    url: isShells ? "" : `${origin.replace(/^http/, "ws")}${SOCKET_PATH}${token === "" ? "" : `?token=${encodeURIComponent(token)}`}`,
    createSocket: isShells ? createShellSocket : (target): SocketLike => new WebSocket(target) as unknown as SocketLike,
    timers: hostTimers,
    jitter: Math.random,
    authenticate,
  });
  const client = createNodeClient({
    baseUrl: url,
    fetch: createPatientFetch({
      fetch: (target, init) => fetch(target, init as RequestInit),
      clock: hostClock,
      isConnected: () => live.state === "open",
    }),
    ...(token !== "" && { token }),
  });
  return { client, live, address: origin };
}

/** A socket that first asks the shell for its address. */
function createShellSocket(): SocketLike {
  let inner: WebSocket | undefined;
  let isClosed = false;
  const outer: SocketLike = {
    send: (text) => inner?.send(text),
    close: (): void => {
      isClosed = true;
      inner?.close();
    },
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  };
  const open = (url: string): void => {
    if (isClosed) return;
    inner = new WebSocket(url);
    inner.onmessage = (event): void => outer.onmessage?.({ data: event.data });
    inner.onclose = (): void => outer.onclose?.();
  };
  liveUrlOfShell().then(open, () => outer.onclose?.());
  return outer;
}

/** Address at which programs reach the node: that of the page, or in the desktop's window the one that its own node listens on. */
export async function webAddressOf(address: string): Promise<string> {
  return /^https?:/.test(address) ? address : new URL(await liveUrlOfShell()).origin.replace(/^ws/, "http");
}

async function liveUrlOfShell(): Promise<string> {
  const response = await fetch(SHELL_CONNECTION_PATH);
  const { live_url: url } = (await response.json()) as { readonly live_url: string };
  return url;
}
