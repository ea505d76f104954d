// Text that is selected in a chat: it stays while one scrolls away and a message in it goes, few rows are in the document for it, and all of
// it is copied, with who wrote and when.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

/** So many messages, each of so many lines: several times what is kept in the document. */
const MESSAGES = 40;
const LINES = 14;
const LOG = "[data-chat-log]";

describe("text that is selected in a chat", WHOLE_ONLY, () => {
  let world: BrowserWorld;
  let ann: BrowserProfile;
  let page: Page;

  beforeAll(async () => {
    world = await startWorld("selected-text");
    ann = await world.enter("ann");
    page = ann.page;
    await createIdentity(page, world.node.baseUrl, "Ann");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("note to self");
    await page.keyboard.press("Enter");
    for (let number = 1; number <= MESSAGES; number += 1) {
      await page.getByRole("textbox", { name: "Note to self" }).fill(noteOf(number));
      await page.keyboard.press("Enter");
      await page
        .getByRole("article")
        .filter({ hasText: `note ${number} line 2 ` })
        .waitFor();
    }
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("stays while one scrolls and a message in it goes, and is copied whole", async () => {
    await world.step("select from one message to another, and scroll away from both", async () => {
      await select(39, 37);
      await photograph(page, "selected-text");
      await scrollBy(-100_000);
      await page.getByRole("article").filter({ hasText: "note 1 line 2 " }).waitFor();
      await scrollBy(2_000);
      expect(await selected()).toMatch(/^te 37 [\s\S]*note 39 line 14 of$/);
      await photograph(page, "selected-text-scrolled");
      const rows = await page.locator(`${LOG} li[data-row]`).count();
      expect(rows).toBeLessThan(MESSAGES - 5);
    });

    await world.step("copy both ends, and all messages between them that are not drawn", async () => {
      await page.keyboard.press("Control+c");
      const paragraphs = (await page.evaluate(() => navigator.clipboard.readText())).split("\n\n");
      expect(paragraphs).toHaveLength(3);
      for (const each of paragraphs) expect(each).toMatch(/^You, .*:\n/);
      expect(paragraphs[0]).toMatch(/:\nte 37 line 1 of/);
      expect(paragraphs[1]?.split("\n").slice(1).join("\n")).toBe(noteOf(38));
      expect(paragraphs[2]).toMatch(/note 39 line 14 of$/);
    });

    await world.step("keep what is selected beside a message that goes", async () => {
      await scrollBy(100_000);
      await scrollBy(-500);
      await page.evaluate(() => getSelection()?.removeAllRanges());
      await note(37).getByText("note 37 line 14").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Delete for me" }).click();
      const confirm = page.locator("[data-confirmation]").getByRole("button", { name: "Delete for me" });
      await confirm.waitFor();
      await select(39, 37);
      await confirm.evaluate((button: HTMLElement) => button.click());
      await note(37).waitFor({ state: "detached" });
      const before = await selected();
      expect(before).toMatch(/note 38 line 1 [\s\S]*note 39 line 14 of$/);
      await scrollBy(-100_000);
      await note(1).waitFor();
      expect(await selected()).not.toContain("note 36");
      await scrollBy(2_000);
      await page.locator(LOG).focus();
      await page.keyboard.press("Control+c");
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const paragraphs = copied.split("\n\n");
      expect(paragraphs).toHaveLength(2);
      expect(paragraphs[0]).toContain(noteOf(38));
      expect(paragraphs[1]).toMatch(/note 39 line 14 of$/);
      await scrollBy(100_000);
      expect(await selected()).toBe(before);
    });
    expect(ann.errors).toEqual([]);
  });

  function note(number: number): Locator {
    return page.getByRole("article").filter({ hasText: `note ${number} line 2 ` });
  }

  function noteOf(number: number): string {
    return Array.from({ length: LINES }, (_, line) => `note ${number} line ${line + 1} of *all*`).join("\n");
  }

  /** From the word "of" in the last line of one message up to the third character of another, as by a mouse that goes up. */
  function select(from: number, to: number): Promise<void> {
    return page.evaluate(
      ([start, end]) => {
        const textsOf = (number: number | undefined): readonly Text[] => {
          const row = [...document.querySelectorAll("article")].find((article) => article.textContent?.includes(`note ${number} line`));
          const walker = document.createTreeWalker(row as Element, NodeFilter.SHOW_TEXT);
          const found: Text[] = [];
          while (walker.nextNode() !== null)
            if (/note \d+ line/.test(walker.currentNode.textContent ?? "")) found.push(walker.currentNode as Text);
          return found;
        };
        const [first, last] = [textsOf(end).at(0) as Text, textsOf(start).at(-1) as Text];
        const at = (first.textContent?.indexOf("note") ?? 0) + 2;
        const till = (last.textContent?.lastIndexOf(" of") ?? 0) + 3;
        if (document.querySelector("[data-confirmation]") === null)
          (document.querySelector("[data-chat-log]") as HTMLElement).focus({ preventScroll: true });
        getSelection()?.setBaseAndExtent(last, till, first, at);
      },
      [from, to],
    );
  }

  function selected(): Promise<string> {
    return page.evaluate(() => getSelection()?.toString() ?? "");
  }

  /** In steps of half a view, with a frame after each. */
  function scrollBy(pixels: number): Promise<void> {
    return page.locator(LOG).evaluate(async (list, all) => {
      const step = (Math.sign(all) * list.clientHeight) / 2;
      for (let done = 0; Math.abs(done) < Math.abs(all); done += step) {
        const before = list.scrollTop;
        list.scrollTop += step;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        if (list.scrollTop === before) break;
      }
    }, pixels);
  }
});
