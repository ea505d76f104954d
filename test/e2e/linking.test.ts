// One person with two browsers: the second is linked by a code, gets the history, and is unlinked again.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { introduce, openView, PASSWORD, unlock, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { qrPicture } from "./support/qr-pictures.ts";

const CODE = /[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}/;
const NEW_PASSWORD = "seven other words sleep at sea";

describe("linking a device", () => {
  let world: BrowserWorld;
  let desk: BrowserProfile;
  let laptop: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("linking");
    [desk, laptop, bob] = await Promise.all([world.enter("desk"), world.enter("laptop"), world.enter("bob")]);
    await introduce(world.node.baseUrl, { Alice: desk.page, Bob: bob.page });
    await desk.page.getByRole("link", { name: "Message" }).click();
    await desk.page
      .locator("[data-file-input]")
      .setInputFiles([{ name: "route.gpx", mimeType: "application/gpx+xml", buffer: Buffer.from("<gpx/>".repeat(40_000)) }]);
    await write(desk.page, "Bob", "Written before the laptop was there");
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
    await bob.page.getByRole("article").filter({ hasText: "before the laptop" }).waitFor();
    await openView(bob.page, "Contacts");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
    await bob.page.getByRole("checkbox", { name: "We compared it and it matches" }).click();
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  /** Takes the code that the desk shows to the laptop, typed or as a picture; the laptop then shows two digits. */
  async function exchangeCode(way: "typed" | "picture"): Promise<string> {
    const code = CODE.exec((await desk.page.getByRole("dialog").getByText(CODE).textContent()) ?? "")?.[0] ?? "";
    if (way === "typed") {
      await laptop.page.getByRole("textbox", { name: "Code from your other device" }).fill(code.toLowerCase());
      await laptop.page.getByRole("button", { name: "Continue" }).click();
    } else {
      await laptop.page.getByRole("button", { name: "Scan" }).click();
      const picture = { name: "code.gif", mimeType: "image/gif", buffer: qrPicture(`parley:link?code=${code}`) };
      await laptop.page.locator('input[type="file"]').setInputFiles(picture);
    }
    await laptop.page.getByText("Your other device asks for these two digits.").waitFor();
    return (await laptop.page.locator("output").textContent()) ?? "";
  }

  async function letIn(page: Page, digits: string, password: string): Promise<void> {
    await page.getByRole("textbox", { name: "Digits shown on the new device" }).fill(digits);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Link this device" }).click();
  }

  async function signInSheet(page: Page): Promise<void> {
    const sheet = page.getByRole("dialog", { name: "Pay Bob" });
    await sheet.getByRole("button", { name: "Review payment" }).click();
    await sheet.getByRole("button", { name: "Sign and send" }).click();
    await sheet.waitFor({ state: "detached" });
  }

  async function sendInvoice(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Pay or request money" }).click();
    // By its form: its name changes with what it is for, and notices of what was paid are dialogs too.
    const sheet = page.getByRole("dialog").filter({ has: page.locator("form") });
    await sheet.getByText("Request", { exact: true }).click();
    await sheet.getByRole("button", { name: "Add lines, number or due date" }).click();
    await sheet.getByRole("textbox", { name: "Line 1", exact: true }).fill("Repair");
    await sheet.getByRole("textbox", { name: "Amount of line 1" }).fill("0.75");
    await sheet.getByRole("button", { name: "Send request" }).click();
    await sheet.waitFor({ state: "detached" });
  }

  it("needs a code, two digits and the password; brings the history", async () => {
    await world.step("show the recovery phrase for the password alone", async () => {
      await openView(desk.page, "Settings");
      await desk.page.getByRole("link", { name: "Account" }).click();
      await desk.page.getByRole("button", { name: "Show phrase" }).click();
      const dialog = desk.page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Password" }).fill("not the password");
      await dialog.getByRole("button", { name: "Show phrase" }).click();
      await dialog.getByText("Wrong password. Nothing is lost; try again.").waitFor();
      await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
      await dialog.getByRole("button", { name: "Show phrase" }).click();
      await dialog.getByRole("listitem").nth(23).waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "detached" });
    });

    await world.step("show a code, and refuse one with a slip", async () => {
      await desk.page.getByRole("link", { name: "Devices" }).click();
      await desk.page.getByRole("button", { name: "Link a device" }).click();
      await desk.page.getByRole("dialog").getByText(CODE).waitFor();
      await photograph(desk.page, "link-code");
      expect(await axeViolations(desk.page)).toEqual([]);
      await laptop.page.goto(world.node.baseUrl);
      await laptop.page.getByRole("button", { name: "Link to my other device" }).click();
      await laptop.page.getByRole("textbox", { name: "Code from your other device" }).fill("00000-00000-00000");
      await laptop.page.getByRole("button", { name: "Continue" }).click();
      await laptop.page.getByText("Compare the code with your other device").waitFor();
    });

    await world.step("end the linking with wrong digits", async () => {
      const digits = await exchangeCode("typed");
      await letIn(desk.page, digits === "00" ? "01" : "00", PASSWORD);
      await desk.page.getByText("Those aren't the two digits of the new device.").waitFor();
      await laptop.page.getByText("Those aren't the two digits of the new device.").waitFor();
      expect(await axeViolations(laptop.page)).toEqual([]);
      await laptop.page.getByRole("button", { name: "Enter another code" }).click();
      await desk.page.getByRole("button", { name: "New code" }).click();
      await desk.page.getByRole("dialog").getByText(CODE).waitFor();
    });

    await world.step("begin again on both when the laptop is reloaded before it has a password", async () => {
      await letIn(desk.page, await exchangeCode("typed"), PASSWORD);
      await laptop.page.getByRole("textbox", { name: "Password", exact: true }).waitFor();
      await laptop.page.reload();
      await laptop.page.getByText("Linking was not finished").waitFor();
      expect(await axeViolations(laptop.page)).toEqual([]);
      await photograph(laptop.page, "link-interrupted");
      const notice = desk.page.getByRole("status").filter({ hasText: "was not finished" });
      await notice.waitFor();
      expect(await axeViolations(desk.page)).toEqual([]);
      await photograph(desk.page, "link-unfinished");
      await notice.getByRole("button", { name: "Unlink" }).click();
      await notice.waitFor({ state: "detached" });
      const others = desk.page.getByRole("listitem").filter({ hasNotText: "This device" });
      await others.getByRole("button", { name: "Unlink" }).waitFor({ state: "detached" });
      await laptop.page.getByRole("button", { name: "Link to my other device" }).click();
      await desk.page.getByRole("button", { name: "Link a device" }).click();
      await desk.page.getByRole("dialog").getByText(CODE).waitFor();
    });

    await world.step("let the laptop in, after a wrong password", async () => {
      const digits = await exchangeCode("picture");
      await photograph(laptop.page, "link-digits");
      await letIn(desk.page, digits, "not the password");
      await desk.page.getByText("Wrong password. Nothing is lost; try again.").waitFor();
      await photograph(desk.page, "link-consent");
      await desk.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
      await desk.page.getByRole("button", { name: "Link this device" }).click();
      await laptop.page.getByRole("textbox", { name: "Password", exact: true }).fill(NEW_PASSWORD);
      await laptop.page.getByRole("textbox", { name: "Repeat the password" }).fill(NEW_PASSWORD);
      await laptop.page.getByRole("button", { name: "Finish linking" }).click();
      await laptop.page.getByRole("button", { name: "Open Parley" }).click();
      await laptop.page.getByText("History copied from your other device").waitFor();
      // The chip of the copying is in the strip below: nothing else moved for it.
      const moved = await takeShifts(laptop.page, true);
      expect(moved.filter((shift) => /MAIN|HEADER/.test(shift))).toEqual([]);
      await photograph(laptop.page, "link-done");
    });

    await world.step("read the history on the laptop, and what both get once", async () => {
      await openView(laptop.page, "Inbox");
      await laptop.page.getByRole("link", { name: /^Bob/ }).click();
      await laptop.page.getByRole("article").filter({ hasText: "Written before the laptop was there" }).waitFor();
      const saving = laptop.page.waitForEvent("download");
      await laptop.page.getByRole("article").filter({ hasText: "route.gpx" }).getByRole("button", { name: "Save" }).click();
      expect(readFileSync(await (await saving).path(), "utf8")).toBe("<gpx/>".repeat(40_000));
      await write(bob.page, "Alice", "For all of your devices");
      await laptop.page.getByRole("article").filter({ hasText: "For all of your devices" }).waitFor();
      await openView(desk.page, "Inbox");
      await desk.page.getByRole("link", { name: /^Bob/ }).click();
      await desk.page.getByRole("article").filter({ hasText: "For all of your devices" }).waitFor();
      for (const { page } of [desk, laptop])
        expect(await page.getByRole("article").filter({ hasText: "For all of your devices" }).count()).toBe(1);
      await write(laptop.page, "Bob", "And this is from the laptop");
      await bob.page.getByRole("article").filter({ hasText: "this is from the laptop" }).waitFor();
    });
    expect([...desk.errors, ...laptop.errors]).toEqual([]);
  });

  it("has the names, stickers and payments of the other one, and no wallet", WHOLE_ONLY, async () => {
    await world.step("name the laptop for oneself alone: its name on the chain stays", async () => {
      await openView(desk.page, "Settings");
      await desk.page.getByRole("link", { name: "Devices" }).click();
      const other = desk.page.getByRole("listitem").filter({ hasNotText: "This device" });
      await other.getByRole("button", { name: "Rename device" }).press("Enter");
      await desk.page.getByRole("dialog").getByText("is public and can't be changed").waitFor();
      await desk.page.getByRole("textbox", { name: "Name" }).fill("Kitchen laptop");
      expect(await axeViolations(desk.page)).toEqual([]);
      await photograph(desk.page, "rename-device");
      await desk.page.keyboard.press("Enter");
      await other.filter({ hasText: "Kitchen laptop" }).getByText("Public name: Chrome on Linux").waitFor();
      expect(await axeViolations(desk.page)).toEqual([]);
      await photograph(desk.page, "renamed-device");
      await openView(laptop.page, "Settings");
      await laptop.page.getByRole("link", { name: "Devices" }).click();
      await laptop.page.getByRole("listitem").filter({ hasText: "This device" }).getByText("Kitchen laptop").waitFor();
      await openView(laptop.page, "Inbox");
      await openView(desk.page, "Inbox");
      await desk.page.getByRole("link", { name: /^Bob/ }).click();
      const message = desk.page.getByRole("article").filter({ hasText: "And this is from the laptop" });
      await message.getByText("And this is from the laptop").click({ button: "right" });
      await desk.page.getByRole("menuitem", { name: "Message info" }).press("Enter");
      await desk.page.getByRole("dialog").getByText("Kitchen laptop").waitFor();
      await photograph(desk.page, "info-device");
      await desk.page.keyboard.press("Escape");
      await openView(laptop.page, "Inbox");
      await laptop.page.getByRole("link", { name: /^Bob/ }).click();
    });

    await world.step("show a sticker that the desk adds on the laptop, and take it away on both", async () => {
      const opened = await Promise.all(
        [desk, laptop].map(async ({ page }) => {
          await page.getByRole("button", { name: "Insert an emoji" }).click();
          const card = page.getByRole("dialog", { name: "Insert an emoji" });
          await card.getByText("Stickers", { exact: true }).click();
          await card.getByText(/^No stickers yet/).waitFor();
          return card;
        }),
      );
      const [onDesk, onLaptop] = opened as [Locator, Locator];
      const picture = { name: "code.gif", mimeType: "image/gif", buffer: qrPicture("parley:sticker") };
      await onDesk.locator("[data-sticker-input]").setInputFiles(picture);
      await onDesk.getByRole("searchbox", { name: "Search emoji" }).fill("fox");
      await onDesk.getByRole("button", { name: "fox", exact: true }).click();
      const own = (card: Locator): Locator => card.getByRole("button", { name: "🦊 Sticker" });
      await own(onLaptop).locator("img").waitFor();
      await own(onLaptop).click({ button: "right" });
      await laptop.page.getByRole("menuitem", { name: "Remove sticker" }).click();
      await own(onDesk).waitFor({ state: "detached" });
      for (const { page } of [desk, laptop]) await page.keyboard.press("Escape");
    });

    await world.step("show on the laptop what is paid, asked for and invoiced at the desk, as the chain has it", async () => {
      const card = (page: Page, text: RegExp): Locator => page.getByRole("article").filter({ hasText: text });
      await desk.page.getByRole("textbox", { name: "Message to Bob" }).fill("/pay 0.5");
      await desk.page.keyboard.press("Enter");
      await signInSheet(desk.page);
      for (const { page } of [desk, laptop])
        await card(page, /You paid.*0\.5.T/)
          .getByText(/In block \d+/)
          .waitFor();
      await desk.page.getByRole("textbox", { name: "Message to Bob" }).fill("/request 1.25");
      await desk.page.keyboard.press("Enter");
      await card(laptop.page, /You requested.*1\.25.T.*Requested/).waitFor();
      await sendInvoice(bob.page);
      await card(laptop.page, /Invoice from Bob/)
        .getByText("Repair")
        .waitFor();
      await card(desk.page, /Invoice from Bob/)
        .getByRole("button", { name: "Pay", exact: true })
        .click();
      await signInSheet(desk.page);
      await card(laptop.page, /Invoice from Bob/)
        .getByText(/Paid 0\.75.T/)
        .waitFor();
      for (const text of [/You paid.*0\.5.T/, /You requested.*1\.25.T/, /Invoice from Bob/])
        for (const { page } of [desk, laptop]) expect(await card(page, text).count()).toBe(1);
      await photograph(laptop.page, "link-payments");
    });

    await world.step("warn the other person, who had compared the safety number", async () => {
      await bob.page.getByText("They added a device. It receives your messages from now on").first().waitFor();
      const note = bob.page.getByRole("status").filter({ hasText: "Alice's devices changed since you compared the safety number." });
      await note.waitFor();
      expect(await axeViolations(bob.page)).toEqual([]);
      await photograph(bob.page, "link-devices-changed");
      await bob.page.reload();
      await unlock(bob.page);
      await note.getByRole("button", { name: "It was them" }).press("Enter");
      await note.waitFor({ state: "detached" });
      await bob.page.reload();
      await unlock(bob.page);
      await bob.page.getByRole("article").filter({ hasText: "this is from the laptop" }).waitFor();
      expect(await note.count()).toBe(0);
      // A device that its person has signed is never one that the node made up.
      expect(await bob.page.getByText("a device they haven't signed").count()).toBe(0);
    });

    await world.step("offer no payment and no test tokens on the laptop, which has no wallet", async () => {
      await openView(laptop.page, "Wallet");
      await laptop.page.getByRole("button", { name: "Add the recovery phrase" }).click();
      const adding = laptop.page.getByRole("dialog", { name: "This device has no wallet" });
      await adding.waitFor();
      await laptop.page.keyboard.press("Escape");
      await adding.waitFor({ state: "detached" });
      expect(await laptop.page.getByRole("link", { name: "Send", exact: true }).count()).toBe(0);
      expect(await laptop.page.getByRole("button", { name: "Get test tokens" }).count()).toBe(0);
      expect(await axeViolations(laptop.page)).toEqual([]);
      await photograph(laptop.page, "wallet-linked");
    });

    await world.step("ask for the phrase where the laptop would have to sign", async () => {
      await laptop.page.getByRole("button", { name: "No wallet" }).click();
      await laptop.page.getByRole("dialog").getByText("This device has no wallet").waitFor();
      expect(await axeViolations(laptop.page)).toEqual([]);
      await laptop.page.keyboard.press("Escape");
    });
  });

  it("ends when the device is unlinked", async () => {
    await world.step("unlink the laptop, which says so and reads nothing that comes later", async () => {
      await openView(desk.page, "Settings");
      await desk.page.getByRole("link", { name: "Devices" }).click();
      await desk.page.getByRole("listitem").filter({ hasNotText: "This device" }).getByRole("button", { name: "Unlink" }).click();
      await desk.page.locator("[data-confirmation]").getByRole("button", { name: "Unlink" }).click();
      await laptop.page.getByText("This device was unlinked").waitFor();
      await photograph(laptop.page, "unlinked");
      await write(bob.page, "Alice", "Only for those that are left");
      await openView(desk.page, "Inbox");
      await desk.page.getByRole("link", { name: /^Bob/ }).click();
      await desk.page.getByRole("article").filter({ hasText: "Only for those that are left" }).waitFor();
      expect(await laptop.page.getByText("Only for those that are left").count()).toBe(0);
      await bob.page.getByText("They removed a device. It no longer receives messages").first().waitFor();
    });

    expect([...desk.errors, ...laptop.errors]).toEqual([]);
  });
});
