// Whether the rows of a chat are on the move. What a row shows only to who points at it can wait until they rest: it is half of what there is to draw.
import { createContext, startTransition, useContext, useEffect, useState } from "react";

/** Rows rest once no other ones have come into the document for so long. */
const REST_MS = 150;

/** The rows of one list; on the move at first. */
export class ScrollRest {
  readonly #waiting = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.move();
  }

  /** Other rows come into the document. */
  move(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      for (const listener of [...this.#waiting]) listener();
    }, REST_MS);
  }

  get isMoving(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls back once the rows rest, which may be at once; returns the way to stop that. */
  onRest(listener: () => void): () => void {
    if (this.isMoving) this.#waiting.add(listener);
    else listener();
    return (): void => {
      this.#waiting.delete(listener);
    };
  }
}

/** The list that a row is in; without one it rests. */
export const ScrollRestContext = createContext<ScrollRest | undefined>(undefined);

/** True from when a row first rested: what was drawn then stays. */
export function useHasRested(): boolean {
  const rest = useContext(ScrollRestContext);
  const [hasRested, setRested] = useState(() => rest?.isMoving !== true);
  useEffect(() => (hasRested ? undefined : rest?.onRest(() => startTransition(() => setRested(true)))), [hasRested, rest]);
  return hasRested;
}
