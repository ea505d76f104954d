// Files of one run: sending and downloading them is loaded with the first one, and at the start where a download is under way.
import { loadedLate } from "#shared/util/loaded-late.ts";
import { DOWNLOADS_KEY } from "../changes/change.ts";
import type { Files } from "../commands/files/file-commands.ts";
import type { ConversationId } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** The files' half of a running messenger, once something asks for it. */
export class LateFiles {
  readonly #context: () => EngineContext;
  #loaded: Files | undefined;
  #isStopped = false;
  /** Loads it. */
  readonly load: () => Promise<Files>;

  constructor(context: () => EngineContext, onQueued: () => void) {
    this.#context = context;
    this.load = loadedLate(async () => {
      const { Files: Loaded } = await import("../commands/files/file-commands.ts");
      this.#loaded = new Loaded(context(), onQueued);
      if (this.#isStopped) this.#loaded.stop();
      return this.#loaded;
    });
  }

  /** Continues what was downloaded when the program ended. */
  async begin(): Promise<void> {
    const keys = await this.#context().store.readMeta<readonly unknown[]>(DOWNLOADS_KEY);
    if (keys !== undefined && keys.length > 0) (await this.load()).checkDownloads();
  }

  /** Something has come. */
  check(): void {
    this.#loaded?.checkDownloads();
  }

  /** As of {@link Files.endCopies}. */
  readonly endCopies = (conversation: ConversationId): void => this.#loaded?.endCopies(conversation);

  stop(): void {
    this.#isStopped = true;
    this.#loaded?.stop();
  }
}
