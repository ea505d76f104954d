// What the keyring's process and the shell say to each other about the system's keychain, which only the shell can reach.

import type { KeychainDescription } from "#shared/keyring/keyring-api.ts";
import type { UnwrappedKey } from "#shared/keyring/vault/keychain.ts";

/** A request of the keyring. */
export interface KeychainRequest {
  readonly type: "keychain";
  readonly id: number;
  readonly action: "describe" | "wrap" | "unwrap";
  /** The wrapping key, in the clear for `wrap`, as the keychain sealed it for `unwrap`. */
  readonly bytes?: Uint8Array;
}

/** The shell's response; without a value the keychain failed, and why is in the shell's log. */
export interface KeychainResponse {
  readonly type: "keychain";
  readonly id: number;
  readonly value?: KeychainDescription | Uint8Array | UnwrappedKey;
}
