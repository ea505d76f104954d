// Every view in a window as narrow as a phone, and as 1,280 px at four times the zoom (WCAG 1.4.10): in German, whose words are long, and from
// right to left. Nothing but tables and code is scrolled sideways, and no heading and no button loses words.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { isWhole } from "#test/support/host/test-extent.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { tooWide } from "./support/narrow-window.ts";
import { nameOfPicture, photograph } from "./support/pictures.ts";
import { restoreRobin, speak, visit } from "./support/robin.ts";
import { recipeOfRun } from "./support/seeded-chain.ts";
import { robin } from "./support/seeded-people.ts";
import { TRANSACTION, VIEWS } from "./support/views.ts";

const WIDTHS = [360, 320];
const LANGUAGES = ["de", PSEUDO_LANGUAGE] as const;

let world: BrowserWorld;
let page: Page;
let places: readonly string[] = [];

beforeAll(async () => {
  world = await startWorld("narrow", recipeOfRun());
  ({ page } = await world.enter("robin"));
  await restoreRobin(page, world.node.baseUrl);
  const { transactions } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 1 });
  places = VIEWS.map((view) => view.replace(TRANSACTION, transactions[0]?.id ?? ""));
}, 900_000);

afterAll(() => world?.[Symbol.asyncDispose]());

it.each(LANGUAGES)(
  "in %s every view fits: nothing is scrolled sideways, and headings and buttons say all",
  async (language) => {
    await speak(page, language);
    const found: Record<string, readonly string[]> = {};
    // Where not everything runs, a fourth of the views in one of the languages, and another in the other one.
    const turn = LANGUAGES.indexOf(language);
    for (const path of places.filter((_, index) => isWhole || index % 4 === turn)) {
      await visit(page, path);
      await page.waitForFunction(() => document.querySelector("[data-skeleton]") === null);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 640 });
        const faults = await tooWide(page);
        if (faults.length > 0) found[`${path} at ${width}`] = faults;
        if (width === 360) await photograph(page, `narrow-${language}${nameOfPicture(path)}`);
      }
    }
    expect(found).toEqual({});
  },
  400_000,
);

it("a chart adds nothing to the width of a view that gets narrower, before it is drawn again", async () => {
  await page.setViewportSize({ width: 360, height: 640 });
  await visit(page, "/explorer");
  await page.locator("canvas").first().waitFor();
  const beyond = await page.evaluate(() => {
    let view = document.querySelector("canvas")?.parentElement;
    while (view && !/auto|scroll/.test(getComputedStyle(view).overflowX)) view = view.parentElement;
    if (!view) return undefined;
    view.style.width = `${view.clientWidth - 40}px`;
    // No frame is drawn between the two.
    const width = view.scrollWidth - view.clientWidth;
    view.style.width = "";
    return width;
  });
  expect(beyond).toBe(0);
});
