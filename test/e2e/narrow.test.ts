// Every view in a window as narrow as a phone, and as 1,280 px at four times the zoom (WCAG 1.4.10): in German, whose words are long, and from
// right to left. Nothing but tables and code is scrolled sideways, and no heading and no button loses words.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { isWhole } from "#test/support/host/test-extent.ts";
import { addressEnds } from "./support/address-ends.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { tooWide } from "./support/narrow-window.ts";
import { unlock } from "./support/person.ts";
import { nameOfPicture, photograph } from "./support/pictures.ts";
import { restoreRobin, speak, visit } from "./support/robin.ts";
import { recipeOfRun } from "./support/seeded-chain.ts";
import { robin } from "./support/seeded-people.ts";
import { TRANSACTION, VIEWS } from "./support/views.ts";

const WIDTHS = [360, 320];
/** One has what looks like the end of another address. */
const LONG_NAMES = ["Bartholomew Featherstonehaugh-Cholmondeley the 3rd", "Ada (…qqqq)", "W".repeat(64), "אליס כהן"];
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

it("the end of an address beside a name that its owner chose is never cut off, however long the name and however large the text", async () => {
  await speak(page, "en");
  await page.route("**/api/identities", async (route) => {
    const response = await route.fetch();
    const { identities } = (await response.json()) as { readonly identities: readonly { readonly pub_key: string }[] };
    const renamed = identities.map((identity, n) => ({ ...identity, nickname: LONG_NAMES[n % LONG_NAMES.length] }));
    await route.fulfill({ response, json: { identities: renamed } });
  });
  await page.reload();
  await unlock(page);
  const found: Record<string, readonly string[]> = {};
  for (const path of ["/contacts", "/wallet", "/wallet/send", "/explorer"]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(page, path);
    if (path === "/contacts") await page.getByRole("radio", { name: /^Requests/ }).press("Space");
    for (const [width, textSize] of [
      [360, "largest"],
      [800, "normal"],
      [1280, "normal"],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate((size) => {
        document.documentElement.dataset.textSize = size;
      }, textSize);
      await expect.poll(async () => (await addressEnds(page)).all, { message: `ends at ${path}` }).not.toEqual([]);
      const { cut } = await addressEnds(page);
      if (cut.length > 0) found[`${path} at ${width}, ${textSize} text`] = cut;
    }
  }
  expect(found).toEqual({});
  await page.unrouteAll({ behavior: "wait" });
}, 400_000);

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
