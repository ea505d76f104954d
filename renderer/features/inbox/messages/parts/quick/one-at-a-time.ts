// Of all messages one has its emoji above it: the pointer may rest on one while the focus is still in another.

/** What is above a message. */
export interface Shown {
  /** Takes it away. False where it stays, as the focus is in it. */
  readonly end: () => boolean;
}

let shown: Shown | undefined;

/** Makes this the one that is shown, and ends the one before. False where that one stays. */
export function takeTurn(next: Shown): boolean {
  if (shown !== undefined && shown !== next && !shown.end()) return false;
  shown = next;
  return true;
}

/** It is gone. */
export function endTurn(one: Shown): void {
  if (shown === one) shown = undefined;
}
