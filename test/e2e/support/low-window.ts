// A window at 200 % zoom: half as wide and half as high. What is in front must be of use there too.
import type { Locator, Page } from "playwright-core";

/** 1280 × 800 at twice the zoom. */
const LOW = { width: 640, height: 400 };

/** Toasts are dialogs too. */
const WINDOWS = "[role=dialog][data-open]:not([data-type])";

/** What cannot be read or pressed of the dialog in front, or of the page without one, in a low window. The window is as before afterwards. */
export async function unreachableInLowWindow(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(LOW);
  const windows = page.locator(WINDOWS);
  const hasWindow = (await windows.count()) > 0;
  const front = hasWindow ? windows.last() : page.locator("main");
  const found = [...(hasWindow ? await outside(front) : []), ...(await tooWide(front)), ...(await covered(front))];
  if (before !== null) await page.setViewportSize(before);
  return [...new Set(found)];
}

/** A window must fit on the screen: what does not fit in it is scrolled. */
async function outside(front: Locator): Promise<readonly string[]> {
  return await front.evaluate(async (element) => {
    const fits = (): boolean => {
      const { top, left, bottom, right } = element.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
    };
    // What opens beside a control gets its place some frames after the window has its size.
    for (let frame = 0; frame < 60 && !fits(); frame += 1) await new Promise(requestAnimationFrame);
    return fits() ? [] : [`larger than the screen: ${element.textContent?.slice(0, 50) ?? ""}`];
  });
}

/** What is wider than its place, but fields, whose text is scrolled by typing, and what is there for screen readers alone. */
async function tooWide(front: Locator): Promise<readonly string[]> {
  return await front.evaluate((root) => {
    const isShown = (element: Element): boolean => {
      const { display, clipPath } = getComputedStyle(element);
      return display !== "inline" && clipPath === "none" && !element.matches("input, textarea, svg, svg *");
    };
    return [document.documentElement, root, ...root.querySelectorAll("*")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && isShown(element))
      .filter((element) => getComputedStyle(element).overflowX !== "visible")
      .map((element) => `cut off: ${element.tagName} ${element.textContent?.slice(0, 50) ?? ""}`);
  });
}

/** Controls that are not on top where they are, once they were scrolled to. */
async function covered(front: Locator): Promise<readonly string[]> {
  return await front.evaluate((root) => {
    const isShown = (control: Element): boolean => control.checkVisibility() && control.getBoundingClientRect().width > 1;
    const isOnTop = (control: Element): boolean => {
      control.scrollIntoView({ block: "center" });
      const { left, top, width, height } = control.getBoundingClientRect();
      // A toast goes by itself.
      const all = document.elementsFromPoint(left + width / 2, top + height / 2);
      const at = all.find((element) => element.closest("[role=region]:has(> [role=dialog][data-type])") === null);
      return at !== undefined && (control.contains(at) || at.contains(control) || at.closest("label")?.contains(control) === true);
    };
    return [...root.querySelectorAll("button, input, textarea, a[href], [role=combobox]")]
      .filter((control) => isShown(control) && control.closest("[aria-hidden=true]") === null && !isOnTop(control))
      .map((control) => `out of reach: ${control.tagName} ${control.ariaLabel ?? control.textContent?.slice(0, 50) ?? ""}`);
  });
}
