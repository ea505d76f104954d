// A multisig of three people through the interface: made, paid into, proposals approved, taken back and carried out, members replaced.
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { parseAmount } from "#shared/protocol/primitives/amount.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus } from "./support/keyboard.ts";
import { loseAnswers } from "./support/lost-answers.ts";
import { deployImitation, deployImitations } from "./support/multisig-imitation.ts";
import { createIdentity, unlock } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { review, sign } from "./support/signing.ts";

describe("a multisig", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let aliceAddress: string;
  let bobAddress: string;
  let contractId: string;

  beforeAll(async () => {
    world = await startWorld("multisig");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    const { baseUrl } = world.node;
    ({ address: aliceAddress } = await createIdentity(alice.page, baseUrl, "Alice"));
    ({ address: bobAddress } = await createIdentity(bob.page, baseUrl, "Bob"));
    for (const { page } of [alice, bob]) {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await goTo(page, "/wallet/multisig");
      await page.getByText("No multisigs", { exact: true }).waitFor();
    }
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const balanceOf = async (address: string): Promise<number> =>
    (await world.node.client.getAddress({ addr: parseAccount(address) })).balance_ut;
  /** What a row of a sheet says, in µT. */
  const amountOf = async (sheet: Locator, label: string): Promise<number> => {
    const text = await sheet.getByText(label, { exact: true }).locator("xpath=following-sibling::*[1]").textContent();
    return parseAmount(/[\d.,]+/.exec(text ?? "")?.[0].replaceAll(",", "") ?? "");
  };
  const view = async (method: string): Promise<unknown> =>
    JSON.parse((await world.node.client.callView({ contractID: contractId, body: { method } })).result_text ?? "null");

  it("is made of its members, each once, and found by them", async () => {
    const { page } = alice;
    await page.getByRole("button", { name: "Create a multisig" }).press("Enter");
    await page.getByRole("textbox", { name: "Add a member" }).fill(aliceAddress);
    await page.getByText("Already a member").waitFor();
    await page.getByRole("button", { name: "Add", exact: true, disabled: true }).waitFor();
    await page.getByRole("textbox", { name: "Add a member" }).fill(bobAddress);
    await page.getByRole("button", { name: "Add", exact: true, disabled: false }).waitFor();
    await page.getByRole("button", { name: "Review", disabled: true }).waitFor();
    await page.getByRole("textbox", { name: "Add a member" }).press("Enter");
    await page.getByRole("list", { name: "Members" }).getByText("Bob").waitFor();
    expect(await page.locator("[data-confirmation]").count(), "Enter adds the person, and reviews nothing").toBe(0);
    await expectFocus(page.getByRole("textbox", { name: "Add a member" }));
    await page.getByRole("combobox", { name: "Approvals needed" }).click();
    await page.getByRole("option", { name: "2 of 2" }).click();
    await page.getByText("If one member loses their keys").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "multisig-create");
    await page.getByRole("button", { name: "Review", disabled: false }).click();
    const sheet = page.locator("[data-confirmation]");
    await sheet.getByText(/You create a multisig with 2 members\. 2 of them must approve/).waitFor();
    const sign = sheet.getByRole("button", { name: "Sign and create", disabled: false });
    await sign.waitFor();
    const [shownGas, shownTotal] = [await amountOf(sheet, "Max. gas"), await amountOf(sheet, "Max. total")];
    const answers = await loseAnswers(page);
    await sign.click();
    await sheet.getByText("so it may have gone through").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "multisig-create-unanswered");
    answers.findAgain();
    await sign.click();
    await sheet.waitFor({ state: "detached" });
    expect(answers.ids, "the second press submits what the first one signed").toHaveLength(2);
    expect(new Set(answers.ids).size).toBe(1);
    await page.getByRole("heading", { name: "2 of 2 members approve" }).waitFor();
    const made = (await world.node.client.getAddress({ addr: parseAccount(aliceAddress), limit: 50 })).transactions.filter(
      ({ type }) => type === "DEPLOY_CONTRACT",
    );
    expect(made).toHaveLength(1);
    const committed = await readCommitted(world.node.client, answers.ids[0] ?? "");
    expect(committed).not.toBe(undefined);
    const { payload, fee_ut: feeUt = 0, gas_fee_ut: paidGas = 0 } = committed ?? {};
    const signedGas = gasPriceUt((payload as { readonly gas_limit: number }).gas_limit);
    expect([shownGas, shownTotal], "what was shown is what was signed").toEqual([signedGas, feeUt - paidGas + signedGas]);
    expect(paidGas).toBeLessThanOrEqual(shownGas);
    await bob.page.getByRole("heading", { name: "2 of 2 members approve" }).waitFor();
    const { contracts } = await world.node.client.listContracts({});
    contractId = contracts.find(({ abi }) => abi.contract === "multisig")?.contract_id ?? "";
    expect(new Set((await view("members_now")) as string[])).toEqual(new Set([parseAccount(aliceAddress), parseAccount(bobAddress)]));
    expect(await page.getByText("Unknown code").count()).toBe(0);
  });

  it("is paid into, and pays once enough members approve", async () => {
    const [a, b] = [alice.page, bob.page];
    await world.step("pay in", async () => {
      await a.getByRole("button", { name: "Pay in" }).click();
      await a.getByRole("textbox", { name: "Amount" }).fill("0");
      await a.getByText("The amount must be greater than zero.").waitFor();
      await a.getByRole("textbox", { name: "Amount" }).fill("3");
      await review(a, "Sign and pay in", /You pay 3.T into the multisig/);
      await expect.poll(async () => (await world.node.client.getContract({ contractID: contractId })).balance_ut).toBe(3_000_000);
    });
    await world.step("propose a payment", async () => {
      await a.getByRole("button", { name: "Propose a payment" }).click();
      await a.getByRole("textbox", { name: "To" }).fill(bobAddress);
      await a.getByRole("textbox", { name: "Amount" }).fill("4");
      await a.getByText(/holds only 3.T/).waitFor();
      await a.getByRole("textbox", { name: "Amount" }).fill("1.25");
      await review(a, "Sign and propose", /pays 1\.25.T to Bob.*yours is one of them/);
      await a.getByText("1 of 2 approvals").waitFor();
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "multisig-proposal");
    });
    await world.step("take the approval back and give it again", async () => {
      await a.getByRole("button", { name: "Withdraw approval" }).click();
      await sign(a, "Sign and withdraw", /You no longer approve: Pay 1\.25.T/);
      await a.getByText("0 of 2 approvals").waitFor();
      await a.getByRole("button", { name: "Approve", exact: true }).click();
      await sign(a, "Sign approval", /You approve: Pay 1\.25.T/);
      await a.getByText("1 of 2 approvals").waitFor();
    });
    await world.step("approve as the other and carry it out", async () => {
      await b.getByRole("button", { name: "Approve", exact: true }).click();
      await sign(b, "Sign approval", /You approve/);
      await b.getByText("2 of 2 approvals").waitFor();
      const before = await balanceOf(bobAddress);
      await a.getByRole("button", { name: "Carry out" }).click();
      await photograph(a, "multisig-execute");
      await sign(a, "Sign and carry out", /The multisig does it now: Pay 1\.25.T to Bob/);
      await a.getByText("None.", { exact: true }).waitFor();
      expect((await balanceOf(bobAddress)) - before).toBe(1_250_000);
    });
  });

  it("is found behind fifty that a stranger deployed: by its maker at once, by another member with a search for older ones", async () => {
    const [a, b] = [alice.page, bob.page];
    await deployImitations(world.node, 50);
    for (const page of [a, b]) {
      await page.reload();
      await unlock(page);
      await goTo(page, "/wallet/multisig");
    }
    await a.getByRole("heading", { name: "2 of 2 members approve" }).waitFor();
    await b.getByText("No multisigs", { exact: true }).waitFor();
    await b.getByRole("button", { name: "Search older entries" }).click();
    await b.getByRole("heading", { name: "2 of 2 members approve" }).waitFor();
  });

  it("replaces its members", async () => {
    const [a, b] = [alice.page, bob.page];
    await a.getByRole("button", { name: "Propose other members" }).click();
    await a.getByRole("list", { name: "Members" }).getByRole("button", { name: "Remove member" }).nth(1).click();
    await review(
      a,
      "Sign and propose",
      /You propose these members: 1 of 1 must approve from then on. Approvals needed from current members: 2/,
    );
    await b.getByText(/Replace the members/).waitFor();
    await b.getByRole("button", { name: "Approve", exact: true }).click();
    await sign(b, "Sign approval", /Replace the members/);
    await b.getByRole("button", { name: "Carry out" }).click();
    await sign(b, "Sign and carry out", /Replace the members/);
    await expect.poll(async () => ((await view("members_now")) as readonly string[]).length).toBe(1);
  });

  it("is marked where its code is not the one that the app deploys", async () => {
    const { page } = alice;
    const imitation = await deployImitation(world.node);
    await page.getByRole("button", { name: "Find a multisig" }).click();
    await page.getByRole("textbox", { name: "Contract ID" }).fill("ab");
    await page.getByText("An ID has 16 characters").waitFor();
    await page.getByRole("textbox", { name: "Contract ID" }).fill("0".repeat(16));
    await page.getByText("There is no multisig with this ID.").waitFor();
    await page.getByRole("textbox", { name: "Contract ID" }).fill(imitation);
    await page.getByRole("button", { name: "Show the multisig", disabled: false }).click();
    await page.getByText("Unknown code").waitFor();
    await photograph(page, "multisig-unknown");
  });

  it("is still there after the window was closed, until it is taken off the list", async () => {
    const { page } = alice;
    await page.reload();
    await unlock(page);
    await goTo(page, "/wallet/multisig");
    await page.getByText("Unknown code").waitFor();
    const imitation = page.getByRole("region").filter({ has: page.getByText("Unknown code") });
    await imitation.getByRole("button", { name: "Remove from list" }).click();
    await page.getByText("Unknown code").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "1 of 1 member approves" }).waitFor();
  });
});
