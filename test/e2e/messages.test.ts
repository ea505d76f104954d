// What one can do with messages that are there, in real browsers: read marks, open links and pictures, send on, menus at the pointer.
import { generateKeyPairSync } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { drawnPng } from "./support/drawn-png.ts";
import { introduce, openView, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

const LINK = "https://parley.example/place_1_(east)";

describe("messages that are there", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("messages");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await alice.page.getByRole("link", { name: "Message" }).click();
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("can be read as they were meant, opened, sent on and put in order", async () => {
    const [a, b] = [alice.page, bob.page];
    const bubble = (page: Page, text: string): Locator => page.getByRole("article").filter({ hasText: text });

    await world.step("read marks as they were meant", async () => {
      const lines = ["*Friday* at _noon_, not ~Thursday~:", `${LINK}, door \`4*2\``, "> Bring *your* tent", "```", "05:10  *train*", "```"];
      await a.getByRole("textbox", { name: "Message to Bob" }).fill(lines.join("\n"));
      await a.keyboard.press("Enter");
      const shown = bubble(b, "Friday");
      await shown.locator("strong", { hasText: /^Friday$/ }).waitFor();
      await shown.locator("em", { hasText: /^noon$/ }).waitFor();
      await shown.locator("s", { hasText: /^Thursday$/ }).waitFor();
      await shown.locator("code", { hasText: "4*2" }).waitFor();
      await shown.locator("blockquote strong", { hasText: /^your$/ }).waitFor();
      await shown.locator("pre", { hasText: "05:10  *train*" }).waitFor();
      await photograph(b, "messages-marks");
    });

    await world.step("mark what is selected by keyboard, and take it back", async () => {
      const field = a.getByRole("textbox", { name: "Message to Bob" });
      await field.fill("tomorrow");
      await field.selectText();
      await a.keyboard.press("Control+b");
      await expect.poll(() => field.inputValue()).toBe("*tomorrow*");
      await a.keyboard.press("Control+i");
      await expect.poll(() => field.inputValue()).toBe("*_tomorrow_*");
      await a.keyboard.press("Control+i");
      await expect.poll(() => field.inputValue()).toBe("*tomorrow*");
      // Two keys between two pictures: the second finds the same words selected.
      const twice = await field.evaluate((node: HTMLTextAreaElement) => {
        const press = (key: string): boolean =>
          node.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, cancelable: true }));
        press("i");
        press("i");
        return node.value;
      });
      expect(twice).toBe("*tomorrow*");
      await field.fill("");
      await a.keyboard.press("Control+/");
      await a.getByText("Struck through").waitFor();
      await photograph(a, "messages-shortcuts");
      await a.keyboard.press("Escape");
    });

    await world.step("ask before a page is opened", async () => {
      const opened: string[] = [];
      b.context().on("page", (page) => opened.push(page.url()));
      await b.getByRole("button", { name: LINK }).click();
      const question = b.getByRole("dialog", { name: "Leave Parley?" });
      await question.getByText(LINK).waitFor();
      await photograph(b, "messages-leave");
      await b.keyboard.press("Escape");
      await question.waitFor({ state: "detached" });
      await bubble(b, "Friday").waitFor();
      expect(opened).toEqual([]);
    });

    await world.step("fill the payment form from a link, and pay nothing", async () => {
      await a
        .getByRole("textbox", { name: "Message to Bob" })
        .fill(`For the boat parley:pay?to=${someAddress()}&amount=2.5 whenever you can.`);
      await a.keyboard.press("Enter");
      // Both the link and a bare address say whom they mean; neither does anything by itself.
      const [, bobsKey = ""] = /\/inbox\/([0-9a-f]{64})/.exec(a.url()) ?? [];
      const address = formatAddress(bobsKey);
      await a.getByRole("textbox", { name: "Message to Bob" }).fill(`My other one is ${someAddress()}, yours is ${address}`);
      await a.keyboard.press("Enter");
      const chips = b.getByRole("article").filter({ hasText: "My other one is" });
      await chips.getByRole("button", { name: /^pl1/ }).click();
      const card = b.getByRole("dialog", { name: /^Actions for pl1/ });
      for (const name of ["Copy", "Open in explorer", "Message", "Pay"]) await card.getByRole("button", { name }).waitFor();
      expect(await axeViolations(b)).toEqual([]);
      await photograph(b, "message-links");
      await b.keyboard.press("Escape");
      expect(await chips.getByRole("button", { name: "You" }).count()).toBe(1);
      await b.getByRole("button", { name: /^Pay 2\.5\sT to pl1/ }).click();
      await b.getByRole("button", { name: "Continue" }).click();
      await expect.poll(() => b.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("2.5");
      await b.keyboard.press("Escape");
      await openView(b, "Inbox");
    });

    await world.step("pay a person with a chat in that chat: from a link, and from their page", async () => {
      await b.getByRole("link", { name: /^Alice/ }).click();
      const [, key = ""] = /\/inbox\/([0-9a-f]{64})/.exec(b.url()) ?? [];
      const sheet = b.getByRole("dialog", { name: "Pay Alice" });
      await a.getByRole("textbox", { name: "Message to Bob" }).fill(`parley:pay?to=${formatAddress(key)}&amount=1.5`);
      await a.keyboard.press("Enter");
      await b.getByRole("button", { name: /^Pay 1\.5\sT to Alice/ }).click();
      await expect.poll(() => sheet.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("1.5");
      await b.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      await openView(b, "Contacts");
      await b.getByRole("link", { name: /^Alice/ }).click();
      await b.getByRole("button", { name: "Pay", exact: true }).click();
      await sheet.waitFor();
      expect(b.url()).toContain(`/inbox/${key}`);
      await b.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
    });

    await world.step("see a few emoji large", async () => {
      await write(a, "Bob", "👍🏽 🎉");
      const size = (): Promise<string> =>
        bubble(b, "🎉")
          .locator("p")
          .evaluate((element) => getComputedStyle(element).fontSize);
      await bubble(b, "🎉").waitFor();
      expect(Number.parseFloat(await size())).toBeGreaterThan(32);
    });

    await world.step("send one on by the menu at the pointer", async () => {
      await bubble(b, "Friday").locator("em").click({ button: "right" });
      await b.getByRole("menuitem", { name: "Forward" }).waitFor();
      await photograph(b, "messages-menu");
      await b.getByRole("menuitem", { name: "Forward" }).click();
      const choice = b.getByRole("dialog", { name: "Forward to" });
      await choice.getByRole("checkbox", { name: "Alice" }).click();
      await choice.getByRole("checkbox", { name: "Note to self" }).click();
      await photograph(b, "messages-forward");
      await choice.getByRole("button", { name: "Forward" }).click();
      await b.getByText("Forwarded to 2 chats").first().waitFor();
      await b
        .getByRole("link", { name: /^Note to self/ })
        .getByText("Friday at noon")
        .waitFor();
      await bubble(a, "Friday")
        .nth(1)
        .locator("em", { hasText: /^noon$/ })
        .waitFor();
    });

    await world.step("look at pictures, one after the other, and larger", async () => {
      await a.locator("[data-file-input]").setInputFiles([
        { name: "harbour.png", mimeType: "image/png", buffer: await drawnPng(a, 640, 420) },
        { name: "tower.png", mimeType: "image/png", buffer: await drawnPng(a, 700, 1_500) },
      ]);
      await write(a, "Bob", "Where we went");
      await b.getByRole("button", { name: "Picture tower.webp" }).waitFor();
      await b.getByRole("button", { name: "Picture harbour.webp" }).click();
      const harbour = b.getByRole("dialog", { name: "harbour.webp" }).getByRole("img", { name: "Picture harbour.webp" });
      await harbour.waitFor();
      await photograph(b, "messages-picture");
      // Enlarged, it is moved by the arrows, though another one comes after it.
      await b.keyboard.press("+");
      const leftOf = async (): Promise<number> => Math.round((await harbour.boundingBox())?.x ?? Number.NaN);
      await expect.poll(leftOf).toBe(0);
      await b.keyboard.press("ArrowRight");
      await expect.poll(leftOf).toBe(-80);
      await b.keyboard.press("ArrowLeft");
      await expect.poll(leftOf).toBe(0);
      await b.keyboard.press("0");
      await b.keyboard.press("ArrowRight");
      const tower = b.getByRole("dialog", { name: "tower.webp" }).getByRole("img", { name: "Picture tower.webp" });
      await tower.waitFor();
      const widthOf = async (): Promise<number> => (await tower.boundingBox())?.width ?? 0;
      const whole = await widthOf();
      await b.keyboard.press("+");
      await expect.poll(widthOf).toBeGreaterThan(whole);
      expect(await axeViolations(b)).toEqual([]);
      const saving = b.waitForEvent("download");
      await b.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      expect((await saving).suggestedFilename()).toBe("tower.webp");
      await b.keyboard.press("Escape");
      await b.getByRole("dialog").waitFor({ state: "detached" });
      await bubble(b, "Where we went").waitFor();
    });

    await world.step("send a picture on, which arrives whole", async () => {
      await bubble(b, "Where we went").getByRole("img", { name: "Picture harbour.webp" }).click({ button: "right" });
      await b.getByRole("menuitem", { name: "Forward" }).click();
      await b.getByRole("dialog", { name: "Forward to" }).getByRole("checkbox", { name: "Alice" }).click();
      await b.getByRole("dialog").getByRole("button", { name: "Forward" }).click();
      await expect.poll(() => a.getByRole("button", { name: "Picture harbour.webp" }).count()).toBe(2);
    });

    await world.step("pin a chat by keyboard, without opening it", async () => {
      const row = b.getByRole("link", { name: /^Alice/ });
      await row.focus();
      await b.keyboard.press("Shift+F10");
      await b.getByRole("menuitem", { name: "Pin" }).waitFor();
      await photograph(b, "messages-row-menu");
      await b.keyboard.press("ArrowDown");
      await b.getByRole("menuitem", { name: "Pin" }).click();
      await row.getByRole("img", { name: "Pinned" }).waitFor();
    });

    await world.step("hold every part of it to the accessibility rules", async () => {
      expect(await axeViolations(b)).toEqual([]);
    });
  });
});

/** Address of a new key. */
function someAddress(): string {
  const key = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return formatAddress(key.toString("hex"));
}
