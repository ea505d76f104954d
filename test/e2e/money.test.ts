// Money beyond one payment: the review of several at once, statements, and addresses that are watched.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { actor } from "../support/worlds/ledger-world.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { imitationOf } from "./support/imitation.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { openView } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo, restoreRobin } from "./support/robin.ts";
import { recipeOfRun } from "./support/seeded-chain.ts";
import { robin, seededPerson, usernameOf } from "./support/seeded-people.ts";

const SETUP_MS = 900_000;
const KNOWN = seededPerson(3).account.publicKey;
/** On no chain so far. */
const NEW = formatAddress(actor(91).pub);

describe("money beyond one payment", () => {
  let world: BrowserWorld;
  let page: Page;
  beforeAll(async () => {
    world = await startWorld("money", recipeOfRun());
    ({ page } = await world.enter("robin"));
    await page.emulateMedia({ reducedMotion: "reduce" });
    await restoreRobin(page, world.node.baseUrl);
  }, SETUP_MS);
  afterAll(() => world?.[Symbol.asyncDispose]());

  const dialog = (): Locator => page.getByRole("dialog");

  it("marks line by line what is wrong with payments to several people", async () => {
    await world.step("mark what is wrong line by line", async () => {
      await openView(page, "Wallet");
      await page.getByRole("link", { name: "Pay several people" }).focus();
      await page.keyboard.press("Enter");
      await dialog().getByRole("textbox", { name: "Payments" }).waitFor();
      expect(await unreachableInLowWindow(page)).toEqual([]);
      const imitating = imitationOf(KNOWN);
      await page.keyboard.insertText(
        [
          `@${usernameOf(3)}; 0.101; Rent`,
          `${NEW}; 0,1025`,
          `@nobody.there; 1`,
          `${NEW}; 0.103; again`,
          "no one at all",
          `${imitating}; 1`,
        ].join("\n"),
      );
      await dialog().getByRole("button", { name: "Review" }).press("Enter");
      await dialog().getByText("2 lines need a correction").waitFor();
      for (const words of ["First payment to this address", "No one by that name", "Paid above already", "The amount is missing"])
        await dialog().getByText(words).first().waitFor();
      expect(await dialog().getByRole("button", { name: "Sign and send all" }).isDisabled()).toBe(true);
      await photograph(page, "money-batch-wrong");
      expect(await violationsInBothThemes(page)).toEqual([]);
    });
  });

  it("makes a statement of a period, as CSV and for paper", async () => {
    await goTo(page, "/wallet");
    await page.getByRole("link", { name: "Statement" }).click();
    await dialog().getByRole("combobox", { name: "Period" }).click();
    await page.getByRole("option", { name: "This year" }).click();
    await dialog().getByText("Closing balance").waitFor();
    await photograph(page, "money-statement");
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await unreachableInLowWindow(page)).toEqual([]);
    const { balance } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 1 });
    const [download] = await Promise.all([page.waitForEvent("download"), dialog().getByRole("button", { name: "Save as CSV" }).click()]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(lines.at(-1)?.split(",")[6]).toBe(balance.split(" ")[0]);

    const printed = page.locator("[data-printed]");
    expect(await printed.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await printed.isVisible()).toBe(true);
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });

  it("watches an address, and says when money arrives there", async () => {
    const other = seededPerson(41).account.publicKey;
    await goTo(page, "/wallet/watched");
    await page.getByRole("button", { name: "Watch an address" }).press("Enter");
    await dialog().getByRole("textbox", { name: "Address or @username" }).fill(formatAddress(robin().account.publicKey));
    await dialog().getByText("This is your own address.").waitFor();
    expect(await unreachableInLowWindow(page)).toEqual([]);
    await dialog().getByRole("textbox", { name: "Address or @username" }).fill(formatAddress(other));
    await dialog().getByRole("textbox", { name: /^Name/ }).fill("Savings");
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Savings" }).waitFor();
    await page.getByText("Watch-only").waitFor();
    await world.node.client.requestFaucet({ body: { to: other, amount_ut: 2_500_000 } });
    await page.getByText(/^Savings received 2\.5.T$/).waitFor();
    await photograph(page, "money-watched");
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "Activity" }).getAttribute("href")).toContain(formatAddress(other));
    await page.getByRole("button", { name: "Stop watching" }).click();
    await page.getByText("No watched addresses").waitFor();
  });
});
