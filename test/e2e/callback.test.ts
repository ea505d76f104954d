// A shop's link with a way back: paid by hand, and opened by two clicks with the id of the transaction alone. Nothing of it is opened before,
// nor after another person was paid, nor for a callback that may not be opened.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity, signPayment } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { seededPerson } from "./support/seeded-people.ts";

const SHOP = formatAddress(seededPerson(3).account.publicKey);
const OTHER = formatAddress(seededPerson(4).account.publicKey);
const BAD_LINK = "This payment link is incomplete. Ask for a new one.";
const CALLBACK = "https://shop.example:8443/paid?order=7";

let world: BrowserWorld;
let person: BrowserProfile;
let page: Page;
const opened: string[] = [];

beforeAll(async () => {
  world = await startWorld("callback");
  person = await world.enter("ada");
  page = person.page;
  await person.context.route(/^https:/, async (route) => {
    opened.push(route.request().url());
    await route.fulfill({ contentType: "text/plain", body: "paid" });
  });
  await createIdentity(page, world.node.baseUrl, "Ada");
});
afterAll(() => world?.[Symbol.asyncDispose]());

async function follow(callback: string): Promise<void> {
  const link = `parley:pay?${new URLSearchParams({ to: SHOP, amount: "1.5", callback }).toString()}`;
  await goTo(page, `/wallet/send?${new URLSearchParams({ to: link }).toString()}`);
}

it("goes back to the shop after the payment, by a click, with the id alone", async () => {
  await follow(CALLBACK);
  await page.getByRole("button", { name: "Continue" }).click();
  await signPayment(page);
  const back = page.getByRole("button", { name: "Back to shop.example:8443" });
  await back.waitFor();
  await photograph(page, "payment-callback");
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(opened).toEqual([]);
  await back.click();
  const sheet = page.locator("[data-confirmation]");
  await sheet.getByText(/^https:\/\/shop\.example:8443\/paid\?order=7&tx=tx1[0-9a-f]{80}$/).waitFor();
  expect(opened).toEqual([]);
  const popup = person.context.waitForEvent("page");
  await sheet.getByRole("button", { name: "Open page" }).click();
  await (await popup).waitForURL(/^https:/);
  expect(opened.filter((url) => url.includes("/paid"))).toEqual([
    expect.stringMatching(/^https:\/\/shop\.example:8443\/paid\?order=7&tx=tx1[0-9a-f]{80}$/),
  ]);
  await (await popup).close();
  await page.getByRole("button", { name: "Done" }).click();
});

it("goes back too when the link was pasted into the palette", async () => {
  await page.keyboard.press("Control+k");
  const link = `parley:pay?${new URLSearchParams({ to: SHOP, amount: "0.5", memo: "Seven", callback: CALLBACK }).toString()}`;
  await page.getByRole("combobox", { name: "Search or run a command" }).fill(link);
  await page.getByRole("option", { name: /^Pay 0\.5 T/ }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => page.getByRole("textbox", { name: /^Amount/ }).inputValue()).toBe("0.5");
  // The memo of a link is shown, and its field stays when the text is removed to write another.
  const memo = page.getByRole("textbox", { name: /^Memo/ });
  expect(await memo.inputValue()).toBe("Seven");
  await memo.fill("");
  await memo.pressSequentially("Eight");
  expect(await memo.inputValue()).toBe("Eight");
  await signPayment(page);
  await page.getByRole("button", { name: "Back to shop.example:8443" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
});

it("does not go back after another person was paid", async () => {
  await follow(CALLBACK);
  await page.getByRole("textbox", { name: "To" }).fill(OTHER);
  await page.getByRole("button", { name: "Continue" }).click();
  await signPayment(page);
  expect(await page.getByRole("button", { name: /^Back to/ }).count()).toBe(0);
});

it.each(["http://shop.example/", "javascript:alert(1)", "https://shop.example@evil.example/", "https://shop.example/?tx=tx1other"])(
  "a link with the callback %s pays nothing",
  async (callback) => {
    await follow(callback);
    await page.getByText(BAD_LINK).waitFor();
    expect(await page.getByRole("textbox", { name: /^Amount/ }).count()).toBe(0);
    expect(person.errors).toEqual([]);
  },
);
