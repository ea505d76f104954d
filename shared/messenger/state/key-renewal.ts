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
    await writer.run(async () => store.renewKeys(await keyring.storeKeys()));
  }

  /**
   * Seals again what lies under former keys. They go when a later pass finds nothing under them: what was sealed again has then been read
   * back from where it lies. @throws CodedError LOCAL_STORE_FAILED, KEYRING_LOCKED, MESSENGER_UNAVAILABLE.
   */
  async sweep(): Promise<void> {
    const { writer, store, keyring, sweepItems } = this.#context;
    const { formerDataKeys } = await keyring.status();
    const keys = await keyring.storeKeys();
    if (formerDataKeys === undefined || keys.formerKeys.length === 0) return;
    const isStoreClean = await store.sweep(writer);
    const areItemsClean = await sweepItems(keys);
    if (!isStoreClean || !areItemsClean) return;
    await keyring.dropFormerKeys({ formerDataKeys });
    await this.follow();
  }
}
