// The whole story: two people with browser profiles of their own and one real node, which is killed and started again in the middle.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNode } from "../support/nodes/start-node.ts";
import { type BrowserProfile, openProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import {
  acceptContact,
  createIdentity,
  dismissToast,
  givePassword,
  type Identity,
  messageState,
  openView,
  PASSWORD,
  pay,
  requestContact,
  unlock,
  write,
} from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

describe("two people on one machine", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let alicesIdentity: Identity;
  let bobsIdentity: Identity;

  beforeAll(async () => {
    world = await startWorld("story");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("make identities, pay, become contacts and write to each other, over two restarts of the node", async () => {
    await world.step("create identities and get tokens", async () => {
      await alice.page.goto(world.node.baseUrl);
      await alice.page.getByRole("button", { name: "Create a new identity" }).waitFor();
      await photograph(alice.page, "welcome");
      alicesIdentity = await createIdentity(alice.page, world.node.baseUrl, "Alice");
      bobsIdentity = await createIdentity(bob.page, world.node.baseUrl, "Bob");
      for (const { page } of [alice, bob]) {
        await openView(page, "Wallet");
        await page.getByRole("region", { name: "Balance" }).getByText("99.998 T").waitFor();
      }
    });

    await world.step("pay each other", async () => {
      await pay(alice.page, bobsIdentity.address, "12.5", "Lunch on Friday");
      await bob.page.getByRole("link", { name: /^Received from Alice/ }).waitFor();
      await bob.page.getByRole("region", { name: "Balance" }).getByText("112.498 T").waitFor();
      await pay(bob.page, alicesIdentity.address, "2.25", "Coffee");
      await alice.page.getByRole("region", { name: "Balance" }).getByText("89.747 T").waitFor();
      const history = await world.node.client.getAddress({ addr: alicesIdentity.address });
      expect(history.balance).toBe("89.747 T");
    });

    await world.step("become contacts", async () => {
      await requestContact(bob.page, alicesIdentity.address, "Hi Alice, it is Bob from the chess club.");
      await openView(alice.page, "Contacts");
      await alice.page.getByRole("radio", { name: /^Requests/ }).click();
      await alice.page.getByRole("link", { name: /^Bob/ }).click();
      await alice.page.getByRole("button", { name: "Accept", exact: true }).waitFor();
      // They would hide the note in the picture.
      for (const words of [/paid you/, /wants to be your contact/]) await dismissToast(alice.page, words);
      await photograph(alice.page, "contacts");
      await acceptContact(alice.page, "Bob");
      await bob.page.getByText("Contact", { exact: true }).first().waitFor();
    });

    await world.step("exchange messages that arrive live and are marked as read", async () => {
      await alice.page.getByRole("link", { name: "Message" }).click();
      await write(alice.page, "Bob", "Hello Bob! Good to see you here.");
      await openView(bob.page, "Inbox");
      await bob.page.getByRole("link", { name: /1 unread message/ }).click();
      await messageState(alice.page, "Good to see you here.", "Read");
      await write(bob.page, "Alice", "Thank you for lunch, by the way. The coffee was on me.");
      await write(bob.page, "Alice", "Shall we have a game tonight?");
      await alice.page.getByRole("article").filter({ hasText: "a game tonight?" }).waitFor();
      await expect.poll(async () => (await world.node.client.getStatus({})).mailbox_envelopes).toBeLessThanOrEqual(2);
    });

    await world.step("keep what is written while the node is down, and send it when it is back", async () => {
      await world.node.kill();
      await write(alice.page, "Bob", "Eight o'clock, usual place?");
      await expect.poll(() => alice.page.getByText("Not connected").count()).toBeGreaterThan(0);
      world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
      await bob.page.getByRole("article").filter({ hasText: "usual place?" }).waitFor();
      await messageState(alice.page, "usual place?", "Read");
      await write(bob.page, "Alice", "I will bring the clock.");
      await alice.page.getByRole("article").filter({ hasText: "bring the clock" }).waitFor();
      // What the pointer is on says what it is called.
      await alice.page.mouse.move(0, 0);
      await expect.poll(() => alice.page.getByText("Voice call", { exact: true }).count()).toBe(0);
      await photograph(alice.page, "inbox");
    });

    await world.step("find everything again after the node restarted in order and the page was reloaded", async () => {
      expect(await world.node.stop()).toBe(0);
      world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
      const { page } = bob;
      await page.reload();
      await givePassword(page, "not the password");
      await page
        .getByText(/password/i)
        .filter({ hasText: /not open|wrong|does not/i })
        .first()
        .waitFor();
      await photograph(page, "lock");
      await unlock(page);
      await page.getByRole("article").filter({ hasText: "Hello Bob!" }).waitFor();
      await page.getByRole("article").filter({ hasText: "bring the clock" }).waitFor();
      await openView(page, "Wallet");
      await page.getByRole("link", { name: /^Paid Alice/ }).waitFor();
      await photograph(page, "wallet");
    });

    await world.step("look at the chain in the explorer, by deep links too", async () => {
      const { page } = alice;
      await openView(page, "Explorer");
      await page.getByRole("navigation", { name: "Newest blocks" }).waitFor();
      await page
        .getByRole("img", { name: /^Fees, T: / })
        .locator("canvas")
        .waitFor();
      await photograph(page, "explorer");
      const { transactions } = await world.node.client.getAddress({ addr: bobsIdentity.address });
      const payment = transactions.find(({ type }) => type === "TRANSFER");
      await page.goto(`${world.node.baseUrl}/explorer/tx/${payment?.id}`);
      await unlock(page);
      await page.getByText("Coffee").first().waitFor();
      await photograph(page, "transaction");
      await page.getByRole("searchbox", { name: "Search the chain" }).fill("1");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Block 1" }).waitFor();
      await page.getByRole("heading", { name: "Header", exact: true }).waitFor();
      await photograph(page, "block");
    });

    await world.step("restore an identity in another profile, which then takes part as a device of its own", async () => {
      await using third = await openProfile();
      const { page } = third;
      await page.goto(world.node.baseUrl);
      await page.getByRole("button", { name: "I have a recovery phrase" }).click();
      await page.getByRole("textbox", { name: "Recovery phrase" }).fill(alicesIdentity.words.join(" "));
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("textbox", { name: /^Name/ }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);
      await page.getByRole("textbox", { name: "Repeat the password" }).fill(PASSWORD);
      await page.getByRole("button", { name: "Restore my keys" }).click();
      await page.getByRole("button", { name: "Open Parley" }).click();
      await openView(page, "Wallet");
      await page.getByRole("link", { name: /^Paid Bob/ }).waitFor();
      await expect.poll(async () => (await world.node.client.listDevices({ master_pub: alicesIdentity.address })).count).toBe(2);
      await openView(bob.page, "Inbox");
      await bob.page.getByRole("link", { name: /^Alice/ }).click();
      await write(bob.page, "Alice", "Does this reach all of your devices?");
      await openView(page, "Inbox");
      await page.getByRole("link", { name: /reach all of your devices/ }).click();
      await openView(alice.page, "Inbox");
      await alice.page.getByRole("link", { name: /reach all of your devices/ }).click();
      await write(alice.page, "Bob", "It does, and so does my answer.");
      await page.getByRole("article").filter({ hasText: "so does my answer" }).getByRole("img").waitFor();
      await bob.page.getByRole("article").filter({ hasText: "so does my answer" }).waitFor();
      expect(third.errors).toEqual([]);
    });

    await world.step("leave no error in the console", async () => {
      expect(alice.errors).toEqual([]);
      expect(bob.errors).toEqual([]);
    });
  });
});
