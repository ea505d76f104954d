// Buttons that sleep until the window was in front, and where it is, for a moment: a click or key that was meant for another window presses
// none of them.

/** What wakes and sleeps. */
export interface Attention {
  /** The moment begins again: the window moved, or shows something else. */
  begin(): void;
}

/** Wakes after `delayMs` in front; `set` gets true when awake. Focus, loss of it and another size begin again. */
export function watchAttention(delayMs: number, set: (isAwake: boolean) => void): Attention {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sleep = (): void => {
    clearTimeout(timer);
    set(false);
  };
  const begin = (): void => {
    sleep();
    timer = setTimeout(() => set(document.hasFocus()), delayMs);
  };
  window.addEventListener("focus", begin);
  window.addEventListener("resize", begin);
  window.addEventListener("blur", sleep);
  return { begin };
}
