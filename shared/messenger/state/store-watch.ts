// What the vault knows of the store, and what was found of it. The vault is told the number of a write that is durable: soon after one that
// changed a group or how long messages stay, else after a while. A store that is older than that was put back.
import type { KeyringClient } from "#shared/keyring/port.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import type { LocalStore } from "../store/local-store.ts";
import type { StoreFinding } from "../store/store-guard.ts";

/** Key of the findings in the store. */
export const FINDINGS_KEY = "findings";
/** How long the vault may lag behind, milliseconds. */
const URGENT_MS = 1_000;
const USUAL_MS = 30_000;

/** What was found; `messages`: messages are not those that were written last; `device`: others know contents of this device that it does not. */
export type WatchFinding = StoreFinding | "messages" | "device";

/** What it needs. */
export interface StoreWatchContext {
  readonly keyring: Pick<KeyringClient<CryptoKey>, "storeCheckpoint">;
  readonly store: Pick<LocalStore, "counter" | "noteGeneration">;
  readonly timers: Timers;
}

/** Watches over one run. */
export class StoreWatch {
  readonly #context: StoreWatchContext;
  #findings: readonly WatchFinding[];
  #told = 0;
  #waiting: { readonly delayMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(context: StoreWatchContext, findings: readonly WatchFinding[]) {
    this.#context = context;
    this.#findings = findings;
  }

  /** Until the person has seen to them. */
  get findings(): readonly WatchFinding[] {
    return this.#findings;
  }

  setFindings(findings: readonly WatchFinding[]): void {
    this.#findings = findings;
  }

  /** Something was written. */
  noteWrite(isUrgent: boolean): void {
    const delayMs = isUrgent ? URGENT_MS : USUAL_MS;
    if (this.#waiting !== undefined && this.#waiting.delayMs <= delayMs) return;
    this.#waiting?.cancel();
    const cancel = this.#context.timers.setTimer(delayMs, () => {
      this.#waiting = undefined;
      // A keyring that is locked is told with the next start.
      void this.tell().catch(() => undefined);
    });
    this.#waiting = { delayMs, cancel };
  }

  /** Tells the vault. @throws CodedError KEYRING_LOCKED, LOCAL_STORE_FAILED. */
  async tell(): Promise<void> {
    const { keyring, store } = this.#context;
    const { counter } = store;
    if (counter === this.#told) return;
    const { generation } = await keyring.storeCheckpoint({ counter });
    this.#told = counter;
    store.noteGeneration(generation);
  }

  stop(): void {
    this.#waiting?.cancel();
    this.#waiting = undefined;
  }
}
