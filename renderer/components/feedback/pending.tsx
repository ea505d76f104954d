// Stands for a part that shows nothing until it knows whether it has anything to show: what follows it in a `data-in-order` waits for it.
import { type ReactElement, useRef } from "react";
import { useHoldingBack } from "#renderer/lib/browser/window/use-holding-back.ts";

/** Takes no room. */
export function Pending(): ReactElement {
  const part = useRef<HTMLSpanElement>(null);
  useHoldingBack(part);
  return <span ref={part} hidden data-loading="" />;
}
