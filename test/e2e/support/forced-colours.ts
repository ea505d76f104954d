// What cannot be told apart where the person's system forces its colours (high contrast): backgrounds are lost there but for colours of the
// system. Compares what Chromium computes; the page must have `forcedColors: "active"`.
import type { Page } from "playwright-core";

/** What the functions below need in the page. */
interface Tools {
  readonly highlight: string;
  readonly canvas: string;
  readonly nameOf: (element: Element) => string;
  readonly backgroundOf: (element: Element) => string;
  readonly hasOutline: (element: Element) => boolean;
  readonly hasLine: (element: Element) => boolean;
  readonly shown: (selector: string) => readonly Element[];
}

interface Forced {
  forced: Tools;
}

/** What is not seen, one line each. */
export async function unseenInForcedColours(page: Page): Promise<readonly string[]> {
  // Colours that are changing are those of neither.
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition));
  await page.evaluate(installTools);
  const found: string[] = [];
  for (const find of [unforced, unseenStates, unseenChoices, unseenEdges, unseenProgress, coveredTexts])
    found.push(...(await page.evaluate(find)));
  return [...new Set(found)];
}

/** Runs in the page, as all that follows. */
function installTools(): void {
  const probe = document.body.appendChild(document.createElement("i"));
  const backgroundOf = (element: Element): string => getComputedStyle(element).backgroundColor;
  const colourOf = (name: string): string => {
    probe.style.backgroundColor = name;
    return backgroundOf(probe);
  };
  const hasOutline = (element: Element): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
  };
  const hasBorder = (element: Element): boolean => {
    const { borderTopStyle, borderTopWidth } = getComputedStyle(element);
    return borderTopStyle !== "none" && Number.parseFloat(borderTopWidth) > 0;
  };
  const tools: Tools = {
    highlight: colourOf("Highlight"),
    canvas: colourOf("Canvas"),
    nameOf: (element) =>
      `${element.tagName}.${element.getAttribute("class") ?? ""} ${element.ariaLabel ?? element.textContent?.slice(0, 40) ?? ""}`,
    backgroundOf,
    hasOutline,
    hasLine: (element) => hasOutline(element) || hasBorder(element),
    shown: (selector) =>
      [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility() && part.getBoundingClientRect().width > 1),
  };
  probe.remove();
  (globalThis as unknown as Forced).forced = tools;
}

function unforced(): readonly string[] {
  return matchMedia("(forced-colors: active)").matches ? [] : ["no colours are forced"];
}

/** Switches and checkboxes: on, off, and the thumb. */
function unseenStates(): readonly string[] {
  const { shown, backgroundOf, hasLine, highlight, nameOf } = (globalThis as unknown as Forced).forced;
  return shown("[role=switch], [role=checkbox]").flatMap((part) => {
    const isOn = part.ariaChecked === "true";
    const mark = part.firstElementChild;
    const hasNoThumb = part.role === "switch" && (mark === null || backgroundOf(mark) === backgroundOf(part));
    return [
      ...((backgroundOf(part) === highlight) === isOn && hasLine(part) ? [] : [`on or off: ${nameOf(part)}`]),
      ...(hasNoThumb ? [`no thumb: ${nameOf(part)}`] : []),
    ];
  });
}

/** What is chosen among others has a line, itself or where it begins, and they have none. */
function unseenChoices(): readonly string[] {
  const { shown, hasOutline, nameOf } = (globalThis as unknown as Forced).forced;
  const chosen =
    "[aria-current]:not([aria-current=false]), [aria-pressed=true], [aria-selected=true], [data-selected=true], label:has(> [type=radio]:checked)";
  const others = (part: Element): readonly Element[] =>
    [...(part.parentElement?.children ?? [])].filter(
      (other) => other.tagName === part.tagName && !other.matches(`${chosen}, :focus, :has(:focus)`),
    );
  return shown(chosen).flatMap((part) => [
    ...([part, part.firstElementChild].some((marked) => marked !== null && hasOutline(marked)) ? [] : [`chosen: ${nameOf(part)}`]),
    ...others(part)
      .filter(hasOutline)
      .map((other) => `not chosen: ${nameOf(other)}`),
  ]);
}

/** Bars, bubbles and dots. */
function unseenEdges(): readonly string[] {
  const { shown, hasLine, backgroundOf, canvas, nameOf } = (globalThis as unknown as Forced).forced;
  const parts = shown("progress, [class*=_bubble_]:not([data-emoji])").filter((part) => !hasLine(part));
  const dots = shown("[class*=_dot_]").filter((dot) => backgroundOf(dot) === canvas && !hasLine(dot));
  return [...parts, ...dots].map((part) => `no edge: ${nameOf(part)}`);
}

/** What of a recording was played is of another colour: a tint of one is the same there, or nearly. */
function unseenProgress(): readonly string[] {
  const { shown, nameOf } = (globalThis as unknown as Forced).forced;
  return shown("[role=slider]:has(rect[data-played]):has(rect:not([data-played]))").flatMap((slider) => {
    const [played, rest] = ["rect[data-played]", "rect:not([data-played])"].map(
      (bar) => getComputedStyle(slider.querySelector(bar) as Element).fill,
    );
    return played === rest ? [`played or not: ${nameOf(slider)}`] : [];
  });
}

/** A text has a background of its own there: in a coloured button it covers the colour, and a space above other text covers that. */
function coveredTexts(): readonly string[] {
  const { backgroundOf, highlight, nameOf } = (globalThis as unknown as Forced).forced;
  const isForced = (element: Element): boolean => getComputedStyle(element).getPropertyValue("forced-color-adjust") !== "none";
  const isSpace = (element: Element, part: string): boolean => {
    const { content, position, clipPath } = getComputedStyle(element, part);
    return /^"\s+"$/.test(content) && position === "absolute" && clipPath === "none";
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => [
    ...(element.textContent !== "" && backgroundOf(element) === highlight && isForced(element)
      ? [`covers itself: ${nameOf(element)}`]
      : []),
    ...(isSpace(element, "::before") || isSpace(element, "::after") ? [`covered by a space: ${nameOf(element)}`] : []),
  ]);
}
