// The node that the person chose instead of the one that serves this page: its address and access token, stored on this device.
import { createNodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** A chosen node. An empty address means the one that serves the page. */
export interface ChosenNode {
  /** Origin, such as `https://node.example:8080`, or "". */
  readonly url: string;
  /** Sent as a bearer token; "" where the node asks for none. */
  readonly token: string;
}

const KEY = "parley.node";
const PROBE_TIMEOUT_MS = 10_000;

/** The origin of a typed address, or undefined when it is none. Without a scheme https is meant, and http on this machine. */
export function parseNodeAddress(text: string): string | undefined {
  const typed = text.trim();
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/i.test(typed);
  try {
    const url = new URL(/^https?:\/\//i.test(typed) ? typed : `${isLocal ? "http" : "https"}://${typed}`);
    const isPlain = url.username === "" && url.password === "" && url.search === "" && url.hash === "" && url.pathname === "/";
    return isPlain && url.hostname !== "" ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/** What was chosen, or undefined when nothing was. */
export function readChosenNode(): ChosenNode | undefined {
  try {
    const { url, token } = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<ChosenNode>;
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice; nothing chosen goes back to the node that serves the page. */
export function chooseNode(node: ChosenNode | undefined): void {
  if (node === undefined || (node.url === "" && node.token === "")) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(node));
}

/** Asks a node for its network. @throws CodedError when it cannot be reached, refuses, or is no node. */
export async function probeNode({ url, token }: ChosenNode): Promise<void> {
  const client = createNodeClient({
    baseUrl: url,
    fetch: (target, init) => fetch(target, init as RequestInit),
    ...(token !== "" && { token }),
  });
  const info = await client.getNetworkInfo({}, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  if (typeof info.chain_id !== "string") throw new CodedError("UPSTREAM_FAILED", "This address responds, but not as a node");
}
