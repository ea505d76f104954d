// A chat that is longer than the window, with motion: text stays selected while one scrolls, is copied as what was said, and nothing that
// comes or goes moves what one reads.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { introduce, openView, write } from "./support/person.ts";

/** More than are in the document at once: it holds those in view and at least ten above and below. */
const MESSAGES = 26;
const LINES = "and so on\n".repeat(12).trim();
/** Turns of the wheel from one end of the chat to the other. */
const TURNS = 20;
/** The list comes to rest within so many frames, or moves by itself. */
const MOST_FRAMES = 600;
/** What waits before it is shown has been shown by then, ms. */
const SETTLED_MS = 2_500;

describe("a long chat", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("scrolling");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob", { colorScheme: "dark" })]);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  it("moves nothing by itself while one scrolls, keeps its text selected, and copies what was said", async () => {
    const [a, b] = [alice.page, bob.page];
    await introduce(world.node.baseUrl, { Alice: a, Bob: b });
    for (const page of [a, b]) await page.emulateMedia({ reducedMotion: "no-preference" });

    await world.step("write more than a window has room for", async () => {
      await openView(a, "Inbox");
      await a.getByRole("link", { name: /^Bob/ }).click();
      await openView(b, "Inbox");
      await b.getByRole("link", { name: /^Alice/ }).click();
      for (let number = 1; number <= MESSAGES; number += 1) await write(a, "Bob", `Number ${number}: ${LINES}`);
      await message(b, MESSAGES).waitFor();
    });

    await world.step("open the chat without a move, also after two seconds", async () => {
      await openView(b, "Wallet");
      await openView(b, "Inbox");
      await takeShifts(b);
      await b.getByRole("link", { name: /^Alice/ }).click();
      await message(b, MESSAGES).waitFor();
      await settled(b);
      expect(await takeShifts(b), "what moved while the chat came").toEqual([]);
    });

    await world.step("scroll without a move", async () => {
      await pointAtMessages(b);
      for (const direction of [-1, 1, -1]) for (let turn = 0; turn < 6; turn += 1) await wheel(b, direction * 500);
      await settled(b);
      expect(await takeShifts(b, true), "what moved while one scrolled").toEqual([]);
      expect(await emptyPixels(b), "nothing where messages should be").toBe(0);
    });

    await world.step("read on while a message is pinned, and another one comes", async () => {
      const seen = await topOfFirst(b);
      const last = message(a, MESSAGES);
      await last.hover();
      await last.getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Pin", exact: true }).click();
      await b.getByRole("region", { name: "Pinned messages" }).waitFor();
      await expectStill(b, seen);
      await write(a, "Bob", "One more");
      await b.getByRole("button", { name: "Go to 1 new message" }).waitFor();
      await settled(b);
      await expectStill(b, seen);
    });

    await world.step("select text by mouse, and scroll away and back", async () => {
      const log = b.getByRole("region", { name: "Messages with Alice" });
      await b.getByRole("button", { name: /^Go to / }).click();
      await b.getByText("One more").first().waitFor();
      await log.press("End");
      await pointAtMessages(b);
      await wheel(b, -100);
      await selectByMouse(b, MESSAGES - 1, MESSAGES);
      const selected = await selectedText(b);
      expect(selected).toContain(`Number ${MESSAGES}`);
      await scrollToStart(b);
      // Far away, its ends alone are in the document.
      expect(await message(b, MESSAGES - 4).count()).toBe(0);
      expect(await selectedText(b)).toContain(`Number ${MESSAGES}`);
      // Nor are they stops of the keys.
      expect(await message(b, MESSAGES).getByRole("button").count()).toBeGreaterThan(0);
      expect(await stopsIn(message(b, MESSAGES))).toBe(0);
      await log.press("Home");
      await log.press("End");
      await message(b, MESSAGES - 4).waitFor();
      await expect.poll(() => selectedText(b)).toBe(selected);
      expect(await stopsIn(message(b, MESSAGES))).toBeGreaterThan(0);
    });

    await world.step("copy what is selected over several messages, also what is not in the document", async () => {
      const [first, last] = [MESSAGES - 2, MESSAGES];
      await select(b, first, last);
      await scrollToStart(b);
      expect(await message(b, last - 1).count()).toBe(0);
      await b.keyboard.press("Control+c");
      const copied = await b.evaluate(() => navigator.clipboard.readText());
      const paragraphs = copied.split("\n\n").map((paragraph) => paragraph.split("\n"));
      expect(paragraphs.map(([who = ""]) => who.slice(0, 7))).toEqual(["Alice, ", "Alice, ", "Alice, "]);
      expect(paragraphs.map(([, ...words]) => words.join("\n"))).toEqual([
        `Number ${first}: ${LINES}`,
        `Number ${last - 1}: ${LINES}`,
        `Number ${last}`,
      ]);
    });

    expect([...alice.errors, ...bob.errors]).toEqual([]);
  });
});

const message = (page: Page, number: number): Locator => page.getByRole("article").filter({ hasText: `Number ${number}:` });
/** Controls that Tab comes to. */
const stopsIn = (row: Locator): Promise<number> =>
  row.evaluate((element) => [...element.querySelectorAll<HTMLElement>("a, button")].filter(({ tabIndex }) => tabIndex >= 0).length);
const selectedText = (page: Page): Promise<string> => page.evaluate(() => String(getSelection()));

/** One turn of the wheel over the messages, until they rest: six frames are alike then. */
async function wheel(page: Page, pixels: number): Promise<void> {
  await page.mouse.wheel(0, pixels);
  const hasRested = await page.evaluate(async (most) => {
    const list = document.querySelector("[data-chat-log]");
    let [alike, before] = [0, list?.scrollTop];
    for (let frame = 0; frame < most && alike < 6; frame += 1) {
      await new Promise(requestAnimationFrame);
      alike = list?.scrollTop === before ? alike + 1 : 0;
      before = list?.scrollTop;
    }
    return alike >= 6;
  }, MOST_FRAMES);
  expect(hasRested, "the list came to rest").toBe(true);
}

async function scrollToStart(page: Page): Promise<void> {
  await pointAtMessages(page);
  for (let turn = 0; turn < TURNS; turn += 1) await wheel(page, -500);
  await message(page, 1).waitFor();
}

/** Selects from the first letter of one message to the number of another. */
function select(page: Page, from: number, to: number): Promise<void> {
  return page.evaluate(
    (names) => {
      const texts = [...document.querySelectorAll("article [dir='auto']")];
      const [start, end] = names.map((name) => texts.find(({ textContent }) => textContent?.startsWith(`${name}:`))?.firstChild);
      if (start == null || end == null) throw new Error("The messages are not there");
      getSelection()?.setBaseAndExtent(start, 0, end, names[1]?.length ?? 0);
    },
    [`Number ${from}`, `Number ${to}`],
  );
}

/** Has the wheel turn over the messages. */
async function pointAtMessages(page: Page): Promise<void> {
  await page.locator("[data-chat-log]").hover({ position: { x: 20, y: 100 } });
}

/** Waits until what waits to be shown has been shown. */
async function settled(page: Page): Promise<void> {
  const from = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() > until, from + SETTLED_MS);
}

/** The first message in view, or a given one, and where it is, pixels of the window. */
function topOfFirst(page: Page, wanted?: string): Promise<{ readonly key: string; readonly top: number }> {
  return page.evaluate((key) => {
    const list = document.querySelector("[data-chat-log]");
    const from = (list?.getBoundingClientRect().top ?? 0) + 120;
    const rows = [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const row = rows.find((each) => (key === undefined ? each.getBoundingClientRect().top >= from : each.dataset.row === key));
    return { key: row?.dataset.row ?? "", top: Math.round(row?.getBoundingClientRect().top ?? Number.NaN) };
  }, wanted);
}

/** A message is where it was, but for what browsers round. */
async function expectStill(page: Page, { key, top }: Awaited<ReturnType<typeof topOfFirst>>): Promise<void> {
  expect(Math.abs((await topOfFirst(page, key)).top - top), "pixels from where it was").toBeLessThanOrEqual(1);
}

/** Pixels of the height of the list where no row is. */
function emptyPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const box = document.querySelector("[data-chat-log]")?.getBoundingClientRect();
    if (box === undefined) return Number.NaN;
    const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
    const [top, bottom] = [Math.min(...rows.map((row) => row.top)), Math.max(...rows.map((row) => row.bottom))];
    return Math.max(0, Math.round(top - box.top)) + Math.max(0, Math.round(box.bottom - bottom));
  });
}

/** From the first letters of one message to those of another. */
async function selectByMouse(page: Page, from: number, to: number): Promise<void> {
  const start = await message(page, from).locator("[dir='auto']").boundingBox();
  const end = await message(page, to).locator("[dir='auto']").boundingBox();
  if (start === null || end === null) throw new Error("The messages are not there");
  await page.mouse.move(start.x + 2, start.y + 8);
  await page.mouse.down();
  await page.mouse.move(end.x + 40, end.y + 8, { steps: 4 });
  await page.mouse.move(end.x + 90, end.y + 8, { steps: 4 });
  await page.mouse.up();
}
