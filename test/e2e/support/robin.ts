// Sits down at the seeded chain: restores Robin from the phrase and waits until the wallet shows Robin's money.
import type { Page } from "playwright-core";
import { type LanguageChoice, SETTINGS_KEY } from "#renderer/lib/settings/settings-store.ts";
import { openView, PASSWORD } from "./person.ts";
import { ROBINS_PHRASE } from "./seeded-people.ts";

/** Restores Robin on a fresh profile; ends in the wallet. */
export async function restoreRobin(page: Page, baseUrl: string): Promise<void> {
  await restoreRobinsKeys(page, baseUrl);
  await page.getByRole("region", { name: "Tokens and NFTs" }).waitFor();
}

/** The same on a chain that was not seeded. */
export async function restoreRobinsKeys(page: Page, baseUrl: string): Promise<void> {
  await page.goto(baseUrl);
  await page.getByRole("button", { name: "I have a recovery phrase" }).click();
  await page.getByRole("textbox", { name: "Recovery phrase" }).fill(ROBINS_PHRASE.join(" "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("textbox", { name: "Repeat the password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Restore my keys" }).click();
  await page.getByRole("button", { name: "Open Parley" }).click();
  await openView(page, "Wallet");
}

/** Goes to a view without reloading the page: that would lock the keyring. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.keyboard.press("Escape");
  await navigate(page, path);
}

/** The same without a key, after which Chromium takes what moves for moved by the person; ends when everything in the view has come. */
export async function visit(page: Page, path: string): Promise<void> {
  await navigate(page, path);
  await untilIdle(page);
  await page.waitForFunction(() => document.querySelector("[data-loading]") === null);
  await untilIdle(page);
}

/** Starts the page again in a language, and unlocks it without a word of it. */
export async function speak(page: Page, language: LanguageChoice): Promise<void> {
  await page.evaluate(
    ([key, chosen]) => {
      const { state, version } = JSON.parse(localStorage.getItem(key) ?? '{"state":{},"version":1}') as {
        readonly state: object;
        readonly version: number;
      };
      localStorage.setItem(key, JSON.stringify({ state: { ...state, language: chosen }, version }));
      // As in a new session: the inbox would lead back to the chat that was open.
      sessionStorage.clear();
    },
    [SETTINGS_KEY, language] as const,
  );
  await page.reload();
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("nav").first().waitFor();
}

/** Until the page has drawn what it has. The browser may give no idle time for minutes to a page that draws nothing: then it has. */
async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let times = 0; times < 3; times += 1) await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 150 }));
  });
}

async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((target) => {
    history.pushState(null, "", target);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
}
