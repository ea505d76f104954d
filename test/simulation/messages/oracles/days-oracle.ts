// Counted days, evaluated a second time: one counts when the own clock and the chain have both moved by 20 hours since the earliest time that
// either showed in it.
import type { BothClocks } from "#shared/messenger/pairs/counted-days.ts";

const DAY_MS = 20 * 3_600_000;

/** The days of one device. */
export class DaysOracle {
  #days = 0;
  #earliest: BothClocks | undefined;
  /** What does not hold; undefined where everything does. */
  wrong: string | undefined;

  /** The same, as it is kept with an image of the disk. */
  copy(): DaysOracle {
    const copy = new DaysOracle();
    copy.#days = this.#days;
    copy.#earliest = this.#earliest;
    copy.wrong = this.wrong;
    return copy;
  }

  /** Mailboxes were read to the end, and the device has so many days since. */
  note(days: number, { ownMs, blockMs }: BothClocks): void {
    const earliest = this.#earliest ?? { ownMs, blockMs };
    const isOver = ownMs - earliest.ownMs >= DAY_MS && blockMs - earliest.blockMs >= DAY_MS;
    if (isOver) this.#days += 1;
    if (days !== this.#days) this.wrong ??= `counts ${days} days, and both clocks ${this.#days}`;
    this.#earliest = isOver ? { ownMs, blockMs } : { ownMs: Math.min(ownMs, earliest.ownMs), blockMs: Math.min(blockMs, earliest.blockMs) };
  }
}
