// For gateways of the same operator: GET /relay/feed is all mail of this node in the order in which it came, POST /relay/feed/readers names
// those who read at them. It shows whose mailbox gets how much, so it needs a secret of the node, also where everyone may use mailboxes.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { isHex, toHex } from "#shared/util/bytes.ts";
import type { AccessGuard } from "../security/access-guard.ts";
import type { ApiServices, GatewayFeed } from "../services.ts";

const { readMailFeed, nameReaders } = rawEndpoints;
const POSITION = /^\d{1,15}$/;
/** Mailboxes that a gateway names at once. docs/limits.md lists it. */
export const NAMED_AT_ONCE = 1_024;
const SCOPE_BYTES = 16;

/** Registers the endpoints of gateways. */
export function registerMailFeed(
  app: FastifyInstance,
  { mailFeed, random }: Pick<ApiServices, "mailFeed" | "random">,
  guard: AccessGuard,
): void {
  // A gateway that sees another one names its readers again.
  const scope = toHex(random(SCOPE_BYTES));
  const openFeed = (request: FastifyRequest): GatewayFeed => {
    if (!guard.holdsSecret(request))
      throw new CodedError("UNAUTHORIZED", "All mail of a node is for those who hold its API token or the secret of endpoint.json");
    if (mailFeed === undefined) throw new CodedError("UNAVAILABLE", "This node holds no mail of others: ask a full node");
    return mailFeed;
  };
  app.route({
    method: readMailFeed.method,
    url: readMailFeed.path,
    config: { access: readMailFeed.access },
    handler: (request, reply) => {
      const feed = openFeed(request);
      const query = request.query as Readonly<Record<string, unknown>>;
      reply.send(feed.read({ after: positionOf(query.after), deletionsAfter: positionOf(query.deletions_after) }));
    },
  });
  app.route({
    method: nameReaders.method,
    url: nameReaders.path,
    config: { access: nameReaders.access },
    handler: (request, reply) => {
      const feed = openFeed(request);
      reply.send({ taken: feed.serve(readersOf(request.body)), scope });
    },
  });
}

function readersOf(body: unknown): readonly X25519KeyHex[] {
  const { readers } = (body ?? {}) as { readonly readers?: unknown };
  const isList = Array.isArray(readers) && readers.length <= NAMED_AT_ONCE;
  if (!isList || !readers.every((each): each is string => typeof each === "string" && isHex(each, 32)))
    throw new CodedError("BAD_REQUEST", `readers are at most ${NAMED_AT_ONCE} X25519 public keys of 64 hex characters`);
  return readers.map((each) => each.toLowerCase());
}

function positionOf(text: unknown): number {
  if (text === undefined) return 0;
  if (typeof text !== "string" || !POSITION.test(text))
    throw new CodedError("BAD_REQUEST", "after and deletions_after are positions of the feed");
  return Number(text);
}
