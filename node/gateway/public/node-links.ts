// The nodes of a gateway: requests go to the one that answered last, and to the next one when that is away, takes no more now, has no room for
// what it is asked, or does not know this gateway.
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { SOCKET_PATH } from "#shared/api/routes.ts";
import type { SocketLike } from "#shared/api/socket/websocket-client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import { ERROR_CODE_HEADER } from "#shared/errors/error-code-header.ts";
import { NODE_RESPONSE_BYTES, NODE_TIMEOUT_MS, RETRY_AFTER_S } from "./gateway-limits.ts";

/** A node. */
export interface NodeAddress {
  /** Root without a slash at its end. */
  readonly url: string;
  /** API token or secret of the node, "" for none. */
  readonly token: string;
}

/** A request to a node. */
export interface NodeRequest {
  readonly method: string;
  readonly body?: string | undefined;
  readonly headers?: Record<string, string>;
  /** Bytes of its response; {@link NODE_RESPONSE_BYTES} where it names none. */
  readonly mostBytes?: number;
  /** True for a response after which the other nodes are asked as well: what one alone refuses is not refused. */
  readonly refuses?: (response: Pick<NodeResponse, "status" | "text">) => boolean;
}

/** A response of a node. */
export interface NodeResponse {
  readonly status: number;
  readonly text: string;
  /** Which of the nodes it was. */
  readonly at: number;
  /** What the node names beside the status, {@link ERROR_CODE_HEADER}. */
  readonly code?: string | null;
  /** True for a refusal that is not all nodes' word: others were away, took no more now, or no token of this gateway. */
  readonly isUncertain?: boolean;
}

/** A node takes no more requests of this gateway for the moment. */
const TOO_MANY = 429;
/** It has another token, or none. */
const UNKNOWN = 401;
/** It is away, unless it says which room is full. */
const UNAVAILABLE = 503;
const FULL: ErrorCode = "RELAY_FULL";
/**
 * Statuses that say nothing of what was asked, the most telling first: it takes no more now, it has another token or none, and those by which
 * it, or a proxy before it, says that it is away.
 */
const SILENT: readonly number[] = [TOO_MANY, UNKNOWN, 502, UNAVAILABLE, 504];

/** Why a node gave nothing of its feeds, where it answered with this status; `what` says what it did not give, and `needs` of what node it is. */
export function feedRefusal(status: number, what: string, needs: string): CodedError {
  if (status === TOO_MANY)
    return new CodedError(
      "UNAVAILABLE",
      `${what} (${status}): it takes no more requests of this gateway for the moment; if that lasts, raise its --rate-limit`,
    );
  if (SILENT.includes(status) && status !== UNKNOWN) return new CodedError("UNAVAILABLE", `${what} (${status}): it is away`);
  return new CodedError("UPSTREAM_FAILED", `${what} (${status}): a gateway needs ${needs}`);
}

/** Follows nodes. */
export class NodeLinks {
  readonly client: NodeClient;
  readonly #nodes: readonly NodeAddress[];
  #at = 0;

  constructor(nodes: readonly NodeAddress[]) {
    this.#nodes = nodes;
    const send: HttpFetch = async (path, { method, body, headers }) => {
      const { status, text } = await this.request(path, { method, body, headers });
      return { status, text: () => Promise.resolve(text) };
    };
    this.client = createNodeClient({ baseUrl: "", fetch: send });
  }

  /**
   * Sends a request, of a kind that may be sent twice, to the first node that answers, and does not refuse it where another one takes it. A
   * node that does not know this gateway is not followed; it answers only where all others are away or do not know it either. One that takes
   * no more now (429), or has no room for what it is asked (503, RELAY_FULL), is followed still, and answers where no other does.
   * @throws CodedError UNAVAILABLE when none does
   */
  async request(path: string, request: NodeRequest): Promise<NodeResponse> {
    let cause: unknown;
    const refusals: NodeResponse[] = [];
    const silent: NodeResponse[] = [];
    const first = this.#at;
    for (let attempt = 0; attempt < this.#nodes.length; attempt += 1) {
      const at = (first + attempt) % this.#nodes.length;
      try {
        const response = await this.#requestOf(at, path, request);
        const isRefused = request.refuses?.(response) === true;
        if (isRefused) refusals.push(response);
        else if (!SILENT.includes(response.status)) return response;
        else silent.push(response);
        // Which node is followed is another question: this one may have no room for one mailbox.
        if (isRefused || isThere(response)) continue;
      } catch (error) {
        cause = error;
      }
      // Unless another request has gone on already.
      if (this.#at === at) this.#at = (at + 1) % this.#nodes.length;
    }
    const answer = outcomeOf(refusals, silent, this.#nodes.length);
    if (answer !== undefined) return answer;
    throw new CodedError("UNAVAILABLE", "No node of this service can be reached: try again in a moment", {
      cause,
      details: { retryAfterS: RETRY_AFTER_S },
    });
  }

  /** A WebSocket to a node; each try goes to the next one. */
  openSocket(): SocketLike {
    const { url, token } = this.#nodes[this.#at] ?? { url: "", token: "" };
    const query = token === "" ? "" : `?token=${encodeURIComponent(token)}`;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}${SOCKET_PATH}${query}`) as unknown as SocketLike;
    return socket;
  }

  /** The node that is asked now is away. */
  turn(): void {
    this.#at = (this.#at + 1) % this.#nodes.length;
  }

  async #requestOf(at: number, path: string, request: NodeRequest): Promise<NodeResponse> {
    const { method, body, headers, mostBytes = NODE_RESPONSE_BYTES } = request;
    const { url, token } = this.#nodes[at] ?? { url: "", token: "" };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body }),
      redirect: "error",
      signal: AbortSignal.timeout(NODE_TIMEOUT_MS),
    });
    return { status: response.status, text: await boundedText(response, mostBytes), at, code: response.headers.get(ERROR_CODE_HEADER) };
  }
}

/** The response to a request that no node did; undefined where none answered. */
function outcomeOf(refusals: readonly NodeResponse[], silent: readonly NodeResponse[], nodes: number): NodeResponse | undefined {
  const [refusal] = refusals;
  if (refusal === undefined) return silent.toSorted((a, b) => placeOf(a) - placeOf(b))[0];
  return refusals.length === nodes ? refusal : { ...refusal, isUncertain: true };
}

/** Place among {@link SILENT}. */
function placeOf(response: NodeResponse): number {
  return isThere(response) ? 0 : SILENT.indexOf(response.status);
}

/** True for a node that says nothing of what was asked, and is there all the same: it will take something else, or the same later. */
function isThere({ status, code }: NodeResponse): boolean {
  return status === TOO_MANY || (status === UNAVAILABLE && code === FULL);
}

async function boundedText(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new CodedError("UPSTREAM_FAILED", `A node answered with more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
