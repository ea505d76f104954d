// Typing notices that wait, in room that all senders share: when it is full, the sender that has most of it loses its oldest one. So none
// fills it for the others, and who types to a large group has all of it while no one else wants some.
import type { TypingNotice } from "#node/relay/typing-exchange.ts";

/** A queue of at most so many notices. */
export class SharedNotices {
  readonly #most: number;
  #notices: TypingNotice[] = [];
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#notices.length;
  }

  /** False where the notice would displace one of its own sender, or of another one that has no more than it. */
  hasRoomFor({ from }: TypingNotice): boolean {
    return this.#notices.length < this.#most || this.#largest().count > (this.#counts.get(from) ?? 0) + 1;
  }

  /** Adds one that has room. */
  add(notice: TypingNotice): void {
    if (this.#notices.length >= this.#most) {
      const { from } = this.#largest();
      const [displaced] = this.#notices.splice(
        this.#notices.findIndex((each) => each.from === from),
        1,
      );
      if (displaced !== undefined) this.#uncount(displaced);
    }
    this.#notices.push(notice);
    this.#counts.set(notice.from, (this.#counts.get(notice.from) ?? 0) + 1);
  }

  /** Takes the oldest ones out. */
  take(count: number): readonly TypingNotice[] {
    const taken = this.#notices.splice(0, count);
    for (const notice of taken) this.#uncount(notice);
    return taken;
  }

  #largest(): { readonly from: string; readonly count: number } {
    let [from, count] = ["", 0];
    for (const entry of this.#counts) if (entry[1] > count) [from, count] = entry;
    return { from, count };
  }

  #uncount({ from }: TypingNotice): void {
    const left = (this.#counts.get(from) ?? 1) - 1;
    if (left > 0) this.#counts.set(from, left);
    else this.#counts.delete(from);
  }
}
