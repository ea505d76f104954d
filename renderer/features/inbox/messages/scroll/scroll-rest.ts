// Whether the rows of a chat are on the move. What a row shows only to who points at it can wait until they rest: it is half of what there is to draw.
import { createContext, type RefObject, startTransition, useContext, useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Rows rest once no other ones have come into the document for so long. */
const REST_MS = 150;

/** A row that waits. */
export interface WaitingRow {
  /** `isNow` where it is to be whole before this returns. */
  readonly rest: (isNow: boolean) => void;
  readonly has: (target: Node) => boolean;
}

/** The rows of one list; on the move at first. */
export class ScrollRest {
  readonly #waiting = new Set<WaitingRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settle: (() => void) | undefined;

  constructor() {
    this.move();
  }

  /** Other rows come into the document. */
  move(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#settle?.();
      for (const row of [...this.#waiting]) row.rest(false);
    }, REST_MS);
  }

  /** Calls back each time the rows come to rest; returns the way to stop that. */
  whenAtRest(settle: () => void): () => void {
    this.#settle = settle;
    return (): void => {
      this.#settle = undefined;
    };
  }

  get isMoving(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls back once the rows rest, which may be at once; returns the way to stop that. */
  onRest(row: WaitingRow): () => void {
    if (this.isMoving) this.#waiting.add(row);
    else row.rest(false);
    return (): void => {
      this.#waiting.delete(row);
    };
  }

  /** Who presses a row waits for nothing: what it shows then is there before the press arrives. */
  restAt(target: Node): void {
    for (const row of [...this.#waiting]) if (row.has(target)) row.rest(true);
  }
}

/** The list that a row is in; without one it rests. */
export const ScrollRestContext = createContext<ScrollRest | undefined>(undefined);

/** True from when a row first rested: what was drawn then stays. */
export function useHasRested(area: RefObject<HTMLElement | null>): boolean {
  const rest = useContext(ScrollRestContext);
  const [hasRested, setRested] = useState(() => rest?.isMoving !== true);
  useEffect(() => {
    if (hasRested || rest === undefined) return undefined;
    return rest.onRest({
      rest: (isNow) => (isNow ? flushSync(() => setRested(true)) : startTransition(() => setRested(true))),
      has: (target) => area.current?.contains(target) === true,
    });
  }, [hasRested, rest, area]);
  return hasRested;
}
