// A step of a window replaces what has the focus, and its first field takes it. Screen readers that find the focus removed look for a
// place by themselves and say nothing of the field; so the focus is on the window itself meanwhile.

/** What stays while its steps come and go. */
const STAYS = "[data-stage], [role=dialog]";

/** Moves the focus to the window, or the stage, around it. To be called before the step changes. */
export function leaveFocus(): void {
  document.activeElement?.parentElement?.closest<HTMLElement>(STAYS)?.focus({ preventScroll: true });
}
