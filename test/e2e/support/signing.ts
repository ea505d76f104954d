// The last check before something is signed, as a person goes through it.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { unreachableInLowWindow } from "./low-window.ts";

/** Signs the sheet in front after its sentence was read, and could be read and signed at 200 % zoom. */
export async function sign(page: Page, label: string, sentence: RegExp): Promise<void> {
  const sheet = page.locator("[data-confirmation]");
  await sheet.getByText(sentence).waitFor();
  const confirm = sheet.getByRole("button", { name: label, disabled: false });
  await confirm.waitFor();
  expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
  await confirm.click();
  await sheet.waitFor({ state: "detached" });
}

/** Goes from a form, which can be used at 200 % zoom, to its sheet and signs that. */
export async function review(page: Page, label: string, sentence: RegExp): Promise<void> {
  const check = page.getByRole("button", { name: "Review", disabled: false });
  await check.waitFor();
  expect(await unreachableInLowWindow(page), "at 200 % zoom").toEqual([]);
  await check.click();
  await sign(page, label, sentence);
}

/** Chooses an action of a menu. */
export async function choose(page: Page, menu: string, action: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
