// Which secrets of cards a device may hold, evaluated a second time and naively: sets of positions instead of chains, every card ever drawn
// instead of the living ones. What a thief of the device finds has to be exactly that.

export const MOST_CARDS = 8;
export const GRACE_DAYS = 3;
export const MOST_HELD = 64;

interface JudgedCard {
  readonly key: string;
  handedInDay: number | undefined;
  /** Texts, and what else has a position and is no deletion, that were opened with it. */
  readonly held: Set<string>;
  /** What was said with the last content under it. */
  use: { readonly stream: string; readonly base: number } | undefined;
  isGone: boolean;
}

/** The cards of one instance of a pair, by one device. */
export class ThiefOracle {
  readonly #cards: JudgedCard[] = [];
  readonly #positions = new Map<string, Set<number>>();
  /** Up to which position nothing lacks, by stream: positions are never taken away. */
  readonly #full = new Map<string, number>();
  /** What was judged last; undefined where something was done since. The same again changes nothing. */
  #judged: { readonly day: number; readonly present: string | undefined; readonly former: string | undefined } | undefined;
  /** Rises whenever keys may have come or gone. */
  version = 0;

  /** Positions that the device had of chains of the other one before it drew its first card. */
  constructor(had: readonly (readonly [stream: string, positions: readonly number[]])[]) {
    for (const [stream, positions] of had) this.#positions.set(stream, new Set(positions));
  }

  /** The same, as it is kept with an image of the disk: neither changes with the other. */
  copy(): ThiefOracle {
    const copy = new ThiefOracle([]);
    copy.#cards.push(...this.#cards.map((card) => ({ ...card, held: new Set(card.held) })));
    for (const [stream, positions] of this.#positions) copy.#positions.set(stream, new Set(positions));
    for (const [stream, full] of this.#full) copy.#full.set(stream, full);
    return copy;
  }

  draw(key: string): void {
    this.#change();
    this.#cards.push({ key, handedInDay: undefined, held: new Set(), use: undefined, isGone: false });
    for (const card of this.#living().slice(0, -MOST_CARDS)) card.isGone = true;
  }

  handIn(key: string, day: number): void {
    this.#change();
    for (const card of this.#cards) if (card.key === key) card.handedInDay ??= day;
  }

  open(
    key: string,
    content: {
      readonly words: string | undefined;
      readonly stream: string;
      readonly base: number;
      readonly place: number | undefined;
      /** Positions that are gone for good. */
      readonly gone?: readonly { readonly position: number }[] | undefined;
      /** It has words though it has no position. */
      readonly isKept?: boolean | undefined;
    },
  ): void {
    this.#change();
    const had = this.#positions.get(content.stream) ?? new Set();
    for (const { position } of content.gone ?? []) had.add(position);
    if (content.place !== undefined) had.add(content.place);
    this.#positions.set(content.stream, had);
    for (const card of this.#cards) {
      if (card.key !== key) continue;
      card.use = { stream: content.stream, base: content.base };
      if ((content.place !== undefined || content.isKept === true) && content.words !== undefined) card.held.add(content.words);
    }
  }

  forget(ids: readonly string[]): void {
    this.#change();
    for (const card of this.#living()) if (card.held.size > MOST_HELD || ids.some((id) => card.held.has(id))) card.isGone = true;
  }

  /** The rules of time and of what was read, by the chain of the other device's present instance. Of earlier ones one is remembered. */
  judge(day: number, presentStream: string | undefined, formerStream: string | undefined): void {
    const judged = this.#judged;
    if (judged?.day === day && judged.present === presentStream && judged.former === formerStream) return;
    this.#change();
    this.#judged = { day, present: presentStream, former: formerStream };
    for (const stream of this.#positions.keys()) {
      if (stream === presentStream || stream === formerStream) continue;
      this.#positions.delete(stream);
      this.#full.delete(stream);
    }
    const full = presentStream === undefined ? 0 : this.#fullTo(presentStream);
    this.#cards.forEach((later, at) => {
      if (later.isGone) return;
      const isRead = later.use !== undefined && later.use.stream === presentStream && later.use.base <= full;
      const isOld = later.handedInDay !== undefined && day >= later.handedInDay + GRACE_DAYS;
      if (isRead || isOld) for (const earlier of this.#cards.slice(0, at)) earlier.isGone = true;
    });
  }

  /** The last position of a stream before the first gap. */
  #fullTo(stream: string): number {
    const had = this.#positions.get(stream);
    let full = this.#full.get(stream) ?? 0;
    while (had?.has(full + 1)) full += 1;
    this.#full.set(stream, full);
    return full;
  }

  /** Keys that a thief may find. */
  get allowed(): readonly string[] {
    return this.#living().map(({ key }) => key);
  }

  #change(): void {
    this.#judged = undefined;
    this.version += 1;
  }

  #living(): readonly JudgedCard[] {
    return this.#cards.filter(({ isGone }) => !isGone);
  }
}
