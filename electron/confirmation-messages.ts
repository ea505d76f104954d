// What the keyring's process, the shell and the confirmation window say to each other.

import type { KeyringDecision } from "#shared/keyring/confirmation/decision.ts";

/** The keyring asks for a person's agreement. */
export interface ConfirmationRequest {
  readonly type: "confirm";
  readonly id: number;
  readonly decision: KeyringDecision;
}

/** The shell's answer. */
export interface ConfirmationResponse {
  readonly type: "confirm";
  readonly id: number;
  readonly isAgreed: boolean;
}
