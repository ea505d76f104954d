// Joining a network by the HTTP address of any of its nodes: its genesis, and where its nodes can be dialled.

import { requestOf } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Checkpoint, parseCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";

/** Longest response that is read, bytes. */
const MAX_RESPONSE_CHARS = 16 * 1_048_576;
const RESPONSE_MS = 10_000;

/** Fetches; the runtime's own fits. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** The genesis of the network that a node is on. @throws CodedError UPSTREAM_FAILED naming the address. */
export async function fetchGenesis(nodeUrl: string, fetchResponse: Fetch): Promise<Genesis> {
  const info = await fetchJson(nodeUrl, requestOf("getNetworkInfo", {}), fetchResponse);
  const genesis = parseGenesis(await fetchJson(nodeUrl, requestOf("getGenesis", {}), fetchResponse));
  if (genesisHash(genesis) !== info.genesis_hash) throw unusable(nodeUrl, "its genesis has another hash than it says");
  return genesis;
}

/** The newest block of a node, as a checkpoint: a node that takes its genesis from it trusts it already. Undefined at genesis. */
export async function fetchCheckpoint(nodeUrl: string, fetchResponse: Fetch): Promise<Checkpoint | undefined> {
  const { height } = await fetchJson(nodeUrl, requestOf("getNetstats", {}), fetchResponse);
  if (height === 0) return undefined;
  const { index, hash } = await fetchJson(nodeUrl, requestOf("getBlock", { index: height }), fetchResponse);
  if (index !== height || typeof hash !== "string") throw unusable(nodeUrl, "it does not say which block is its newest");
  return parseCheckpoint(`${String(height)}:${hash}`);
}

/** Multiaddresses at which a node can be dialled. @throws CodedError UPSTREAM_FAILED naming the address. */
export async function fetchAddresses(nodeUrl: string, fetchResponse: Fetch): Promise<readonly string[]> {
  const { p2p_addresses: addresses } = await fetchJson(nodeUrl, requestOf("getNetworkInfo", {}), fetchResponse);
  if (!Array.isArray(addresses)) return [];
  return addresses.filter((address): address is string => typeof address === "string" && address.startsWith("/")).slice(0, 16);
}

async function fetchJson(
  nodeUrl: string,
  { path }: { readonly path: string },
  fetchResponse: Fetch,
): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    const response = await fetchResponse(new URL(path, nodeUrl).href, { signal: AbortSignal.timeout(RESPONSE_MS) });
    if (!response.ok) throw unusable(nodeUrl, `it answers ${path} with status ${response.status}`);
    text = await response.text();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw unusable(nodeUrl, "it does not answer", cause);
  }
  if (text.length > MAX_RESPONSE_CHARS) throw unusable(nodeUrl, `its response to ${path} is too long`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below, like another shape.
  }
  throw unusable(nodeUrl, `its response to ${path} is no JSON object`);
}

function unusable(nodeUrl: string, why: string, cause?: unknown): CodedError {
  return new CodedError("UPSTREAM_FAILED", `The node at ${nodeUrl} cannot be used to join its network: ${why}`, { cause });
}
