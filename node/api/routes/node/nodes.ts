// Reputation and rewards of a node, and the registered relays.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { listLimit } from "#shared/api/endpoint.ts";
import { RELAY_PAGE } from "#shared/api/endpoints/nodes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

export function createNodeHandlers({ nodes }: Pick<ReadQueries, "nodes">): Pick<Handlers, "getNodeStats" | "listRelays"> {
  return {
    getNodeStats: ({ pubkey, window = 200 }) => nodes.nodeStats(accountOfPath(pubkey), window),
    listRelays: async (input): Promise<Output<"listRelays">> => {
      const { after } = input;
      const limit = listLimit(input, RELAY_PAGE);
      if (after !== undefined && !isHex(after, 32))
        throw new CodedError("BAD_REQUEST", "after is the pub_key of a relay, 64 hex characters");
      return [...(await nodes.relays(after === undefined ? { limit } : { limit, after: after.toLowerCase() }))];
    },
  };
}
