// Handles the keyring's requests to the keychain. What passes is the wrapping key alone, and nothing of it is stored.

import type { KeychainRequest, KeychainResponse } from "#electron/keychain-messages.ts";
import type { Keychain } from "#shared/keyring/vault/keychain.ts";

/** Longest bytes that are passed on; a sealed key has about a hundred. */
const MAX_BYTES = 4_096;

/** The response to a message of the keyring, or undefined when it is no request. `note` gets the reason of a failure. */
export async function handleKeychainRequest(
  message: unknown,
  keychain: Keychain,
  note: (error: unknown) => void,
): Promise<KeychainResponse | undefined> {
  if (!isRequest(message)) return undefined;
  const { id, action, bytes = new Uint8Array() } = message;
  try {
    if (action === "describe") return { type: "keychain", id, value: await keychain.describe() };
    return { type: "keychain", id, value: action === "wrap" ? await keychain.wrap(bytes) : await keychain.unwrap(bytes) };
  } catch (error) {
    note(error);
    return { type: "keychain", id };
  } finally {
    bytes.fill(0);
  }
}

function isRequest(message: unknown): message is KeychainRequest {
  if (typeof message !== "object" || message === null) return false;
  const { type, id, action, bytes } = message as Readonly<Record<string, unknown>>;
  return (
    type === "keychain" &&
    typeof id === "number" &&
    (action === "describe" || action === "wrap" || action === "unwrap") &&
    (bytes === undefined || (bytes instanceof Uint8Array && bytes.length <= MAX_BYTES))
  );
}
