// What a keyring needs of the program that holds it.
import type { LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import type { ConfirmDecision } from "./confirmation/confirmation-gate.ts";
import type { Keychain } from "./vault/keychain.ts";
import type { VaultStorage } from "./vault/vault-copies.ts";
import type { Argon2Parameters } from "./vault/vault-format.ts";

/** Other windows that have the same vault open. */
export interface OtherWindows {
  /** The vault was written again under another data key. */
  announce(): void;
  /** Calls back when another window announces that. */
  listen(listener: () => void): void;
}

/** What a keyring needs of its host. */
export interface KeyringDependencies {
  readonly storage: VaultStorage;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Cost of passwords of new vaults. */
  readonly argon2?: Argon2Parameters;
  /** ML-KEM and X25519 of the host, where it has them; script otherwise. */
  readonly kem?: KemPrimitives | undefined;
  /** The same where the host computes them on other threads; undefined where it has none. */
  readonly lateKem?: () => Promise<LateKem | undefined>;
  /** The operating system's keychain, where the host can reach it. */
  readonly keychain?: Keychain;
  /** A window of the host that the page cannot draw; without one the password confirms. */
  readonly confirm?: ConfirmDecision;
  /** Where several windows may share a vault. */
  readonly otherWindows?: OtherWindows;
}
