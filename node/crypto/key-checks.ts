// Checks of the keys that submitted transactions name: from memory here, the first time on another thread.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { AcceptableKeys } from "./acceptable-key-cache.ts";

export interface KeyChecks {
  readonly isAcceptableKey: (publicKey: PublicKeyHex) => boolean;
  /** Has keys checked on another thread; undefined when there is nothing to wait for. */
  readonly learnKeys: (publicKeys: readonly PublicKeyHex[]) => Promise<void> | undefined;
  /** Tells of a key under which a signature verified. */
  readonly learnSigner: (publicKey: PublicKeyHex) => void;
}

/** Checks with a memory; `later` checks a key on another thread. */
export function keyChecks(later: (publicKey: Uint8Array) => boolean | Promise<boolean>): KeyChecks {
  const keys = new AcceptableKeys();
  return {
    isAcceptableKey: (publicKey) => keys.isAcceptable(publicKey),
    learnKeys: (publicKeys) => keys.learn(publicKeys, later),
    learnSigner: (publicKey) => keys.learnSigner(publicKey),
  };
}
