// Money beyond one payment: several people at once, through lost answers, a reload and a node that is killed; proofs of payment that a page
// checks by itself; statements; and addresses that are watched.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { startNode } from "../support/nodes/start-node.ts";
import { actor } from "../support/worlds/ledger-world.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { imitationOf } from "./support/imitation.ts";
import { loseAnswers } from "./support/lost-answers.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { pagesOfPdf } from "./support/pdf-text.ts";
import { givePassword, openView } from "./support/person.ts";
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
  const row = (text: string): Locator => dialog().getByRole("row").filter({ hasText: text });

  /** Own payments of an amount, µT. */
  async function paid(amountUt: number): Promise<number> {
    const { transactions } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 100 });
    return transactions.filter(
      ({ type, amount_ut, from }) => type === "TRANSFER" && amount_ut === amountUt && from === robin().account.publicKey,
    ).length;
  }

  it("pays several people once each, through lost answers, a reload and a killed node", async () => {
    await world.step("have a chat with one of them", async () => {
      await goTo(page, `/inbox/${KNOWN}`);
      await page.getByRole("textbox", { name: /^Message to / }).fill("The rent comes today.");
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: "The rent comes today." }).waitFor();
    });

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
      for (const words of ["First payment to this address", "No one by that name", "Already listed above", "The amount is missing"])
        await dialog().getByText(words).first().waitFor();
      expect(await dialog().getByRole("button", { name: "Sign and send all" }).isDisabled()).toBe(true);
      await photograph(page, "money-batch-wrong");
      expect(await violationsInBothThemes(page)).toEqual([]);
    });

    await world.step("sign what is right while no answer arrives", async () => {
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Pay several people" }).click();
      expect(await dialog().getByRole("textbox", { name: "Payments" }).inputValue()).toContain("no one at all");
      await dialog()
        .getByRole("textbox", { name: "Payments" })
        .fill([`@${usernameOf(3)}; 0.101; Rent`, `${NEW}; 0,1025`, `${NEW}; 0.103; again`].join("\n"));
      await dialog().getByRole("button", { name: "Review" }).click();
      await row("Rent").waitFor();
      expect(await unreachableInLowWindow(page)).toEqual([]);
      expect(await violationsInBothThemes(page)).toEqual([]);
      await photograph(page, "money-batch-review");
      const lost = await loseAnswers(page);
      await dialog().getByRole("button", { name: "Sign and send all", disabled: false }).click();
      await dialog().getByText("0 of 3 sent").waitFor();
      await expect.poll(() => lost.ids.length).toBeGreaterThan(0);
      await photograph(page, "money-batch-progress");
    });

    await world.step("kill the node and the page, and continue with the same payments", async () => {
      await world.node.kill();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      world.node = await startNode({ dataDir: `${world.folder}/node`, port: Number(new URL(world.node.baseUrl).port) });
      await page.reload();
      await givePassword(page);
      await dialog().getByText("All payments were made").waitFor();
      await expect
        .poll(() =>
          dialog()
            .getByText(/In block/)
            .count(),
        )
        .toBe(3);
      await photograph(page, "money-batch-done");
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const amountUt of [101_000, 102_500, 103_000]) expect(await paid(amountUt)).toBe(1);
      await dialog().getByRole("button", { name: "Close the list" }).click();
      await dialog().waitFor({ state: "detached" });
      // Payments waited for the chats, which are known a while after the page has come.
      await goTo(page, `/inbox/${KNOWN}`);
      const cards = page.getByRole("article").filter({ hasText: /You paid.*0\.101/ });
      await cards.waitFor();
      expect(await cards.count()).toBe(1);
    });
  });

  it("saves a proof of a payment, which a page checks without asking a node", async () => {
    let text = "";
    await world.step("save it", async () => {
      const { transactions } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 100 });
      const id = transactions.find(({ amount_ut }) => amount_ut === 101_000)?.id ?? "";
      await goTo(page, `/wallet/activity/${id}`);
      await dialog().getByRole("button", { name: "Save proof of payment" }).waitFor();
      await photograph(page, "money-proof-save");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog().getByRole("button", { name: "Save proof of payment" }).click(),
      ]);
      text = readFileSync(await download.path(), "utf8");
      expect(JSON.parse(text)).toMatchObject({ format: "parley-payment-proof", version: 1 });
    });

    await world.step("check it, and an altered one", async () => {
      await goTo(page, "/wallet/proof");
      const file = dialog().getByLabel("Proof file");
      await file.waitFor();
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(request.url()));
      const choose = (name: string, content: string): Promise<void> =>
        file.setInputFiles([{ name, mimeType: "application/json", buffer: Buffer.from(content) }]);
      await choose("altered.json", text.replace("1a00018a88", "1a00018a89"));
      await dialog().getByText("It was altered: its contents don't match what the validators signed.").waitFor();
      await photograph(page, "money-proof-altered");
      await choose("junk.json", "{}");
      await dialog().getByText("It is not a proof of payment, or it is damaged.").waitFor();
      await choose("payment.json", text);
      await dialog().getByText("This payment is proven").waitFor();
      await dialog().getByText("1 of 1 validators, and the sender").waitFor();
      await dialog().getByText("Rent", { exact: true }).waitFor();
      await photograph(page, "money-proof");
      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(await unreachableInLowWindow(page)).toEqual([]);
      expect(asked.filter((url) => /\/api\/(proofs|tx|block)/.test(url))).toEqual([]);
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
    expect(lines.filter((line) => line.includes('"Rent"'))).toHaveLength(1);

    const printed = page.locator("[data-printed]");
    expect(await printed.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await printed.isVisible()).toBe(true);
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await printed.getByText("Memo: Rent").count()).toBe(1);
    await page.emulateMedia({ media: null });

    const pages = pagesOfPdf(await page.pdf({ format: "A4" }));
    const { transactions } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 1_000 });
    expect(pages.length).toBeGreaterThan(1);
    pages.forEach((text, index) => {
      // The head of the table is on every page, and so is its number.
      expect(text).toContain("EntryAmountFee");
      expect(text).toContain(`${index + 1}/${pages.length}`);
    });
    expect(pages[0]).toContain("Statement");
    expect(pages[0]).toContain(formatAddress(robin().account.publicKey));
    expect(pages[0]).toContain(
      `Closingbalance${new Intl.NumberFormat("en", { maximumFractionDigits: 6 }).format(Number(balance.split(" ")[0]))}`.replaceAll(
        ",",
        "",
      ),
    );
    // No row is cut by the end of a page: all of its parts are on one, the last of which is its id.
    const rows = transactions.map(({ id }) => pages.filter((text) => text.includes(id)).length);
    expect(rows.filter((count) => count !== 1)).toEqual([]);
    expect(pages.join("")).toContain("Memo:Rent");
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
