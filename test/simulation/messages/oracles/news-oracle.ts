// Which texts a device takes for new: each of an instance once. A device stores none twice whatever it takes it for, so that has to be judged
// where it is said.

/** A text that came with a position of an instance of another device. */
export interface CameText {
  readonly from: string;
  readonly instance: string;
  readonly text: string;
  /** As the pair says. */
  readonly isNew: boolean;
  /** It was on the disk before, or was deleted there. */
  readonly wasThere: boolean;
}

/** Something that a device took for what it is not. It counts where neither of both was put back or copied. */
export interface WrongNews {
  readonly from: string;
  readonly words: string;
}

/** The texts of one device. */
export class NewsOracle {
  readonly #news = new Set<string>();
  readonly wrong: WrongNews[] = [];

  /** The same, as it is kept with an image of the disk. */
  copy(): NewsOracle {
    const copy = new NewsOracle();
    for (const name of this.#news) copy.#news.add(name);
    copy.wrong.push(...this.wrong);
    return copy;
  }

  note({ from, instance, text, isNew, wasThere }: CameText): void {
    const name = `${from} ${instance} ${text}`;
    if (isNew && this.#news.has(name)) this.wrong.push({ from, words: `took ${text} for new twice` });
    if (!isNew && !wasThere) this.wrong.push({ from, words: `took ${text} for a repeat, and did not have it` });
    if (isNew) this.#news.add(name);
  }
}
