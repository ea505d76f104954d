// What a thief of a device's lasting key alone wrote in version 1 in another one's name: judged a second time, by the days that truly were since
// an instance of that device last wrote for the first time under a card.

/** Counted days for which version 1 is taken. */
const MOST_DAYS = 37;

/** One device's view of all others. */
export class OldFormOracle {
  /** Instance that wrote under a card last, and on which day it began to, by device. */
  readonly #proven = new Map<string, { readonly instance: string; readonly day: number }>();
  /** What was forged and taken, and what was not. */
  taken = 0;
  refused = 0;
  /** What does not hold; undefined where everything does. */
  wrong: string | undefined;

  /** The same, as it is kept with an image of the disk. */
  copy(): OldFormOracle {
    const copy = new OldFormOracle();
    for (const [device, proof] of this.#proven) copy.#proven.set(device, proof);
    copy.taken = this.taken;
    copy.refused = this.refused;
    copy.wrong = this.wrong;
    return copy;
  }

  /** Something of a device that has shown a card was opened by one of this device's. */
  prove(device: string, instance: string, day: number): void {
    if (this.#proven.get(device)?.instance !== instance) this.#proven.set(device, { instance, day });
  }

  /** Version 1 came. Of a device that is in two places either may have begun again. */
  noteForged(
    device: string,
    { isTaken, isCopied, day }: { readonly isTaken: boolean; readonly isCopied: boolean; readonly day: number },
  ): void {
    const since = this.#proven.get(device);
    if (isTaken) this.taken += 1;
    else this.refused += 1;
    if (isCopied) return;
    if (since === undefined && !isTaken) this.wrong ??= `does not take version 1 of ${device}, which has written nothing else`;
    if (isTaken && since !== undefined && day - since.day >= MOST_DAYS)
      this.wrong ??= `takes version 1 of ${device} ${day - since.day} days after version 2 began`;
  }
}
