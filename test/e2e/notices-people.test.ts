// Notices of what happens to a person's password, devices and mail, each brought about as in life: nothing of the view moves when one comes or
// goes by itself.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { isOver, placesOfControls, takeMoves } from "./support/notices.ts";
import { givePassword, introduce, openView, PASSWORD, pay, unlock, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo, visit } from "./support/robin.ts";
import { weakenVault } from "./support/weak-vault.ts";

/** A view in which nothing comes by itself. */
const QUIET = "/settings/appearance";
const WEAK = "Sommer2024!";
const NARROW = { width: 360, height: 640 };
const USUAL = { width: 1280, height: 800 };
const CODE = /[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}/;
const COMPARED_BLOCKS = "**/api/blocks?*before=*";

let world: BrowserWorld;
let ada: BrowserProfile;
let bob: BrowserProfile;
let page: Page;
/** Ada's. */
let address = "";

beforeAll(async () => {
  world = await startWorld("notices-people");
  [ada, bob] = await Promise.all([world.enter("ada", { hasMicrophone: true }), world.enter("bob")]);
  ({ page } = ada);
  address = await introduce(world.node.baseUrl, { Ada: page, Bob: bob.page });
  await openView(bob.page, "Inbox");
});

afterAll(() => world?.[Symbol.asyncDispose]());

/** Looks at the page while a notice comes over it, and again while it goes by itself. */
async function expectStill(notice: Locator, picture: string, { come, go }: Record<"come" | "go", () => Promise<unknown>>): Promise<void> {
  // Two frames: a row that was small a moment ago has its place then.
  await takeShifts(page, true);
  // A message that is played or has the focus has buttons more.
  const all = expect.arrayContaining([...(await placesOfControls(page))]);
  await come();
  await notice.waitFor();
  expect(await takeMoves(page), "what moved when it came").toEqual([]);
  expect(await placesOfControls(page)).toEqual(all);
  expect(await isOver(notice), "over the view").toBe(true);
  await photograph(page, picture);
  await page.setViewportSize(NARROW);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await photograph(page, `${picture}-narrow`);
  await page.setViewportSize(USUAL);
  await takeShifts(page, true);
  await go();
  await notice.waitFor({ state: "detached" });
  expect(await takeMoves(page), "what moved when it went").toEqual([]);
  expect(await placesOfControls(page)).toEqual(all);
}

/** Bob's device reports the newest block with what it writes. */
async function bobWritesAfterBlock(text: string): Promise<void> {
  await pay(bob.page, address, "0.1", text);
  await openView(bob.page, "Inbox");
  await bob.page.getByRole("link", { name: /^Ada/ }).click();
  await write(bob.page, "Ada", text);
}

describe("a notice", () => {
  it("of a contact whose node knows another block moves nothing", async () => {
    await visit(page, QUIET);
    const notice = page.getByRole("status").filter({ hasText: /Your node and Bob's node disagree about block/ });
    await expectStill(notice, "notice-other-block", {
      come: async () => {
        await page.route(COMPARED_BLOCKS, async (route) => {
          const response = await route.fetch();
          const blocks = (await response.json()) as readonly object[];
          await route.fulfill({ response, json: blocks.map((block) => ({ ...block, hash: "0f".repeat(32) })) });
        });
        await bobWritesAfterBlock("The plums are ripe");
      },
      go: async () => {
        await page.unroute(COMPARED_BLOCKS);
        // A device names the block that it knows for half a minute, and a later one only then.
        await bobWritesAfterBlock("And the pears");
        const isGone = (): Promise<boolean> =>
          notice.waitFor({ state: "detached", timeout: 15_000 }).then(
            () => true,
            () => false,
          );
        for (let times = 2; !(await isGone()); times += 1) await write(bob.page, "Ada", `And the pears, ${times}`);
      },
    });
  });

  it("of a device whose linking was not finished moves nothing", async () => {
    const laptop = await world.enter("laptop");
    await visit(page, "/settings/devices");
    await page.getByRole("button", { name: "Link a device" }).click();
    const code = CODE.exec((await page.getByRole("dialog").getByText(CODE).textContent()) ?? "")?.[0] ?? "";
    await laptop.page.goto(world.node.baseUrl);
    await laptop.page.getByRole("button", { name: "Link to my other device" }).click();
    await laptop.page.getByRole("textbox", { name: "Code from your other device" }).fill(code);
    await laptop.page.getByRole("button", { name: "Continue" }).click();
    await laptop.page.getByText("Your other device asks for these two digits.").waitFor();
    await page
      .getByRole("textbox", { name: "Digits shown on the new device" })
      .fill((await laptop.page.locator("output").textContent()) ?? "");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Link this device" }).click();
    await laptop.page.getByRole("textbox", { name: "Password", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    // Toasts are dialogs too.
    await page.locator("[role=dialog]:not([data-type])").waitFor({ state: "detached" });
    await visit(page, QUIET);
    const notice = page.getByRole("status").filter({ hasText: "was not finished" });
    await takeShifts(page, true);
    const before = await placesOfControls(page);
    await laptop.page.reload();
    await notice.waitFor();
    expect(await takeMoves(page), "what moved when it came").toEqual([]);
    expect(await placesOfControls(page)).toEqual(before);
    expect(await isOver(notice)).toBe(true);
    await photograph(page, "notice-unfinished-link");
    await notice.getByRole("button", { name: "Unlink" }).press("Enter");
    await notice.waitFor({ state: "detached" });
    expect(await placesOfControls(page)).toEqual(before);
  });

  it("of a voice message that is played moves nothing of the chat, and goes at its end", () =>
    world.step("look at it", async () => {
      await goTo(page, `/inbox/${parseAccount(address)}`);
      await page.getByRole("button", { name: "Record a voice message" }).click();
      const recorder = page.getByRole("group", { name: /^Voice message/ });
      await recorder.getByText(/^0:0[3-9]$/).waitFor();
      await recorder.getByRole("button", { name: "Send voice message" }).click();
      const voice = page.getByRole("article").filter({ has: page.getByRole("slider") });
      await voice.waitFor();
      // What says how far the sending is goes with the state.
      await voice.getByRole("img", { name: "Saved" }).waitFor();
      await voice.getByRole("progressbar").waitFor({ state: "detached" });
      const bar = page.getByRole("region", { name: "Your voice message" });
      await expectStill(bar, "notice-voice", {
        come: () => voice.getByRole("button", { name: /^Play/ }).press("Enter"),
        go: () => bar.waitFor({ state: "detached" }),
      });
    }));

  it("of a password that is easy to guess moves nothing of the first view, and goes once there is another one", () =>
    world.step("look at it", async () => {
      await visit(page, "/settings/security");
      await weakenVault(page, PASSWORD, WEAK);
      await page.reload();
      await givePassword(page, WEAK);
      const notice = page.getByRole("status").filter({ hasText: "Your password is easy to guess." });
      await notice.waitFor();
      expect(await takeMoves(page), "what moved when it came").toEqual([]);
      await photograph(page, "notice-weak-password");
      const form = page.getByRole("main");
      await form.getByRole("textbox", { name: "Current password" }).fill(WEAK);
      await form.getByRole("textbox", { name: "New password" }).fill(PASSWORD);
      await form.getByRole("textbox", { name: "Repeat the password" }).fill(PASSWORD);
      // Scrolled to the last field.
      const before = await placesOfControls(page);
      await page.keyboard.press("Enter");
      await notice.waitFor({ state: "detached" });
      await page.getByText("Password changed").first().waitFor();
      await expect.poll(() => placesOfControls(page)).toEqual(before);
      expect(await axeViolations(page)).toEqual([]);
    }));

  it("of another tab that has the messages moves nothing, and goes when that one is closed", async () => {
    const other = await ada.context.newPage();
    await other.goto(`${world.node.baseUrl}${QUIET}`);
    await unlock(other);
    const notice = other.getByRole("status").filter({ hasText: "Messages are open in another tab" });
    await notice.waitFor();
    await visit(other, QUIET);
    expect(await takeMoves(other), "what moved when it came").toEqual([]);
    await photograph(other, "notice-other-tab");
    const before = await placesOfControls(other);
    await page.close();
    await notice.waitFor({ state: "detached" });
    expect(await takeMoves(other), "what moved when it went").toEqual([]);
    expect(await placesOfControls(other)).toEqual(before);
  });

  it("leaves no error in the console", () => expect([...ada.errors, ...bob.errors]).toEqual([]));
});
