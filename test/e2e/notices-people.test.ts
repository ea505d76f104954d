// Notices of what happens to a person's devices and mail, each brought about as in life: nothing of the view moves when one comes or
// goes by itself.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { isOver, placesOfControls, takeMoves } from "./support/notices.ts";
import { introduce, openView, PASSWORD, pay, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { visit } from "./support/robin.ts";

/** A view in which nothing comes by itself. */
const QUIET = "/settings/appearance";
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
  [ada, bob] = await Promise.all([world.enter("ada"), world.enter("bob")]);
  ({ page } = ada);
  address = await introduce(world.node.baseUrl, { Ada: page, Bob: bob.page });
  await openView(bob.page, "Inbox");
});

afterAll(() => world?.[Symbol.asyncDispose]());

/** Looks at the page while a notice comes over it, and again while it goes by itself. */
async function expectStill(notice: Locator, picture: string, { come, go }: Record<"come" | "go", () => Promise<unknown>>): Promise<void> {
  const before = await placesOfControls(page);
  await takeShifts(page, true);
  await come();
  await notice.waitFor();
  expect(await takeMoves(page), "what moved when it came").toEqual([]);
  expect(await placesOfControls(page)).toEqual(before);
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
  expect(await placesOfControls(page)).toEqual(before);
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
    const notice = page.getByRole("status").filter({ hasText: /Your node and the one of Bob disagree about block/ });
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
        await bobWritesAfterBlock("And the pears");
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
    await page.getByRole("dialog").waitFor({ state: "detached" });
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

  it("leaves no error in the console", () => expect([...ada.errors, ...bob.errors]).toEqual([]));
});
