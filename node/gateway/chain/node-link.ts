// The way to the node: its client, and a sign of each new block. The node may end and come back with another secret at any time.
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import type { GatewayNode } from "../services.ts";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
/** What the data of a block's event holds. */
const BLOCK = '"type":"block"';

/** How the node is reached. */
export interface NodeLinkOptions {
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  /** Longest wait for a response, ms. */
  readonly answerTimeoutMs: number;
}

/** The link while the gateway runs. */
export class NodeLink implements GatewayNode {
  readonly #options: NodeLinkOptions;
  readonly #listeners = new Set<() => void>();
  #client: NodeClient | undefined;
  #ending = new AbortController();
  #cancelRetry: CancelTimer = () => undefined;

  constructor(options: NodeLinkOptions) {
    this.#options = options;
  }

  get client(): NodeClient {
    if (this.#client === undefined) throw new CodedError("UNAVAILABLE", "The node of this computer does not run: try again in a moment");
    return this.#client;
  }

  /** The node serves here from now on; undefined: it does not serve. */
  set(node: NodeEndpoint | undefined): void {
    this.close();
    if (node === undefined) return;
    const { fetch: send, answerTimeoutMs } = this.#options;
    const bounded: HttpFetch = (url, init) =>
      send(url, { ...(init as RequestInit), redirect: "error", signal: AbortSignal.timeout(answerTimeoutMs) });
    this.#client = createNodeClient({ baseUrl: node.url, fetch: bounded, ...(node.secret !== "" && { token: node.secret }) });
    this.#ending = new AbortController();
    void this.#follow(node, this.#ending.signal, FIRST_RETRY_MS);
  }

  onBlock(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** Lets go of the node. */
  close(): void {
    this.#client = undefined;
    this.#ending.abort();
    this.#cancelRetry();
  }

  /** Reads the node's events until it ends. */
  async #follow(node: NodeEndpoint, signal: AbortSignal, retryMs: number): Promise<void> {
    let nextMs = retryMs;
    try {
      const { path } = rawEndpoints.streamEvents;
      const headers = node.secret === "" ? {} : { authorization: `Bearer ${node.secret}` };
      const { body, ok } = await this.#options.fetch(`${node.url}${path}`, { headers, redirect: "error", signal });
      if (ok && body !== null) {
        nextMs = FIRST_RETRY_MS;
        // Blocks may have come while no stream was open.
        this.#report();
        for await (const text of body.pipeThrough(new TextDecoderStream())) if (text.includes(BLOCK)) this.#report();
      }
    } catch {
      // The node ended, or does not serve yet.
    }
    if (signal.aborted) return;
    this.#cancelRetry = this.#options.timers.setTimer(nextMs, () => {
      void this.#follow(node, signal, Math.min(2 * nextMs, LAST_RETRY_MS));
    });
  }

  #report(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
