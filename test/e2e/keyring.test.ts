// The keyring in the browser's Worker: two tabs share its vault.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { actor } from "../support/worlds/ledger-world.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus } from "./support/keyboard.ts";
import { createIdentity, fillPayment, openView, PASSWORD, unlock } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { type RawKeyring, startRawKeyring } from "./support/raw-keyring.ts";

const CHAIN = "parley-two-tabs";

async function resultOf(keyring: RawKeyring, method: string, input?: unknown): Promise<Record<string, unknown>> {
  const answer = await keyring.call(method, input);
  if ("error" in answer) throw new Error(`${method}: ${answer.error.code}`);
  return answer.value as Record<string, unknown>;
}

describe("the keyring of two tabs", () => {
  let world: BrowserWorld;
  let first: RawKeyring;
  let second: RawKeyring;
  let tab: Page;
  let own: Page;
  let heldAtMs: number;

  beforeAll(async () => {
    world = await startWorld("keyring");
    const { page, context } = await world.enter("alice");
    await createIdentity(page, world.node.baseUrl, "Alice");
    own = page;
    const other = await context.newPage();
    await other.goto(world.node.baseUrl);
    await other.getByRole("textbox", { name: "Password" }).waitFor();
    first = await startRawKeyring(page);
    second = await startRawKeyring(other);
    tab = other;
    for (const keyring of [first, second]) await resultOf(keyring, "unlock", { password: PASSWORD });
    heldAtMs = Date.now();
    await hold({ delayMs: 60_000, aboveUt: null, firstTime: true });
  });

  /** Lets a first payment wait, as any tab can, while the other tests run. */
  async function hold(delay: object): Promise<void> {
    const { client } = world.node;
    const blockMs = Date.parse((await client.getStatus({})).sync.tip_time);
    const { chain_id: chainId } = await client.getNetworkInfo({});
    await resultOf(first, "setSpendingRules", { rules: { dailyUt: null, delay, only: null }, blockMs });
    await resultOf(first, "holdPayment", { intent: { kind: "pay", to: actor(92).pub, amountUt: 500_000 }, chainId, blockMs });
  }

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("keeps what each of them stored, and opens what was sealed to the keys of either", async () => {
    const shown = await Promise.all([
      resultOf(first, "signedPrekey", { chainId: CHAIN }),
      resultOf(second, "signedPrekey", { chainId: `${CHAIN}-2` }),
    ]);
    expect(shown[0]?.epochPub).toBe(shown[1]?.epochPub);
    const { account } = await resultOf(first, "status");
    const { devicePub } = account as { readonly devicePub: string };
    const request = { plaintext: [1, 2, 3], recipients: [devicePub], sentAt: 1, epochPub: shown[0]?.epochPub };
    const [envelope] = (await resultOf(second, "seal", { requests: [request] })) as unknown as readonly Record<string, unknown>[];
    const { sender_pub, nonce, ciphertext } = envelope ?? {};
    const later = await startRawKeyring(tab, "later");
    await resultOf(later, "unlock", { password: PASSWORD });
    for (const keyring of [first, second, later]) {
      const [opened] = (await resultOf(keyring, "open", { items: [{ sender_pub, nonce, ciphertext }] })) as unknown as readonly Record<
        string,
        unknown
      >[];
      expect(opened?.plaintext).not.toBeNull();
    }
    for (const chainId of [CHAIN, `${CHAIN}-2`])
      expect(await resultOf(later, "signedPrekey", { chainId })).toMatchObject({ epochPub: shown[0]?.epochPub });
  });

  it("links no foreign device and locks no later for a page alone, and both for the password", async () => {
    const intent = { kind: "linkDevice", deviceName: "Mallory's", devicePub: "0a".repeat(32) };
    const never = { walletIdleMs: null, fullIdleMs: null };
    for (const [method, input] of [
      ["sign", { intent, chainId: CHAIN }],
      ["setAutoLock", never],
    ] as const) {
      expect(await first.call(method, input)).toEqual({ error: { code: "CONFIRMATION_REQUIRED" } });
      expect(await first.call(method, { ...input, password: "wrong password" })).toEqual({ error: { code: "VAULT_WRONG_PASSWORD" } });
      expect(await first.call(method, { ...input, password: PASSWORD })).toHaveProperty("value");
    }
    expect(await resultOf(second, "autoLock")).toMatchObject({ isChosen: true });
  });

  it("asks for the password in the settings, by keyboard alone, and leaves the focus where it was", async () => {
    await own.bringToFront();
    await openView(own, "Settings");
    await own.getByRole("link", { name: "Security" }).click();
    await own.getByRole("combobox", { name: "Lock the wallet after" }).click();
    await own.getByRole("option", { name: "1 hour" }).click();
    const dialog = own.getByRole("dialog", { name: "Confirm with your password" });
    await dialog.waitFor();
    expect(await violationsInBothThemes(own)).toEqual([]);
    await photograph(own, "confirm-auto-lock");
    for (const key of ["Tab", "Tab", "Shift+Tab", "Tab", "Tab", "Tab", "Shift+Tab"]) {
      await own.keyboard.press(key);
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await own.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const choice = own.getByRole("combobox", { name: "Lock the wallet after" });
    await expect.poll(() => choice.evaluate((element) => element === document.activeElement)).toBe(true);
    await photograph(own, "settings-security");
  });

  it("holds every window to spending rules, and a payment that waits survives a reload and can be cancelled", async () => {
    const address = formatAddress(actor(91).pub);
    await own.getByRole("link", { name: "Spending" }).click();
    // The view may still show the rules of before the other tab has changed them.
    await own.getByRole("switch", { name: "Delay some payments", checked: true }).waitFor();
    await own.getByRole("switch", { name: "Limit spending in 24 hours" }).click();
    await own.getByRole("textbox", { name: "At most in 24 hours" }).fill("5");
    await own.getByRole("combobox", { name: "Delay them by" }).click();
    await own.getByRole("option", { name: "30 minutes" }).click();
    await own.getByRole("textbox", { name: /^Payments above/ }).fill("2");
    expect(await violationsInBothThemes(own)).toEqual([]);
    await photograph(own, "settings-spending");
    await own.getByRole("button", { name: "Save rules" }).press("Enter");
    await own.getByText("Spending rules saved").waitFor();

    const pay = { kind: "pay", to: actor(91).pub, amountUt: 1_000_000 };
    expect(await second.call("sign", { intent: pay, chainId: CHAIN })).toEqual({ error: { code: "SPENDING_DELAY" } });
    expect(await second.call("setSpendingRules", { rules: { dailyUt: null, delay: null, only: null } })).toEqual({
      error: { code: "CONFIRMATION_REQUIRED" },
    });

    await openView(own, "Wallet");
    await fillPayment(own, address, "6");
    await own.getByRole("button", { name: "Review" }).click();
    await own.getByText(/Over your daily limit of 5/).waitFor();
    await photograph(own, "payment-over-limit");
    expect(
      await own
        .getByRole("button", { name: /[Ss]end$/ })
        .last()
        .isDisabled(),
    ).toBe(true);
    await own.getByRole("button", { name: "Back" }).click();
    await own.getByRole("textbox", { name: "Amount" }).fill("1");
    await own.getByRole("button", { name: "Review" }).click();
    await own.getByText("This payment will wait 30 minutes").waitFor();
    expect(await violationsInBothThemes(own)).toEqual([]);
    await photograph(own, "payment-waits");
    await own.getByRole("button", { name: "Let it wait" }).press("Enter");
    const cancel = own.getByRole("button", { name: /^Cancel 1/ });
    await cancel.waitFor();
    await own.reload();
    await unlock(own);
    await cancel.waitFor();
    expect(await violationsInBothThemes(own)).toEqual([]);
    await photograph(own, "wallet-waiting");
    await cancel.press("Enter");
    await own.getByText("Cancelled: nothing was paid").waitFor();
    await cancel.waitFor({ state: "detached" });
    // The row that goes passes the focus on to the next one.
    await expectFocus(own.getByRole("button", { name: /^Cancel 0\.5/ }));
  });

  it("lets go what has waited by itself, once, when clock and chain have come so far", WHOLE_ONLY, async () => {
    const { client } = world.node;
    await expect.poll(() => Date.now() - heldAtMs, { timeout: 70_000 }).toBeGreaterThan(61_000);
    // A block of that time, on a network that is idle.
    await client.requestFaucet({ body: { to: actor(93).pub, amount_ut: 1_000_000 } });
    const paidUt = async (): Promise<number> => (await client.getAddress({ addr: actor(92).pub })).balance_ut;
    await expect.poll(paidUt, { timeout: 60_000 }).toBe(500_000);
    await own.getByText("Waiting payments").waitFor({ state: "detached" });
    expect(await paidUt()).toBe(500_000);
  });
});
