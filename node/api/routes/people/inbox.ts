// Mailboxes: sending, storing, listing, counting, deleting.
import type { Output } from "#shared/api/api.ts";
import { requestOf } from "#shared/api/client.ts";
import type { ProvenRequest } from "#shared/api/inbox-proof.ts";
import type { Operation } from "#shared/api/routes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isEnvelopeId } from "#shared/protocol/mail/envelope.ts";
import { tryFromBase64 } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";
import { JsonText } from "../../json-text.ts";
import { RESPONSE_BYTES } from "../../limits.ts";
import type { MailboxAccess } from "../../security/mailbox-access.ts";
import type { ApiServices } from "../../services.ts";
import { assertMayRead } from "./boxes.ts";
import { boxKey, clientOf, signatureField } from "./mail-input.ts";

type InboxHandlers = Pick<
  Handlers,
  "sendMessage" | "broadcastEnvelope" | "listInbox" | "countInbox" | "deleteEnvelope" | "deleteEnvelopes"
>;

/** What a list's text has besides its items, at most. */
const LIST_FRAME_BYTES = 256;
const LISTING = provenRequest("listInbox", {});
const COUNTING = provenRequest("countInbox", {});

export function createInboxHandlers({ relay }: Pick<ApiServices, "relay">, mailboxes: MailboxAccess): InboxHandlers {
  return {
    async sendMessage({ body }, context): Promise<Output<"sendMessage">> {
      const recipientPub = boxKey("recipient_pub", body.recipient_pub);
      const plaintext = tryFromBase64(body.msg_b64);
      if (plaintext === undefined) throw new CodedError("BAD_REQUEST", "msg_b64 is standard base64 with padding");
      const { id } = await relay.send(recipientPub, plaintext, clientOf(context));
      return { id, recipient_pub: recipientPub, status: "sent" };
    },
    async broadcastEnvelope({ body }, context): Promise<Output<"broadcastEnvelope">> {
      const admit = typeof body.admit === "string" ? signatureField("admit", body.admit) : undefined;
      const { id } = await relay.broadcast(body.envelope, clientOf(context), admit);
      return { id, status: "broadcast" };
    },
    listInbox({ pub, since, after, limit = 50 }, context): JsonText {
      const recipientPub = boxKey("pub", pub);
      const isOwner = mailboxes.rightOf(context, recipientPub, { requests: [LISTING] }) === "owner";
      if (!isOwner) assertMayRead(relay, recipientPub);
      // Marks that are written down, and work for other nodes: for owners alone.
      if (isOwner) relay.serve(recipientPub);
      const { items, count, hasMore } = relay.listText({
        recipientPub,
        limit,
        hidesDeleted: !isOwner,
        maxBytes: RESPONSE_BYTES - LIST_FRAME_BYTES,
        ...(since === undefined ? {} : { sinceSec: since }),
        ...(after === undefined ? {} : { afterSeq: after }),
      });
      return new JsonText(`{"pub":"${recipientPub}","count":${count},"has_more":${hasMore},"items":[${items}]}`);
    },
    countInbox({ pub }, context): Output<"countInbox"> {
      const recipientPub = boxKey("pub", pub);
      const isOwner = mailboxes.rightOf(context, recipientPub, { requests: [COUNTING] }) === "owner";
      if (!isOwner) assertMayRead(relay, recipientPub);
      return { pub: recipientPub, count: relay.count(recipientPub, !isOwner) };
    },
    deleteEnvelope({ envID, pub }, context): Output<"deleteEnvelope"> {
      const recipientPub = boxKey("pub", pub);
      const { method, path } = provenRequest("deleteEnvelope", { envID });
      // Ids may hold signs that a client writes as they are.
      const requests = [path, decodeURIComponent(path)].map((form) => ({ method, path: form }));
      // The proof is used up exactly when what it asks for is done. Deleting twice is no error: the caller wants it gone, and gone it is.
      const right = relay.inTransaction(() => {
        const proven = mailboxes.rightOf(context, recipientPub, { requests, isLasting: true });
        if (proven === "owner") relay.delete(recipientPub, envID);
        return proven;
      });
      if (right === "none" && context.looksLocal && relay.boxes.find(recipientPub) === undefined) relay.hide(recipientPub, envID);
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
    async deleteEnvelopes({ body: { pub, ids, height, signature } }): Promise<Output<"deleteEnvelopes">> {
      const mailbox = boxKey("pub", pub);
      if (!ids.every(isEnvelopeId)) throw new CodedError("BAD_REQUEST", "ids are 1–128 printable ASCII characters each");
      const count = await relay.deletions.take({ mailbox, ids, height, signature: signatureField("signature", signature) });
      return { pub: mailbox, count, status: "deleted" };
    },
  };
}

function provenRequest(operation: Operation, input: Readonly<Record<string, unknown>>): ProvenRequest {
  const { method, path } = requestOf(operation, input);
  return { method, path };
}
