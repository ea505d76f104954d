// How long what is drawn moves, by its styles: for those who asked for less motion, not at all.
import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Seconds: nothing shorter can be seen. */
const UNSEEN_S = 0.001;
const SEEN_S = 0.05;

/** Looks at an element and all in it, which stay there meanwhile: they move, and stop where less motion is asked for. Leaves it asked for. */
export async function expectMotionStops(element: Locator, what: string): Promise<void> {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await element.page().emulateMedia({ reducedMotion });
    const seconds = await element.evaluate(longestMotion);
    if (reducedMotion === "reduce") expect(seconds, `${what} with less motion`).toBeLessThanOrEqual(UNSEEN_S);
    else expect(seconds, `${what} with motion`).toBeGreaterThan(SEEN_S);
  }
}

/** The longest animation and transition, seconds. Runs in the page. */
function longestMotion(root: Element): number {
  const seconds = [root, ...root.querySelectorAll("*")].flatMap((element) =>
    [null, "::before", "::after"].flatMap((part) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, part);
      const animated = animationName === "none" ? [] : animationDuration.split(", ");
      return [...animated, ...transitionDuration.split(", ")].map(Number.parseFloat);
    }),
  );
  return Math.max(0, ...seconds.filter((value) => !Number.isNaN(value)));
}
