// The interface under a finger: a long press opens the menu of a message or a row, a tap and a scroll open none, what was pressed long is
// neither pressed when the finger is lifted nor selected.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { Finger } from "./support/finger.ts";
import { createIdentity } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";

const NOTES = 24;

let world: BrowserWorld;
let page: Page;
let finger: Finger;
let key = "";

beforeAll(async () => {
  world = await startWorld("touch");
  ({ page } = await world.enter("ada", { hasTouch: true, width: 800, height: 600 }));
  const { address } = await createIdentity(page, world.node.baseUrl, "Ada");
  key = parseAccount(address);
  finger = await Finger.over(page);
  await goTo(page, `/inbox/${key}`);
  const field = page.getByRole("main").getByRole("textbox").last();
  for (let number = 1; number <= NOTES; number += 1) {
    await field.fill(`Note ${number} about the orchard`);
    await field.press("Enter");
  }
  await note(NOTES).waitFor();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    for (const type of ["contextmenu", "click"]) document.addEventListener(type, () => heard.push(type), { capture: true });
  });
});

afterAll(() => world?.[Symbol.asyncDispose]());

const note = (number: number): Locator => page.getByRole("article").filter({ hasText: `Note ${number} about` });
const words = (number: number): Locator => note(number).getByText(`Note ${number} about the orchard`);
const menu = (): Locator => page.getByRole("menu");
/** What the page heard since it was asked last. */
const heard = (): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as unknown as { readonly heard: string[] }).heard.splice(0));
const selected = (): Promise<string> => page.evaluate(() => String(getSelection()));

/** Presses until the menu is there and the finger is lifted. */
async function pressLong(element: Locator): Promise<void> {
  await finger.pressLong(element);
  await menu().waitFor();
}

it("opens the menu of a message by a long press, which presses and selects nothing when the finger is lifted", async () => {
  await heard();
  await pressLong(words(NOTES));
  await photograph(page, "touch-message");
  expect(await menu().getByRole("menuitem").first().isVisible()).toBe(true);
  // What a lifted finger would press is heard before this key.
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem");
  expect(await heard()).toEqual(["contextmenu"]);
  expect(await selected()).toBe("");
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

it("does what is tapped in that menu", async () => {
  await pressLong(words(NOTES));
  await menu().getByRole("menuitem", { name: "Reply" }).tap();
  await menu().waitFor({ state: "detached" });
  await page.getByText(/^Reply to /).waitFor();
  await page.keyboard.press("Escape");
});

it("opens the menu of a row by a long press, and stays in the chat", async () => {
  await heard();
  const row = page.getByRole("link").filter({ hasText: `Note ${NOTES} about` });
  await page.setViewportSize({ width: 1_000, height: 600 });
  await row.waitFor();
  const before = page.url();
  await heard();
  await pressLong(row);
  await photograph(page, "touch-row");
  expect(await menu().getByRole("menuitem", { name: "Pin" }).isVisible()).toBe(true);
  await page.keyboard.press("ArrowDown");
  expect(await heard()).toEqual(["contextmenu"]);
  expect([page.url(), await selected()]).toEqual([before, ""]);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

it("scrolls under a finger that moves, and a tap opens no menu", async () => {
  await goTo(page, `/inbox/${key}`);
  await note(NOTES).waitFor();
  const log = page.locator("[data-chat-log]");
  const before = await log.evaluate(({ scrollTop }) => scrollTop);
  await heard();
  await finger.drag(words(NOTES - 2), 200);
  await expect.poll(() => log.evaluate(({ scrollTop }) => scrollTop)).toBeLessThan(before - 50);
  await words(NOTES - 8).tap();
  // The one menu that was asked for so far is that of this press.
  await pressLong(words(NOTES - 8));
  expect((await heard()).filter((type) => type === "contextmenu")).toEqual(["contextmenu"]);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});
