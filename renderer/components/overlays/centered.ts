// Whether a dialog is in the middle of the window: an attribute of the root, so that no style sheet has to look for it (`:has()`), which
// would be again wherever an element comes or goes.

const ATTRIBUTE = "data-centered";
let shown = 0;

/** The ref of what is in the middle, for as long as it is there. */
export function centered(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  count(1);
  return (): void => count(-1);
}

function count(change: number): void {
  shown += change;
  document.documentElement.toggleAttribute(ATTRIBUTE, shown > 0);
}
