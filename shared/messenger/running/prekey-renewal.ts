// Short-lived keys are created and destroyed while the program runs, too.
import type { CancelTimer } from "#shared/util/clock.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** How often the keyring is asked for its short-lived key. */
const RENEWAL_MS = 3_600_000;

/** Asks for the newest key at the start and once an hour. */
export class PrekeyRenewal {
  readonly #context: EngineContext;
  readonly #onRenewed: () => Promise<void>;
  #cancelTimer: CancelTimer | undefined;
  #renewing: Promise<void> | undefined;

  /** `onRenewed`: after each but the first. */
  constructor(context: EngineContext, onRenewed: () => Promise<void>) {
    this.#context = context;
    this.#onRenewed = onRenewed;
  }

  /** Begins to count the hours. */
  begin(): void {
    this.#cancelTimer = this.#context.timers.setTimer(RENEWAL_MS, () => {
      this.begin();
      void this.renew()
        .then(this.#onRenewed)
        .catch(() => undefined);
    });
  }

  stop(): void {
    this.#cancelTimer?.();
  }

  /** Once at a time: a device that wakes up finds many hours gone. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    const { keyring, epochs, node, newestBlock } = this.#context;
    await newestBlock.refresh();
    const { timeS } = newestBlock;
    epochs.setOwn(await keyring.signedPrekey({ chainId: node.chainId, ...(timeS !== undefined && { blockS: timeS }) }));
    const { followCards } = await import("../changes/pairs/follow-cards.ts");
    await followCards(this.#context);
  }
}
