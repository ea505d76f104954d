// A person without a pointer: from the first run to a payment, a message and the settings by Tab, arrows, Enter, Space and Escape alone. Each
// stop shows its focus, and whatever closes leaves the focus on something.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus, expectFocusKept, pressEnter, tabTo, typeInto } from "./support/keyboard.ts";
import { PASSWORD } from "./support/person.ts";
import { Sender } from "./support/sender.ts";

let world: BrowserWorld;
let page: Page;
let bob: Sender;

beforeAll(async () => {
  world = await startWorld("keyboard");
  ({ page } = await world.enter("alice"));
  bob = await Sender.enter(world.node.baseUrl, "Bob");
});

afterAll(() => world?.[Symbol.asyncDispose]());

const button = (name: string | RegExp): Locator => page.getByRole("button", { name });
const field = (name: string | RegExp): Locator => page.getByRole("textbox", { name });
const palette = (): Locator => page.getByRole("combobox", { name: "Search or run a command" });
const dialog = (): Locator => page.locator('[role="dialog"][data-open]:not([data-type])');

it("takes a person without a pointer through the first run, a contact, a chat, payments, settings, palette and dialogs", async () => {
  await world.step("make keys", makeKeys);
  await world.step("add a contact", addContact);
  await world.step("write a message", writeMessage);
  await world.step("pay in the chat", payInChat);
  await world.step("send from the wallet", sendFromWallet);
  await world.step("change settings", changeSettings);
  await world.step("go by the palette", goByPalette);
  await world.step("open and leave dialogs and menus", leaveDialogs);
});

async function makeKeys(): Promise<void> {
  await page.goto(world.node.baseUrl);
  await pressEnter(page, button("Create a new identity"));
  await expectFocus(field(/^Name/));
  await page.keyboard.type("Alice");
  await page.keyboard.press("Enter");
  await typeInto(page, page.getByRole("textbox", { name: "Password", exact: true }), PASSWORD);
  await typeInto(page, field("Repeat the password"), PASSWORD);
  await pressEnter(page, button("Create my keys"));
  await expectFocus(button("Show the words"));
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").nth(23).waitFor();
  await expectFocusKept(page);
  const words = (await page.getByRole("listitem").allTextContents()).map((item) => item.replace(/^\s*\d+\s*/, "").trim());
  await pressEnter(page, button("I wrote them down"));
  await page.getByRole("heading", { name: "Check your copy" }).waitFor();
  for (const box of await page.getByRole("textbox", { name: /^Word \d+/ }).all()) {
    const label = await box.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? input.ariaLabel ?? "");
    await typeInto(page, box, words[Number(/\d+/.exec(label)?.[0]) - 1] ?? "");
  }
  await pressEnter(page, button("Check"));
  await expectFocus(button("Open Parley"));
  await pressEnter(page, button("Get test tokens"));
  await pressEnter(page, button("Open Parley"));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

async function addContact(): Promise<void> {
  await goToView("Contacts");
  await pressEnter(page, button("Add contact").first());
  await expectFocus(field("Person"));
  await page.keyboard.type(bob.account.masterPub);
  await tabTo(page, page.getByRole("radio", { name: /^Privately/ }));
  await page.keyboard.press("ArrowRight");
  await expectFocus(page.getByRole("radio", { name: /^Ask publicly/ }));
  await typeInto(page, field(/^Introduction/), "It is Alice.");
  await pressEnter(page, page.getByRole("button", { name: "Review", exact: true }));
  await pressEnter(page, page.getByRole("button", { name: "Pay and send request", disabled: false }));
  await page.getByText("Waiting for their answer").waitFor();
  await expectFocusKept(page);
  const { transactions } = await world.node.client.getAddress({ addr: bob.account.masterPub, limit: 1 });
  await bob.submit({ kind: "acceptContact", requester: parseAccount(transactions[0]?.from ?? "") });
  await page.getByText("Contact", { exact: true }).first().waitFor();
}

async function writeMessage(): Promise<void> {
  await pressEnter(page, page.getByRole("link", { name: "Message" }));
  await typeInto(page, field("Message to Bob"), "Shall we have tea?");
  await page.keyboard.press("Enter");
  await page.getByRole("article").filter({ hasText: "Shall we have tea?" }).waitFor();
  await expectFocus(field("Message to Bob"));
}

async function payInChat(): Promise<void> {
  await pressEnter(page, button("Pay or request money"));
  await expectFocus(field("Amount"));
  await page.keyboard.type("0.25");
  await typeInto(page, field(/^Note/), "For the tea");
  await pressEnter(page, button("Review payment"));
  await pressEnter(page, dialog().getByRole("button", { name: "Sign and send", disabled: false }));
  await page
    .getByRole("article")
    .filter({ hasText: "You paid" })
    .getByText(/In block \d+/)
    .waitFor();
  await expectFocus(field("Message to Bob"));
}

async function sendFromWallet(): Promise<void> {
  await goToView("Wallet");
  await pressEnter(page, page.getByRole("link", { name: "Send", exact: true }));
  await expectFocus(field("To"));
  await page.keyboard.type(bob.account.masterPub);
  await pressEnter(page, page.getByRole("button", { name: "Continue", disabled: false }));
  await expectFocus(field("Amount"));
  await page.keyboard.type("0.125");
  await pressEnter(page, page.getByRole("button", { name: "Review", exact: true }));
  await pressEnter(page, page.getByRole("button", { name: "Sign and send", disabled: false }));
  await page.getByRole("dialog", { name: /^Payment: in block [\d,]+$/ }).waitFor();
  await dialog().waitFor({ state: "detached" });
  await expectFocusKept(page);
}

async function changeSettings(): Promise<void> {
  await goToView("Settings");
  await pressEnter(page, page.getByRole("link", { name: /^Appearance/ }));
  await tabTo(page, page.getByRole("radio", { name: "System" }));
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByRole("radio", { name: "System" }).isChecked()).toBe(false);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => page.getByRole("radio", { name: "System" }).isChecked()).toBe(true);
}

async function goByPalette(): Promise<void> {
  const chosen = page.getByRole("radio", { name: "System" });
  await openPalette();
  await page.keyboard.press("Escape");
  await palette().waitFor({ state: "detached" });
  await expectFocus(chosen);
  await openPalette();
  await page.keyboard.type("bob");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await palette().waitFor({ state: "detached" });
  await expectFocusKept(page);
  // From a link of the rail, which stays: the focus is in the view that was asked for.
  await goToView("Contacts");
  await openPalette();
  await page.keyboard.type("appearance");
  await page
    .getByRole("option", { name: /Appearance/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Appearance" }).waitFor();
  await expectFocus(page.locator("main:focus, main :focus"));
}

async function openPalette(): Promise<void> {
  await page.keyboard.press("Control+k");
  await expectFocus(palette());
}

async function leaveDialogs(): Promise<void> {
  await goToView("Settings");
  await pressEnter(page, page.getByRole("link", { name: /^Account/ }));
  await pressEnter(page, button("Show phrase"));
  await dialog().waitFor();
  // Escape leaves what is in front, and that alone.
  await openPalette();
  await page.keyboard.press("Escape");
  await palette().waitFor({ state: "detached" });
  await expectFocus(dialog().locator(":focus"));
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  await expectFocus(button("Show phrase"));
  await goToView("Inbox");
  await pressEnter(page, page.getByRole("link", { name: /^Bob/ }));
  await tabTo(page, button("More actions").last());
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await expectFocusKept(page);
}

/** By the rail. */
async function goToView(name: "Inbox" | "Wallet" | "Contacts" | "Settings"): Promise<void> {
  await pressEnter(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }));
  await page.getByRole("heading", { level: 1, name, exact: true }).first().waitFor();
}
