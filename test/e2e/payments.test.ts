// Money in a chat: the sheet, cards that agree on both sides and follow the chain, invoices, and what a lost answer or a node that is
// away makes of a payment.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { startNode } from "../support/nodes/start-node.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { cutOff } from "./support/cut-off.ts";
import { expectFocus } from "./support/keyboard.ts";
import { loseAnswers } from "./support/lost-answers.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { pagesOfPdf } from "./support/pdf-text.ts";
import { fillPayment, introduce, openView, signPayment, unlock } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

const ALICE = "Message to Alice";
const BOB = "Message to Bob";

describe("money in a chat", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("payments");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await alice.page.getByRole("link", { name: "Message" }).click();
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const card = (page: Page, text: string | RegExp): Locator => page.getByRole("article").filter({ hasText: text });
  const sheet = (page: Page): Locator => page.getByRole("dialog");

  it("is paid and asked for without leaving it", async () => {
    const [a, b] = [alice.page, bob.page];
    const missed: string[] = [];

    await world.step("pay with a private note, by keyboard alone", async () => {
      a.on("response", (response) => {
        if (response.status() === 404) missed.push(response.url());
      });
      await a.getByRole("textbox", { name: BOB }).focus();
      await a.keyboard.press("Shift+Tab");
      await a.getByRole("button", { name: "Pay or request money" }).focus();
      await a.keyboard.press("Enter");
      await a.getByRole("textbox", { name: "Amount" }).waitFor();
      await a.keyboard.type("0,25");
      await a.keyboard.press("Tab");
      await a.getByRole("textbox", { name: /^Note/ }).fill("For the tea");
      await a.getByRole("radio", { name: "Normal" }).focus();
      await a.keyboard.press("ArrowRight");
      await sheet(a)
        .getByText(/^Fee · 0\.002/)
        .waitFor();
      await a.getByText("A higher fee wouldn't be faster").waitFor();
      await photograph(a, "payments-sheet");
      expect(await violationsInBothThemes(a)).toEqual([]);
      expect(await unreachableInLowWindow(a)).toEqual([]);
      await a.keyboard.press("Enter");
      await sheet(a).getByRole("button", { name: "Sign and send" }).waitFor();
      await photograph(a, "payments-review");
      await sheet(a).getByRole("button", { name: "Sign and send" }).focus();
      await a.keyboard.press("Enter");
      await sheet(a).waitFor({ state: "detached" });
      await expect.poll(() => a.getByRole("textbox", { name: BOB }).evaluate((field) => field === document.activeElement)).toBe(true);
      await card(a, "You paid")
        .getByText(/In block \d+/)
        .waitFor();
      await card(b, "Alice paid you").getByText("For the tea").waitFor();
    });

    await world.step("keep the note off the chain", async () => {
      const [payment] = await paymentsOf(a, 250_000);
      const { tx } = await world.node.client.getChainTransaction({ tx_id: payment?.id ?? "" });
      expect(tx.memo).toBe("");
      // "Fast" was chosen: twice the least fee.
      expect(tx.fee_ut).toBe(2_000);
      // While it waited for a block, no one asked the chain for it.
      expect(missed.filter((url) => url.includes(payment?.id ?? "/"))).toEqual([]);
    });

    await world.step("find the note in the wallet, and the chat from there", async () => {
      for (const [page, row] of [
        [a, /^Paid Bob/],
        [b, /^Received from Alice/],
      ] as const) {
        await openView(page, "Wallet");
        await page.getByRole("link", { name: row }).filter({ hasText: "For the tea" }).waitFor();
        if (page === a) await photograph(a, "payments-wallet");
        await page.getByRole("link", { name: row }).click();
        await page.getByText("Private note").waitFor();
        await page.getByRole("link", { name: "Open chat" }).click();
        await card(page, "For the tea").waitFor();
      }
    });

    await world.step("leave a card for what is paid from the wallet, too", async () => {
      const [, address = ""] = /\/inbox\/([0-9a-f]{64})/.exec(a.url()) ?? [];
      await openView(a, "Wallet");
      await fillPayment(a, address, "0.125");
      await signPayment(a);
      await openView(a, "Inbox");
      await card(a, /You paid.*0\.125.T/)
        .getByText(/In block \d+/)
        .waitFor();
      await card(b, /Alice paid you.*0\.125.T/).waitFor();
      expect(await card(a, "You paid").count()).toBe(2);
      expect(await paymentsOf(a, 125_000)).toHaveLength(1);
      await photograph(a, "payments-from-wallet");
    });

    await world.step("be left by Escape, and answer no request with another payment", async () => {
      await b.getByRole("button", { name: "Pay or request money" }).click();
      await sheet(b).getByText("Request", { exact: true }).click();
      await sheet(b).getByRole("textbox", { name: "Amount" }).fill("7.5");
      await sheet(b).getByRole("textbox", { name: /^Note/ }).fill("Lunch");
      await sheet(b).getByRole("button", { name: "Send request" }).click();
      await card(a, "Bob requests").getByRole("button", { name: "Pay", exact: true }).waitFor();
      await photograph(a, "payments-request");
      await card(a, "Bob requests").getByRole("button", { name: "Pay", exact: true }).click();
      expect(await sheet(a).getByRole("textbox", { name: "Amount" }).inputValue()).toBe("7.5");
      await a.keyboard.press("Escape");
      await sheet(a).waitFor({ state: "detached" });
      await pay(a, "2");
      await expect.poll(() => card(a, "You paid").count()).toBe(3);
      expect(await card(a, "Bob requests").getByText("Requested", { exact: true }).count()).toBe(1);
    });

    await world.step("pay a request once, however often it is pressed", async () => {
      await card(a, "Bob requests").getByRole("button", { name: "Pay", exact: true }).click();
      await sheet(a).getByRole("button", { name: "Review payment" }).click();
      await sheet(a).getByRole("button", { name: "Sign and send" }).dblclick();
      await sheet(a).waitFor({ state: "detached" });
      await card(a, "Bob requests")
        .getByText(/Paid 7\.5.T/)
        .waitFor();
      await card(b, "You requested")
        .getByText(/Paid 7\.5.T/)
        .waitFor();
      expect(await card(a, "Bob requests").getByRole("button", { name: /^Pay/ }).allTextContents()).toEqual(["Pay again"]);
      expect(await card(a, "You paid").count()).toBe(4);
      await photograph(a, "payments-paid");
      await photograph(b, "payments-paid-peer");
      expect(await paymentsOf(a, 7_500_000)).toHaveLength(1);
    });

    await world.step("decline one, and cancel one", async () => {
      await request(b, ALICE, "1");
      await card(a, /Bob requests.*1.T/)
        .getByRole("button", { name: "Decline" })
        .click();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Decline" }).click();
      for (const page of [a, b]) await card(page, "Declined").waitFor();
      await request(b, ALICE, "3");
      await card(b, /You requested.*3.T.*Requested/)
        .getByRole("button", { name: "Cancel request" })
        .click();
      await b.locator("[data-confirmation]").getByRole("button", { name: "Cancel request" }).click();
      for (const page of [a, b]) await card(page, "Cancelled").waitFor();
      expect(await card(a, "Cancelled").getByRole("button", { name: "Pay" }).count()).toBe(0);
    });
    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  it("is invoiced with lines and a due date", async () => {
    const [a, b] = [alice.page, bob.page];
    await world.step("send an invoice with lines and a due date, and remind of it", async () => {
      await b.getByRole("button", { name: "Pay or request money" }).click();
      await sheet(b).getByText("Request", { exact: true }).click();
      await sheet(b).getByRole("button", { name: "Add lines, number or due date" }).click();
      await sheet(b).getByRole("textbox", { name: "Line 1", exact: true }).fill("Repair");
      await sheet(b).getByRole("textbox", { name: "Amount of line 1" }).fill("4");
      await sheet(b).getByRole("button", { name: "Add line" }).click();
      await sheet(b).getByRole("textbox", { name: "Line 2", exact: true }).fill("Parts");
      await sheet(b).getByRole("textbox", { name: "Amount of line 2" }).fill("1.25");
      await sheet(b)
        .getByRole("textbox", { name: /^Invoice number/ })
        .fill("2026-17");
      await sheet(b)
        .getByLabel(/^Due date/)
        .fill("2099-12-31");
      await photograph(b, "payments-invoice-form");
      expect(await violationsInBothThemes(b)).toEqual([]);
      expect(await unreachableInLowWindow(b)).toEqual([]);
      await sheet(b).getByRole("button", { name: "Send request" }).click();
      await card(a, "Invoice from Bob").getByText("Due 31 December 2099").waitFor();
      await card(a, "Invoice from Bob").getByText("Parts").waitFor();
      await card(b, "Your invoice").getByRole("button", { name: "Remind" }).click();
      await card(a, /Reminder: 5\.25.T, due 31 December 2099/).waitFor();
      await photograph(a, "payments-invoice");
      // The focus is still in the invoice, and the pointer rests on what came below it.
      await expect.poll(() => b.getByRole("toolbar", { name: "Quick reactions" }).count()).toBeLessThan(2);
      await photograph(b, "payments-invoice-peer");
      for (const page of [a, b]) expect(await violationsInBothThemes(page)).toEqual([]);
    });
    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  it("is asked for in a queue, waits without a node and by rules, and is on a statement", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];

    await world.step("find what is still asked for in the queue of requests, pay from there, and decline", async () => {
      await request(b, ALICE, "2");
      await card(a, /Bob requests.*2.T/).waitFor();
      await a.getByRole("link", { name: /^Contacts.*2 requests$/ }).click();
      await a.getByRole("radio", { name: /^Requests/ }).click();
      const asks = a.getByRole("list", { name: "Requests" }).getByRole("listitem");
      await asks.filter({ hasText: "5.25" }).getByText("Due 31 Dec 2099").waitFor();
      await asks.filter({ hasText: "5.25" }).getByText("No. 2026-17").waitFor();
      // The one with a day is first.
      expect(await asks.count()).toBe(2);
      expect(await asks.first().textContent()).toContain("5.25");
      await photograph(a, "payments-queue");
      expect(await violationsInBothThemes(a)).toEqual([]);
      await asks.filter({ hasText: "Asks for money" }).getByRole("button", { name: "Decline Bob" }).press("Enter");
      await a.locator("[data-confirmation]").getByRole("button", { name: "Decline" }).click();
      await a.getByRole("link", { name: /^Contacts.*1 request$/ }).waitFor();
      await asks.getByRole("button", { name: "Pay Bob" }).click();
      const pays = a.getByRole("dialog", { name: "Pay Bob" });
      expect(await pays.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("5.25");
      await a.keyboard.press("Escape");
      await card(a, "Invoice from Bob").getByRole("button", { name: "Pay", exact: true }).waitFor();
    });

    await world.step("keep what was signed while the node is away unless one gives it up, and send it when it is back", async () => {
      await world.node.kill();
      await expect.poll(() => a.getByText("Not connected").count()).toBeGreaterThan(0);
      await pay(a, "0.5");
      await card(a, "Waiting for the connection").waitFor();
      await photograph(a, "payments-offline");
      await pay(a, "0.75");
      await card(a, /0\.75.T/)
        .getByRole("button", { name: "Don't send" })
        .click();
      await card(a, /0\.75.T/).waitFor({ state: "detached" });
      world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
      await a.reload();
      await unlock(a);
      await card(a, /You paid.*0\.5.T/)
        .getByText(/In block \d+/)
        .waitFor();
      await card(b, /Alice paid you.*0\.5.T/).waitFor();
      expect(await card(a, /0\.5.T/).count()).toBe(1);
      expect(await paymentsOf(a, 750_000)).toEqual([]);
    });

    await world.step("keep a payment, a request and an invoice over a reload without a node, and send each once", () => keepUnsent(a, b));

    await world.step("find out what became of a payment whose answer was lost, and pay no second time", async () => {
      await expect.poll(() => a.getByText("Not connected").count()).toBe(0);
      const answers = await loseAnswers(a);
      await pay(a, "0.6");
      await card(a, /You paid.*0\.6.T/)
        .getByText(/In block \d+/)
        .waitFor();
      await card(b, /Alice paid you.*0\.6.T/).waitFor();
      expect(new Set(answers.ids).size).toBe(1);
      expect(await paymentsOf(a, 600_000)).toHaveLength(1);
      expect(await card(a, /0\.6.T/).count()).toBe(1);
    });

    await world.step(
      "let a payment wait by the spending rules: its request says so, also after a reload, until it is cancelled",
      async () => {
        await openView(a, "Settings");
        await a.getByRole("link", { name: "Spending" }).click();
        // Its label is a part of the switch.
        await a.getByText("Delay some payments", { exact: true }).click();
        await a.getByRole("switch", { name: "Delay some payments", checked: true }).waitFor();
        await a.getByRole("textbox", { name: /^Payments above/ }).fill("4");
        await a.getByRole("button", { name: "Save rules" }).click();
        await a.getByText("Spending rules saved").waitFor();
        await openView(a, "Inbox");
        await request(b, ALICE, "4.25");
        const asked = card(a, /Bob requests.*4\.25.T/);
        await asked.getByRole("button", { name: "Pay", exact: true }).click();
        const pays = a.getByRole("dialog", { name: "Pay Bob" });
        await pays.getByRole("button", { name: "Review payment" }).click();
        await pays.getByRole("button", { name: "Let it wait" }).click();
        await pays.waitFor({ state: "detached" });
        await asked.getByText(/^Paying – waits until /).waitFor();
        expect(await asked.getByRole("button", { name: /^Pay/ }).count()).toBe(0);
        await photograph(a, "payments-waits");
        await a.reload();
        await unlock(a);
        await asked.getByText(/^Paying – waits until /).waitFor();
        expect(await violationsInBothThemes(a)).toEqual([]);
        await asked.getByRole("button", { name: "Cancel payment" }).press("Enter");
        await expectFocus(asked.getByRole("button", { name: "Pay", exact: true }));
        expect(await paymentsOf(a, 4_250_000)).toEqual([]);
        // What was typed goes once it waits, so that Enter does not pay it a second time.
        const field = a.getByRole("textbox", { name: BOB });
        await field.fill("/pay 4.75");
        await field.press("Enter");
        await sheet(a).getByRole("button", { name: "Review payment" }).click();
        await sheet(a).getByRole("button", { name: "Let it wait" }).click();
        await expect.poll(() => field.inputValue()).toBe("");
      },
    );
    await world.step("have a statement of the first month, for paper and as CSV", async () => {
      await openView(a, "Wallet");
      await a.getByRole("link", { name: "Statement" }).click();
      const statement = a.getByRole("dialog", { name: "Statement" });
      await statement.getByText("Closing balance").waitFor();
      await photograph(a, "payments-first-statement");
      const [download] = await Promise.all([a.waitForEvent("download"), statement.getByRole("button", { name: "Save as CSV" }).click()]);
      const lines = readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\r\n");
      // Nothing was there before: the first entry is what the account began with.
      const balances = lines.slice(1).map((line) => line.split(",")[6]);
      const text = pagesOfPdf(await a.pdf({ format: "A4" })).join("");
      expect(text).toContain("Openingbalance0");
      expect(text).toContain(`Closingbalance${balances.at(-1)}`);
      expect(lines.length).toBeGreaterThan(3);
    });
    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  /** Of what is begun without a node nothing is lost with the page, and nothing sent twice. */
  async function keepUnsent(a: Page, b: Page): Promise<void> {
    const way = await cutOff(a);
    await a.reload();
    await unlock(a);
    await expect.poll(() => a.getByText("Not connected").count()).toBe(0);
    await card(a, /You paid.*0\.5.T/)
      .getByText(/In block \d+/)
      .waitFor();
    // What a payment needs to know is known when the node goes.
    await a.getByRole("button", { name: "Pay or request money" }).click();
    await sheet(a).getByRole("textbox", { name: "Amount" }).fill("0.45");
    await sheet(a).getByRole("button", { name: "Review payment", disabled: false }).waitFor();
    await a.keyboard.press("Escape");
    await sheet(a).waitFor({ state: "detached" });
    await way.away();
    await expect.poll(() => a.getByText("Not connected").count()).toBeGreaterThan(0);
    await pay(a, "0.45");
    await request(a, BOB, "4.5");
    await a.getByRole("button", { name: "Pay or request money" }).click();
    await sheet(a).getByText("Request", { exact: true }).click();
    await sheet(a).getByRole("button", { name: "Add lines, number or due date" }).click();
    await sheet(a).getByRole("textbox", { name: "Line 1", exact: true }).fill("Two ladders");
    await sheet(a).getByRole("textbox", { name: "Amount of line 1" }).fill("6.5");
    await sheet(a).getByRole("button", { name: "Send request" }).click();
    const unsent = [/0\.45.T/, /You requested.*4\.5.T/, /Your invoice.*Two ladders/s];
    for (const text of unsent) await card(a, text).waitFor();
    await a.reload();
    await unlock(a);
    for (const text of unsent) await card(a, text).waitFor();
    expect(await a.getByText("Not connected").count()).toBeGreaterThan(0);
    expect(await card(b, /0\.45.T|4\.5.T|Two ladders/).count()).toBe(0);
    await photograph(a, "payments-unsent");
    way.back();
    for (const text of [/Alice paid you.*0\.45.T/, /Alice requests.*4\.5.T/, /Invoice from Alice.*Two ladders/s])
      await card(b, text).waitFor();
    await card(a, /You paid.*0\.45.T/)
      .getByText(/In block \d+/)
      .waitFor();
    for (const page of [a, b]) expect(await countsOf(page, [/0\.45.T/, /[^.]4\.5.T/, /Two ladders/])).toEqual([1, 1, 1]);
    expect(await paymentsOf(a, 450_000)).toHaveLength(1);
    await a.unrouteAll({ behavior: "wait" });
  }

  function countsOf(page: Page, texts: readonly RegExp[]): Promise<readonly number[]> {
    return Promise.all(texts.map((text) => card(page, text).count()));
  }

  /** Payments of an amount to the person whose chat a page shows. */
  async function paymentsOf(page: Page, amountUt: number): Promise<readonly { readonly id: string }[]> {
    const [, peer = ""] = /\/inbox\/([0-9a-f]{64})/.exec(page.url()) ?? [];
    const { transactions } = await world.node.client.getAddress({ addr: peer, limit: 50 });
    return transactions.filter((transaction) => transaction.to === peer && transaction.amount_ut === amountUt);
  }

  async function pay(page: Page, amount: string): Promise<void> {
    await page.getByRole("button", { name: "Pay or request money" }).click();
    await sheet(page).getByRole("textbox", { name: "Amount" }).fill(amount);
    await sheet(page).getByRole("button", { name: "Review payment" }).click();
    await sheet(page).getByRole("button", { name: "Sign and send" }).click();
    await sheet(page).waitFor({ state: "detached" });
  }

  async function request(page: Page, field: string, amount: string): Promise<void> {
    await page.getByRole("textbox", { name: field }).fill(`/request ${amount}`);
    await page.keyboard.press("Enter");
  }
});
