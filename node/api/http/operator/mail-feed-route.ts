// For gateways of the same operator: GET /relay/feed is all mail of this node in the order in which it came, POST /relay/feed/readers names
// those who read at them, POST /relay/feed/signed brings what owners signed there; POST /relay/feed/elsewhere and GET /relay/feed/inbox are what other nodes have and this one has not. They show
// whose mailbox gets how much, so they need a secret of the node, also where everyone may use mailboxes.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { GatewayReader } from "#node/relay/readers/gateway-readers.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { SignedDeletion, SignedOpening } from "#shared/api/schemas/relay.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { isHex, toHex } from "#shared/util/bytes.ts";
import { RESPONSE_BYTES } from "../../limits.ts";
import type { AccessGuard } from "../../security/access-guard.ts";
import { deletionField, openingField } from "../../security/mail-input.ts";
import type { ApiServices, GatewayFeed } from "../../services.ts";

const { readMailFeed, nameReaders, takeSigned, readElsewhere, listElsewhere } = rawEndpoints;
/** Positions of lists of what others have are longer than those of the feed. */
const POSITION = /^\d{1,16}$/;
/** Mailboxes that a gateway names at once. docs/limits.md lists it. */
export const NAMED_AT_ONCE = 1_024;
/** Mailboxes of which a gateway asks at once what other nodes have, and ids of each that it gets. docs/limits.md lists both. */
export const ELSEWHERE_AT_ONCE = 16;
export const ELSEWHERE_IDS = 4_096;
/** Envelopes of a page. */
const MOST_LISTED = 500;
const SCOPE_BYTES = 16;
/** Characters of the name of a network. */
const PARTY_CHARS = 128;
const SIGNED = Type.Object({ opening: Type.Optional(SignedOpening), deletion: Type.Optional(SignedDeletion) });
type Signed = Static<typeof SIGNED>;

/** What the node says of mailboxes that others keep, docs/api.md. */
export interface ElsewhereAnswer {
  /** Its `relay_pub`. */
  readonly node: X25519KeyHex;
  readonly elsewhere: boolean;
  /** Its last position in the feed. */
  readonly after: number;
  readonly unread: readonly X25519KeyHex[];
  readonly boxes: readonly {
    readonly pub: X25519KeyHex;
    readonly ids: readonly string[];
    readonly has_more: boolean;
    readonly read: BoxOpening["read"] | null;
  }[];
}

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
      reply.send(feed.read({ after: numberOf(query, "after"), deletionsAfter: numberOf(query, "deletions_after") }));
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
  app.route({
    method: takeSigned.method,
    url: takeSigned.path,
    config: { access: takeSigned.access },
    schema: { body: SIGNED },
    handler: async (request, reply) => {
      const feed = openFeed(request);
      const { opening, deletion } = request.body as Signed;
      if (opening !== undefined) await feed.takeOpening(openingField(opening));
      if (deletion !== undefined) await feed.takeDeletion(deletionField(deletion));
      await reply.send({ status: "taken" });
    },
  });
  app.route({
    method: readElsewhere.method,
    url: readElsewhere.path,
    config: { access: readElsewhere.access },
    handler: async (request, reply) => {
      const feed = openFeed(request);
      const body = { served: [], unproven: [], ...(request.body as object | null) };
      const served = mailboxesOf(body, "served", NAMED_AT_ONCE);
      await reply.send(await whatIsElsewhere(feed, served, mailboxesOf(body, "unproven", ELSEWHERE_AT_ONCE)));
    },
  });
  app.route({
    method: listElsewhere.method,
    url: listElsewhere.path,
    config: { access: listElsewhere.access },
    handler: async (request, reply) => {
      const { elsewhere } = openFeed(request);
      const fields = request.query as Readonly<Record<string, unknown>>;
      const [recipientPub = ""] = mailboxesOf({ pub: [fields.pub] }, "pub", 1);
      const query = {
        ...{ recipientPub, afterSeq: numberOf(fields, "after"), limit: Math.min(MOST_LISTED, numberOf(fields, "limit", 50)) },
        ...{ sinceSec: numberOf(fields, "since", -1), maxBytes: Math.min(RESPONSE_BYTES, numberOf(fields, "bytes", RESPONSE_BYTES)) },
      };
      // What came into this node's mailbox since has a place of its own in the list, and none that a reader behind a position saw elsewhere.
      const list = query.afterSeq > 0 ? elsewhere?.listText(query) : elsewhere?.listMissing(query);
      const { items, hasMore, isComplete } = (await list) ?? { items: "", hasMore: false, isComplete: true };
      await reply.type("application/json").send(`{"has_more":${hasMore},"complete":${isComplete},"items":[${items}]}`);
    },
  });
}

/** Reads at keepers what is asked for; a page of the feed up to `after` has what came of `served`. */
async function whatIsElsewhere(
  feed: GatewayFeed,
  served: readonly X25519KeyHex[],
  unproven: readonly X25519KeyHex[],
): Promise<ElsewhereAnswer> {
  const { elsewhere, publicKey: node } = feed;
  if (elsewhere === undefined) return { node, elsewhere: false, unread: [], boxes: [], after: feed.last() };
  if (served.length > 0) feed.serve(served.map((box) => ({ box })));
  const unread = await Promise.all([
    served.length === 0 ? [] : elsewhere.readServed(served),
    unproven.length === 0 ? [] : elsewhere.read(unproven),
  ]);
  const boxes = unproven.map((pub) => {
    const missing = elsewhere.missing(pub);
    const { read } = elsewhere.openingOf(pub) ?? { read: null };
    return { pub, ids: missing.slice(0, ELSEWHERE_IDS), has_more: missing.length > ELSEWHERE_IDS, read };
  });
  return { node, elsewhere: true, unread: unread.flatMap((some) => [...some]), boxes, after: feed.last() };
}

/** Readers with what a gateway says of each; those of earlier versions say nothing. @throws CodedError BAD_REQUEST */
function readersOf(body: unknown): readonly GatewayReader[] {
  const { parties, idle_s: idle } = (body ?? {}) as { readonly parties?: unknown; readonly idle_s?: unknown };
  const boxes = mailboxesOf(body, "readers", NAMED_AT_ONCE);
  const isFor = (list: unknown): list is readonly unknown[] => Array.isArray(list) && list.length === boxes.length;
  if (parties !== undefined && !(isFor(parties) && parties.every((party) => typeof party === "string" && party.length <= PARTY_CHARS)))
    throw new CodedError("BAD_REQUEST", `parties: for each reader a text of at most ${PARTY_CHARS} characters`);
  if (idle !== undefined && !(isFor(idle) && idle.every((seconds) => Number.isSafeInteger(seconds) && Number(seconds) >= 0)))
    throw new CodedError("BAD_REQUEST", "idle_s: for each reader whole seconds");
  return boxes.map((box, at) => ({
    box,
    ...(parties !== undefined && { party: String(parties[at]) }),
    ...(idle !== undefined && { idleMs: Number(idle[at]) * 1_000 }),
  }));
}

function mailboxesOf(body: unknown, name: string, most: number): readonly X25519KeyHex[] {
  const named = ((body ?? {}) as Readonly<Record<string, unknown>>)[name];
  const isList = Array.isArray(named) && named.length <= most;
  if (!isList || !named.every((each): each is string => typeof each === "string" && isHex(each, 32)))
    throw new CodedError("BAD_REQUEST", `${name}: at most ${most} X25519 public keys of 64 hex characters`);
  return named.map((each) => each.toLowerCase());
}

function numberOf(fields: Readonly<Record<string, unknown>>, name: string, otherwise = 0): number {
  const text = fields[name];
  if (text === undefined) return otherwise;
  if (typeof text !== "string" || !POSITION.test(text) || !Number.isSafeInteger(Number(text)))
    throw new CodedError("BAD_REQUEST", `${name} is a whole number of at most 2^53 - 1`);
  return Number(text);
}
