// A part of a running messenger that is loaded once there is something for it, and ends with the messenger.

/** What looks for work when it is asked to. */
interface Part {
  check(): unknown;
  stop(): void;
}

/** Such a part. A load that fails is reported, and tried again with the next check. */
export class LatePart<T extends Part> {
  readonly #load: () => Promise<T>;
  readonly #report: (error: unknown) => void;
  #part: Promise<T> | undefined;
  #isStopped = false;

  constructor(load: () => Promise<T>, report: (error: unknown) => void) {
    this.#load = load;
    this.#report = report;
  }

  get isLoaded(): boolean {
    return this.#part !== undefined;
  }

  /** Has the part look for work; loads it first. */
  check(): void {
    this.#part ??= this.#load().then((part) => {
      if (this.#isStopped) part.stop();
      return part;
    });
    void this.#part.then(
      (part) => part.check(),
      (error: unknown) => {
        this.#part = undefined;
        this.#report(error);
      },
    );
  }

  /** Does something with the part where it is loaded. */
  whenLoaded(task: (part: T) => void): void {
    void this.#part?.then(task, () => undefined);
  }

  stop(): void {
    this.#isStopped = true;
    this.whenLoaded((part) => part.stop());
  }
}
