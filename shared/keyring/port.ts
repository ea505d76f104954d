// The message port between the interface and the keyring: requests with ids, coded errors, status events.
import type { KeyringApi, KeyringStatus } from "./keyring-api.ts";

/** One end of a message channel: a Worker, a MessagePort or a process. Messages are structured clones. */
export interface KeyringPort {
  post(message: unknown): void;
  /** Returns the way to stop listening. */
  listen(listener: (message: unknown) => void): () => void;
}

/** The keyring seen from the interface. `Key` is what the host hands out as a key of the local store: in the browser, CryptoKey. */
export interface KeyringClient<Key> extends KeyringApi<Key> {
  /** Calls back whenever the status changes, by a call or by an automatic lock. */
  onStatus(listener: (status: KeyringStatus) => void): () => void;
  /** Rejects what is waiting and stops listening. */
  close(): void;
}
