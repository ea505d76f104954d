// What a person does at the interface, by roles and names only: as somebody with a screen reader would.

import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Password of every person in the tests. */
export const PASSWORD = "four unrelated words walk home";

/** Makes a new identity on a fresh profile and takes test tokens; ends in the app. Returns the address. */
export async function createIdentity(page: Page, baseUrl: string, name: string): Promise<string> {
  await page.goto(baseUrl);
  await page.getByRole("button", { name: "Create a new identity" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("textbox", { name: "Repeat the password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create my keys" }).click();
  const words = await confirmPhrase(page);
  expect(words).toHaveLength(24);
  const address = await page
    .getByText(/pl1[a-z0-9]{58}/)
    .first()
    .textContent();
  await page.getByRole("button", { name: "Get test tokens" }).click();
  await page.getByRole("button", { name: "Open Parley" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return /pl1[a-z0-9]{58}/.exec(address ?? "")?.[0] ?? "";
}

/** Reads the words and passes the quiz. */
async function confirmPhrase(page: Page): Promise<readonly string[]> {
  await page.getByRole("button", { name: "Show the words" }).click();
  const items = await page.getByRole("listitem").allTextContents();
  const words = items.map((item) => item.replace(/^\s*\d+\s*/, "").trim()).filter((word) => word !== "");
  await page.getByRole("button", { name: "I have written them down" }).click();
  for (const box of await page.getByRole("textbox", { name: /^Word \d+/ }).all()) {
    const label =
      (await box.getAttribute("aria-label")) ?? (await box.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? ""));
    const position = Number(/\d+/.exec(label)?.[0]);
    await box.fill(words[position - 1] ?? "");
  }
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("heading", { name: "You are ready" }).waitFor();
  return words;
}

/** Opens a view by the rail. */
export async function openView(page: Page, name: "Inbox" | "Wallet" | "Contacts" | "Explorer" | "Node" | "Settings"): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Pays an amount in T to an address through the send flow. */
export async function pay(page: Page, address: string, amount: string, memo = ""): Promise<void> {
  await openView(page, "Wallet");
  await page.getByRole("link", { name: "Send", exact: true }).click();
  await page
    .getByRole("combobox")
    .or(page.getByRole("textbox", { name: "To" }))
    .first()
    .fill(address);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Amount" }).fill(amount);
  if (memo !== "") await page.getByRole("textbox", { name: /Memo/ }).fill(memo);
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Sign and send" }).click();
}
