// Stands for a part that shows nothing until it knows whether it has anything to show: what follows it in a `data-in-order` waits for it.
import type { ReactElement } from "react";

/** Takes no room. */
export function Pending(): ReactElement {
  return <span hidden data-loading="" />;
}
