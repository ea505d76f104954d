// GET /api/chain/feed, for gateways of the same operator: blocks with what they did, page by page. A page costs more than any read of the
// interface, so it needs a secret of the node.
import type { FastifyInstance } from "fastify";
import type { ChainPosition } from "#node/storage/explorer/block-summary.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
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
      return await chainFeed.read(positionOf(request.query as Readonly<Record<string, unknown>>));
    },
  });
}

function positionOf({ after, hash }: Readonly<Record<string, unknown>>): ChainPosition | undefined {
  if (after === undefined && hash === undefined) return undefined;
  const isPosition = typeof after === "string" && HEIGHT.test(after) && typeof hash === "string" && isHex(hash, 32);
  if (!isPosition) throw new CodedError("BAD_REQUEST", "after is the height of a block and hash its hash, both or neither");
  return { height: Number(after), hash: hash.toLowerCase() };
}
