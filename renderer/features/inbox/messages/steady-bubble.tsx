// Bubbles are many, and few of them change at once.
import { memo } from "react";
import { Bubble, type BubbleProps } from "./bubble.tsx";

/** A bubble that is rendered again only when something of it changes: a message that comes leaves those that are there alone. */
export const SteadyBubble = memo(Bubble, isSameBubble);

function isSameBubble(before: BubbleProps, after: BubbleProps): boolean {
  const isSameHeader = before.header.kind === after.header.kind && before.header.name === after.header.name;
  const isSameShape = before.isFirst === after.isFirst && before.isLast === after.isLast && before.isMarked === after.isMarked;
  const isSamePayment = isSameList(before.claims, after.claims) && before.isRepeated === after.isRepeated;
  return (
    isSameHeader &&
    isSameShape &&
    isSamePayment &&
    before.message === after.message &&
    before.messenger === after.messenger &&
    before.id === after.id
  );
}

function isSameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index]);
}
