// A chat whose rows are not as high as one thinks before they are measured, scrolled with motion: in each frame what one reads moves as far as
// the wheel, and only as far.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { drawnPng } from "./support/drawn-png.ts";
import { createIdentity, unlock } from "./support/person.ts";
import { goTo } from "./support/robin.ts";

/** No two have as many lines: none is estimated by another one. */
const TEXTS = 36;
/** By the number of the text that is written below them. */
const PICTURES = new Map<number, readonly [width: number, height: number]>([
  [24, [640, 240]],
  [30, [240, 640]],
]);
/** Pixels of one turn of the wheel: what is read stays in the window. */
const TURN = 240;
const TURNS = 24;
/** What browsers round, pixels. */
const ROUNDED = 1.5;
/** The list comes to rest within so many frames, or moves by itself. */
const MOST_FRAMES = 600;

let world: BrowserWorld;
let ada: BrowserProfile;
let page: Page;
let chat = "";

beforeAll(async () => {
  world = await startWorld("scrolling-rows");
  ada = await world.enter("ada");
  ({ page } = ada);
  const { address } = await createIdentity(page, world.node.baseUrl, "Ada");
  chat = `/inbox/${parseAccount(address)}`;
  await goTo(page, chat);
  const field = page.getByRole("main").getByRole("textbox").last();
  for (let number = 1; number <= TEXTS; number += 1) {
    const picture = PICTURES.get(number);
    if (picture !== undefined) await addPicture(picture);
    const lines = 2 + ((number * 11) % TEXTS);
    await field.fill(`Note ${number}:\n${"and so on\n".repeat(lines).trim()}`);
    await field.press("Enter");
    await page
      .getByRole("article")
      .filter({ hasText: `Note ${number}:` })
      .waitFor();
  }
});

afterAll(() => world?.[Symbol.asyncDispose]());

it("moves what one reads by the wheel alone, through rows that are measured as they come", WHOLE_ONLY, async () => {
  await openAfresh();
  for (let turn = 0; turn < TURNS; turn += 1) expectSteady(await turnWheel(-TURN), -TURN, `turn ${turn}`);
});

it("moves it by the wheel alone too while rows above grow", WHOLE_ONLY, async () => {
  await openAfresh();
  for (let turn = 0; turn < 6; turn += 1) await turnWheel(-TURN);
  for (let turn = 0; turn < 6; turn += 1) expectSteady(await turnWheel(-TURN, 40), -TURN, `turn ${turn} while rows grow`);
  expectSteady(await turnWheel(0, 40), 0, "at rest while rows grow");
});

it("leaves no error in the console", WHOLE_ONLY, () => expect(ada.errors).toEqual([]));

/** Opens the chat at its end in a page that knows no row yet. */
async function openAfresh(): Promise<void> {
  await goTo(page, "/wallet");
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await unlock(page);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await goTo(page, chat);
  await page
    .getByRole("article")
    .filter({ hasText: `Note ${TEXTS}:` })
    .waitFor();
  await page.locator("[data-chat-log]").hover({ position: { x: 20, y: 100 } });
  expectSteady(await turnWheel(0), 0, "at the end");
}

/** Lays a picture beside what is written next. */
async function addPicture([width, height]: readonly [number, number]): Promise<void> {
  const file = { name: "view.png", mimeType: "image/png", buffer: await drawnPng(page, width, height) };
  await page.locator("[data-file-input]").setInputFiles(file);
}

/** Where a row was, pixels of the window, in every frame of one turn of the wheel, until the list has rested for six. */
async function turnWheel(pixels: number, grow = 0): Promise<readonly number[]> {
  await page.evaluate(
    ({ most, grown }) => {
      const list = document.querySelector("[data-chat-log]");
      const from = list?.getBoundingClientRect().top ?? 0;
      const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
      // The lowest row whose top is in the upper half: it comes down by one turn, and its top stays in sight.
      const row = rows.findLast((each) => each.getBoundingClientRect().top < from + 300);
      // Those that do not come into sight meanwhile.
      const above = rows.filter((each) => each.getBoundingClientRect().bottom < from - 300);
      if (grown > 0 && above.length === 0) throw new Error("No row is far enough above");
      const follow = async (): Promise<readonly number[]> => {
        const tops: number[] = [];
        for (let frame = 0, alike = 0; frame < most && alike < 6; frame += 1) {
          await new Promise(requestAnimationFrame);
          const top = row?.getBoundingClientRect().top ?? Number.NaN;
          // The first frames come before the wheel.
          alike = top === tops.at(-1) && frame > 20 ? alike + 1 : 0;
          tops.push(top);
          const other = above[frame % Math.max(1, above.length)];
          if (grown > 0 && frame < 12 && other !== undefined) other.style.paddingBottom = `${grown + frame}px`;
        }
        return tops;
      };
      Object.assign(globalThis, { followed: follow() });
    },
    { most: MOST_FRAMES, grown: grow },
  );
  if (pixels !== 0) await page.mouse.wheel(0, pixels);
  return await page.evaluate(() => (globalThis as unknown as { readonly followed: Promise<readonly number[]> }).followed);
}

/** A row moved as far as was scrolled, and in no frame the other way or further. */
function expectSteady(tops: readonly number[], scrolled: number, when: string): void {
  const [first = Number.NaN, last = Number.NaN] = [tops[0], tops.at(-1)];
  expect(Math.abs(last - first + scrolled), `${when}: pixels that it moved beside the wheel`).toBeLessThanOrEqual(ROUNDED);
  const strange = tops.filter((top, at) => {
    const before = tops[at - 1] ?? top;
    return top < before - ROUNDED || top > first - scrolled + ROUNDED;
  });
  expect(strange, `${when}: places where it should never be`).toEqual([]);
}
