// Envelopes that the node sends at a time, for programs of its own machine or owner.
import type { HeldMail } from "#node/relay/intake/held-mail.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers, RequestContext } from "../../handler-types.ts";
import { clientOf } from "../../security/mail-input.ts";
import type { ApiServices } from "../../services.ts";

type HeldMailHandlers = Pick<Handlers, "holdMail" | "withdrawMail">;

export function createHeldMailHandlers({ heldMail }: Pick<ApiServices, "heldMail">): HeldMailHandlers {
  return {
    holdMail({ body: { name, not_before: notBefore, envelopes } }, context): Output<"holdMail"> {
      const held = requireOwn(heldMail, context);
      const status = held.hold({ name, notBefore, envelopes }, clientOf(context));
      return { name, relay_pub: held.relayPub, status };
    },
    withdrawMail({ body: { name } }, context): Output<"withdrawMail"> {
      const held = requireOwn(heldMail, context);
      return { name, relay_pub: held.relayPub, status: held.withdraw(name) };
    },
  };
}

/**
 * A proxy may look like this machine: what that gives is room within bounds, never a right over what others hold, whose names no one knows.
 * @throws CodedError FORBIDDEN for others, NOT_FOUND where the node holds nothing
 */
function requireOwn(heldMail: HeldMail | undefined, { isOwn, looksLocal }: Pick<RequestContext, "isOwn" | "looksLocal">): HeldMail {
  if (!isOwn && !looksLocal)
    throw new CodedError("FORBIDDEN", "Only programs of the node's own machine or owner may have it send mail later");
  if (heldMail === undefined) throw new CodedError("NOT_FOUND", "This node sends no mail later");
  return heldMail;
}
