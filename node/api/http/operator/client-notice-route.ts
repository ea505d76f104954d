// POST /relay/feed/client: what a client of a gateway of the same operator handed in there. It counts as that client's, as if it had come here:
// who holds a secret of the node is believed where its clients come from.
import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { isLasting } from "#node/relay/mail-source.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { BroadcastRequest, type ClientNoticeResult, SignedDeletion, SignedOpening } from "#shared/api/schemas/relay.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { describeFailure, retrySecondsOf } from "../../failures.ts";
import type { AccessGuard } from "../../security/access-guard.ts";
import { isAddressGroup } from "../../security/client-address.ts";
import { clientOf, deletionField, openingField, signatureField } from "../../security/mail-input.ts";
import type { ApiServices, GatewayFeed } from "../../services.ts";

const { takeOfClient } = rawEndpoints;
const NOTICE = Type.Object({
  client: Type.Optional(Type.String()),
  envelope: Type.Optional(BroadcastRequest.properties.envelope),
  admit: Type.Optional(BroadcastRequest.properties.admit),
  opening: Type.Optional(SignedOpening),
  deletion: Type.Optional(SignedDeletion),
});
type ClientNotice = Static<typeof NOTICE>;

/** Registers the endpoint. */
export function registerClientNotices(app: FastifyInstance, { mailFeed }: Pick<ApiServices, "mailFeed">, guard: AccessGuard): void {
  app.route({
    method: takeOfClient.method,
    url: takeOfClient.path,
    config: { access: takeOfClient.access, isForGateways: true },
    schema: { body: NOTICE },
    handler: async (request, reply): Promise<void> => {
      if (!guard.holdsSecret(request))
        throw new CodedError(
          "UNAUTHORIZED",
          "Only a gateway that holds this node's API token, or the secret of endpoint.json, names its clients",
        );
      if (mailFeed === undefined)
        throw new CodedError("NOT_FOUND", "This node takes mail of clients alone: a gateway hands it in like one");
      await reply.send(await outcomeOf(mailFeed, request.body as ClientNotice));
    },
  });
}

/** A refusal is of the notice, and no failure of the request: so gateways tell it from a node that takes nothing now. */
async function outcomeOf(feed: GatewayFeed, notice: ClientNotice): Promise<ClientNoticeResult> {
  try {
    await take(feed, notice);
    return { status: "taken" };
  } catch (error) {
    if (!(error instanceof CodedError) || (error.status >= 500 && !isLasting(error))) throw error;
    const { status: code, text } = describeFailure(error);
    const seconds = retrySecondsOf(error);
    return { status: "refused", code, error: text, ...(seconds !== undefined && { retry_after_s: Number(seconds) }) };
  }
}

/** @throws CodedError of the mailbox */
async function take(feed: GatewayFeed, { client: address, envelope, admit, opening, deletion }: ClientNotice): Promise<void> {
  if (deletion !== undefined) await feed.takeDeletion(deletionField(deletion));
  if (envelope === undefined && opening === undefined) return;
  if (address === undefined || !isAddressGroup(address))
    throw new CodedError("BAD_REQUEST", "client is an IPv4 address, or the first four groups of an IPv6 one");
  const client = clientOf({ isOwn: false, isExempt: false, address });
  if (opening !== undefined) await feed.takeOpening(openingField(opening), client);
  if (envelope !== undefined)
    await feed.broadcast(envelope, client, typeof admit === "string" ? signatureField("admit", admit) : undefined);
}
