// The last check before something is signed, as a person goes through it.
import type { Page } from "playwright-core";

/** Signs the sheet in front after its sentence was read. */
export async function sign(page: Page, label: string, sentence: RegExp): Promise<void> {
  const sheet = page.getByRole("alertdialog");
  await sheet.getByText(sentence).waitFor();
  await sheet.getByRole("button", { name: label, disabled: false }).click();
  await sheet.waitFor({ state: "detached" });
}

/** Goes from a form to its sheet and signs that. */
export async function review(page: Page, label: string, sentence: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Review", disabled: false }).click();
  await sign(page, label, sentence);
}

/** Chooses an action of a menu. */
export async function choose(page: Page, menu: string, action: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
