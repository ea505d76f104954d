// Reputation and rewards of a node, and the registered relays.

import type { Output } from "#shared/api/api.ts";
import { listLimit } from "#shared/api/endpoint.ts";
import { RELAY_PAGE } from "#shared/api/endpoints/nodes.ts";
import type { RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { keeperBondUt, keeperWeight } from "#shared/protocol/keepers/keeper-standing.ts";
import type { GenesisParams } from "#shared/protocol/primitives/params.ts";
import { isHex, toBase64 } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";
import type { ApiServices } from "../../services.ts";
import { accountOfPath } from "../account-param.ts";

type NodeHandlers = Pick<
  Handlers,
  "getNodeStats" | "getKeptHistory" | "requestDuty" | "readRate" | "readPage" | "openCallRelay" | "listRelays"
>;

export function createNodeHandlers({
  node,
  nodes,
  duties,
  rates,
  pages,
  callRelay,
}: Pick<ApiServices, "nodes" | "duties" | "rates" | "pages" | "callRelay"> & Partial<Pick<ApiServices, "node">>): NodeHandlers {
  return {
    getKeptHistory: (): Output<"getKeptHistory"> => {
      if (node?.keptHistory === undefined) throw new CodedError("UNAVAILABLE", "A light node has no blocks of its own");
      return node.keptHistory();
    },
    requestDuty: async ({ body }): Promise<Output<"requestDuty">> => {
      if (duties === undefined) throw new CodedError("UNAVAILABLE", "A light node has no duties on the chain: run it as a full node");
      return { status: "accepted", id: await duties.request(body) };
    },
    readRate: async ({ body }, { isOwn }): Promise<Output<"readRate">> => {
      // No one else may have this node ask an address of their choice.
      if (!isOwn) throw new CodedError("FORBIDDEN", "A rate is looked up for programs of the node's owner alone");
      if (rates === undefined) throw new CodedError("UNAVAILABLE", "This node looks up no rates");
      const { rate, atMs } = await rates.rateAt(body);
      return { rate, at: new Date(atMs).toISOString() };
    },
    readPage: async ({ body }, { isOwn }): Promise<Output<"readPage">> => {
      if (!isOwn) throw new CodedError("FORBIDDEN", "A page is read for programs of the node's owner alone");
      if (pages === undefined) throw new CodedError("UNAVAILABLE", "This node reads no pages");
      const { picture, ...said } = await pages.summaryOf(body.url);
      return { ...said, picture_b64: picture === undefined ? "" : toBase64(picture) };
    },
    openCallRelay: (_input, { isOwn }): Output<"openCallRelay"> => {
      // What passes through it costs the owner of the node: no one else opens it.
      if (!isOwn) throw new CodedError("FORBIDDEN", "The relay of calls is opened for programs of the node's owner alone");
      if (callRelay === undefined) throw new CodedError("UNAVAILABLE", "This node offers no relay of calls: start it with --call-relay");
      const { urls, username, credential, expiresSec } = callRelay.issue();
      return { urls: [...urls], username, credential, expires_at: expiresSec };
    },
    getNodeStats: ({ pubkey, window = 200 }) => nodes.nodeStats(accountOfPath(pubkey), window),
    listRelays: async (input): Promise<Output<"listRelays">> => {
      const { after } = input;
      const limit = listLimit(input, RELAY_PAGE);
      if (after !== undefined && !isHex(after, 32))
        throw new CodedError("BAD_REQUEST", "after is the pub_key of a relay, 64 hex characters");
      const relays = await nodes.relays(after === undefined ? { limit } : { limit, after: after.toLowerCase() });
      return relays.map((relay) => withWeight(relay, node?.genesis.params));
    },
  };
}

/** No UPGRADE changes the bond of validators, of which keepers have a share. */
function withWeight(relay: RegisteredRelay, params: GenesisParams | undefined): RegisteredRelay {
  const { keeper } = relay;
  if (keeper === undefined || params === undefined) return relay;
  const least = keeperBondUt(params.validator_bond_ut, KEEPER_RULES);
  return { ...relay, keeper: { ...keeper, weight: keeperWeight(keeper.bond_ut, least, KEEPER_RULES) } };
}
