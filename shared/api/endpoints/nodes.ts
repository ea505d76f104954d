// Nodes: reputation and rewards of one, and the registered relays.
import * as Type from "typebox";
import { CLAMP_KEYWORD, type EndpointGroup, endpoint, publicRead, WHOLE_LIST, wholeListQuery } from "../endpoint.ts";
import { Accepted } from "../schemas/chain.ts";
import { DutyRequest } from "../schemas/duties.ts";
import * as schema from "../schemas/nodes.ts";
import { PageRequest, PageSummary, Rate, RateRequest } from "../schemas/web.ts";

/** Relays of a page when a request names where it begins alone. */
export const RELAY_PAGE = 1_000;

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
  getKeptHistory: endpoint({
    tag: "Node",
    summary: "What the node keeps of old blocks, and of its person's own accounts; with the API token, as writing",
    access: "write",
    response: schema.KeptHistory,
    errors: [503],
  }),
  requestDuty: endpoint({
    tag: "Node",
    summary:
      "Asks the node to sign one of its own duties with its own key and to submit it: programs of its user, with the secret of endpoint.json",
    access: "owner",
    body: DutyRequest,
    response: Accepted,
    errors: [503],
  }),
  readRate: endpoint({
    tag: "Node",
    summary:
      "What one T is worth, from a source that the caller names: for programs of the node's owner alone, each source at most every five minutes",
    access: "write",
    body: RateRequest,
    response: Rate,
    errors: [502],
  }),
  readPage: endpoint({
    tag: "Node",
    summary: "What a page says of itself, for the preview of a link: for programs of the node's owner alone, 30 pages in ten minutes",
    access: "write",
    body: PageRequest,
    response: PageSummary,
    errors: [502],
  }),
  openCallRelay: endpoint({
    tag: "Node",
    summary: "A credential for the relay of calls (TURN) that the node offers, for ten minutes: for programs of the node's owner alone",
    access: "write",
    body: Type.Object({}, { title: "CallRelayRequest", additionalProperties: false }),
    response: schema.CallRelayAccess,
    errors: [503],
  }),
  listRelays: publicRead({
    tag: "Relay",
    summary: "Registered relays in the order of their keys; `after` takes the key of the last one, of a list of as many as were asked for",
    unverified: "completeness",
    heavy: "always",
    query: wholeListQuery(RELAY_PAGE, WHOLE_LIST),
    response: Type.Array(schema.RegisteredRelay),
  }),
} as const satisfies EndpointGroup;
