// A part of a running messenger that is loaded once there is something for it, and ends with the messenger.
import { loadedLate } from "#shared/util/loaded-late.ts";

/** Such a part. */
export class LatePart<T extends { stop(): void }> {
  /** The part, loaded with the first call; what could not be loaded is tried again with the next one. */
  readonly load: () => Promise<T>;
  readonly #report: (error: unknown) => void;
  #loaded: T | undefined;
  #isStopped = false;

  constructor(load: () => Promise<T>, report: (error: unknown) => void) {
    this.load = loadedLate(async () => {
      const part = await load();
      if (this.#isStopped) part.stop();
      this.#loaded = part;
      return part;
    });
    this.#report = report;
  }

  /** The part; undefined until it is loaded. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** Does something with the part; loads it first. A load that fails is reported. */
  use(task: (part: T) => void): void {
    void this.load().then(task, this.#report);
  }

  stop(): void {
    this.#isStopped = true;
    this.#loaded?.stop();
  }
}
