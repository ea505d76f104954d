// Counted days, judged by what truly happened: when mailboxes were read to the end, by how much a person had moved the own clock then, and which
// block the chain had shown. All readings since the last counted day are kept and compared, where the rule itself remembers one time that it
// moves along: so what that forgets, or moves wrongly when a clock goes back, is found here. No time is taken from the device.

const DAY_MS = 20 * 3_600_000;

/** Mailboxes were read to the end. */
export interface Reading {
  /** Time of the world, and by how much the own clock was wrong then, milliseconds. */
  readonly worldMs: number;
  readonly skewMs: number;
  /** Time of the newest block that was shown. */
  readonly blockMs: number;
}

/** The days of one device. */
export class DaysOracle {
  #days = 0;
  /** Since the last counted day, that reading among them. */
  #readings: Reading[] = [];
  /** What does not hold; undefined where everything does. */
  wrong: string | undefined;

  /** Days that both clocks have made. */
  get count(): number {
    return this.#days;
  }

  /** The same, as it is kept with an image of the disk. */
  copy(): DaysOracle {
    const copy = new DaysOracle();
    copy.#days = this.#days;
    copy.#readings = [...this.#readings];
    copy.wrong = this.wrong;
    return copy;
  }

  /** The device has so many days since this reading. */
  note(days: number, reading: Reading): void {
    const isOver = this.#readings.some((earlier) => ownTime(reading) - ownTime(earlier) >= DAY_MS) && this.#hasChainMoved(reading);
    if (isOver) {
      this.#days += 1;
      this.#readings = [];
    }
    this.#readings.push(reading);
    if (days !== this.#days) this.wrong ??= `counts ${days} days, and both clocks ${this.#days}`;
  }

  #hasChainMoved({ blockMs }: Reading): boolean {
    return this.#readings.some((earlier) => blockMs - earlier.blockMs >= DAY_MS);
  }
}

function ownTime({ worldMs, skewMs }: Reading): number {
  return worldMs + skewMs;
}
