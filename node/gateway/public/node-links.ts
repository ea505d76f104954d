// The nodes of a gateway: requests go to the one that answered last, and to the next one when that is away, or does not know this gateway.
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { SOCKET_PATH } from "#shared/api/routes.ts";
import type { SocketLike } from "#shared/api/socket/websocket-client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
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
  readonly refuses?: (response: Pick<NodeResponse, "status">) => boolean;
}

/** A response of a node. */
export interface NodeResponse {
  readonly status: number;
  readonly text: string;
  /** Which of the nodes it was. */
  readonly at: number;
  /** True for a refusal that is not all nodes' word: others were away, or took no token of this gateway. */
  readonly isUncertain?: boolean;
}

/** Statuses by which a node, or a proxy before it, says that it is away. */
const AWAY = new Set([502, 503, 504]);
/** A node that has another token, or none, says nothing of what it was asked. */
const UNAUTHORIZED = 401;

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
   * node that does not know this gateway is not followed; it answers only where all others are away or do not know it either.
   * @throws CodedError UNAVAILABLE when none does
   */
  async request(path: string, request: NodeRequest): Promise<NodeResponse> {
    let cause: unknown;
    let away: NodeResponse | undefined;
    let unauthorized: NodeResponse | undefined;
    const refusals: NodeResponse[] = [];
    const first = this.#at;
    for (let attempt = 0; attempt < this.#nodes.length; attempt += 1) {
      const at = (first + attempt) % this.#nodes.length;
      try {
        const response = await this.#requestOf(at, path, request);
        if (request.refuses?.(response) === true) {
          // Which node is followed is another question: this one may have no room for one mailbox.
          refusals.push(response);
          continue;
        }
        if (response.status === UNAUTHORIZED) unauthorized ??= response;
        else if (AWAY.has(response.status)) away = response;
        else return response;
      } catch (error) {
        cause = error;
      }
      // Unless another request has gone on already.
      if (this.#at === at) this.#at = (at + 1) % this.#nodes.length;
    }
    const [refusal] = refusals;
    if (refusal !== undefined) return refusals.length === this.#nodes.length ? refusal : { ...refusal, isUncertain: true };
    const answer = unauthorized ?? away;
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
    return { status: response.status, text: await boundedText(response, mostBytes), at };
  }
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
