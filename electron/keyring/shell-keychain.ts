// The system's keychain as the keyring's process has it: every call is a request to the shell.

import type { KeychainRequest, KeychainResponse } from "#electron/keychain-messages.ts";
import type { KeychainDescription } from "#shared/keyring/keyring-api.ts";
import type { Keychain, UnwrappedKey } from "#shared/keyring/vault/keychain.ts";

/** The keychain, and where the shell's messages go. */
export interface ShellKeychain {
  readonly keychain: Keychain;
  /** Takes a response of the shell; other messages are none of its business. */
  receive(message: unknown): void;
}

/** A keychain behind a way to post to the shell. */
export function createShellKeychain(post: (request: KeychainRequest) => void): ShellKeychain {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const ask = (action: KeychainRequest["action"], bytes?: Uint8Array): Promise<unknown> => {
    lastId += 1;
    const response = Promise.withResolvers<unknown>();
    waiting.set(lastId, response);
    post({ type: "keychain", id: lastId, action, ...(bytes === undefined ? {} : { bytes }) });
    return response.promise;
  };
  return {
    keychain: {
      describe: async () => (await ask("describe")) as KeychainDescription,
      wrap: async (key) => (await ask("wrap", key)) as Uint8Array,
      unwrap: async (wrapped) => (await ask("unwrap", wrapped)) as UnwrappedKey,
    },
    receive: (message): void => {
      if (!isResponse(message)) return;
      const response = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.value === undefined) response?.reject(new Error("The keychain failed"));
      else response?.resolve(message.value);
    },
  };
}

function isResponse(message: unknown): message is KeychainResponse {
  return typeof message === "object" && message !== null && "type" in message && message.type === "keychain" && "id" in message;
}
