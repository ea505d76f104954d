// How a call ends early: thrown by hosts and by the machine that runs modules, caught where the call began.

/** Why a call that had begun did not return. */
export type CallEndCode = "CONTRACT_ABORTED" | "CONTRACT_OUT_OF_GAS" | "CONTRACT_TRAPPED" | "CONTRACT_STACK_OVERFLOW";

/** A call of the host by a module. */
export interface HostCall {
  readonly name: string;
  readonly args: readonly (number | bigint)[];
}

/** Ends a call; never leaves the function that runs it. What nodes agree on is the code, and the message of a refusal: nothing else. */
export class CallEnd extends Error {
  readonly code: CallEndCode;
  /** The call of the host that ended it, if one did; for the contract's author. */
  hostCall: HostCall | undefined;

  constructor(code: CallEndCode, message = "", options?: ErrorOptions) {
    super(message, options);
    this.name = "CallEnd";
    this.code = code;
  }
}
