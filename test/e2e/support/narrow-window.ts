// What does not fit in a narrow window, in which a view has one column.
import type { Page } from "playwright-core";

/** Tables, charts, code and the row of the newest blocks have two dimensions: they may be scrolled sideways. */
const PLANES = "pre, code, table, canvas, [data-sideways], :has(> table), :has(> pre)";

/** What is scrolled sideways, lost words, lies beside the window, or has hardly a letter in each line. */
export async function tooWide(page: Page): Promise<readonly string[]> {
  const found = [
    ...(await page.evaluate(scrolled, PLANES)),
    ...(await page.evaluate(cutOff)),
    ...(await page.evaluate(beside, PLANES)),
    ...(await page.evaluate(crushed)),
  ];
  return [...new Set(found)];
}

/** Runs in the page. */
function scrolled(planes: string): readonly string[] {
  return [document.documentElement, ...document.querySelectorAll("body *")]
    .filter((element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX))
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && !element.matches(`input, textarea, ${planes}`))
    .map((element) => `scrolled sideways: ${element.tagName} ${element.className} ${element.textContent?.slice(0, 50) ?? ""}`);
}

/** Of headings and of what one presses; names inside of them may end in an ellipsis. Runs in the page. */
function cutOff(): readonly string[] {
  const hides = (element: Element): boolean => {
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    return display !== "inline" && (overflowX === "visible" || textOverflow === "ellipsis");
  };
  return [...document.querySelectorAll("h1, h2, h3, button, [role=tab], label")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).clipPath === "none")
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && hides(element))
    .map((element) => `cut off: ${element.tagName} ${element.className} ${element.textContent?.slice(0, 50) ?? ""}`);
}

/** The innermost elements that lie beside the window, but names in a line that is shortened. Runs in the page. */
function beside(planes: string): readonly string[] {
  const isShortened = (element: Element): boolean => {
    for (let around = element.parentElement; around !== null; around = around.parentElement)
      if (getComputedStyle(around).overflowX === "hidden") return !element.matches("button, a, h1, h2, h3, label, input");
    return false;
  };
  const isOut = (element: Element): boolean => {
    const { left, right, width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1);
  };
  const all = [...document.querySelectorAll("body *")].filter(
    (element) =>
      isOut(element) &&
      element.closest(`svg, [aria-hidden=true], ${planes}`) === null &&
      element.checkVisibility({ visibilityProperty: true }) &&
      getComputedStyle(element).clipPath === "none" &&
      !isShortened(element),
  );
  return all
    .filter((element) => !all.some((other) => other !== element && element.contains(other)))
    .map((element) => `beside the window: ${element.tagName} ${element.className} ${element.textContent?.slice(0, 50) ?? ""}`);
}

/** Values of facts in columns of two letters at most. Runs in the page. */
function crushed(): readonly string[] {
  return [...document.querySelectorAll("dd, dd *")]
    .filter((element) => element.childElementCount === 0 && (element.textContent ?? "").length > 12)
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).clipPath === "none")
    .filter((element) => element.getBoundingClientRect().width < 1.5 * Number.parseFloat(getComputedStyle(element).fontSize))
    .map((element) => `crushed: ${element.tagName} ${element.className} ${element.textContent?.slice(0, 50) ?? ""}`);
}
