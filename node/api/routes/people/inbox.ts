// Mailboxes: sending, storing, listing, counting, deleting.
import type { Output } from "#shared/api/api.ts";
import { isInboxProof } from "#shared/api/inbox-proof.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { isHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Handlers, RequestContext } from "../../handler-types.ts";
import { JsonText } from "../../json-text.ts";
import type { ResolvedApiOptions } from "../../options.ts";
import type { ApiServices } from "../../services.ts";

type InboxHandlers = Pick<Handlers, "sendMessage" | "broadcastEnvelope" | "listInbox" | "countInbox" | "deleteEnvelope">;

export function createInboxHandlers({ relay, clock }: ApiServices, { inboxAuth }: ResolvedApiOptions): InboxHandlers {
  return {
    async sendMessage({ body }): Promise<Output<"sendMessage">> {
      const recipientPub = boxKey("recipient_pub", body.recipient_pub);
      const plaintext = tryFromBase64(body.msg_b64);
      if (plaintext === undefined) throw new CodedError("BAD_REQUEST", "msg_b64 is standard base64 with padding");
      const { id } = await relay.send(recipientPub, plaintext);
      return { id, recipient_pub: recipientPub, status: "sent" };
    },
    async broadcastEnvelope({ body }): Promise<Output<"broadcastEnvelope">> {
      const { id } = await relay.broadcast(body.envelope);
      return { id, status: "broadcast" };
    },
    listInbox({ pub, since, after, limit = 50 }): JsonText {
      const recipientPub = boxKey("pub", pub);
      relay.serve(recipientPub);
      const { items, count, hasMore } = relay.listText({
        recipientPub,
        limit,
        ...(since === undefined ? {} : { sentAfterSec: since }),
        ...(after === undefined ? {} : { afterSeq: after }),
      });
      return new JsonText(`{"pub":"${recipientPub}","count":${count},"has_more":${hasMore},"items":[${items}]}`);
    },
    countInbox({ pub }): Output<"countInbox"> {
      const recipientPub = boxKey("pub", pub);
      return { pub: recipientPub, count: relay.count(recipientPub) };
    },
    deleteEnvelope({ envID, pub }, context): Output<"deleteEnvelope"> {
      const recipientPub = boxKey("pub", pub);
      if (inboxAuth === "proof" && !context.isLocal && !hasProof(context, relay.sharedSecret(recipientPub), clock.nowMs()))
        throw new CodedError("FORBIDDEN", "Deleting from another machine needs the header X-Inbox-Proof of the mailbox's key");
      // Deleting twice is no error: the caller wants it gone, and gone it is.
      relay.delete(recipientPub, envID);
      return { id: envID, status: "deleted" };
    },
  };
}

function hasProof({ method, path, inboxProof }: RequestContext, secret: Uint8Array | undefined, nowMs: number): boolean {
  if (secret === undefined || inboxProof === undefined) return false;
  return isInboxProof(inboxProof, secret, { method, path }, Math.floor(nowMs / 1000));
}

function boxKey(field: string, text: string): X25519KeyHex {
  if (!isHex(text, 32)) throw new CodedError("BAD_REQUEST", `${field} is an X25519 public key of 64 hex characters`);
  return text.toLowerCase();
}
