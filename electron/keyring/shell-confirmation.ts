// The shell's confirmation window as the keyring's process has it: a decision goes out, agreement or none comes back.

import type { ConfirmationRequest, ConfirmationResponse } from "#electron/confirmation-messages.ts";
import type { ConfirmDecision } from "#shared/keyring/confirmation/confirmation-gate.ts";

/** The window, and where the shell's messages go. */
export interface ShellConfirmation {
  readonly confirm: ConfirmDecision;
  /** Takes an answer of the shell; other messages are ignored. */
  receive(message: unknown): void;
}

/** A window behind a way to post to the shell. */
export function createShellConfirmation(post: (request: ConfirmationRequest) => void): ShellConfirmation {
  const waiting = new Map<number, (isAgreed: boolean) => void>();
  let lastId = 0;
  return {
    confirm: (decision) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        post({ type: "confirm", id: lastId, decision });
      }),
    receive: (message): void => {
      if (!isResponse(message)) return;
      const resolve = waiting.get(message.id);
      waiting.delete(message.id);
      resolve?.(message.isAgreed === true);
    },
  };
}

function isResponse(message: unknown): message is ConfirmationResponse {
  return typeof message === "object" && message !== null && "type" in message && message.type === "confirm" && "id" in message;
}
