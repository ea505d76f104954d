// Nodes: reputation and rewards of one, and the registered relays.
import * as Type from "typebox";
import { CLAMP_KEYWORD, type EndpointGroup, listQuery, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/nodes.ts";

const MAX_WINDOW_BLOCKS = 10_000;

export const nodeEndpoints = {
  getNodeStats: publicRead({
    tag: "Node",
    summary: "Reputation, balance and recent rewards of a node",
    unverified: "figures",
    heavy: "large",
    params: Type.Object({ pubkey: Type.String({ minLength: 1, description: "Wallet address or hex public key" }) }),
    query: Type.Object({
      window: Type.Optional(
        Type.Integer({
          minimum: 1,
          default: 200,
          [CLAMP_KEYWORD]: MAX_WINDOW_BLOCKS,
          description: `Newest blocks to look at: default 200, at most ${MAX_WINDOW_BLOCKS} (more is cut to it)`,
        }),
      ),
    }),
    response: schema.NodeStats,
    errors: [404],
  }),
  listRelays: publicRead({
    tag: "Relay",
    summary: "Registered relays in the order of their keys; `after` takes the key of the last one",
    unverified: "completeness",
    heavy: "always",
    query: listQuery(1000, 1000),
    response: Type.Array(schema.RegisteredRelay),
  }),
} as const satisfies EndpointGroup;
