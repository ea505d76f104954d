// What moved on a page without being moved: Chromium's own account of layout shifts, with the elements and where they were and are.
import type { BrowserContext, Page } from "playwright-core";

/** Shifts that are remembered: the first of them say what to mend. */
const MOST = 50;

/** One element that moved. */
interface Moved {
  readonly element: string;
  readonly from: string;
  readonly to: string;
}

/** One layout shift. */
export interface Shift {
  /** Share of the window that moved, times how far: what Chromium adds up to its score. */
  readonly score: number;
  /** True within half a second after a key or a press, when something may move that the person moved. */
  readonly isAfterInput: boolean;
  readonly moved: readonly Moved[];
}

/** Remembers the shifts of every page of the context that is loaded from now on. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(observeShifts, MOST);
}

/**
 * Has the page keep back what follows a part that loads for as long as that takes, until it is loaded again: on a machine under load, the two
 * seconds after which it is shown in any case are over too soon.
 */
export async function waitPatiently(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty("--delay-patience", "60s"));
}

/** Shifts since the last call in words, one line each; those soon after a key or a press too where `withInput` says so. */
export async function takeShifts(page: Page, withInput = false): Promise<readonly string[]> {
  const shifts = await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { takeShifts: () => readonly Shift[] }).takeShifts();
  });
  // What was removed in the same moment has no place that one could have seen.
  return shifts.filter(({ isAfterInput, moved }) => moved.length > 0 && (withInput || !isAfterInput)).map(inWords);
}

function inWords({ score, isAfterInput, moved }: Shift): string {
  const parts = moved.map(({ element, from, to }) => `${element}: ${from} → ${to}`);
  return `${score.toFixed(4)}${isAfterInput ? " after input" : ""} — ${parts.join("; ")}`;
}

/** Runs in the page. */
function observeShifts(most: number): void {
  interface LayoutShift extends PerformanceEntry {
    readonly value: number;
    readonly hadRecentInput: boolean;
    readonly sources: readonly { readonly node: Node | null; readonly previousRect: DOMRect; readonly currentRect: DOMRect }[];
  }
  const shifts: Shift[] = [];
  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (element === null || element === undefined) return "(gone)";
    const parent = element.parentElement;
    return `${parent?.tagName ?? ""}.${parent?.getAttribute("class") ?? ""} > ${element.tagName}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 40)}"`;
  };
  const place = ({ x, y, width, height }: DOMRect): string => `${x},${y} ${width}×${height}`;
  const keep = (entries: PerformanceEntryList): void => {
    for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
      const moved = sources.map(({ node, previousRect, currentRect }) => ({
        element: nameOf(node),
        from: place(previousRect),
        to: place(currentRect),
      }));
      if (shifts.length < most) shifts.push({ score: value, isAfterInput: hadRecentInput, moved });
    }
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  Object.assign(globalThis, {
    takeShifts: (): readonly Shift[] => {
      keep(observer.takeRecords());
      return shifts.splice(0);
    },
  });
}
