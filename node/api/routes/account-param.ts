// "Address or hex key" in a path.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";

/**
 * Key of an account that a path names. Every well-formed key has an account, an empty one when it was never used; anything else names
 * nothing. @throws CodedError NOT_FOUND
 */
export function accountOfPath(text: string): PublicKeyHex {
  try {
    return parseAccount(text);
  } catch (cause) {
    throw new CodedError("NOT_FOUND", (cause as Error).message, { cause });
  }
}
