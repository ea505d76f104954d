// What a node says about itself and its network, and the faucet of development networks.
import { endpoint, NoBody, NoFields } from "../endpoint.ts";
import { Accepted } from "../schemas/chain.ts";
import * as schema from "../schemas/discovery.ts";

const tag = "Node";

export const discoveryEndpoints = {
  getNetworkInfo: endpoint({
    method: "GET",
    path: "/api/network-info",
    tag,
    summary: "The network that the node is on",
    access: "read",
    params: NoFields,
    query: NoFields,
    body: NoBody,
    response: schema.NetworkInfo,
    errors: [],
  }),
  getVersion: endpoint({
    method: "GET",
    path: "/api/well-known-version",
    tag,
    summary: "Version, protocol and features",
    access: "read",
    params: NoFields,
    query: NoFields,
    body: NoBody,
    response: schema.VersionInfo,
    errors: [],
  }),
  getStatus: endpoint({
    method: "GET",
    path: "/api/status",
    tag,
    summary: "State of the node: sync, peers, pending work",
    access: "read",
    params: NoFields,
    query: NoFields,
    body: NoBody,
    response: schema.NodeStatus,
    errors: [],
  }),
  requestFaucet: endpoint({
    method: "POST",
    path: "/api/dev/faucet",
    tag,
    summary: "Tokens on a development network",
    access: "write",
    params: NoFields,
    query: NoFields,
    body: schema.FaucetRequest,
    response: Accepted,
    errors: [404, 503],
  }),
} as const;
