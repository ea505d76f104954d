// What a node says about itself and its network, and the faucet of development networks.
import { type EndpointGroup, endpoint, publicRead } from "../endpoint.ts";
import { Accepted } from "../schemas/chain.ts";
import * as schema from "../schemas/discovery.ts";

const tag = "Node";

export const discoveryEndpoints = {
  getNetworkInfo: endpoint({
    tag,
    summary: "The network that the node is on",
    access: "read",
    unverified: "completeness",
    response: schema.NetworkInfo,
  }),
  getGenesis: endpoint({
    tag,
    summary: "The genesis file of the network, with which another node can join it",
    access: "read",
    response: schema.GenesisFile,
  }),
  getVersion: endpoint({ tag, summary: "Version, protocol and features", access: "read", response: schema.VersionInfo }),
  listWellKnownContracts: publicRead({
    tag,
    summary: "The earliest contract of every name",
    unverified: "completeness",
    cache: "block",
    response: schema.WellKnownContracts,
  }),
  listPeers: endpoint({ tag, summary: "Connected peers and the versions that they announce", access: "read", response: schema.PeerList }),
  checkForUpdate: endpoint({
    tag,
    summary: "This build beside the latest release at the source that the operator configured",
    access: "read",
    response: schema.UpdateCheck,
    errors: [502, 503],
  }),
  getStatus: endpoint({ tag, summary: "State of the node: sync, peers, pending work", access: "read", response: schema.NodeStatus }),
  requestFaucet: endpoint({
    tag,
    summary: "Tokens on a development network",
    access: "write",
    body: schema.FaucetRequest,
    response: Accepted,
    errors: [404, 503],
  }),
} as const satisfies EndpointGroup;
