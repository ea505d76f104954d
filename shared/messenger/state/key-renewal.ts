// Follows the keys of the store: with another password come other ones, and those before go once nothing lies under them.
import type { EngineContext } from "./engine-context.ts";

/** The keys of one run. One task at a time: its owner sees to that. */
export class KeyRenewal {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** What is written from now on lies under the keys that the keyring has now. */
  async follow(): Promise<void> {
    const { writer, store, keyring } = this.#context;
    await writer.run(() => store.followKeys(keyring));
  }

  /** True while something may lie under former keys. */
  async isPending(): Promise<boolean> {
    return (await this.#context.keyring.storeKeys()).formerKeys.length > 0;
  }

  /**
   * Checks the messages, and seals again what lies under former keys. Those go when a later pass finds nothing under them: what was sealed
   * again has then been read back from where it lies. True where the messages are those that were written last.
   * @throws CodedError LOCAL_STORE_FAILED, KEYRING_LOCKED, MESSENGER_UNAVAILABLE.
   */
  async sweep(): Promise<boolean> {
    const { writer, store, keyring, sweepItems } = this.#context;
    const { formerDataKeys } = await keyring.status();
    // What the store finds clean counts for the keys that it has: those of that number, or later ones.
    await this.follow();
    const keys = await keyring.storeKeys();
    const { isClean, areMessagesWhole } = await store.sweep(writer);
    if (formerDataKeys === undefined || keys.formerKeys.length === 0) return areMessagesWhole;
    const areItemsClean = await sweepItems(keys);
    if (isClean && areItemsClean) {
      await keyring.dropFormerKeys({ formerDataKeys });
      await this.follow();
    }
    return areMessagesWhole;
  }
}
