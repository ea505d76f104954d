// What the gateway works with.
import type { Log } from "#node/observability/log.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import type { MessagesLink } from "#shared/apps/messages/messages-api.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";

/** The keyring, over the port "apps". */
export interface AppsKeyring {
  readonly api: AppsApi;
  /** Calls back with each event; returns the way to stop that. */
  onEvent(listener: (event: AppsEvent) => void): () => void;
}

/** The node of this machine. */
export interface GatewayNode {
  /** @throws CodedError UNAVAILABLE while it does not serve */
  readonly client: NodeClient;
  /** Calls back when there may be a new block, or the node serves again; returns the way to stop that. */
  onBlock(listener: () => void): () => void;
}

/** Everything. */
export interface GatewayServices {
  readonly keyring: AppsKeyring;
  readonly node: GatewayNode;
  /** The messaging engine; undefined where it cannot be reached. */
  readonly messages?: MessagesLink;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
}
