// Tokens, NFTs and usernames through the forms of the interface: what each does on the chain, and what it refuses with words.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity } from "./support/person.ts";
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
      await dialog.getByText("A whole number from 0 to 18.").waitFor();
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
      const sheet = page.getByRole("alertdialog");
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

  it("gives an allowance, from which the other sends, and takes it back", async () => {
    const [a, b] = [alice.page, bob.page];
    await world.step("give it", async () => {
      await goTo(a, "/wallet/assets");
      await choose(a, "Actions for Gold of the hill", "Give an allowance");
      await a.getByRole("textbox", { name: "Person" }).fill(bobAddress);
      await a.getByRole("textbox", { name: "At most" }).fill("250");
      await review(a, "Sign and allow", /can send up to 250.GOLD of your tokens/);
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
      await review(b, "Sign and send", /100\.25.GOLD go from Alice/);
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
      await b.keyboard.press("Escape");
      await b.getByRole("textbox", { name: "Amount" }).waitFor({ state: "detached" });
    });
    await world.step("take it back", async () => {
      await a.getByRole("button", { name: "Take back" }).click();
      await sign(a, "Sign and take back", /can no longer send your Gold of the hill/);
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
    const sheet = page.getByRole("alertdialog");
    await sheet.getByText(/0\.25.GOLD are destroyed forever.*You keep 100.GOLD/).waitFor();
    // Pressed twice before the page could draw itself again, it is one order.
    await sheet.getByRole("button", { name: "Sign and burn", disabled: false }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await sheet.waitFor({ state: "detached" });
    await expect.poll(async () => (await world.node.client.getToken({ id: "gold" })).supply).toBe(100_000_025);
    const { transactions } = await world.node.client.getAddress({ addr: bobKey, limit: 50 });
    expect(transactions.filter(({ from, type }) => from === bobKey && type === "CALL_CONTRACT")).toHaveLength(2);
  });

  it("mints an NFT, and burns it", async () => {
    const { page } = alice;
    await page.getByRole("button", { name: "Mint an NFT" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("The old oak");
    await page.getByRole("textbox", { name: "NFT ID" }).fill("oak");
    await page.getByText("This ID is available.").waitFor();
    const text = page.getByRole("textbox", { name: /^Text/ });
    await text.fill("ä".repeat(2_049));
    await page.getByText(/Too long: 4,098 of 4,096 bytes/).waitFor();
    await text.fill("Behind the house.");
    await photograph(page, "assets-mint");
    await review(page, "Sign and mint", /You mint “The old oak”/);
    await page.getByRole("region", { name: "My NFTs" }).getByText("The old oak").waitFor();
    expect(await world.node.client.getNft({ id: "oak" })).toMatchObject({ owner_pub: aliceKey, metadata: "Behind the house." });
    await photograph(page, "assets");
    await choose(page, "Actions for The old oak", "Burn");
    await sign(page, "Sign and burn", /is destroyed forever.*ID oak can never be used again/);
    await page.getByText("No NFTs", { exact: true }).waitFor();
    const gone = await world.node.client.getNft({ id: "oak" }).catch((error: unknown) => error);
    expect(isCodedError(gone, "NOT_FOUND")).toBe(true);
  });

  it("transfers a username to a person who has none", async () => {
    const [a, b] = [alice.page, bob.page];
    const register = async (page: Page, name: string): Promise<void> => {
      await goTo(page, "/settings/account");
      await page.getByRole("textbox", { name: "Username" }).fill(name);
      await page.getByText(`@${name} is available`).waitFor();
      await page.getByRole("button", { name: "Register", exact: true }).click();
      await sign(page, "Sign and register", /becomes yours/);
      await page.getByText(`@${name}`, { exact: true }).waitFor();
    };
    await world.step("refuse a person who has a name", async () => {
      await register(a, "alice-hill");
      await register(b, "bob-hill");
      await a.getByRole("button", { name: "Transfer", exact: true }).click();
      await a.getByRole("textbox", { name: "To" }).fill(bobAddress);
      await a.getByText("They already have @bob-hill.").waitFor();
      await photograph(a, "username-transfer-refused");
    });
    await world.step("transfer it once the person has none", async () => {
      await b.getByRole("button", { name: "Give up" }).click();
      await sign(b, "Give up", /Anyone can register @bob-hill/);
      await review(a, "Sign and transfer", /@alice-hill then belongs to/);
      await b.getByText("@alice-hill", { exact: true }).waitFor();
      const { value_hex: hex } = await world.node.client.getContractState({
        contractID: nativeContractId("username_registry"),
        key: "name:alice-hill",
      });
      expect(Buffer.from(hex ?? "", "hex").toString()).toBe(bobKey);
    });
  });
});
