// Focus that moves because what had it is gone.

/** What Chromium and a screen reader need to pass on what went and what came. */
const LATER_MS = 150;

/** Focuses the element once screen readers know of it, unless the focus went elsewhere meanwhile. Returns how to leave it. */
export function focusLater(element: HTMLElement): () => void {
  const timer = setTimeout(() => {
    if (document.activeElement === document.body) element.focus();
  }, LATER_MS);
  return () => clearTimeout(timer);
}
