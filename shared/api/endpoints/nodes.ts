// Nodes: reputation and rewards of one, and the registered relays.
import * as Type from "typebox";
import { CLAMP_KEYWORD, endpoint, listQuery, NoBody, NoFields } from "../endpoint.ts";
import * as schema from "../schemas/nodes.ts";

const MAX_WINDOW_BLOCKS = 10_000;

export const nodeEndpoints = {
  getNodeStats: endpoint({
    method: "GET",
    path: "/api/node/:pubkey",
    tag: "Node",
    summary: "Reputation, balance and recent rewards of a node",
    access: "read",
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
    body: NoBody,
    response: schema.NodeStats,
    errors: [404],
  }),
  listRelays: endpoint({
    method: "GET",
    path: "/api/relays",
    tag: "Relay",
    summary: "Registered relays in the order of their keys; `after` takes the key of the last one",
    access: "read",
    params: NoFields,
    query: listQuery(1000, 1000),
    body: NoBody,
    response: Type.Array(schema.RegisteredRelay),
    errors: [],
  }),
} as const;
