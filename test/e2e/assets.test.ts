// Tokens, NFTs and usernames through the forms of the interface: what each does on the chain, and what it refuses with words.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { startNode } from "../support/nodes/start-node.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus, pressEnter, signByKeyboard, typeInto } from "./support/keyboard.ts";
import { holdSubmission } from "./support/lost-answers.ts";
import { createIdentity, openView, PASSWORD, unlock, untilPaid } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { choose, review, sign } from "./support/signing.ts";

describe("tokens, NFTs and names", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let aliceKey: string;
  let bobKey: string;
  let aliceAddress: string;
  let bobAddress: string;

  beforeAll(async () => {
    world = await startWorld("assets");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    const { baseUrl } = world.node;
    ({ address: aliceAddress } = await createIdentity(alice.page, baseUrl, "Alice"));
    ({ address: bobAddress } = await createIdentity(bob.page, baseUrl, "Bob"));
    [aliceKey, bobKey] = [parseAccount(aliceAddress), parseAccount(bobAddress)];
    for (const { page } of [alice, bob]) await page.emulateMedia({ reducedMotion: "reduce" });
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("issues a token, by keyboard alone, and refuses what cannot be one", async () => {
    const { page } = alice;
    await world.step("open the page of holdings", async () => {
      await goTo(page, "/wallet/assets");
      await page.getByText("No tokens", { exact: true }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "assets-empty");
    });
    await world.step("refuse wrong fields", async () => {
      await page.getByRole("button", { name: "Issue a token" }).press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Token ID" }).fill("Gold!");
      await dialog.getByText("beginning with a letter or digit").waitFor();
      await dialog.getByRole("textbox", { name: "Symbol" }).fill("G-1");
      await dialog.getByText("1 to 12 letters or digits.").waitFor();
      await dialog.getByRole("textbox", { name: "Decimals" }).fill("19");
      await dialog.getByText("Enter a whole number from 0 to 18.").waitFor();
      await dialog.getByRole("textbox", { name: "Decimals" }).fill("2");
      await dialog.getByRole("textbox", { name: "Supply" }).fill("1.005");
      await dialog.getByText("at most 2 decimals").waitFor();
      await dialog.getByRole("button", { name: "Review", disabled: true }).waitFor();
      await photograph(page, "assets-issue-refused");
    });
    await world.step("issue it", async () => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Name" }).fill("Gold of the hill");
      await dialog.getByRole("textbox", { name: "Token ID" }).fill("gold");
      await dialog.getByText("This ID is available.").waitFor();
      await dialog.getByRole("textbox", { name: "Symbol" }).fill("GOLD");
      await dialog.getByRole("textbox", { name: "Supply" }).fill("1,000,000.50");
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "assets-issue");
      await dialog.getByRole("button", { name: "Review" }).press("Enter");
      const sheet = page.locator("[data-confirmation]");
      await sheet.getByText(/You issue 1.000.000\.5.GOLD of the new token/).waitFor();
      await sheet.getByText("Max. total").waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "assets-issue-review");
      await sheet.getByRole("button", { name: "Sign and issue", disabled: false }).press("Enter");
      await sheet.waitFor({ state: "detached" });
      await page.getByRole("region", { name: "My tokens" }).getByText("Gold of the hill").waitFor();
      const token = await world.node.client.getToken({ id: "gold" });
      expect(token).toMatchObject({ name: "Gold of the hill", symbol: "GOLD", decimals: 2, supply: 100_000_050, issuer_pub: aliceKey });
    });
    await world.step("lead from the outcome to the transaction", async () => {
      await page.getByRole("button", { name: "Show", exact: true }).waitFor();
      expect(await page.locator('[data-type="neutral"]').count(), "the outcome in place of what was submitted").toBe(0);
      await page.getByRole("button", { name: "Show", exact: true }).first().click();
      await page.waitForURL(/\/explorer\/tx\//);
      await page.getByRole("region", { name: "Call" }).getByText("issue", { exact: true }).first().waitFor();
    });
    await world.step("refuse the id that is taken", async () => {
      await goTo(page, "/wallet/assets");
      await page.getByRole("button", { name: "Issue a token" }).click();
      await page.getByRole("textbox", { name: "Token ID" }).fill("gold");
      await page.getByText("The ID gold is taken.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("textbox", { name: "Token ID" }).waitFor({ state: "detached" });
    });
  });

  it("gives an allowance, by keyboard alone, from which the other sends, and takes it back", async () => {
    const [a, b] = [alice.page, bob.page];
    await world.step("give it", async () => {
      await goTo(a, "/wallet/assets");
      const actions = a.getByRole("button", { name: "Actions for Gold of the hill" });
      await pressEnter(a, actions);
      await a.getByRole("menu").waitFor();
      await a.keyboard.press("ArrowDown");
      await expectFocus(a.getByRole("menuitem", { name: "Send" }));
      await a.keyboard.press("ArrowDown");
      await expectFocus(a.getByRole("menuitem", { name: "Give an allowance" }));
      await a.keyboard.press("Enter");
      await expectFocus(a.getByRole("textbox", { name: "Person" }));
      await a.keyboard.type(bobAddress);
      await typeInto(a, a.getByRole("textbox", { name: "At most" }), "250");
      await a.getByRole("button", { name: "Review", disabled: false }).waitFor();
      await pressEnter(a, a.getByRole("button", { name: "Review" }));
      await signByKeyboard(a, "Sign and allow", /can send up to 250.GOLD of your tokens/);
      await expectFocus(actions);
      await a.getByText("May send your Gold of the hill").waitFor();
      await photograph(a, "assets-allowance-given");
    });
    await world.step("send from it", async () => {
      await goTo(b, "/wallet/assets");
      const row = b.getByRole("region", { name: "Allowances" });
      await row.getByText("You may send their Gold of the hill").waitFor();
      await row.getByRole("button", { name: "Send", exact: true }).click();
      await b.getByRole("textbox", { name: "To" }).fill(bobAddress);
      await b.getByRole("textbox", { name: "Amount" }).fill("250.01");
      await b.getByText("That is more than the owner allowed.").waitFor();
      await b.getByRole("textbox", { name: "Amount" }).fill("100.25");
      await photograph(b, "assets-allowance-spend");
      await review(b, "Sign and send", /sends 100\.25.GOLD from Alice/);
      await b.getByRole("region", { name: "My tokens" }).getByText("Gold of the hill").waitFor();
      expect((await world.node.client.getTokenBalance({ id: "gold", pubkey: bobKey })).balance).toBe(10_025);
    });
    await world.step("find one by its owner, and say where there is none", async () => {
      await b.getByRole("button", { name: "Use an allowance" }).click();
      await b.getByRole("textbox", { name: "Owner" }).fill(aliceAddress);
      await b.getByRole("textbox", { name: "Token ID" }).fill("silver");
      await b.getByText("There is no token with the ID silver.").waitFor();
      await b.getByRole("textbox", { name: "Token ID" }).fill("gold");
      await b.getByRole("button", { name: "Continue", disabled: false }).click();
      await b.getByText(/149\.75.GOLD available/).waitFor();
    });
    await world.step("say that the owner takes some of it back meanwhile, on the sheet and in the form", async () => {
      await b.getByRole("textbox", { name: "To" }).fill(bobAddress);
      await b.getByRole("textbox", { name: "Amount" }).fill("100");
      await b.getByRole("button", { name: "Review", disabled: false }).click();
      const sheet = b.locator("[data-confirmation]");
      await sheet.getByRole("button", { name: "Sign and send", disabled: false }).waitFor();
      await choose(a, "Actions for Gold of the hill", "Give an allowance");
      await a.getByRole("textbox", { name: "Person" }).fill(bobAddress);
      await a
        .getByText(/can send 149\.75.GOLD now|149\.75.GOLD/)
        .last()
        .waitFor();
      await a.getByRole("textbox", { name: "At most" }).fill("50");
      await review(a, "Sign and allow", /can send up to 50.GOLD of your tokens/);
      await sheet.getByText("This would not take effect").waitFor();
      await sheet.getByRole("button", { name: "Sign and send", disabled: true }).waitFor();
      expect(await axeViolations(b)).toEqual([]);
      await photograph(b, "assets-allowance-shrunk");
      await b.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      await b.getByText("That is more than the owner allowed.").waitFor();
      await b.getByRole("button", { name: "Review", disabled: true }).waitFor();
      await b.getByRole("textbox", { name: "Amount" }).fill("50");
      await b.getByText(/50.GOLD available/).waitFor();
      await b.getByRole("button", { name: "Review", disabled: false }).waitFor();
      await b.keyboard.press("Escape");
      await b.getByRole("textbox", { name: "Amount" }).waitFor({ state: "detached" });
    });
    await world.step("take it back", async () => {
      await a.getByRole("button", { name: "Revoke" }).click();
      await sign(a, "Sign and revoke", /can no longer send your Gold of the hill/);
      await a.getByText("No allowances.").waitFor();
      const key = `a:gold:${aliceKey}:${bobKey}`;
      const { value_u64: left } = await world.node.client.getContractState({ contractID: nativeContractId("tokens"), key });
      expect(left).toBe(null);
    });
  });

  it("burns tokens, saying what is lost", async () => {
    const { page } = bob;
    await choose(page, "Actions for Gold of the hill", "Burn");
    await page.getByRole("textbox", { name: "Amount" }).fill("100.26");
    await page.getByText("You don't have that much.").waitFor();
    await page.getByRole("textbox", { name: "Amount" }).fill("0.25");
    await page.getByRole("button", { name: "Review" }).click();
    await photograph(page, "assets-burn-review");
    const sheet = page.locator("[data-confirmation]");
    await sheet.getByText(/destroys 0\.25.GOLD forever.*You keep 100.GOLD/).waitFor();
    await pressTwice(sheet.getByRole("button", { name: "Sign and burn", disabled: false }));
    await sheet.waitFor({ state: "detached" });
    await expect.poll(async () => (await world.node.client.getToken({ id: "gold" })).supply).toBe(100_000_025);
    const { transactions } = await world.node.client.getAddress({ addr: bobKey, limit: 50 });
    expect(transactions.filter(({ from, type }) => from === bobKey && type === "CALL_CONTRACT")).toHaveLength(2);
  });

  it("mints an NFT, by keyboard alone and with the wallet locked on the way, and burns it", async () => {
    const { page } = alice;
    await goTo(page, "/wallet/assets");
    await pressEnter(page, page.getByRole("button", { name: "Mint an NFT" }));
    await expectFocus(page.getByRole("textbox", { name: "Name" }));
    await page.keyboard.type("The old oak");
    await typeInto(page, page.getByRole("textbox", { name: "NFT ID" }), "oak");
    await page.getByText("This ID is available.").waitFor();
    const text = page.getByRole("textbox", { name: /^Text/ });
    await text.fill("ä".repeat(2_049));
    await page.getByText(/Too long: 4,098 of 4,096 bytes/).waitFor();
    await text.fill("");
    await typeInto(page, text, "Behind the house.");
    await photograph(page, "assets-mint");
    await page.getByRole("button", { name: "Review", disabled: false }).waitFor();
    await pressEnter(page, page.getByRole("button", { name: "Review" }));
    await world.step("sign nothing while the wallet is locked", async () => {
      const sheet = page.locator("[data-confirmation]");
      await sheet.getByRole("button", { name: "Sign and mint", disabled: false }).waitFor();
      await lockWallet(page);
      await pressEnter(page, sheet.getByRole("button", { name: "Sign and mint" }));
      await page.getByRole("textbox", { name: "Password" }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, "assets-mint-locked");
      await page.keyboard.press("Escape");
      await page.getByRole("textbox", { name: "Password" }).waitFor({ state: "detached" });
      await sheet.getByText("The wallet is locked").waitFor();
      await expectFocus(sheet.getByRole("button", { name: "Sign and mint" }));
      expect(isCodedError(await world.node.client.getNft({ id: "oak" }).catch((error: unknown) => error), "NOT_FOUND")).toBe(true);
    });
    await world.step("go on once it is unlocked", async () => {
      await page.keyboard.press("Enter");
      await expectFocus(page.getByRole("textbox", { name: "Password" }));
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await page.locator("[data-confirmation]").waitFor({ state: "detached" });
      await page.getByRole("region", { name: "My NFTs" }).getByText("The old oak").waitFor();
      await expectFocus(page.getByRole("button", { name: "Mint an NFT" }));
    });
    await page.getByRole("region", { name: "My NFTs" }).getByText("The old oak").waitFor();
    expect(await world.node.client.getNft({ id: "oak" })).toMatchObject({ owner_pub: aliceKey, metadata: "Behind the house." });
    await photograph(page, "assets");
    await choose(page, "Actions for The old oak", "Burn");
    await sign(page, "Sign and burn", /is destroyed forever.*ID oak can never be used again/);
    await page.getByText("No NFTs", { exact: true }).waitFor();
    const gone = await world.node.client.getNft({ id: "oak" }).catch((error: unknown) => error);
    expect(isCodedError(gone, "NOT_FOUND")).toBe(true);
  });

  it("transfers a username, by keyboard alone, to a person who has none", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];
    const register = async (page: Page, name: string): Promise<void> => {
      await goTo(page, "/settings/profile");
      await typeInto(page, page.getByRole("textbox", { name: "Username" }), name);
      await page.getByText(`@${name} is available`).waitFor();
      await pressEnter(page, page.getByRole("button", { name: "Register", exact: true }));
      await signByKeyboard(page, "Sign and register", /becomes yours/);
      await page.getByText(`@${name}`, { exact: true }).waitFor();
      // The form gave way to the name.
      await expectFocus(page.getByRole("button", { name: "Transfer", exact: true }));
    };
    await world.step("refuse a person who has a name", async () => {
      await register(a, "alice-hill");
      await register(b, "bob-hill");
      await a.keyboard.press("Enter");
      await expectFocus(a.getByRole("textbox", { name: "To" }));
      await a.keyboard.type(bobAddress);
      await a.getByText("They already have @bob-hill.").waitFor();
      await photograph(a, "username-transfer-refused");
    });
    await world.step("transfer it once the person has none", async () => {
      await b.getByRole("button", { name: "Give up" }).click();
      await sign(b, "Give up", /Anyone can register @bob-hill/);
      await a.getByRole("button", { name: "Review", disabled: false }).waitFor();
      await pressEnter(a, a.getByRole("button", { name: "Review" }));
      await signByKeyboard(a, "Sign and transfer", /@alice-hill then belongs to/);
      await a.getByRole("textbox", { name: "Username" }).waitFor();
      await expectFocus(a.getByRole("textbox", { name: "Username" }));
      await b.getByText("@alice-hill", { exact: true }).waitFor();
      const { value_hex: hex } = await world.node.client.getContractState({
        contractID: nativeContractId("username_registry"),
        key: "name:alice-hill",
      });
      expect(Buffer.from(hex ?? "", "hex").toString()).toBe(bobKey);
    });
  });

  it("pays once, however often it is pressed until the wallet is in front", async () => {
    const { page } = bob;
    await openView(page, "Wallet");
    await page.getByRole("link", { name: "Send", exact: true }).click();
    await page.getByRole("textbox", { name: "To" }).fill(aliceAddress);
    await page.getByRole("button", { name: "Continue", disabled: false }).click();
    await page.getByRole("textbox", { name: "Amount" }).fill("0.5");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    await pressUntilGone(page.getByRole("button", { name: "Sign and send" }));
    await expectFocus(page.getByRole("link", { name: "Send", exact: true }));
    await photograph(page, "payment-sending");
    await page.getByRole("dialog", { name: /^Payment: in block/ }).waitFor();
    await photograph(page, "payment-in-block");
    await untilPaid(page);
    await page
      .getByRole("link", { name: /^Paid / })
      .first()
      .waitFor();
    const { transactions } = await world.node.client.getAddress({ addr: bobKey, limit: 50 });
    expect(transactions.filter(({ from, type }) => from === bobKey && type === "TRANSFER")).toHaveLength(1);
  });

  it.each([
    ["taken", /^Payment: in block [\d,]+$/],
    ["refused", "Payment was not sent"],
    ["lost", "Payment: no clear answer"],
  ] as const)("says of a payment left by Escape while it is sent that it was %s", async (fate, words) => {
    const { page } = bob;
    await openView(page, "Wallet");
    const send = page.getByRole("link", { name: "Send", exact: true });
    await send.click();
    await page.getByRole("textbox", { name: "To" }).fill(aliceAddress);
    await page.getByRole("button", { name: "Continue", disabled: false }).click();
    await page.getByRole("textbox", { name: "Amount" }).fill("0.25");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    const held = await holdSubmission(page);
    await page.getByRole("button", { name: "Sign and send" }).click();
    await held.arrived;
    await page.keyboard.press("Escape");
    await expectFocus(send);
    await openView(page, "Contacts");
    await held.end(fate);
    // One that is urgent is read at once, from an alert beside it: it is hidden from readers until it has the focus.
    const toast = page.getByRole(fate === "refused" ? "alertdialog" : "dialog", { name: words, includeHidden: true });
    await toast.waitFor();
    expect(page.url(), "who is elsewhere stays there").toContain("/contacts");
    if (fate !== "taken") await photograph(page, `payment-left-${fate}`);
    await toast.getByRole("button", { name: "Dismiss", includeHidden: true }).click();
  });

  it("says that the node is away while a sheet is open, and sends what was signed once it is back", async () => {
    const { page } = bob;
    const supply = async (): Promise<bigint> => BigInt((await world.node.client.getToken({ id: "gold" })).supply);
    await goTo(page, "/wallet/assets");
    await choose(page, "Actions for Gold of the hill", "Burn");
    await page.getByRole("textbox", { name: "Amount" }).fill("0.01");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    const sheet = page.locator("[data-confirmation]");
    const burn = sheet.getByRole("button", { name: "Sign and burn", disabled: false });
    await burn.waitFor();
    const before = await supply();
    await world.node.kill();
    await burn.click();
    await sheet.getByText("so it may have gone through").waitFor();
    await photograph(page, "assets-burn-node-away");
    world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
    expect(await supply()).toBe(before);
    await burn.click();
    await sheet.waitFor({ state: "detached" });
    await expect.poll(supply).toBe(before - 1n);
  });

  it("signs nothing for a sheet that was open when everything was locked", async () => {
    const { page } = alice;
    await goTo(page, "/wallet/assets");
    await page.getByRole("button", { name: "Mint an NFT" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("The old elm");
    await page.getByRole("textbox", { name: "NFT ID" }).fill("elm");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    await page.locator("[data-confirmation]").getByRole("button", { name: "Sign and mint", disabled: false }).waitFor();
    await page.getByRole("button", { name: "Lock now", includeHidden: true }).evaluate((button: HTMLElement) => button.click());
    await unlock(page);
    await page.getByRole("button", { name: "Mint an NFT" }).waitFor();
    expect(await page.locator("[data-confirmation]").count()).toBe(0);
    expect(isCodedError(await world.node.client.getNft({ id: "elm" }).catch((error: unknown) => error), "NOT_FOUND")).toBe(true);
  });

  it("leaves no error in the console", () => {
    expect([alice.errors, bob.errors]).toEqual([[], []]);
  });
});

/** Locks the wallet as its clock does when a person is away: behind whatever dialog is open. */
async function lockWallet(page: Page): Promise<void> {
  await page.getByRole("button", { name: /unlocked/i, includeHidden: true }).evaluate((button: HTMLElement) => button.click());
}

/** Presses again and again, also in the moment in which it is sent and the wallet is not yet in front. */
async function pressUntilGone(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    const again = new MessageChannel();
    again.port1.onmessage = (): void => {
      if (!element.isConnected) return;
      element.click();
      again.port2.postMessage(null);
    };
    again.port2.postMessage(null);
  });
}

/** Presses twice before the page could draw itself again: it is one order. */
async function pressTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}
