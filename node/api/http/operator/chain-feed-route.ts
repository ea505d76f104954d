// GET /api/chain/feed, for gateways of the same operator: blocks with what they did, page by page. A page costs more than any read of the
// interface, so it needs a secret of the node.
import type { FastifyInstance } from "fastify";
import { parseStatePosition, type StateCopy, WHOLE_STATE } from "#node/storage/chain/feed/state-feed.ts";
import type { ChainPosition } from "#node/storage/explorer/block-summary.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { AccessGuard } from "../../security/access-guard.ts";
import type { ApiServices } from "../../services.ts";

const { method, path, access } = rawEndpoints.readChainFeed;
const HEIGHT = /^\d{1,15}$/;

/** Registers the endpoint. */
export function registerChainFeed(app: FastifyInstance, { chainFeed }: Pick<ApiServices, "chainFeed">, guard: AccessGuard): void {
  app.route({
    method,
    url: path,
    config: { access },
    handler: async (request) => {
      if (!guard.holdsSecret(request))
        throw new CodedError(
          "UNAUTHORIZED",
          "The feed of blocks is for those who hold the node's API token or the secret of endpoint.json",
        );
      if (chainFeed === undefined) throw new CodedError("UNAVAILABLE", "This node holds no blocks: ask a full node");
      const query = request.query as Readonly<Record<string, unknown>>;
      return await chainFeed.read(positionOf(query), copyOf(query));
    },
  });
}

function positionOf({ after, hash }: Readonly<Record<string, unknown>>): ChainPosition | undefined {
  if (after === undefined && hash === undefined) return undefined;
  const isPosition = typeof after === "string" && HEIGHT.test(after) && typeof hash === "string" && isHex(hash, 32);
  if (!isPosition) throw new CodedError("BAD_REQUEST", "after is the height of a block and hash its hash, both or neither");
  return { height: Number(after), hash: hash.toLowerCase() };
}

function copyOf({ state, contract }: Readonly<Record<string, unknown>>): StateCopy | undefined {
  if (state === undefined && contract === undefined) return undefined;
  const position = typeof state === "string" ? parseStatePosition(state) : undefined;
  if ((contract !== undefined && !isContractId(contract)) || (position === undefined && state !== WHOLE_STATE))
    throw new CodedError("BAD_REQUEST", "state is the position of a copy as a page of the feed gave it, and contract the id of a contract");
  return { position, lastContract: contract?.toLowerCase() };
}
