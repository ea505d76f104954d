// Supervises the node as a process of its own.
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import { ProcessHost, type ProcessHostOptions, type ProcessState, type StartReport } from "./process-host.ts";

/** What is shown of a node that serves. */
export interface NodePort {
  readonly port: number;
}

/** States of the node as the shell shows them. */
export type NodeHostState = ProcessState<NodePort>;

/** A node that serves, and what opens it to programs of its user. The interface does not get this. */
export interface ServingNode extends NodeEndpoint {
  readonly chainId: string;
}

export type NodeHostOptions = Omit<ProcessHostOptions<NodePort, ServingNode>, "parse">;

/** The supervisor. Messages of the node: `{ type: "updating", done, total }`, `{ type: "ready", port, url, chain_id, secret }`; to the node: `{ type: "stop" }`, `{ type: "own", accounts }`. */
export class NodeHost extends ProcessHost<NodePort, ServingNode> {
  #accounts: readonly string[] | undefined;

  constructor(options: NodeHostOptions) {
    const onServing: NodeHostOptions["onServing"] = (served) => {
      options.onServing(served);
      if (served !== undefined) this.#sendAccounts();
    };
    super({ ...options, onServing, parse: parseNodeMessage });
  }

  /** The person's accounts, by public key: their history stays when the node drops old blocks, and it drops none before. */
  setAccounts(accounts: readonly string[]): void {
    this.#accounts = accounts;
    if (this.serving !== undefined) this.#sendAccounts();
  }

  #sendAccounts(): void {
    const accounts = this.#accounts;
    if (accounts !== undefined) this.post((node) => node.postMessage({ type: "own", accounts }));
  }
}

function parseNodeMessage(message: unknown): StartReport<NodePort, ServingNode> | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  if (message.type === "updating") return folderUpdate(message);
  if (message.type !== "ready") return undefined;
  if (!("port" in message) || typeof message.port !== "number") return undefined;
  return { kind: "ready", shown: { port: message.port }, served: servingNode(message) };
}

function folderUpdate(message: object): StartReport<NodePort, ServingNode> | undefined {
  const { done, total } = message as Readonly<Record<string, unknown>>;
  if (typeof done !== "number" || typeof total !== "number" || !(done >= 0 && done <= total)) return undefined;
  return { kind: "updating", updating: { done, total } };
}

function servingNode(message: object): ServingNode | undefined {
  const { url, chain_id: chainId, secret } = message as Readonly<Record<string, unknown>>;
  return typeof url === "string" && typeof chainId === "string" && typeof secret === "string" ? { url, chainId, secret } : undefined;
}
