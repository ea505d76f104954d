// What the agent's two processes say to each other: the one with the keys, and the one that meets programs, node and network.
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";

/** Where the node is looked for. */
export interface NodeSource {
  readonly url?: string;
  readonly endpointFile?: string;
  readonly token?: string;
}

/** What the process for the network begins with. */
export interface NetworkStart {
  readonly folder: string;
  readonly runtimeDir: string | undefined;
  readonly node: NodeSource;
  /** A port of the loopback interface beside the socket. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
}

/** Who speaks over the one channel: the messenger's port of the keyring, or the gateway's. */
export type PortRole = "keyring" | "apps";

/** From the process with the keys. */
export type ToNetwork =
  | { readonly type: "start"; readonly start: NetworkStart }
  | { readonly type: "stop" }
  | { readonly type: PortRole; readonly message: unknown };

/** From the process for the network. */
export type FromNetwork =
  | { readonly type: "ready"; readonly apps: AppsEndpoint; readonly listening: string | null }
  | { readonly type: "failed"; readonly code: "UNAVAILABLE" | "FORBIDDEN"; readonly reason: string }
  | { readonly type: PortRole; readonly message: unknown };

/** One end of the channel. */
export interface ProcessChannel {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): () => void;
}

/** The port of a role within the channel. */
export function rolePort(channel: ProcessChannel, type: PortRole): KeyringPort {
  return {
    post: (message) => channel.send({ type, message }),
    listen: (listener): (() => void) =>
      channel.onMessage((received) => {
        const { type: role, message } = received as { readonly type?: unknown; readonly message?: unknown };
        if (role === type) listener(message);
      }),
  };
}
