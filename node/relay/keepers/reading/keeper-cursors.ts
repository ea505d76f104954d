// How far this node has read a keeper's boxes, and which of them have something new there.

import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { AskedBox, BoxPage } from "#shared/protocol/mail/mail-messages.ts";

interface Cursor {
  after: number;
  afterDeletion: number;
}

/** Positions of boxes at one keeper, by one run of it. */
export class KeeperCursors {
  readonly #cursors = new Map<X25519KeyHex, Cursor>();
  readonly #waiting = new Set<X25519KeyHex>();
  #scope: string | null = null;

  get scope(): string | null {
    return this.#scope;
  }

  get boxes(): readonly X25519KeyHex[] {
    return [...this.#cursors.keys()];
  }

  has(box: X25519KeyHex): boolean {
    return this.#cursors.has(box);
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** These boxes are read here from now on, and no others. True when there are new ones. */
  setBoxes(boxes: ReadonlySet<X25519KeyHex>): boolean {
    for (const box of this.#cursors.keys()) {
      if (boxes.has(box)) continue;
      this.#cursors.delete(box);
      this.#waiting.delete(box);
    }
    const before = this.#cursors.size;
    for (const box of boxes) {
      if (this.#cursors.has(box)) continue;
      this.#cursors.set(box, { after: 0, afterDeletion: 0 });
      this.#waiting.add(box);
    }
    return this.#cursors.size > before;
  }

  /** Something may be new in these, as far as they are read here. */
  note(boxes: Iterable<X25519KeyHex>): void {
    for (const box of boxes) if (this.#cursors.has(box)) this.#waiting.add(box);
  }

  /** The next boxes to ask for, at most so many; they wait no more. */
  take(most: number): readonly AskedBox[] {
    const asked: AskedBox[] = [];
    for (const box of this.#waiting) {
      if (asked.length >= most) break;
      const cursor = this.#cursors.get(box);
      if (cursor !== undefined) asked.push({ box, ...cursor });
    }
    for (const { box } of asked) this.#waiting.delete(box);
    return asked;
  }

  /** A page of the run that is named: positions of another one are worth nothing, and all of its boxes are listed again. */
  advance(scope: string, { box, lastSeq, lastDeletion, hasMore }: BoxPage): void {
    if (this.#scope !== scope) {
      this.#scope = scope;
      for (const [each, cursor] of this.#cursors) {
        if (cursor.after + cursor.afterDeletion > 0) this.#waiting.add(each);
        cursor.after = 0;
        cursor.afterDeletion = 0;
      }
    }
    const cursor = this.#cursors.get(box);
    if (cursor === undefined) return;
    cursor.after = lastSeq;
    cursor.afterDeletion = lastDeletion;
    if (hasMore) this.#waiting.add(box);
  }
}
