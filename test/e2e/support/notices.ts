// What a notice does to the view below it: where it is, and what moved for it.
import type { Locator, Page } from "playwright-core";
import { takeShifts } from "./layout-shift.ts";

/**
 * What moved since the last call, but among what floats and toasts, where Chromium takes it for a move that the list grows upwards and what is
 * in it stays, and but other words in their place, such as those of an age.
 */
export async function takeMoves(page: Page): Promise<readonly string[]> {
  const isMove = (part: string): boolean => !/_floating_|> DIV\._viewport_/.test(part) && !/: (\S+ \S+) → \1$/.test(part);
  return (await takeShifts(page, true)).filter((shift) => shift.split("; ").some(isMove));
}

/** Where the controls of the view are, by name. */
export function placesOfControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, h2, a, button, input)")].map((control) => {
      const { x, y } = control.getBoundingClientRect();
      return `${control.tagName} ${control.textContent?.slice(0, 20) ?? ""} ${Math.round(x)},${Math.round(y)}`;
    }),
  );
}

/** True where a notice lies over the view, and not above it. */
export async function isOver(notice: Locator): Promise<boolean> {
  return await notice.evaluate((element) => {
    const [box, view] = [element.getBoundingClientRect(), document.querySelector("main")?.getBoundingClientRect()];
    return view !== undefined && box.top >= view.top && box.bottom <= view.bottom;
  });
}
