// People whom one adds for oneself alone, by keyboard: nothing is paid or public, and they see a message request; and names for addresses
// that are no one's contact.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { createIdentity, givePassword, type Identity, messageState, openView, untilPaid, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

/** An address that no one here holds. */
const EXCHANGE = formatAddress("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c");

describe("people and addresses", () => {
  let world: BrowserWorld;
  let alice: Page;
  let bob: Page;
  let bobsIdentity: Identity;
  let alicesIdentity: Identity;

  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.labels?.[0]?.textContent ?? element?.ariaLabel ?? element?.textContent ?? "";
    });
  const dialog = (page: Page): Locator => page.getByRole("dialog");
  const sees = async (page: Page, name: string): Promise<void> => {
    await photograph(page, name);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await unreachableInLowWindow(page)).toEqual([]);
  };
  const transactionsOf = async ({ address }: Identity): Promise<number> => (await world.node.client.getAddress({ addr: address })).tx_count;

  beforeAll(async () => {
    world = await startWorld("people");
    [alice, bob] = (await Promise.all([world.enter("alice"), world.enter("bob")])).map(({ page }) => page) as [Page, Page];
    alicesIdentity = await createIdentity(alice, world.node.baseUrl, "Alice");
    bobsIdentity = await createIdentity(bob, world.node.baseUrl, "Bob");
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("shows one's own code at one's picture, with the ways to devices and account", async () => {
    const picture = alice.getByRole("button", { name: "Your address and profile" });
    await picture.press("Enter");
    const card = alice.getByRole("dialog", { name: "Your address and profile" });
    await card.getByText("Alice", { exact: true }).waitFor();
    await card.getByRole("img", { name: "your address" }).waitFor();
    expect((await card.locator("code").textContent()) === alicesIdentity.address).toBe(true);
    await sees(alice, "own-card");
    await alice.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await expect.poll(() => focused(alice)).toBe("Your address and profile");
    await picture.press("Enter");
    await card.getByRole("link", { name: "Devices" }).press("Enter");
    await alice.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    await card.waitFor({ state: "detached" });
  });

  it("adds a person privately by the link of a contact, with Enter alone; the public way says what it costs and shows", async () => {
    await openView(alice, "Inbox");
    await alice
      .getByRole("region", { name: "Get started" })
      .getByRole("link", { name: /^Show my code/ })
      .waitFor();
    await sees(alice, "first-steps");
    await alice
      .getByRole("region", { name: "Get started" })
      .getByRole("link", { name: /^Add contact/ })
      .press("Enter");
    await dialog(alice).waitFor();
    await alice.keyboard.press("Escape");
    await openView(alice, "Contacts");
    const before = await transactionsOf(alicesIdentity);
    const open = alice.getByRole("button", { name: "Add contact" });
    await open.press("Enter");
    await alice.getByRole("textbox", { name: "Person" }).fill(`parley:contact?id=${bobsIdentity.address}`);
    await expect.poll(() => focused(alice)).toContain("Your name for them");
    await dialog(alice).getByText("no one else knows").waitFor();
    await sees(alice, "add-privately");
    await alice.getByRole("radio", { name: "Privately, free" }).press("ArrowRight");
    await dialog(alice).getByText("are public forever").waitFor();
    expect(await focused(alice)).toContain("Ask publicly");
    await sees(alice, "add-publicly");
    await alice.getByRole("radio", { name: /^Ask publicly/ }).press("ArrowLeft");
    await alice.keyboard.press("Escape");
    await dialog(alice).waitFor({ state: "detached" });
    expect(await focused(alice)).toContain("Add contact");
    await open.press("Enter");
    await alice.getByRole("textbox", { name: "Person" }).fill(bobsIdentity.address);
    await expect.poll(() => focused(alice)).toContain("Your name for them");
    await alice.keyboard.type("Bobby");
    await alice.keyboard.press("Enter");
    await alice.getByRole("heading", { name: "Bobby" }).waitFor();
    await alice.getByText("Contact, added privately").waitFor();
    await sees(alice, "added-privately");
    expect(await transactionsOf(alicesIdentity)).toBe(before);
    expect((await world.node.client.listContacts({ pub: parseAccount(bobsIdentity.address) })).contacts).toEqual([]);
  });

  it("reaches them as a message request, which they accept for themselves alone", async () => {
    await alice.getByRole("link", { name: "Message" }).click();
    await alice.getByRole("status").filter({ hasText: "Bobby is in your contacts." }).waitFor();
    await write(alice, "Bobby", "It is me, from the lake");
    await messageState(alice, "from the lake", "Sent");
    await openView(bob, "Contacts");
    await bob.getByRole("radio", { name: /^Requests/ }).press("Space");
    await bob.getByRole("link", { name: /Wrote to you/ }).waitFor();
    await sees(bob, "message-request");
    await bob.getByRole("link", { name: /Wrote to you/ }).click();
    await bob.getByRole("article").filter({ hasText: "from the lake" }).waitFor();
    await bob.getByText("Accepting is free and private.").waitFor();
    await photograph(bob, "request-in-chat");
    await bob.getByRole("button", { name: "Accept", exact: true }).press("Enter");
    await messageState(alice, "from the lake", "Read");
    // The chat stays in front, and is among the others now.
    await bob.getByRole("article").filter({ hasText: "from the lake" }).waitFor();
    await bob.getByRole("button", { name: "Accept", exact: true }).waitFor({ state: "detached" });
    await openView(bob, "Contacts");
    await bob.getByRole("link", { name: /^Alice/ }).waitFor();
    await bob.getByRole("link", { name: /^Alice/ }).click();
    await bob.getByRole("button", { name: "More" }).click();
    await bob.getByRole("menuitem", { name: "Remove from contacts" }).click();
    await bob.getByText("Not a contact").waitFor();
    await bob.getByRole("button", { name: "Undo" }).first().click();
    await bob.getByText("Contact, added privately").waitFor();
  });

  it("names an address where it is shown, and finds the name where it is paid, listed and exported", WHOLE_ONLY, async () => {
    await openView(alice, "Explorer");
    await alice.getByRole("searchbox", { name: "Search the chain" }).fill(EXCHANGE);
    await alice.keyboard.press("Enter");
    const open = alice.getByRole("region", { name: "Account", exact: true }).getByRole("button", { name: "Private name" });
    await open.press("Enter");
    await expect.poll(() => focused(alice)).toContain("Name");
    await sees(alice, "name-address");
    await alice.keyboard.press("Escape");
    await dialog(alice).waitFor({ state: "detached" });
    expect(await focused(alice)).toContain("Private name");
    await open.press("Enter");
    await dialog(alice).getByRole("textbox", { name: "Name" }).fill("Exchange deposit");
    await alice.keyboard.press("Enter");
    await dialog(alice).waitFor({ state: "detached" });
    await alice.getByRole("region", { name: "Account", exact: true }).getByText("Exchange deposit").waitFor();
    await photograph(alice, "named-account");
    await alice.getByRole("button", { name: "Pay", exact: true }).click();
    await alice.getByRole("button", { name: "Continue" }).click();
    await alice.getByRole("textbox", { name: "Amount" }).fill("1.5");
    await alice.getByRole("button", { name: "Add public memo" }).click();
    await alice.getByRole("textbox", { name: /^Memo/ }).fill("For September");
    await alice.getByRole("button", { name: "Review" }).click();
    await dialog(alice).getByText("Exchange deposit").first().waitFor();
    await dialog(alice).getByRole("button", { name: "Private name" }).press("Enter");
    await alice.getByRole("textbox", { name: "Name" }).fill("Exchange, monthly");
    await photograph(alice, "name-in-review");
    await alice.keyboard.press("Enter");
    await dialog(alice).getByText("Exchange, monthly").first().waitFor();
    await alice.getByRole("button", { name: "Sign and send" }).click();
    await untilPaid(alice);
    await openView(alice, "Wallet");
    await alice.getByRole("link", { name: /^Paid Exchange, monthly.*For September/ }).waitFor();
    await photograph(alice, "named-activity");
    // The fees of the first minutes are one row, which opens.
    const setUp = alice.getByRole("button", { name: /^Set-up.*2 entries/ });
    expect(await setUp.getAttribute("aria-expanded")).toBe("false");
    expect(await alice.getByRole("link", { name: /^Linked a device/ }).count()).toBe(0);
    await setUp.press("Enter");
    await alice.getByRole("link", { name: /^Linked a device/ }).waitFor();
    await sees(alice, "activity-set-up");
    await setUp.press("Enter");
    await alice.getByRole("link", { name: /^Linked a device/ }).waitFor({ state: "detached" });
    await alice.getByRole("link", { name: "Send", exact: true }).press("Enter");
    await dialog(alice).getByRole("region", { name: "Recent" }).getByRole("button", { name: "Exchange, monthly" }).press("Enter");
    await dialog(alice).getByRole("textbox", { name: "Amount" }).waitFor();
    await dialog(alice)
      .getByText(/^In the next block, in about \d second/)
      .waitFor();
    await alice.keyboard.press("Escape");
    await dialog(alice).waitFor({ state: "detached" });
    const [download] = await Promise.all([alice.waitForEvent("download"), alice.getByRole("button", { name: "Export as CSV" }).click()]);
    expect(readFileSync(await download.path(), "utf8")).toContain(`"${EXCHANGE}","Exchange, monthly",-1.5,`);
    await openView(alice, "Contacts");
    await alice.getByText("Named addresses").waitFor();
    await alice.getByRole("link", { name: /^Exchange, monthly/ }).waitFor();
    await sees(alice, "named-addresses");
  });

  it("says that a change is not stored while the browser has no room, and stores it once it has", WHOLE_ONLY, async () => {
    await alice.evaluate(() => {
      const { setItem } = Storage.prototype;
      Object.assign(globalThis, { giveRoom: () => Object.assign(Storage.prototype, { setItem }) });
      Storage.prototype.setItem = function (key: string, value: string): void {
        if (key.startsWith("parley.people")) throw new DOMException("full", "QuotaExceededError");
        setItem.call(this, key, value);
      };
    });
    await openView(alice, "Contacts");
    await alice.getByRole("link", { name: /^Exchange, monthly/ }).click();
    await alice.getByRole("textbox", { name: "Note" }).fill("Closed on Sundays");
    const notice = alice.getByRole("alert").filter({ hasText: "Your latest changes aren't saved." });
    await notice.waitFor();
    await photograph(alice, "unstored");
    expect(await violationsInBothThemes(alice)).toEqual([]);
    await notice.getByRole("button", { name: "Try again" }).press("Enter");
    expect(await notice.isVisible()).toBe(true);
    await alice.evaluate(() => (globalThis as unknown as { giveRoom(): void }).giveRoom());
    await notice.getByRole("button", { name: "Try again" }).press("Enter");
    await notice.waitFor({ state: "detached" });
    await alice.reload();
    await givePassword(alice);
    await expect.poll(() => alice.getByRole("textbox", { name: "Note" }).inputValue()).toBe("Closed on Sundays");
  });
});
