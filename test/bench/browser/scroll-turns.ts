// Scrolls a list and, in turns with it, a page of rows that never change: what the machine itself cannot draw in time is late there too.
import type { Page } from "playwright-core";
import { FRAME_MARK, type TracedFrame, traceFrames } from "./frame-trace.ts";

/** Frames of a list, and those of the reference beside it. */
export interface ScrollTurns {
  readonly list: readonly TracedFrame[];
  readonly reference: readonly TracedFrame[];
  /** Rows of the list that were in the document. */
  readonly passed: number;
}

/** How it is scrolled: up, the other way where it ends. */
export interface ScrollOrder {
  readonly turns: number;
  readonly frames: number;
  /** Of each frame; half of what is seen when left out. */
  readonly stepPx?: number;
}

/** What scrolls in a page. */
const LIST = "[data-chat-log]";
const REFERENCE_ROWS = 400;
const ROW_WORDS = "the harbour lunch friday tomorrow meeting bring clock game chess usual place coffee";

/** So many turns of so many frames each, of a page that is shown and of a reference as large as its list. */
export async function scrollInTurns(page: Page, order: ScrollOrder): Promise<ScrollTurns> {
  const box = await page.locator(LIST).evaluate(({ clientWidth, clientHeight }) => ({ clientWidth, clientHeight }));
  const reference = await page.context().newPage();
  await reference.setContent(referencePage(box.clientWidth, box.clientHeight));
  const seen = new Set<string>();
  const found: { list: TracedFrame[]; reference: TracedFrame[] } = { list: [], reference: [] };
  for (let turn = 0; turn < order.turns; turn += 1) {
    await reference.bringToFront();
    found.reference.push(...(await traceFrames(reference, async () => void (await scroll(reference, order)))));
    await page.bringToFront();
    const traced = await traceFrames(page, async () => {
      for (const key of await scroll(page, order)) seen.add(key);
    });
    found.list.push(...traced);
  }
  await reference.close();
  return { ...found, passed: seen.size };
}

/** Scrolls a page; the keys of the rows that it passed. */
function scroll(page: Page, { frames, stepPx }: ScrollOrder): Promise<readonly string[]> {
  return page.evaluate(
    async ({ selector, mark, count, pixels }) => {
      const list = document.querySelector(selector);
      const rows = list?.querySelector("ol");
      if (list == null || rows == null) throw new Error("There is no list");
      const seen = new Set<string>();
      let step = -(pixels ?? list.clientHeight / 2);
      // One more: a frame is what is between two marks.
      for (let frame = 0; frame <= count; frame += 1) {
        const before = list.scrollTop;
        list.scrollTop = before + step;
        if (list.scrollTop === before) step = -step;
        await new Promise(requestAnimationFrame);
        performance.mark(mark);
        for (const row of rows.children) seen.add(row.getAttribute("data-row") ?? "");
      }
      performance.clearMarks(mark);
      return [...seen];
    },
    { selector: LIST, mark: FRAME_MARK, count: frames, pixels: stepPx },
  );
}

function referencePage(width: number, height: number): string {
  const rows = Array.from({ length: REFERENCE_ROWS }, (_, row) => `<li><p>no. ${row} ${ROW_WORDS}</p></li>`);
  return `<!doctype html><style>
    body { margin: 0 }
    section { width: ${width}px; height: ${height}px; overflow-y: auto; contain: strict }
    ol { margin: 0; padding: 0; list-style: none }
    li { height: 46px; padding: 1px 20px; box-sizing: border-box }
    p { display: inline-block; margin: 0; padding: 7px 12px; border-radius: 18px; background: #eee; font: 14px sans-serif }
  </style><section data-chat-log><ol>${rows.join("")}</ol></section>`;
}
