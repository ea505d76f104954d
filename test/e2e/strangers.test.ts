// What people send who mean harm: pictures that claim a quarter of a billion pixels, file names that turn around, the name of a contact.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttachmentBody } from "#shared/content/content.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { webpChunk, webpFile } from "../support/host/sample-images.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus } from "./support/keyboard.ts";
import { acceptContact, createIdentity, openView, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { Sender } from "./support/sender.ts";

/** 34 bytes of a lossless WebP that declare 16,384 × 16,384 pixels: decoded, a gigabyte. */
const BOMB = webpFile(webpChunk("VP8L", Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f])));

function attachment(name: string, preview: Buffer = BOMB): AttachmentBody {
  return {
    kind: "attachment",
    name,
    mediaType: "image/webp",
    size: preview.length,
    key: "11".repeat(32),
    digest: "22".repeat(32),
    caption: "",
    image: { width: 16_384, height: 16_384, preview: new Uint8Array(preview) },
  };
}

/** Counts the pictures that the page begins to decode from now on. */
async function watchPictures(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const loaded: string[] = [];
    Object.assign(globalThis, { loadedPictures: loaded });
    document.addEventListener(
      "load",
      ({ target }) => {
        if (target instanceof HTMLImageElement) loaded.push(target.src.slice(0, 64));
      },
      true,
    );
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly loadedPictures: readonly string[] }).loadedPictures);
}

describe("someone who means harm", () => {
  let world: BrowserWorld;
  let page: Page;
  let self: PublicKeyHex;
  let alice: Sender;
  let mallory: Sender;
  let loadedPictures: () => Promise<readonly string[]>;

  const bubbles = (): Locator => page.getByRole("article");

  beforeAll(async () => {
    world = await startWorld("strangers");
    ({ page } = await world.enter("bob"));
    const { address } = await createIdentity(page, world.node.baseUrl, "Bob");
    self = parseAccount(address);
    alice = await Sender.enter(world.node.baseUrl, "Alice");
    await alice.submit({ kind: "requestContact", to: self, amountUt: 5_000, intro: "It is me" });
    await acceptContact(page, "Alice");
    mallory = await Sender.enter(world.node.baseUrl, "AIice");
    await mallory.submit({ kind: "requestContact", to: self, amountUt: 5_000, intro: "My new phone" });
    loadedPictures = await watchPictures(page);
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("is warned of where the name reads like a contact's, with the address of the one that is known", async () => {
    await openView(page, "Contacts");
    // Alice's request was answered: the people are shown, not an empty list of requests. The new one is counted on the rail.
    expect(await page.getByRole("radio", { name: "People" }).isChecked()).toBe(true);
    await page.getByRole("link", { name: /^Contacts.*1 request/ }).waitFor();
    await page.getByRole("radio", { name: /^Requests/ }).click();
    await page.getByRole("link", { name: /^AIice/ }).click();
    const warning = page.getByRole("status").filter({ hasText: "This name looks like Alice" });
    await warning.waitFor();
    await page
      .getByText(/AIice \(…[a-z0-9]{12}\)/)
      .first()
      .waitFor();
    await photograph(page, "name-warning");
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it("has no picture decoded before a click, and none whose bytes do not bound it after one", async () => {
    await mallory.send(self, attachment("holiday.webp"));
    await openView(page, "Inbox");
    await page.getByRole("link", { name: /^Requests/ }).click();
    await page.getByRole("link", { name: /^AIice/ }).click();
    await page.getByRole("link", { name: "Message" }).click();
    const show = bubbles().getByRole("button", { name: "Show picture" });
    await show.waitFor();
    expect(await bubbles().locator("img").count()).toBe(0);
    await photograph(page, "stranger-picture");
    expect(await violationsInBothThemes(page)).toEqual([]);
    // Nothing of a stranger's file is stored: a bar would stand at nothing for ever.
    expect(await bubbles().getByRole("progressbar").count()).toBe(0);
    await bubbles().getByText("1 kB").waitFor();
    await bubbles().getByText("Files from people who aren't your contacts aren't stored").waitFor();
    await show.focus();
    await page.keyboard.press("Enter");
    await bubbles().getByText("holiday.webp", { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toContain("holiday.webp");
    await page.keyboard.press("Tab");
    expect(
      await bubbles()
        .getByRole("link")
        .evaluate((link) => link === document.activeElement),
    ).toBe(true);
    await photograph(page, "stranger-picture-shown");
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await bubbles().locator("img").count()).toBe(0);
    expect(await loadedPictures()).toEqual([]);
  });

  it("gets no name of a file past the eye: characters that turn around or hide have a sign, look-alikes a word", async () => {
    const names = ["invoice\u202efdp.exe", "in\u200bvoice\u2066.pdf", "р\u0430yment.pdf"];
    for (const name of names) await mallory.send(self, { ...attachment(name), mediaType: "application/pdf", image: null });
    for (const shown of ["invoice\ufffdfdp.exe", "in\ufffdvoice\ufffd.pdf", "р\u0430yment.pdf"])
      await bubbles().getByText(shown, { exact: true }).waitFor();
    const mixed = bubbles().filter({ hasText: "р\u0430yment.pdf" });
    await mixed.getByText("mixes letters from different alphabets").waitFor();
    expect(await bubbles().filter({ hasText: "invoice" }).getByText("mixes letters from different alphabets").count()).toBe(0);
    await photograph(page, "stranger-files");
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it("who is a contact gets no oversized picture decoded either", async () => {
    await openView(page, "Inbox");
    await alice.send(self, attachment("harbour.webp"));
    await page.getByRole("link", { name: /^Alice/ }).click();
    await bubbles().getByText("harbour.webp", { exact: true }).waitFor();
    expect(await bubbles().locator("img").count()).toBe(0);
    expect(await loadedPictures()).toEqual([]);
  });

  it("of whose device no key goes after a while is marked beside the name, and a press says what that means", async () => {
    await openView(page, "Inbox");
    await page.getByRole("link", { name: /^Alice/ }).click();
    await write(page, "Alice", "See you at noon");
    const mark = page.locator("header").getByRole("button", { name: "At risk if a device is stolen" });
    await mark.waitFor();
    await photograph(page, "theft-mark");
    expect(await violationsInBothThemes(page)).toEqual([]);
    await mark.click();
    const dialog = page.getByRole("dialog", { name: "At risk if a device is stolen" });
    await dialog.getByText("One of their devices hasn't published a temporary key").waitFor();
    await photograph(page, "theft-mark-open");
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expectFocus(mark);
  });

  it("who writes more than a page has their first unread message at the top of the chat", async () => {
    await openView(page, "Wallet");
    await alice.send(self, ...Array.from({ length: 70 }, (_, index) => ({ kind: "text" as const, text: `Line ${index + 1} of 70` })));
    await page.getByRole("link", { name: /70 unread/ }).waitFor();
    await openView(page, "Inbox");
    await page.getByRole("link", { name: /^Alice/ }).click();
    await page.getByText("New messages", { exact: true }).waitFor();
    await expect.poll(() => bubbles().getByText("Line 1 of 70", { exact: true }).isVisible()).toBe(true);
    expect(await bubbles().getByText("Line 70 of 70", { exact: true }).count()).toBe(0);
    const log = page.getByRole("region", { name: "Messages with Alice" });
    await bubbles().filter({ hasText: "Line 1 of 70" }).getByRole("button").first().focus();
    await page.keyboard.press("End");
    await bubbles().getByText("Line 70 of 70", { exact: true }).waitFor();
    // The row that had the focus was let go of, and so is the button that leads back.
    await expectFocus(log);
    await page.keyboard.press("Home");
    await bubbles().getByText("Line 1 of 70", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Go to the newest message" }).press("Enter");
    await bubbles().getByText("Line 70 of 70", { exact: true }).waitFor();
    await expectFocus(log);
  });

  it("is led back to the newest message from farther away than what a chat holds", WHOLE_ONLY, async () => {
    await openView(page, "Wallet");
    const texts = ["A heron", ...Array.from({ length: 600 }, (_, index) => `More ${index + 1}`)];
    await alice.send(self, ...texts.map((text) => ({ kind: "text" as const, text })));
    await page.getByRole("link", { name: /601 unread/ }).waitFor();
    await openView(page, "Inbox");
    await page.getByRole("link", { name: /^Alice/ }).click();
    await bubbles().getByText("A heron", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Go to 601 new messages" }).press("Enter");
    await bubbles().getByText("More 600", { exact: true }).waitFor();
  });
});
