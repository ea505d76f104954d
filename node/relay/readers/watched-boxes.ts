// Boxes to whose mail someone listens, each as long as anyone does.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Counts listeners. */
export class WatchedBoxes {
  readonly #counts = new Map<X25519KeyHex, number>();

  get boxes(): Iterable<X25519KeyHex> {
    return this.#counts.keys();
  }

  has(box: X25519KeyHex): boolean {
    return this.#counts.has(box);
  }

  /** One more listens; returns the way to end that. */
  add(box: X25519KeyHex): () => void {
    this.#counts.set(box, (this.#counts.get(box) ?? 0) + 1);
    let isOver = false;
    return (): void => {
      if (isOver) return;
      isOver = true;
      const left = (this.#counts.get(box) ?? 1) - 1;
      if (left === 0) this.#counts.delete(box);
      else this.#counts.set(box, left);
    };
  }
}
