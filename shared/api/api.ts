// The whole public HTTP interface as one table. Node, client, OpenAPI document and types all come from it.

import type { AnyEndpoint, EndpointFields, InputOf, OutputOf } from "./endpoint.ts";
import { chainEndpoints } from "./endpoints/chain.ts";
import { chainV2Endpoints } from "./endpoints/chain-v2.ts";
import { channelEndpoints } from "./endpoints/channels.ts";
import { contractEndpoints } from "./endpoints/contracts.ts";
import { discoveryEndpoints } from "./endpoints/discovery.ts";
import { nodeEndpoints } from "./endpoints/nodes.ts";
import { proofEndpoints } from "./endpoints/proofs.ts";
import { relayEndpoints } from "./endpoints/relay.ts";
import { searchEndpoints } from "./endpoints/search.ts";
import { type Operation, ROUTES } from "./routes.ts";

const endpoints = {
  ...chainEndpoints,
  ...chainV2Endpoints,
  ...channelEndpoints,
  ...contractEndpoints,
  ...nodeEndpoints,
  ...proofEndpoints,
  ...relayEndpoints,
  ...searchEndpoints,
  ...discoveryEndpoints,
} as const satisfies Readonly<Record<Operation, EndpointFields>>;

type Endpoints = typeof endpoints;

/** The table's type. */
export type Api = { readonly [K in Operation]: Endpoints[K] & Pick<AnyEndpoint, "method" | "path"> };

/** Endpoints by operation id, in the order of the document. */
export const api = Object.fromEntries(
  (Object.keys(endpoints) as Operation[]).map((operation) => {
    const [method, path] = ROUTES[operation];
    return [operation, { method, path, ...endpoints[operation] }];
  }),
) as Api;

export type { Operation } from "./routes.ts";

/** Operations whose endpoint has these fields. */
export type OperationsWith<Fields extends Partial<EndpointFields>> = {
  [K in Operation]: Api[K] extends Fields ? K : never;
}[Operation];

/** Operations whose endpoint passes, in the order of their routes. */
export function operationsWhere(isIncluded: (endpoint: AnyEndpoint) => boolean): readonly Operation[] {
  return (Object.keys(ROUTES) as Operation[]).filter((operation) => isIncluded(api[operation]));
}

/** An operation that any node answers to other nodes. */
export type PublicReadOperation = OperationsWith<{ readonly isPublic: true }>;
export const PUBLIC_READ_OPERATIONS = operationsWhere(({ isPublic }) => isPublic === true) as readonly PublicReadOperation[];

/** Input of an operation. */
export type Input<K extends Operation> = InputOf<Api[K]>;
/** Response of an operation. */
export type Output<K extends Operation> = OutputOf<Api[K]>;
