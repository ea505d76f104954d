// Another node than the one of this machine: which addresses may be chosen, and whether one answers as a node.
import { CodedError } from "#shared/errors/coded-error.ts";

const PROBE_LIMIT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_048_576;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
/** A name or an address: in the page's policy a star would mean every node there is. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/** A fetch as the shell has it. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** True for the bare origin of a node: by TLS anywhere, without it on this machine only. */
export function isNodeOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.origin === text &&
    HOST.test(url.hostname) &&
    (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.includes(url.hostname)))
  );
}

/** What the page may connect to for a chosen node: its requests and its live connection. */
export function connectSources(origin: string): readonly string[] {
  return [origin, origin.replace(/^http/, "ws")];
}

/** Asks a node for its network. @throws CodedError UPSTREAM_FAILED in words. */
export async function probeNode(fetch: Fetch, origin: string, token: string): Promise<void> {
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/network-info`, {
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(PROBE_LIMIT_MS),
  }).catch((cause: unknown) => {
    throw new CodedError("UPSTREAM_FAILED", `${origin} does not respond`, { cause });
  });
  if (response.status === 401) throw new CodedError("UPSTREAM_FAILED", `${origin} requires a different access token`);
  const text = response.ok ? await response.text().catch(() => "") : "";
  if (text.length > MAX_RESPONSE_BYTES || !isNetworkInfo(text))
    throw new CodedError("UPSTREAM_FAILED", `${origin} responds, but not as a node`);
}

function isNetworkInfo(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "chain_id" in value && typeof value.chain_id === "string";
  } catch {
    return false;
  }
}
