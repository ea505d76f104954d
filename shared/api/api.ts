// The whole public HTTP interface as one table. Node, client, OpenAPI document and types all come from it.

import type { InputOf, OutputOf } from "./endpoint.ts";
import { chainEndpoints } from "./endpoints/chain.ts";
import { chainV2Endpoints } from "./endpoints/chain-v2.ts";
import { channelEndpoints } from "./endpoints/channels.ts";
import { contractEndpoints } from "./endpoints/contracts.ts";
import { discoveryEndpoints } from "./endpoints/discovery.ts";
import { nodeEndpoints } from "./endpoints/nodes.ts";
import { proofEndpoints } from "./endpoints/proofs.ts";
import { relayEndpoints } from "./endpoints/relay.ts";
import { searchEndpoints } from "./endpoints/search.ts";

/** Endpoints by operation id. */
export const api = {
  ...chainEndpoints,
  ...chainV2Endpoints,
  ...channelEndpoints,
  ...contractEndpoints,
  ...nodeEndpoints,
  ...proofEndpoints,
  ...relayEndpoints,
  ...searchEndpoints,
  ...discoveryEndpoints,
} as const;

/** The table's type. */
export type Api = typeof api;
/** An operation id. */
export type Operation = keyof Api;
/** Input of an operation. */
export type Input<K extends Operation> = InputOf<Api[K]>;
/** Answer of an operation. */
export type Output<K extends Operation> = OutputOf<Api[K]>;
