// Handlers of a gateway: mailboxes and most of the explorer are read from the database, everything else about the chain is a node's.
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import type { ResolvedApiOptions } from "#node/api/options.ts";
import { createBoxHandlers } from "#node/api/routes/people/boxes.ts";
import { CARD_REQUESTS } from "#node/api/routes/people/cards.ts";
import { LISTS_A_REQUEST } from "#node/api/routes/people/identities.ts";
import { createInboxHandlers } from "#node/api/routes/people/inbox.ts";
import { MailboxAccess } from "#node/api/security/mailbox-access.ts";
import type { MailService } from "#node/relay/intake/mail-service.ts";
import type { Output } from "#shared/api/api.ts";
import { HttpError, parseResponse, requestOf } from "#shared/api/client.ts";
import { type Operation, ROUTES } from "#shared/api/routes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { createExplorerHandlers } from "../explorer/explorer-handlers.ts";
import type { GatewayExplorer } from "../explorer/open-explorer.ts";
import { RETRY_AFTER_S } from "../gateway-limits.ts";
import type { NodeLinks, NodeResponse } from "../node-links.ts";

export interface ProxiedHandlersDependencies {
  readonly mail: MailService;
  readonly explorer: Pick<GatewayExplorer, "explorer" | "state" | "counts">;
  readonly links: Pick<NodeLinks, "request">;
  readonly clock: Clock;
  readonly options: ResolvedApiOptions;
}

type Fields = Readonly<Record<string, unknown>>;

/** All handlers. */
export function createProxiedHandlers({ mail, explorer, links, clock, options }: ProxiedHandlersDependencies): Handlers {
  const mailboxes = new MailboxAccess(mail, clock, options);
  const ask = async (operation: Operation, input: Fields): Promise<string> => {
    const { method, path, body } = requestOf(operation, input);
    return textOf(await links.request(path, { method, body, headers: body === undefined ? {} : { "content-type": "application/json" } }));
  };
  const asked = (Object.keys(ROUTES) as Operation[]).map((operation) => [
    operation,
    async (input: Fields): Promise<JsonText> => new JsonText(await ask(operation, input)),
  ]);
  const proxied = Object.fromEntries(asked) as unknown as Handlers;
  return {
    ...proxied,
    ...createExplorerHandlers({ blocks: explorer.explorer, state: explorer.state }, proxied, explorer.counts),
    ...createInboxHandlers({ relay: mail }, mailboxes),
    ...createBoxHandlers({ relay: mail }, mailboxes, options.limits),
    ...counted(proxied),
    holdMail: holdsNothing,
    withdrawMail: holdsNothing,
    readRate(): never {
      throw new CodedError("FORBIDDEN", "A gateway looks up no rates: ask a node of your own");
    },
    readPage(): never {
      throw new CodedError("FORBIDDEN", "A gateway reads no pages: ask a node of your own");
    },
    openCallRelay(): never {
      throw new CodedError("FORBIDDEN", "A gateway offers no relay of calls: ask a node of your own");
    },
    requestDuty(): never {
      throw new CodedError("FORBIDDEN", "A gateway signs nothing with a node's key: ask the node itself");
    },
    async getStatus(input, context: RequestContext): Promise<Output<"getStatus">> {
      const status = parseResponse(await ask("getStatus", { ...input })) as Output<"getStatus">;
      return {
        ...status,
        relay_pub: mail.publicKey,
        mailbox_envelopes: mail.envelopeCount,
        inbox_auth_required: mailboxes.needsProof(context),
      };
    },
  };
}

type Counted = Pick<Handlers, "putCard" | "getCard" | "listDevicesOfMany">;

/** The node counts nothing of what it takes for its owner's, and asks others for cards: so it is counted here. */
function counted({ putCard, getCard, listDevicesOfMany }: Counted): Counted {
  return {
    putCard: (input, context): ReturnType<Handlers["putCard"]> => {
      context.spend(CARD_REQUESTS - 1);
      return putCard(input, context);
    },
    getCard: (input, context): ReturnType<Handlers["getCard"]> => {
      context.spend(CARD_REQUESTS - 1);
      return getCard(input, context);
    },
    listDevicesOfMany: (input, context): ReturnType<Handlers["listDevicesOfMany"]> => {
      context.spend(Math.floor(input.body.accounts.length / LISTS_A_REQUEST));
      return listDevicesOfMany(input, context);
    },
  };
}

/** The node behind it would take everyone for a program of its own machine or owner: so it would with rates, and ask any address for them. */
function holdsNothing(): never {
  throw new CodedError("FORBIDDEN", "A gateway sends no mail later: ask the node itself");
}

/** @throws CodedError as the node answered */
function textOf({ status, text }: NodeResponse): string {
  if (status === 200) return text;
  const { error } = parsed(text);
  const words = typeof error === "string" ? error : `A node answered ${status}`;
  if (status === 503) throw new CodedError("UNAVAILABLE", words, { details: { retryAfterS: RETRY_AFTER_S } });
  // What went wrong inside a node is no failure of this program.
  if (status === 500) throw new CodedError("UPSTREAM_FAILED", "A node of this service failed to answer");
  throw new HttpError(status, words);
}

function parsed(text: string): { readonly error?: unknown } {
  try {
    return JSON.parse(text) as { readonly error?: unknown };
  } catch {
    return {};
  }
}
