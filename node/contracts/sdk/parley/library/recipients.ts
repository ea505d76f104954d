// Whom a contract may owe, pay or give something: keys that can sign and contracts that are there.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, demand, isUsable, self } from "parley";

/** Ends the call for the key of zeros, any other key that cannot sign, a contract that is not there, and this contract itself. */
export function demandRecipient(to: Address): void {
  demand(to != self(), "the contract itself cannot receive this");
  demand(isUsable(to), "the recipient is no usable key and no contract");
}
