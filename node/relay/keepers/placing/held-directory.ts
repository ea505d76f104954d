// The directory as whoever reads the chain gives it.
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import type { CurrentDirectory, MailDirectory } from "./mail-directory.ts";

/** Holds the newest directory and the one before. */
export class HeldDirectory implements MailDirectory {
  readonly #listeners = new Set<() => void>();
  #current: CurrentDirectory | undefined;

  currentDirectory(): CurrentDirectory | undefined {
    return this.#current;
  }

  onDirectory(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  give(directory: ReadDirectory, previous?: ReadDirectory): void {
    this.#current = { epoch: directory.epoch, directory, previous };
    for (const listener of [...this.#listeners]) listener();
  }
}
