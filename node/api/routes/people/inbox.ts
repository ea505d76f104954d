// Mailboxes: sending, storing, listing, counting, deleting.
import { type Awaitable, whenThere } from "#node/queries/awaitable.ts";
import type { Output } from "#shared/api/api.ts";
import { requestOf } from "#shared/api/client.ts";
import type { ProvenRequest } from "#shared/api/inbox-proof.ts";
import type { Operation } from "#shared/api/routes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isEnvelopeId, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Handlers } from "../../handler-types.ts";
import { JsonText } from "../../json/json-text.ts";
import { RESPONSE_BYTES } from "../../limits.ts";
import { boxKey, clientOf, deletionField } from "../../security/mail-input.ts";
import type { MailboxAccess, MailboxRight } from "../../security/mailbox-access.ts";
import type { ApiServices } from "../../services.ts";
import { askOthers, countMailbox, listMailbox, type ReadText } from "./mailbox-reads.ts";
import { createSendingHandlers, type SendingOperation } from "./sending.ts";

type InboxHandlers = Pick<Handlers, SendingOperation | "listInbox" | "countInbox" | "deleteEnvelope" | "deleteEnvelopes">;

/** What a list's text has besides its items, at most. */
const LIST_FRAME_BYTES = 256;
const LISTING = provenRequest("listInbox", {});
const COUNTING = provenRequest("countInbox", {});

export function createInboxHandlers({ relay }: Pick<ApiServices, "relay">, mailboxes: MailboxAccess): InboxHandlers {
  return {
    ...createSendingHandlers(relay),
    listInbox({ pub, since, after, limit = 50 }, context): Awaitable<JsonText> {
      const recipientPub = boxKey("pub", pub);
      const isOwner = mailboxes.rightOf(context, recipientPub, { requests: [LISTING] }) === "owner";
      const query = {
        recipientPub,
        limit,
        hidesDeleted: !isOwner,
        maxBytes: RESPONSE_BYTES - LIST_FRAME_BYTES,
        ...(since === undefined ? {} : { sinceSec: since }),
        ...(after === undefined ? {} : { afterSeq: after }),
      };
      // Marks that are written down, and work for other nodes: for owners alone.
      if (isOwner) relay.serve(recipientPub, clientOf(context).party);
      return whenThere(askOthers(relay, [recipientPub], { isOwner, context }), (unread) =>
        whenThere(listMailbox(relay, query, isOwner), (list) => listed(recipientPub, list, unread.size === 0)),
      );
    },
    countInbox({ pub }, context): Awaitable<Output<"countInbox">> {
      const recipientPub = boxKey("pub", pub);
      const isOwner = mailboxes.rightOf(context, recipientPub, { requests: [COUNTING] }) === "owner";
      return whenThere(askOthers(relay, [recipientPub], { isOwner, context }), (unread) =>
        whenThere(countMailbox(relay, recipientPub, isOwner), (count) => ({
          ...{ pub: recipientPub, count },
          ...(unread.size > 0 && { complete: false }),
        })),
      );
    },
    async deleteEnvelope({ envID, pub }, context): Promise<Output<"deleteEnvelope">> {
      const recipientPub = boxKey("pub", pub);
      const { method, path } = provenRequest("deleteEnvelope", { envID });
      // Ids may hold signs that a client writes as they are.
      const requests = [path, decodeURIComponent(path)].map((form) => ({ method, path: form }));
      // The proof is used up exactly when what it asks for is done. Deleting twice is no error: the caller wants it gone, and gone it is.
      let right: MailboxRight = "none";
      await relay.deleteIf(recipientPub, envID, () => {
        right = mailboxes.rightOf(context, recipientPub, { requests, isLasting: true });
        return right === "owner";
      });
      right = right as MailboxRight;
      if (right === "none" && context.looksLocal && (await relay.boxes.find(recipientPub)) === undefined)
        await hideHere(relay, recipientPub, envID);
      else if (right !== "owner")
        throw new CodedError(
          "FORBIDDEN",
          right === "bad"
            ? "X-Inbox-Proof is no proof of the mailbox's key for this request, or was used before"
            : "Deleting from another machine, or from a box that was opened, needs the header X-Inbox-Proof of the mailbox's key",
        );
      // What this node knows it cannot prove to others.
      if (isEnvelopeId(envID)) relay.deletions.announceRead(recipientPub, [envID]);
      return { id: envID, status: "deleted" };
    },
    async deleteEnvelopes({ body }): Promise<Output<"deleteEnvelopes">> {
      const deletion = deletionField(body);
      return { pub: deletion.mailbox, count: await relay.deletions.take(deletion), status: "deleted" };
    },
  };
}

function listed(pub: X25519KeyHex, { items, count, hasMore, isComplete = true }: ReadText, isRead: boolean): JsonText {
  const complete = isRead && isComplete ? "" : `"complete":false,`;
  return new JsonText(`{"pub":"${pub}","count":${count},"has_more":${hasMore},${complete}"items":[${items}]}`);
}

async function hideHere(relay: ApiServices["relay"], recipientPub: X25519KeyHex, id: string): Promise<void> {
  await relay.hide(recipientPub, id);
  relay.elsewhere?.hide(recipientPub, id);
}

function provenRequest(operation: Operation, input: Readonly<Record<string, unknown>>): ProvenRequest {
  const { method, path } = requestOf(operation, input);
  return { method, path };
}
