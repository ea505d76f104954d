// Devices that the chain lists and that never came back: their linking was left before they had a password, so their keys are lost.
// The person who linked them is reminded until the device is unlinked, sends something, or the reminder is dismissed.

import type { UnfinishedLink } from "../model/device-transfer.ts";
import type { EngineContext } from "../state/engine-context.ts";

const KEY = "unfinished links";

/** The list, kept in the store. */
export class UnfinishedLinks {
  readonly #context: Pick<EngineContext, "store" | "writer" | "changed">;
  #links: readonly UnfinishedLink[] = [];

  constructor(context: Pick<EngineContext, "store" | "writer" | "changed">) {
    this.#context = context;
  }

  get all(): readonly UnfinishedLink[] {
    return this.#links;
  }

  async load(): Promise<void> {
    this.#links = (await this.#context.store.readMeta<readonly UnfinishedLink[]>(KEY)) ?? [];
    if (this.#links.length > 0) this.#context.changed();
  }

  /** A device was let in, and its linking ended before it could be handed anything. */
  noteUnfinishedLink({ devicePub, name }: UnfinishedLink): Promise<void> {
    return this.#change([...this.#without(devicePub), { devicePub, name }]);
  }

  /** It was unlinked, or the person knows that it is well. */
  async forgetUnfinishedLink(devicePub: string): Promise<void> {
    const others = this.#without(devicePub);
    if (others.length < this.#links.length) await this.#change(others);
  }

  #without(devicePub: string): readonly UnfinishedLink[] {
    return this.#links.filter((link) => link.devicePub !== devicePub);
  }

  async #change(links: readonly UnfinishedLink[]): Promise<void> {
    const { store, writer, changed } = this.#context;
    await writer.run(async () => {
      const batch = store.begin();
      batch.putMeta(KEY, links);
      await batch.commit();
    });
    this.#links = links;
    changed();
  }
}
