// A finger on the screen. Chromium makes taps and scrolling of the touches that a test sends, and no long press: what it sends for one, the
// page is sent while the finger is down, after the word below it was selected, as Chromium does.
import type { CDPSession, Locator, Page } from "playwright-core";

/** How far a finger moves at once, pixels. */
const STEP_PX = 12;
/** Longer than any tap, ms. */
const LONG_MS = 800;

interface Place {
  readonly x: number;
  readonly y: number;
}

export class Finger {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** A finger for a page whose profile has touch. */
  static async over(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  /** Presses an element long and lifts the finger. */
  async pressLong(element: Locator): Promise<void> {
    const { x, y } = await placeOf(element);
    await this.#page.evaluate(() => {
      document.addEventListener(
        "pointerdown",
        ({ target, clientX, clientY, pointerType }) => {
          if (target === null) return;
          const word = document.caretPositionFromPoint(clientX, clientY);
          if (word !== null && word.offsetNode.nodeType === Node.TEXT_NODE)
            getSelection()?.selectAllChildren(word.offsetNode.parentElement as Element);
          const at = { clientX, clientY, pointerType, bubbles: true, cancelable: true, composed: true };
          requestAnimationFrame(() => target.dispatchEvent(new PointerEvent("contextmenu", at)));
        },
        { once: true, capture: true },
      );
    });
    await this.#session.send("Input.synthesizeTapGesture", { x, y, duration: LONG_MS, gestureSourceType: "touch" });
  }

  /** Puts the finger onto an element, drags it down or up and lifts it. */
  async drag(element: Locator, byPx: number): Promise<void> {
    const { x, y } = await placeOf(element);
    await this.#send("touchStart", { x, y });
    for (let moved = 0; moved < Math.abs(byPx); moved += STEP_PX) {
      await this.#send("touchMove", { x, y: y + Math.sign(byPx) * moved });
      await this.#page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await this.#send("touchEnd");
  }

  #send(type: "touchStart" | "touchMove" | "touchEnd", at?: Place): Promise<unknown> {
    return this.#session.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [at] });
  }
}

async function placeOf(element: Locator): Promise<Place> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} is not on the screen`);
  return { x: box.x + Math.min(40, box.width / 2), y: box.y + box.height / 2 };
}
