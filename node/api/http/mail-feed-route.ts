// GET /relay/feed: all mail of this node in the order in which it came, for gateways of the same operator. It shows whose mailbox gets how
// much, so it needs a secret of the node, also where everyone may use mailboxes.
import type { FastifyInstance } from "fastify";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AccessGuard } from "../security/access-guard.ts";
import type { ApiServices } from "../services.ts";

const { method, path, access } = rawEndpoints.readMailFeed;
const POSITION = /^\d{1,15}$/;

/** Registers the endpoint. */
export function registerMailFeed(app: FastifyInstance, { mailFeed }: Pick<ApiServices, "mailFeed">, guard: AccessGuard): void {
  app.route({
    method,
    url: path,
    config: { access },
    handler: (request, reply) => {
      if (!guard.holdsSecret(request))
        throw new CodedError("UNAUTHORIZED", "All mail of a node is for those who hold its API token or the secret of endpoint.json");
      if (mailFeed === undefined) throw new CodedError("UNAVAILABLE", "This node holds no mail of others: ask a full node");
      const query = request.query as Readonly<Record<string, unknown>>;
      reply.send(mailFeed.read({ after: positionOf(query.after), deletionsAfter: positionOf(query.deletions_after) }));
    },
  });
}

function positionOf(text: unknown): number {
  if (text === undefined) return 0;
  if (typeof text !== "string" || !POSITION.test(text))
    throw new CodedError("BAD_REQUEST", "after and deletions_after are positions of the feed");
  return Number(text);
}
