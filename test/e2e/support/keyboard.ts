// A person without a mouse: goes from stop to stop by Tab, and must see each time where they are.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Stops on the way to something that is on the page. */
const MAX_STOPS = 80;

/** Presses Tab until the element has the focus, at most so often. Every stop on the way must show that it has it. */
export async function tabTo(page: Page, goal: Locator, most = MAX_STOPS): Promise<void> {
  await goal.waitFor();
  for (let stops = 0; ; stops += 1) {
    if (await hasFocus(goal)) return;
    if (stops === most) throw new Error(`Tab did not reach ${String(goal)} in ${most} stops`);
    await page.keyboard.press("Tab");
    const hidden = await hiddenFocus(page);
    expect(hidden, "a stop that does not show its focus").toBe(undefined);
  }
}

/** Goes to a field and types into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Goes to a button that can be pressed, and presses it by Enter. */
export async function pressEnter(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button);
  await page.keyboard.press("Enter");
}

/** Signs the sheet in front: the focus is on its first button, which sends nothing. */
export async function signByKeyboard(page: Page, label: string, sentence: RegExp): Promise<void> {
  const sheet = page.locator("[data-confirmation]");
  await sheet.getByText(sentence).waitFor();
  await expectFocus(sheet.getByRole("button", { name: "Cancel" }));
  await sheet.getByRole("button", { name: label, disabled: false }).waitFor();
  await pressEnter(page, sheet.getByRole("button", { name: label }));
  await sheet.waitFor({ state: "detached" });
}

/** Waits until the element has the focus: where it was before a dialog, it is again once that is closed. */
export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => hasFocus(element), { message: `the focus on ${String(element)}` }).toBe(true);
}

/** Waits until something that is shown has the focus: it is not lost to the page. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body && document.activeElement?.checkVisibility()), {
      message: "the focus on something that is shown",
    })
    .toBe(true);
}

async function hasFocus(element: Locator): Promise<boolean> {
  return (await element.and(element.page().locator(":focus")).count()) > 0;
}

/** What has the focus without a ring around it or around its field, or out of sight; undefined where all is well. */
async function hiddenFocus(page: Page): Promise<string | undefined> {
  return await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return undefined;
    // What keeps the focus inside of a dialog passes it on.
    if (element.hasAttribute("data-base-ui-focus-guard")) return undefined;
    const isMarked = [element, element.parentElement, element.closest("label")].some((part) => {
      if (part === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
      return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    });
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    if (isMarked && isInSight) return undefined;
    return `${element.tagName} ${element.ariaLabel ?? element.textContent?.slice(0, 60) ?? ""}${isInSight ? "" : " (out of sight)"}`;
  });
}
