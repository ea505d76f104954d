// How a call ends early: thrown by hosts and by the machine that runs modules, caught where the call began.

/** Why a call that had begun did not return. */
export type CallEndCode = "CONTRACT_ABORTED" | "CONTRACT_OUT_OF_GAS" | "CONTRACT_TRAPPED" | "CONTRACT_STACK_OVERFLOW";

/** Ends a call; never leaves the function that runs it. */
export class CallEnd extends Error {
  readonly code: CallEndCode;

  constructor(code: CallEndCode, message = "") {
    super(message);
    this.name = "CallEnd";
    this.code = code;
  }
}
