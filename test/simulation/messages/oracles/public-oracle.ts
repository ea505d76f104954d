// Which secrets of public cards a device may hold, and has to: each for ten counted days, whatever came under it. Days are those that both clocks
// make, as they are judged apart, and neither the number of days nor the day on which a card was drawn is taken from the device.

const DAYS = 10;

/** The public cards of one device. */
export class PublicOracle {
  readonly #drawn = new Map<string, number>();

  /** The same, as it is kept with an image of the disk. */
  copy(): PublicOracle {
    const copy = new PublicOracle();
    for (const [key, day] of this.#drawn) copy.#drawn.set(key, day);
    return copy;
  }

  /** A secret is on the disk, from this counted day on where it was not there before. */
  note(key: string, day: number): void {
    if (!this.#drawn.has(key)) this.#drawn.set(key, day);
  }

  /** What a disk holds beyond what the rules leave on a counted day, or lacks; undefined where it is the same. */
  difference(keys: readonly string[], day: number): string | undefined {
    const held = new Set(keys);
    const isOver = (key: string): boolean => day - (this.#drawn.get(key) ?? Number.NEGATIVE_INFINITY) >= DAYS;
    return keys.find(isOver) ?? [...this.#drawn.keys()].find((key) => !isOver(key) && !held.has(key));
  }
}
