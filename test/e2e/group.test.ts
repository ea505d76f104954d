// A group of three people in real browsers on a real node: made, written to, changed, left, by roles and names only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { drawnPng } from "./support/drawn-png.ts";
import { expectFocus } from "./support/keyboard.ts";
import { dismissToast, introduce, messageState, openView, unlock, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

describe("a group", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;
  let carol: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("group");
    [alice, bob, carol] = await Promise.all([world.enter("alice"), world.enter("bob"), world.enter("carol")]);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page, Carol: carol.page });
    for (const { page } of [bob, carol]) await openView(page, "Inbox");
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("is made of contacts, written to by all, and changed by its admin", async () => {
    const [a, b, c] = [alice.page, bob.page, carol.page];
    const bubble = (page: typeof a, text: string): ReturnType<typeof a.getByRole> => page.getByRole("article").filter({ hasText: text });

    await world.step("make it by keyboard, and choose by a click on a name as well", async () => {
      await openView(a, "Inbox");
      await a.getByRole("button", { name: "New message" }).first().click();
      await a.getByRole("button", { name: "New group" }).click();
      await expectFocus(a.getByRole("dialog", { name: "New group" }).getByRole("textbox", { name: "Group name" }));
      await a.getByRole("textbox", { name: "Group name" }).fill("Sunday hikes");
      await a.getByRole("checkbox", { name: "Bob" }).press("Space");
      await a.locator("label").filter({ hasText: "Carol" }).getByText("Carol").click();
      await a.getByText("2 of 99 selected").waitFor();
      expect(await axeViolations(a)).toEqual([]);
      await a.getByRole("button", { name: "Create group" }).press("Enter");
      await a.getByText("You created the group").first().waitFor();
    });

    await world.step("write to all and see who wrote", async () => {
      await write(a, "Sunday hikes", "Shall we go up the ridge?");
      for (const page of [b, c]) {
        await page.getByRole("link", { name: /^Sunday hikes/ }).click();
        await bubble(page, "up the ridge").waitFor();
      }
      await write(b, "Sunday hikes", "If it does not rain.");
      await write(c, "Sunday hikes", "I bring the soup.");
      await bubble(a, "I bring the soup.").getByText("Carol").waitFor();
      await messageState(a, "up the ridge", "Read");
      await bubble(b, "I bring the soup.").hover();
      await bubble(b, "I bring the soup.").getByRole("button", { name: "Reply" }).click();
      // Carol is no contact of Bob: part of her address stands beside the name.
      await b.getByText(/^Reply to Carol .*:$/).waitFor();
      await write(b, "Sunday hikes", "Lentils, please!");
      await bubble(a, "Lentils, please!")
        .getByRole("button", { name: /^Carol/ })
        .waitFor();
      await a.mouse.move(0, 0);
      await photograph(a, "group");
      await bubble(c, "If it does not rain.").hover();
      await bubble(c, "If it does not rain.").getByRole("button", { name: "React", exact: true }).click();
      await c.getByRole("list", { name: "Emoji" }).getByRole("button").first().click();
      for (const page of [a, b]) await bubble(page, "not rain").getByRole("button", { name: /1$/ }).waitFor();
      await bubble(a, "up the ridge").hover();
      await bubble(a, "up the ridge").getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Message info" }).click();
      await a.getByRole("list", { name: "Delivery" }).getByText("Carol").waitFor();
      await a.getByRole("button", { name: "Close" }).click();
    });

    await world.step("name a person by keyboard: their muted chat is marked, and each sees the name that they know", async () => {
      await b.getByRole("link", { name: /^Sunday hikes/ }).click({ button: "right" });
      await b.getByRole("menuitem", { name: "Mute until I turn it on" }).click();
      await b.keyboard.press("Escape");
      const field = a.getByRole("textbox", { name: "Message to Sunday hikes" });
      await field.pressSequentially("Rope, @");
      const people = a.getByRole("listbox", { name: "People of this group" });
      await expect.poll(() => people.getByRole("option").count()).toBe(2);
      await field.press("ArrowDown");
      expect(await people.getByRole("option", { selected: true }).textContent()).toMatch(/^Carol/);
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "mention-list");
      const size = a.viewportSize();
      await a.setViewportSize({ width: 640, height: 400 });
      await photograph(a, "mention-list-small");
      expect(await people.getByRole("option", { selected: true }).boundingBox()).toMatchObject({ height: expect.any(Number) });
      if (size !== null) await a.setViewportSize(size);
      await field.pressSequentially("bo");
      await expect.poll(() => people.getByRole("option").count()).toBe(1);
      await field.press("Escape");
      await people.waitFor({ state: "detached" });
      for (const _ of "@bo") await field.press("Backspace");
      await field.press("@");
      await expect.poll(() => people.getByRole("option").count()).toBe(2);
      // A key that comes before the browser has told of the moved caret means what is typed by then.
      await field.evaluate((element) => {
        document.execCommand("insertText", false, "b");
        element.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true, cancelable: true }));
      });
      await field.pressSequentially("and the map?");
      expect(await field.inputValue()).toBe("Rope, @Bob and the map?");
      await field.press("Enter");
      await b
        .getByRole("link", { name: /^Sunday hikes/ })
        .getByRole("img", { name: "You were mentioned" })
        .waitFor();
      await photograph(b, "mention-badge");
      await b.getByRole("link", { name: /^Sunday hikes/ }).click();
      await bubble(b, "and the map?").locator("mark").getByText("You").waitFor();
      await bubble(c, "and the map?").getByRole("link", { name: /^@Bob/ }).waitFor();
      // It would hide a share in the picture.
      await dismissToast(a, /paid you/);
      for (const [person, page] of Object.entries({ a, b, c })) await photograph(page, `mention-${person}`);
      expect(await axeViolations(b)).toEqual([]);
      await bubble(a, "and the map?").hover();
      await bubble(a, "and the map?").getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Edit", exact: true }).click();
      await expect.poll(() => field.inputValue()).toBe("Rope, @Bob and the map?");
      await a.keyboard.press("Escape");
    });

    await world.step("split a bill to the µT, and see who has paid as the chain shows it", async () => {
      await a.getByRole("button", { name: "Split a bill" }).click();
      const sheet = a.getByRole("dialog", { name: "Split a bill" });
      await sheet.getByRole("textbox", { name: "Amount" }).fill("10");
      await sheet.getByRole("textbox", { name: /^Note/ }).fill("The soup");
      await expect.poll(() => sheet.getByRole("list", { name: "Shares" }).getByText("3.333334").count()).toBe(1);
      await sheet.getByText("Custom amounts").click();
      await sheet.getByRole("textbox", { name: "Share of Bob" }).fill("4");
      await sheet.getByText(/6.T still to be shared out/).waitFor();
      await sheet.getByText("Equal shares").click();
      await photograph(a, "group-split-form");
      expect(await axeViolations(a)).toEqual([]);
      await sheet.getByRole("button", { name: "Send to the group" }).click();
      await bubble(b, "Split bill").getByRole("button", { name: "Pay my share" }).click();
      await b.getByRole("dialog", { name: "Pay Alice" }).getByRole("button", { name: "Review payment" }).click();
      await b.getByRole("button", { name: "Sign and send" }).click();
      await b.getByRole("dialog").waitFor({ state: "detached" });
      for (const page of [a, b, c]) await bubble(page, "The soup").getByText("1 of 2 paid").waitFor();
      expect(await bubble(b, "Split bill").getByRole("button", { name: /^Pay/ }).allTextContents()).toEqual(["Pay again"]);
      await bubble(c, "Split bill").getByRole("button", { name: "Pay my share" }).waitFor();
      await b.reload();
      await unlock(b);
      await bubble(b, "The soup").getByText("1 of 2 paid").waitFor();
      await bubble(b, "Split bill").getByRole("button", { name: "Pay again" }).waitFor();
      // It would hide a share in the picture.
      await dismissToast(a, /paid you/);
      for (const [person, page] of Object.entries({ a, b, c })) await photograph(page, `group-split-${person}`);
      expect(await axeViolations(c)).toEqual([]);
    });

    await world.step("rename it, hold it to the accessibility rules, and remove a member", async () => {
      await a.getByRole("button", { name: "About Sunday hikes" }).click();
      await a.getByRole("list", { name: "Members" }).getByText("Carol").waitFor();
      await photograph(a, "group-info");
      expect(await axeViolations(a)).toEqual([]);
      await a.getByRole("textbox", { name: "Group name" }).fill("Ridge walkers");
      await a.getByRole("button", { name: "Rename" }).click();
      await b.getByText("The group is now called “Ridge walkers”").first().waitFor();
      await a.getByRole("button", { name: "More about Carol" }).click();
      await a.getByRole("menuitem", { name: "Remove from group" }).click();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Remove from group" }).click();
      await c.getByText("You are no longer in this group.").waitFor();
      await a.keyboard.press("Escape");
      await write(a, "Ridge walkers", "The two of us, then.");
      await bubble(b, "The two of us, then.").waitFor();
      expect(await bubble(c, "The two of us, then.").count()).toBe(0);
    });
    for (const { errors } of [alice, bob, carol]) expect(errors).toEqual([]);
  });

  it("has admins, a new owner and invite links, and is left", WHOLE_ONLY, async () => {
    const [a, b, c] = [alice.page, bob.page, carol.page];
    const bubble = (page: typeof a, text: string): ReturnType<typeof a.getByRole> => page.getByRole("article").filter({ hasText: text });

    await world.step("give it a picture, and name an admin, who then removes that and renames it, and take that back", async () => {
      await a.getByRole("button", { name: "About Ridge walkers" }).click();
      const members = a.getByRole("list", { name: "Members" });
      await members.getByText("Owner").waitFor();
      await a.getByRole("button", { name: "More about Bob" }).click();
      await a.getByRole("menuitem", { name: "Make admin" }).click();
      await members.getByText("Admin", { exact: true }).waitFor();
      const file = a.getByRole("dialog").or(a.getByRole("complementary")).locator("input[type=file]");
      await file.setInputFiles({ name: "ridge.png", mimeType: "image/png", buffer: await drawnPng(a, 300, 200) });
      await b.getByText("Alice changed the group picture").first().waitFor();
      const [rowOfBob, rowOfAlice] = [b, a].map((page) => page.getByRole("link", { name: /^Ridge walkers/ }).locator("img"));
      await expect.poll(() => rowOfBob?.getAttribute("src")).toMatch(/^(blob|data):/);
      expect(await rowOfAlice?.count()).toBe(1);
      await photograph(b, "group-picture");
      await photograph(a, "group-admins");
      expect(await axeViolations(a)).toEqual([]);
      await b.getByText("New admin: You").first().waitFor();
      await b.getByRole("button", { name: "About Ridge walkers" }).click();
      await b.getByRole("button", { name: "Remove", exact: true }).press("Enter");
      await expectFocus(b.getByRole("button", { name: "Choose picture" }));
      await a.getByText("Bob removed the group picture").first().waitFor();
      await rowOfAlice?.waitFor({ state: "detached" });
      await b.getByRole("textbox", { name: "Group name" }).fill("Valley hikers");
      await b.getByRole("button", { name: "Rename" }).click();
      await b.keyboard.press("Escape");
      // What Bob changes beside the end of his right does not count.
      await expect.poll(() => a.getByRole("textbox", { name: "Group name" }).inputValue()).toBe("Valley hikers");
      await a.getByRole("button", { name: "More about Bob" }).click();
      await a.getByRole("menuitem", { name: "Remove as admin" }).click();
      await members.getByText("Admin", { exact: true }).waitFor({ state: "detached" });
      await a.getByRole("textbox", { name: "Group name" }).fill("Ridge walkers");
      await a.getByRole("button", { name: "Rename" }).click();
      await b.getByRole("button", { name: "About Ridge walkers" }).waitFor();
      await a.keyboard.press("Escape");
    });

    await world.step("add her again: she sees nothing of meanwhile", async () => {
      await a.getByRole("button", { name: "About Ridge walkers" }).click();
      await a.getByRole("button", { name: "Add people" }).click();
      await a.getByRole("checkbox", { name: "Carol" }).press("Space");
      await a.getByRole("dialog", { name: "Add people" }).getByRole("button", { name: "Add people" }).click();
      await c.getByText("You are no longer in this group.").waitFor({ state: "detached" });
      await a.keyboard.press("Escape");
      await write(a, "Ridge walkers", "All three again.");
      await bubble(c, "All three again.").waitFor();
      expect(await bubble(c, "The two of us, then.").count()).toBe(0);
    });

    await world.step("make a new one of it, as where its admin is gone", async () => {
      await c.getByRole("button", { name: "About Ridge walkers" }).click();
      await c.getByRole("button", { name: "New group with these people" }).click();
      const form = c.getByRole("dialog", { name: "New group" });
      await expect.poll(() => form.getByRole("textbox", { name: "Group name" }).inputValue()).toBe("Ridge walkers");
      await form.getByText("1 member isn't a contact of yours and can't be added.").waitFor();
      expect(await form.getByRole("checkbox", { name: "Alice" }).isChecked()).toBe(true);
      await photograph(c, "group-again");
      expect(await axeViolations(c)).toEqual([]);
      await form.getByRole("textbox", { name: "Group name" }).fill("Valley walkers");
      await form.getByRole("button", { name: "Create group" }).click();
      await c.getByText("You created the group").first().waitFor();
      await a.getByRole("link", { name: /^Valley walkers/ }).waitFor();
      // Another new group begins empty.
      await c.getByRole("button", { name: "New message" }).first().click();
      await c.getByRole("button", { name: "New group" }).click();
      expect(await form.getByRole("textbox", { name: "Group name" }).inputValue()).toBe("");
      await form.getByText("0 of 99 selected").waitFor();
    });

    await world.step("pass it on: all learn it from the chain", async () => {
      const chat = c.getByRole("link", { name: /^Valley walkers/ });
      await expect
        .poll(async () => {
          await c.keyboard.press("Escape");
          return chat.isVisible();
        })
        .toBe(true);
      await chat.click();
      await c.getByRole("button", { name: "About Valley walkers" }).click();
      await c.getByRole("button", { name: "More about Alice" }).click();
      await c.getByRole("menuitem", { name: "Make owner" }).click();
      const sheet = c.getByRole("dialog", { name: "Make Alice the owner?" });
      await expect.poll(() => sheet.getByRole("button", { name: "Sign and make owner" }).isEnabled()).toBe(true);
      await photograph(c, "group-owner");
      expect(await axeViolations(c)).toEqual([]);
      await sheet.getByRole("button", { name: "Sign and make owner" }).click();
      await c.getByText("New owner: Alice").first().waitFor();
      await a.getByRole("link", { name: /^Valley walkers/ }).click();
      await a.getByText("New owner: You").first().waitFor();
      await c.keyboard.press("Escape");
      await a.getByRole("link", { name: /^Ridge walkers/ }).click();
    });

    await world.step("leave it", async () => {
      await b.getByRole("button", { name: "About Ridge walkers" }).click();
      await b.getByText("Alice and the admins can add and remove people, rename the group and change its picture.").waitFor();
      await b.getByRole("button", { name: "Leave group" }).click();
      await b.locator("[data-confirmation]").getByRole("button", { name: "Leave group" }).click();
      await b.keyboard.press("Escape");
      await b.getByText("You are no longer in this group.").waitFor();
      await a.getByText("Bob left").first().waitFor();
    });

    await world.step("let Bob in again by an invite link, without a click of Alice, and Carol no more once it is withdrawn", async () => {
      await a.getByRole("button", { name: "About Ridge walkers" }).click();
      await a.getByRole("button", { name: "New link" }).press("Enter");
      const made = a.getByRole("dialog", { name: /nvite link/ });
      await made.getByText("1 day").click();
      await photograph(a, "invite-new");
      expect(await axeViolations(a)).toEqual([]);
      await made.getByRole("button", { name: "Create link" }).click();
      await expectFocus(made.getByRole("button", { name: "Copy link" }));
      const link = (await made.getByRole("code").textContent()) ?? "";
      expect(link).toMatch(/^parley:group#/);
      await photograph(a, "invite-made");
      expect(await axeViolations(a)).toEqual([]);
      await made.getByRole("button", { name: "Close" }).click();
      await expectFocus(a.getByRole("button", { name: "New link" }));
      await b.getByRole("searchbox", { name: "Search messages" }).fill(link);
      await b.getByRole("button", { name: "Group invite link" }).click();
      const card = b.getByRole("dialog", { name: "Join a group" });
      await card.getByText("Ridge walkers").waitFor();
      await photograph(b, "join-card");
      expect(await axeViolations(b)).toEqual([]);
      const size = b.viewportSize();
      await b.setViewportSize({ width: 360, height: 640 });
      await photograph(b, "join-card-narrow");
      if (size !== null) await b.setViewportSize(size);
      await card.getByRole("button", { name: "Ask to join" }).press("Enter");
      await card.getByText("You are in this group.").waitFor();
      await expectFocus(card.getByRole("button", { name: "Open group" }));
      await photograph(b, "join-in");
      await b.keyboard.press("Enter");
      await b.getByRole("textbox", { name: "Message to Ridge walkers" }).waitFor();
      await c.getByRole("link", { name: /^Ridge walkers/ }).click();
      await c.getByRole("button", { name: "About Ridge walkers" }).click();
      await c.getByRole("button", { name: "Leave group" }).click();
      await c.locator("[data-confirmation]").getByRole("button", { name: "Leave group" }).click();
      await c.keyboard.press("Escape");
      await a.getByText("Carol left").first().waitFor();
      await a.getByRole("button", { name: "More about 1 of 10 joined" }).click();
      await photograph(a, "invite-menu");
      await a.getByRole("menuitem", { name: "Revoke" }).click();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Revoke" }).click();
      await a.getByRole("button", { name: "More about 1 of 10 joined" }).waitFor({ state: "detached" });
      await expectFocus(a.getByRole("button", { name: "New link" }));
      await a.keyboard.press("Escape");
      await a.getByRole("link", { name: /^Carol/ }).click();
      await a.getByRole("textbox", { name: "Message to Carol" }).fill(`Come: ${link}`);
      await a.keyboard.press("Enter");
      await c.getByRole("link", { name: /^Alice/ }).click();
      await photograph(c, "invite-in-text");
      await c.getByRole("button", { name: "View the invite to Ridge walkers" }).click();
      await c.getByRole("button", { name: "Ask to join" }).click();
      await c.getByText("This link was revoked and no longer works.").waitFor();
      await photograph(c, "join-refused");
      expect(await axeViolations(c)).toEqual([]);
      await c.keyboard.press("Escape");
      await c.getByRole("button", { name: "More for all chats" }).click();
      await c.getByRole("menuitem", { name: "Join a group" }).click();
      const asked = c.getByRole("list", { name: "Groups you asked to join" });
      await asked.getByText("Ridge walkers").waitFor();
      await photograph(c, "join-list");
      expect(await axeViolations(c)).toEqual([]);
      await asked.getByRole("button", { name: "Remove from the list: Ridge walkers" }).press("Enter");
      await asked.waitFor({ state: "detached" });
      await expectFocus(c.getByRole("textbox", { name: "Invite link" }));
      await c.keyboard.press("Escape");
    });

    await world.step("find the safety number and the files of a chat beside it", async () => {
      await a.getByRole("link", { name: /^Bob/ }).click();
      await a
        .locator("[data-file-input]")
        .setInputFiles([{ name: "route.gpx", mimeType: "application/gpx+xml", buffer: Buffer.from("<gpx/>".repeat(2_000)) }]);
      await write(a, "Bob", "The way up");
      await a.getByRole("button", { name: "About Bob" }).click();
      await a.getByRole("list", { name: "Files" }).getByText("route.gpx").waitFor();
      await a.getByRole("button", { name: "Show QR code" }).waitFor();
      await photograph(a, "chat-info");
      expect(await axeViolations(a)).toEqual([]);
      await a.getByRole("list", { name: "Files" }).getByText("route.gpx").click();
      await a.locator("article[data-marked]").filter({ hasText: "route.gpx" }).first().waitFor();
      const beside = a.getByRole("complementary", { name: "About Bob" });
      expect(await beside.isVisible()).toBe(true);
      const { height, width } = a.viewportSize() ?? { height: 0, width: 0 };
      await a.setViewportSize({ height, width: 1_199 });
      await a.getByRole("dialog", { name: "About Bob" }).waitFor();
      await a.setViewportSize({ height, width });
      await beside.waitFor();
      await beside.getByRole("button", { name: "Show QR code" }).press("Escape");
      await beside.waitFor({ state: "detached" });
      await expectFocus(a.getByRole("button", { name: "About Bob" }));
      await a.getByRole("heading", { level: 1, name: "Bob" }).waitFor();
    });
    for (const { errors } of [alice, bob, carol]) expect(errors).toEqual([]);
  });
});
