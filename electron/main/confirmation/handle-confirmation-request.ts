// Passes a decision of the keyring on to the confirmation window.

import type { ConfirmationRequest, ConfirmationResponse } from "#electron/confirmation-messages.ts";
import type { ConfirmDecision } from "#shared/keyring/confirmation/confirmation-gate.ts";

/** The response to a message of the keyring, or undefined when it is no request. */
export async function handleConfirmationRequest(message: unknown, confirm: ConfirmDecision): Promise<ConfirmationResponse | undefined> {
  if (!isRequest(message)) return undefined;
  const { id, decision } = message;
  return { type: "confirm", id, isAgreed: await confirm(decision).catch(() => false) };
}

/** The keyring is trusted with the decision itself. */
function isRequest(message: unknown): message is ConfirmationRequest {
  if (typeof message !== "object" || message === null) return false;
  const { type, id, decision } = message as Readonly<Record<string, unknown>>;
  return type === "confirm" && typeof id === "number" && typeof decision === "object" && decision !== null;
}
