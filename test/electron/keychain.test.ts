// Opening without the password by the system's keychain: chosen, lost, and not offered where it protects nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseVault } from "#shared/keyring/vault/vault-format.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { givePassword, openView, PASSWORD, payWithPassword } from "../e2e/support/person.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startDesktop, startWithIdentity } from "./desktop-world.ts";
import { exchangeKeychain } from "./keychains.ts";

const SWITCH = "Unlock with this computer's keychain";
let profile: DesktopProfile;
let world: DesktopWorld;
let address = "";

beforeAll(async () => {
  profile = await createProfile();
  const started = await startWithIdentity(profile);
  world = started.world;
  address = started.identity.address;
});
afterAll(async () => {
  await world.quit();
  profile.remove();
});

async function restart(): Promise<void> {
  expect(await world.quit()).toBe(0);
  world = await startDesktop(profile);
}

async function openSecurity(page: Page): Promise<void> {
  await openView(page, "Settings");
  await page.getByRole("link", { name: "Security" }).click();
  await page.getByRole("switch", { name: SWITCH }).waitFor();
}

async function giveToKeychain(page: Page): Promise<void> {
  await page.getByRole("switch", { name: SWITCH }).click();
  const dialog = page.getByRole("dialog", { name: "Allow the keychain to unlock Parley" });
  await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Allow" }).click();
  await dialog.waitFor({ state: "detached" });
}

it("is off until the person gives the password for it", async () => {
  const { page } = world;
  await openSecurity(page);
  expect(await page.getByRole("switch", { name: SWITCH }).isChecked()).toBe(false);
  await page.getByRole("switch", { name: SWITCH }).click();
  const dialog = page.getByRole("dialog", { name: "Allow the keychain to unlock Parley" });
  await dialog.getByRole("textbox", { name: "Password" }).fill("not the right password");
  await dialog.getByRole("button", { name: "Allow" }).click();
  await dialog.getByRole("textbox", { name: "Password" }).and(page.locator("[aria-invalid=true]")).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByRole("switch", { name: SWITCH }).isChecked()).toBe(false);
  await giveToKeychain(page);
  await page.getByRole("switch", { name: SWITCH, checked: true }).waitFor();
  const vault = parseVault(readFileSync(join(profile.folder, "keyring", "vault-a")));
  expect(Buffer.from(vault?.body.keychain?.wrapped.subarray(0, 3) ?? []).toString("latin1")).toBe("v11");
});

it("opens messages at the next start and still asks for the password before money moves", async () => {
  await restart();
  const { page } = world;
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await openView(page, "Wallet");
  await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
  await payWithPassword(page, address, "1");
});

it("leads to the password when the system has another keychain, and everything is there", WHOLE_ONLY, async () => {
  await world.quit();
  exchangeKeychain(profile.folder);
  world = await startDesktop(profile);
  const { page } = world;
  await page.getByText("This computer's keychain couldn't unlock your keys.").waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Nothing is lost; use your password.").waitFor();
  await givePassword(page);
  await openView(page, "Wallet");
  await page
    .getByText("Sent to yourself")
    .or(page.getByText(/−?1(\.0+)? T/))
    .first()
    .waitFor();
  await openSecurity(page);
  await page.getByRole("switch", { name: SWITCH }).click();
  await page.getByText("Only your password unlocks Parley now").waitFor();
  await giveToKeychain(page);
  await restart();
  await world.page.getByRole("navigation", { name: "Main" }).waitFor();
});

it("is not offered where the keychain protects nothing, and says why", WHOLE_ONLY, async () => {
  profile.keychain = "basic_text";
  await restart();
  const { page } = world;
  await page.getByText("This computer's keychain couldn't unlock your keys.").waitFor();
  await givePassword(page);
  await openSecurity(page);
  await page.getByText("Not available on this computer.").waitFor();
  await page.getByText("Its keychain (basic_text) encrypts with a publicly known password").waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole("switch", { name: SWITCH }).click();
  await page.getByText("Only your password unlocks Parley now").waitFor();
  await page.getByRole("switch", { name: SWITCH, disabled: true }).waitFor();
});
