// What a person does at the interface, by roles and names only: as a user of a screen reader would.
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Password of every person in the tests. */
export const PASSWORD = "four unrelated words walk home";

const ADDRESS = /pl1[a-z0-9]{58}/;

/** A new identity. */
export interface Identity {
  readonly address: string;
  readonly words: readonly string[];
}

/** Makes a new identity on a fresh profile, confirms its phrase and takes test tokens; ends in the app. */
export async function createIdentity(page: Page, baseUrl: string, name: string): Promise<Identity> {
  const identity = await makeKeys(page, baseUrl, name);
  await page.getByRole("button", { name: "Get test tokens" }).click();
  await page.getByRole("button", { name: "Open Parley" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return identity;
}

/** Makes a new identity on a fresh profile and confirms its phrase; ends at the last card of the first run. */
export async function makeKeys(page: Page, baseUrl: string, name: string): Promise<Identity> {
  await page.goto(baseUrl);
  await page.getByRole("button", { name: "Create a new identity" }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
  await page.getByRole("textbox", { name: "Repeat the password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create my keys" }).click();
  const words = await confirmPhrase(page);
  const address = ADDRESS.exec((await page.getByText(ADDRESS).first().textContent()) ?? "")?.[0] ?? "";
  return { address, words };
}

/** Gives each person an identity of their name; then the first, whose address it returns, becomes a contact of each other. */
export async function introduce(baseUrl: string, pages: Readonly<Record<string, Page>>): Promise<string> {
  const [first, ...others] = Object.entries(pages);
  if (first === undefined) throw new Error("no person to introduce");
  const [firstName, firstPage] = first;
  const { address } = await createIdentity(firstPage, baseUrl, firstName);
  for (const [name, page] of others) await createIdentity(page, baseUrl, name);
  for (const [name, page] of others) {
    await requestContact(page, address, `It is ${name}.`);
    await acceptContact(firstPage, name);
  }
  return address;
}

/** Answers the question for the password. */
export async function givePassword(page: Page, password = PASSWORD): Promise<void> {
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Unlock" }).click();
}

/** Unlocks the app; ends in it. */
export async function unlock(page: Page): Promise<void> {
  await givePassword(page);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

/** Opens a view by the rail. */
export async function openView(page: Page, name: "Inbox" | "Wallet" | "Contacts" | "Explorer" | "Node" | "Settings"): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).first().waitFor();
}

/** Pays an amount in T through the send flow and waits until it is in a block. */
export async function pay(page: Page, address: string, amount: string, memo: string): Promise<void> {
  await openView(page, "Wallet");
  await fillPayment(page, address, amount);
  await page.getByRole("button", { name: "Add public memo" }).click();
  await page.getByRole("textbox", { name: /^Memo/ }).fill(memo);
  await signPayment(page);
}

/** Pays out of the wallet in front, which is locked: gives the password on the way. */
export async function payWithPassword(page: Page, address: string, amount: string): Promise<void> {
  await fillPayment(page, address, amount);
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Unlock and send" }).click();
  await givePassword(page);
  await untilPaid(page);
}

/** Reviews and signs the payment in front, and waits until it is in a block. */
export async function signPayment(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Sign and send" }).click();
  await untilPaid(page);
}

/** Puts a toast away where it has not gone by itself. */
export async function dismissToast(page: Page, words: RegExp): Promise<void> {
  const toast = page.getByRole("dialog").filter({ hasText: words });
  // At once: it may go by itself before a pointer would be there.
  await toast.getByRole("button", { name: "Dismiss", includeHidden: true }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  });
  await toast.waitFor({ state: "detached" });
}

/** Waits until the payment that was signed is in a block, which a toast says, or the last step of one whose link leads back. */
export async function untilPaid(page: Page): Promise<void> {
  const toast = page.getByRole("dialog", { name: /^Payment: in block [\d,]+$/ });
  await toast
    .or(page.getByText(/In block [\d,]+ · final/))
    .first()
    .waitFor();
  // At once: it may go by itself before a pointer would be there.
  await toast.getByRole("button", { name: "Dismiss", includeHidden: true }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  });
  await toast.waitFor({ state: "detached" });
}

/** Asks a person publicly to become a contact. */
export async function requestContact(page: Page, address: string, intro: string): Promise<void> {
  await openView(page, "Contacts");
  await page.getByRole("button", { name: "Add contact" }).click();
  await page.getByRole("textbox", { name: "Person" }).fill(address);
  await page.getByText(/^Ask publicly/).click();
  await page.getByRole("textbox", { name: /^Introduction/ }).fill(intro);
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Pay and send request" }).click();
  await page.getByText("Waiting for their answer").waitFor();
}

/** Accepts the waiting request of a person. */
export async function acceptContact(page: Page, name: string): Promise<void> {
  await openView(page, "Contacts");
  await page.getByRole("radio", { name: /^Requests/ }).click();
  await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.locator("[data-confirmation]").getByRole("button", { name: "Accept" }).click();
  await page.getByText("Contact", { exact: true }).first().waitFor();
}

/** Writes into the open chat. */
export async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: `Message to ${name}` }).fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("article").filter({ hasText: text }).waitFor();
}

/** Waits until an own message has reached a state. */
export async function messageState(page: Page, text: string, state: "Sent" | "Delivered" | "Read"): Promise<void> {
  await page.getByRole("article").filter({ hasText: text }).getByRole("img", { name: state }).waitFor();
}

/** Fills recipient and amount in, out of the wallet in front; ends before the review. */
export async function fillPayment(page: Page, address: string, amount: string): Promise<void> {
  await page.getByRole("link", { name: "Send", exact: true }).click();
  await page.getByRole("textbox", { name: "To" }).fill(address);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Amount" }).fill(amount);
}

async function confirmPhrase(page: Page): Promise<readonly string[]> {
  await page.getByRole("button", { name: "Show the words" }).click();
  await page.getByRole("listitem").nth(23).waitFor();
  const items = await page.getByRole("listitem").allTextContents();
  const words = items.map((item) => item.replace(/^\s*\d+\s*/, "").trim());
  expect(words).toHaveLength(24);
  await page.getByRole("button", { name: "I wrote them down" }).click();
  await page.getByRole("heading", { name: "Check your copy" }).waitFor();
  const boxes = page.getByRole("textbox", { name: /^Word \d+/ });
  await boxes.first().waitFor();
  for (const box of await boxes.all()) {
    const label = await box.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? input.ariaLabel ?? "");
    await box.fill(words[Number(/\d+/.exec(label)?.[0]) - 1] ?? "");
  }
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("heading", { name: "You're ready" }).waitFor();
  return words;
}
