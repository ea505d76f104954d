// Work of which little runs at once: what it holds in memory is bounded by that.

/** Runs so many works at once at most, the others in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
