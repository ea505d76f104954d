// Sending: sealed envelopes, one or several, and messages that the node seals.
import type { Input, Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { tryFromBase64 } from "#shared/util/bytes.ts";
import { describeFailure, retrySecondsOf } from "../../failures.ts";
import type { Handlers, RequestContext } from "../../handler-types.ts";
import { boxKey, clientOf, signatureField } from "../../security/mail-input.ts";
import type { ApiServices } from "../../services.ts";

export type SendingOperation = "sendMessage" | "broadcastEnvelope" | "broadcastEnvelopes";

type BroadcastOutcome = Output<"broadcastEnvelopes">["results"][number];

export function createSendingHandlers(relay: Pick<ApiServices["relay"], "send" | "broadcast">): Pick<Handlers, SendingOperation> {
  const broadcast = async ({ envelope, admit }: Input<"broadcastEnvelope">["body"], context: RequestContext): Promise<string> => {
    const signature = typeof admit === "string" ? signatureField("admit", admit) : undefined;
    return (await relay.broadcast(envelope, clientOf(context), signature)).id;
  };
  return {
    async sendMessage({ body }, context): Promise<Output<"sendMessage">> {
      const recipientPub = boxKey("recipient_pub", body.recipient_pub);
      const plaintext = tryFromBase64(body.msg_b64);
      if (plaintext === undefined) throw new CodedError("BAD_REQUEST", "msg_b64 is standard base64 with padding");
      const { id } = await relay.send(recipientPub, plaintext, clientOf(context));
      return { id, recipient_pub: recipientPub, status: "sent" };
    },
    broadcastEnvelope: async ({ body }, context) => ({ id: await broadcast(body, context), status: "broadcast" }),
    async broadcastEnvelopes({ body: { envelopes } }, context): Promise<Output<"broadcastEnvelopes">> {
      context.spend(envelopes.length - 1);
      const results = envelopes.map(async (one): Promise<BroadcastOutcome> => {
        try {
          return { status: "broadcast", id: await broadcast(one, context) };
        } catch (error) {
          return refusalOf(error);
        }
      });
      return { results: await Promise.all(results) };
    },
  };
}

/** What a request of its own would have been answered. @throws what went wrong inside: nothing of the whole request counts as answered then */
function refusalOf(error: unknown): BroadcastOutcome {
  const { status: code, text } = describeFailure(error);
  if (code === 500) throw error;
  const seconds = error instanceof CodedError ? retrySecondsOf(error) : undefined;
  return { status: "refused", code, error: text, ...(seconds !== undefined && { retry_after_s: Number(seconds) }) };
}
