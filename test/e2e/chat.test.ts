// A chat between two people in real browsers on a real node: answers, reactions, changes, pinned and muted chats.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { drawnPng } from "./support/drawn-png.ts";
import { expectFocus } from "./support/keyboard.ts";
import { introduce, messageState, openView, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

describe("a chat", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("chat");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    await showAnotherChain(alice.page);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await alice.page.getByRole("link", { name: "Message" }).click();
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("has answers, reactions, changes, pictures and files, and finds them", async () => {
    const [a, b] = [alice.page, bob.page];
    const bubble = (page: typeof a, text: string): ReturnType<typeof a.getByRole> => page.getByRole("article").filter({ hasText: text });

    await world.step("answer and react", async () => {
      await write(a, "Bob", "Shall we have lunch on Friday?");
      await bubble(b, "lunch on Friday").waitFor();
      await bubble(b, "lunch on Friday").hover();
      await bubble(b, "lunch on Friday").getByRole("button", { name: "Reply" }).click();
      await b.getByText("Reply to Alice:").waitFor();
      expect(await descriptionOf(b.getByRole("textbox", { name: "Message to Alice" }))).toMatch(/^Reply to Alice:.*lunch on Friday/);
      // What is typed right after goes into the answer: the field has the focus.
      await b.keyboard.type("With pleasure.");
      await b.keyboard.press("Enter");
      await bubble(a, "With pleasure.").getByRole("button", { name: /^You/ }).waitFor();
      await bubble(a, "With pleasure.").hover();
      await bubble(a, "With pleasure.").getByRole("button", { name: "React", exact: true }).click();
      await a.getByRole("list", { name: "Emoji" }).getByRole("button").first().click();
      await a.getByRole("status").getByText("Reacted with 👍").waitFor();
      await bubble(b, "With pleasure.").getByRole("button", { name: "👍 1" }).waitFor();
    });

    await world.step("react with one press, by the pointer and by keyboard", async () => {
      const first = bubble(b, "lunch on Friday").first();
      const quick = b.getByRole("toolbar", { name: "Quick reactions" });
      // What comes below moves the message from under a pointer that rests.
      const isShown = quick.getByRole("button").nth(6);
      await expect
        .poll(
          async () => {
            await b.getByRole("textbox", { name: "Message to Alice" }).hover();
            await first.hover();
            return await isShown.waitFor({ timeout: 5_000 }).then(
              () => true,
              () => false,
            );
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      expect(await axeViolations(b)).toEqual([]);
      await photograph(b, "chat-quick-reactions");
      await quick.getByRole("button", { name: "React with 😂" }).click();
      await bubble(a, "lunch on Friday").first().getByRole("button", { name: "😂 1" }).waitFor();
      await b.getByRole("textbox", { name: "Message to Alice" }).hover();
      await quick.waitFor({ state: "detached" });
      await first.getByRole("button", { name: "Actions for this message" }).focus();
      await quick.waitFor();
      await b.keyboard.press("Tab");
      await b.keyboard.press("ArrowRight");
      await b.keyboard.press("Enter");
      await expect
        .poll(() => bubble(a, "lunch on Friday").first().getByRole("list", { name: "Reactions" }).textContent())
        .not.toContain("😂");
      await b.getByRole("textbox", { name: "Message to Alice" }).focus();
      await quick.waitFor({ state: "detached" });
    });

    await world.step("be warned when the other's node knows another block", async () => {
      await a.getByText(/^Your node and Bob's node disagree about block \d+\.$/).waitFor();
      await photograph(a, "chat-other-block");
      await a.getByRole("button", { name: "Dismiss" }).click();
      await a.getByText("disagree about block").waitFor({ state: "detached" });
      await a.unroute(COMPARED_BLOCKS);
    });

    await world.step("lead from the quotation to the message", async () => {
      await bubble(a, "With pleasure.").getByRole("button", { name: /^You/ }).click();
      await a.locator("article[data-marked]").filter({ hasText: "lunch on Friday" }).first().waitFor();
    });

    await world.step("change the last message with the arrow up, and take one back", async () => {
      await write(a, "Bob", "At noon, the usual plaec");
      await messageState(a, "the usual plaec", "Read");
      await a.getByRole("textbox", { name: "Message to Bob" }).press("ArrowUp");
      await a.getByText("Edit message:").waitFor();
      await a.getByRole("textbox", { name: "Message to Bob" }).fill("At noon, the usual place");
      await a.keyboard.press("Enter");
      await bubble(b, "the usual place").getByText("edited").waitFor();
      await bubble(b, "the usual place").hover();
      await bubble(b, "the usual place").getByRole("button", { name: "Actions for this message" }).click();
      await b.getByRole("menuitem", { name: "Edits" }).click();
      const wordings = b.getByRole("dialog", { name: "Edits" }).getByRole("listitem");
      await expect.poll(() => wordings.locator("p").allTextContents()).toEqual(["At noon, the usual plaec", "At noon, the usual place"]);
      await photograph(b, "chat-edits");
      await b.keyboard.press("Escape");
      // By the menu: the field has the focus, and Escape ends the edit and not the chat.
      await bubble(a, "the usual place").hover();
      await bubble(a, "the usual place").getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Edit", exact: true }).click();
      await a.getByText("Edit message:").waitFor();
      await a.getByRole("menu").waitFor({ state: "detached" });
      await a.keyboard.type("!");
      await expect.poll(() => a.getByRole("textbox", { name: "Message to Bob" }).inputValue()).toBe("At noon, the usual place!");
      await a.keyboard.press("Escape");
      await a.getByText("Edit message:").waitFor({ state: "detached" });
      await expect.poll(() => a.getByRole("textbox", { name: "Message to Bob" }).inputValue()).toBe("");
      // What was typed into the message is no draft.
      expect(await a.getByRole("link", { name: /^Bob/ }).getByText("Draft").count()).toBe(0);
      await write(a, "Bob", "My password is swordfish");
      await bubble(b, "swordfish").waitFor();
      await bubble(a, "swordfish").hover();
      await bubble(a, "swordfish").getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Delete for everyone" }).click();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Delete for everyone" }).click();
      await bubble(b, "This message was deleted").waitFor();
      expect(await bubble(b, "swordfish").count()).toBe(0);
    });

    await world.step("send a picture without what it says about its origin, and a file", async () => {
      await a.locator("[data-file-input]").setInputFiles([
        { name: "harbour.png", mimeType: "image/png", buffer: await drawnPng(a, 640, 420) },
        { name: "route.gpx", mimeType: "application/gpx+xml", buffer: Buffer.from("<gpx/>".repeat(40_000)) },
        { name: "tower.png", mimeType: "image/png", buffer: await drawnPng(a, 700, 1_500) },
      ]);
      await write(a, "Bob", "Where we went");
      await bubble(b, "Where we went").getByRole("img", { name: "Picture harbour.webp" }).waitFor();
      await b.locator("img[alt='Picture harbour.webp']:not([data-preview])").waitFor();
      await b.locator("img[alt='Picture tower.webp']:not([data-preview])").waitFor();
      const { width = 0, height = 1 } = (await b.locator("img[alt='Picture tower.webp']").boundingBox()) ?? {};
      expect(width / height).toBeCloseTo(700 / 1_500, 1);
      expect(await marginsIn(b.locator("img[alt='Picture tower.webp']")), "between a picture and its bubble").toEqual([0, 0, 0, 0]);
      expect((await a.getByRole("link", { name: /^Bob/ }).boundingBox())?.height).toBe(56);
      const saving = b.waitForEvent("download");
      await bubble(b, "route.gpx").getByRole("button", { name: "Save" }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe("route.gpx");
      await photograph(b, "chat-files");
    });

    await world.step("send pictures together: an album, of which one can be taken back", async () => {
      await write(a, "Bob", "From the boat: https://paths.example/harbour");
      const buffers = await Promise.all([drawnPng(a, 640, 420), drawnPng(a, 420, 640), drawnPng(a, 500, 500)]);
      await a
        .locator("[data-file-input]")
        .setInputFiles(buffers.map((buffer, index) => ({ name: `boat-${index}.png`, mimeType: "image/png", buffer })));
      await write(a, "Bob", "Three of many");
      const album = b.getByRole("article", { name: "3 pictures" });
      await album.locator("img:not([data-preview])").nth(2).waitFor();
      await album.getByText("Three of many").waitFor();
      expect(await axeViolations(b)).toEqual([]);
      await photograph(b, "chat-album");
      await album.getByRole("button", { name: "Picture boat-1.webp" }).click();
      await b.getByRole("dialog").getByText("boat-1.webp").first().waitFor();
      await b.keyboard.press("Escape");
      const own = a.getByRole("article", { name: "3 pictures" }).getByRole("listitem").nth(1);
      await own.hover();
      await own.getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Delete for everyone" }).click();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Delete for everyone" }).click();
      await bubble(b, "This message was deleted").nth(1).waitFor();
      expect(await b.getByRole("article", { name: "3 pictures" }).count()).toBe(0);
    });

    await world.step("find pictures, files and links of the chat at the person, and their messages from there", async () => {
      await openView(a, "Contacts");
      await a.getByRole("link", { name: /^Bob/ }).click();
      const part = a.getByRole("region", { name: "Pictures, files and links" });
      await part.getByRole("list", { name: "Pictures" }).getByRole("button", { name: "Picture harbour.webp" }).waitFor();
      await part.getByRole("list", { name: "Files" }).getByText("route.gpx").waitFor();
      await part.getByRole("button", { name: "Show links" }).press("Enter");
      const link = part.getByRole("list", { name: "Links" }).getByRole("button", { name: /^https:\/\/paths\.example\/harbour/ });
      await link.waitFor();
      await expectFocus(link);
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "person-shared");
      // What comes and goes meanwhile is there, and is gone.
      await write(b, "Alice", "https://paths.example/gone");
      const gone = part.getByRole("button", { name: /paths\.example\/gone/ });
      await gone.waitFor();
      await bubble(b, "paths.example/gone").hover();
      await bubble(b, "paths.example/gone").getByRole("button", { name: "Actions for this message" }).click();
      await b.getByRole("menuitem", { name: "Delete for everyone" }).click();
      await b.locator("[data-confirmation]").getByRole("button", { name: "Delete for everyone" }).click();
      await gone.waitFor({ state: "detached" });
      await link.click();
      await a.locator("article[data-marked]").filter({ hasText: "From the boat" }).waitFor();
    });

    await world.step("find messages", async () => {
      await a.getByRole("searchbox", { name: "Search messages" }).fill("LUNCH friday");
      const hit = a.getByRole("list", { name: "Results" }).getByText("Shall we have lunch");
      await hit.waitFor();
      await photograph(a, "chat-search");
      await hit.click();
      await a.locator("article[data-marked]").filter({ hasText: "lunch on Friday" }).first().waitFor();
      await expect.poll(() => markedWords(a)).toEqual(expect.arrayContaining(["ARTICLE: lunch", "ARTICLE: Friday", "BUTTON: lunch"]));
      await expect.poll(() => isInView(a.locator("article").filter({ hasText: "lunch on Friday" }).first())).toBe(true);
      await photograph(a, "chat-search-found");
      await a.getByRole("searchbox", { name: "Search messages" }).press("Escape");
      await a.keyboard.press("Control+f");
      await a.getByRole("searchbox", { name: "Search in this chat" }).fill("usual place");
      await a.getByText("1 of 1").waitFor();
      await expect.poll(() => markedWords(a)).toEqual(["ARTICLE: usual", "ARTICLE: place"]);
      await photograph(a, "chat-search-in-chat");
      await a.keyboard.press("Escape");
      await expectFocus(a.getByRole("textbox", { name: "Message to Bob" }));
      await expect.poll(() => markedWords(a)).toEqual([]);
      await a.keyboard.press("Control+k");
      await a.keyboard.type("usual place");
      await a.getByRole("option", { name: /At noon, the usual place/ }).waitFor();
      await a.keyboard.press("Escape");
    });
  });

  it("is searched by kinds, selected from, muted, and changed by its people", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];
    const bubble = (page: typeof a, text: string): ReturnType<typeof a.getByRole> => page.getByRole("article").filter({ hasText: text });

    await world.step("narrow the search to kinds, and take that back", async () => {
      const filters = a.getByRole("button", { name: "Search filters" }).first();
      await filters.press("Enter");
      const form = a.getByRole("dialog", { name: "Search filters" });
      await form.getByRole("checkbox", { name: "Pictures" }).click();
      await photograph(a, "chat-search-filters");
      expect(await axeViolations(a)).toEqual([]);
      await a.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
      await a.getByRole("list", { name: "Results" }).getByText("tower.webp").waitFor();
      expect(await a.getByRole("list", { name: "Results" }).getByText("route.gpx").count()).toBe(0);
      await photograph(a, "chat-search-pictures");
      await a.getByRole("button", { name: "Remove filter: Pictures" }).press("Enter");
      await a.getByRole("list", { name: "Results" }).waitFor({ state: "detached" });
      await expect.poll(() => a.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe("search");
    });

    await world.step("select several messages by keyboard and pointer, star, copy, forward and delete them", async () => {
      const list = a.getByRole("region", { name: "Messages with Bob" });
      await list.evaluate((element) => element.scrollTo({ top: 0 }));
      await bubble(a, "With pleasure.").first().hover();
      await bubble(a, "With pleasure.").first().getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Select", exact: true }).click();
      await a.getByText("1 message selected").waitFor();
      await expect.poll(() => a.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/With pleasure\.$/);
      await a.keyboard.press("Shift+ArrowUp");
      await a.getByText("2 messages selected").waitFor();
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "chat-select");
      await a.getByRole("region", { name: "Selected messages" }).getByRole("button", { name: "Star" }).press("Enter");
      await a.getByText("2 messages selected").waitFor({ state: "detached" });
      await expect.poll(() => list.getByRole("img", { name: "Starred" }).count()).toBe(2);

      await bubble(a, "With pleasure.")
        .first()
        .locator("time")
        .click({ modifiers: ["Control"] });
      await a.getByText("1 message selected").waitFor();
      await a.keyboard.press("Escape");
      await a.getByText("1 message selected").waitFor({ state: "detached" });
      await a.getByRole("textbox", { name: "Message to Bob" }).waitFor();

      await bubble(a, "With pleasure.")
        .first()
        .locator("time")
        .click({ modifiers: ["Shift"] });
      await a.getByRole("checkbox", { name: /the usual place/ }).click({ modifiers: ["Shift"] });
      await a.getByText("2 messages selected").waitFor();
      await a.getByRole("region", { name: "Selected messages" }).getByRole("button", { name: "Forward" }).click();
      await a.getByRole("dialog", { name: "Forward to" }).getByRole("checkbox", { name: "Note to self" }).click();
      await photograph(a, "chat-select-forward");
      await a.getByRole("dialog", { name: "Forward to" }).getByRole("button", { name: "Forward" }).click();
      await a.getByText("Forwarded").first().waitFor();

      const deleted = await bubble(b, "This message was deleted").count();
      await bubble(b, "This message was deleted")
        .first()
        .locator("time")
        .click({ modifiers: ["Control"] });
      await b.getByRole("region", { name: "Selected messages" }).getByRole("button", { name: "Delete for me" }).click();
      await photograph(b, "chat-select-delete");
      await b.locator("[data-confirmation]").getByRole("button", { name: "Delete for me" }).click();
      await b.getByRole("region", { name: "Selected messages" }).waitFor({ state: "detached" });
      await expect.poll(() => bubble(b, "This message was deleted").count()).toBe(deleted - 1);
    });

    await world.step("ask before one message is deleted for oneself", async () => {
      const deleted = await bubble(b, "This message was deleted").count();
      await bubble(b, "This message was deleted").first().getByText("This message was deleted").click({ button: "right" });
      await b.getByRole("menuitem", { name: "Delete for me" }).click();
      const question = b.getByRole("dialog", { name: "Delete this message for you?" });
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      expect(await bubble(b, "This message was deleted").count()).toBe(deleted);
    });

    await world.step("delete for oneself a message, several and the chat, and undo each", async () => {
      const articles = b.getByRole("article");
      const before = await articles.count();
      const deleteChosen = async (): Promise<void> =>
        b
          .locator("[data-confirmation]")
          .getByRole("button", { name: /^Delete/ })
          .click();
      const undo = async (title: string): Promise<void> => {
        await b.getByRole("dialog", { name: title }).getByRole("button", { name: "Undo" }).click();
        await b.getByText(title).waitFor({ state: "detached" });
        await expect.poll(() => articles.count()).toBe(before);
      };
      await articles.last().locator("time").click({ button: "right" });
      await b.getByRole("menuitem", { name: "Delete for me" }).click();
      // The window is there for a moment still: a double click deletes once, and one note undoes it.
      await b.emulateMedia({ reducedMotion: "no-preference" });
      await b.locator("[data-confirmation]").getByRole("button", { name: "Delete" }).dblclick();
      await b.locator("[data-confirmation]").waitFor({ state: "detached" });
      await expect.poll(() => articles.count()).toBe(before - 1);
      expect(await b.getByRole("dialog", { name: "Message deleted for you" }).count()).toBe(1);
      await photograph(b, "chat-delete-undo");
      await undo("Message deleted for you");

      await articles
        .last()
        .locator("time")
        .click({ modifiers: ["Control"] });
      await b.getByText("1 message selected").waitFor();
      await b.keyboard.press("Shift+ArrowUp");
      await b.getByText("2 messages selected").waitFor();
      await b.getByRole("region", { name: "Selected messages" }).getByRole("button", { name: "Delete for me" }).click();
      await deleteChosen();
      await expect.poll(() => articles.count()).toBe(before - 2);
      await undo("2 messages deleted for you");

      await b.getByRole("main").getByRole("button", { name: "More actions" }).click();
      await b.getByRole("menuitem", { name: "Delete chat" }).click();
      await b.getByRole("dialog", { name: "Delete this chat?" }).waitFor();
      await deleteChosen();
      await b.getByRole("link", { name: /^Alice/ }).waitFor({ state: "detached" });
      // Its button "⋯" is gone with it.
      await expect.poll(() => b.evaluate(() => document.activeElement !== document.body)).toBe(true);
      await b.getByRole("dialog", { name: "Chat deleted" }).getByRole("button", { name: "Undo" }).click();
      await b.getByRole("link", { name: /^Alice/ }).click();
      await expect.poll(() => articles.count()).toBe(before);
    });

    await world.step("hold every part of it to the accessibility rules", async () => {
      expect(await axeViolations(a)).toEqual([]);
    });

    await world.step("pin, mute and archive", async () => {
      await a.getByRole("main").getByRole("button", { name: "More actions" }).click();
      await photograph(a, "chat-menu");
      await a.getByRole("menuitem", { name: "Pin" }).click();
      await a.getByRole("img", { name: "Pinned" }).waitFor();
      await a.getByRole("main").getByRole("button", { name: "More actions" }).click();
      await a.getByRole("menuitem", { name: "Archive" }).click();
      await a.getByRole("radio", { name: "Archived" }).waitFor();
      await write(b, "Alice", "Are you there?");
      await a.getByRole("radio", { name: "Archived" }).waitFor({ state: "detached" });
    });

    await world.step("save a backup, and restore it with the right password only", async () => {
      await a.getByRole("button", { name: "More for all chats" }).click();
      await a.getByRole("menuitem", { name: "Back up chats" }).click();
      await a.getByText("None yet").waitFor();
      await a.getByRole("dialog", { name: "Save a backup" }).waitFor();
      await a.keyboard.press("Escape");
      await expectFocus(a.getByRole("button", { name: "Save a backup" }));
      // It opened once, not again.
      await a.getByRole("dialog", { name: "Save a backup" }).waitFor({ state: "detached" });
      await openView(a, "Inbox");
      await a.getByRole("button", { name: "More for all chats" }).click();
      await a.getByRole("menuitem", { name: "Back up chats" }).click();
      await a.getByRole("textbox", { name: "Password", exact: true }).fill("seven purple kettles sing");
      await a.getByRole("textbox", { name: "Repeat the password" }).fill("seven purple kettles sing");
      const saving = a.waitForEvent("download");
      await a.getByRole("dialog").getByRole("button", { name: "Save a backup" }).click();
      const path = await (await saving).path();
      await a.getByText("None yet").waitFor({ state: "detached" });
      await a.getByRole("button", { name: "Restore a backup" }).click();
      await a.getByLabel("Backup file").setInputFiles(path);
      await a.getByRole("textbox", { name: "Backup password" }).fill("not the password");
      await a.getByRole("dialog").getByRole("button", { name: "Restore a backup" }).click();
      await a.getByText("Wrong password, or the file is damaged").waitFor();
      await photograph(a, "chat-backup");
      await a.getByRole("textbox", { name: "Backup password" }).fill("seven purple kettles sing");
      await a.getByRole("dialog").getByRole("button", { name: "Restore a backup" }).click();
      await a.getByText("0 messages restored").first().waitFor();
      expect(await axeViolations(a)).toEqual([]);
    });

    await world.step("see what chats take, remove the files of one here, and choose what notifies", async () => {
      await a.getByRole("link", { name: "Storage" }).click();
      await a
        .getByText(/^\d+ messages · \d+ files · /)
        .first()
        .waitFor();
      await photograph(a, "settings-storage");
      expect(await axeViolations(a)).toEqual([]);
      await a.getByRole("button", { name: "Delete files Bob" }).click();
      await photograph(a, "settings-storage-delete");
      await a.locator("[data-confirmation]").getByRole("button", { name: "Delete files" }).click();
      await a
        .getByText(/files? deleted, /)
        .first()
        .waitFor();
      await a.getByRole("button", { name: "Delete files Bob" }).waitFor({ state: "detached" });
      await a.getByRole("link", { name: "Notifications" }).click();
      await a.getByText("No chat is muted.").waitFor();
      await a.getByRole("combobox", { name: "Notification content" }).click();
      await a.getByRole("option", { name: "Name only" }).click();
      await photograph(a, "settings-notifications");
      expect(await axeViolations(a)).toEqual([]);
      await openView(a, "Inbox");
    });

    await world.step("let messages disappear", async () => {
      await b.getByRole("main").getByRole("button", { name: "More actions" }).click();
      await b.getByRole("menuitem", { name: "Disappearing messages" }).click();
      await b.getByRole("combobox", { name: "Remove messages after" }).click();
      await b.getByRole("option", { name: "5 minutes" }).click();
      await photograph(b, "chat-timer");
      await b.getByRole("button", { name: "Save" }).click();
      const list = a.getByRole("region", { name: "Messages with Bob" });
      await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await a.getByText("Bob: Messages disappear 5 minutes after they're read").first().waitFor();
      await write(b, "Alice", "This will not stay.");
      await bubble(a, "This will not stay.").getByRole("img", { name: "Disappears after reading" }).waitFor();
      await b.getByRole("img", { name: "Disappearing messages: 5 minutes after reading" }).waitFor();
    });

    await world.step("take another name and a picture, sent with the next message and marked as chosen", async () => {
      await openView(b, "Settings");
      const picture = b.locator("input[type=file]");
      await picture.setInputFiles({ name: "no-picture.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
      await b.getByText("This picture can't be read here").first().waitFor();
      await picture.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: await drawnPng(b, 900, 1_600) });
      await b.getByRole("button", { name: "Change picture" }).waitFor();
      expect(await axeViolations(b)).toEqual([]);
      await b.getByRole("textbox", { name: "Name", exact: true }).fill("Robert");
      await b.getByRole("button", { name: "Save" }).click();
      await b.getByText("Saved; sent with your next messages").first().waitFor();
      await photograph(b, "chat-own-name");
      await openView(b, "Inbox");
      await write(b, "Alice", "Call me Robert.");
      await a.getByRole("heading", { level: 1, name: /^Robert \(….{5}\)$/ }).waitFor();
      await a.getByRole("button", { name: /^About Robert/ }).click();
      await a.getByText("Name they chose: Robert").waitFor();
      await expect.poll(() => a.locator("header img[src^='data:image/webp']").count()).toBeGreaterThan(0);
      expect(
        await a
          .getByRole("link", { name: /^Robert/ })
          .locator("img[src^='data:image/webp']")
          .count(),
      ).toBe(1);
      await photograph(a, "chat-profile-name");
    });

    await world.step("prefer one's own name for them to the one they sent", async () => {
      await a.getByRole("link", { name: "Open contact" }).click();
      await a.getByRole("heading", { level: 1, name: /^Robert \(….{5}\)$/ }).waitFor();
      await a.getByText("Name in messages").waitFor();
      await a.getByRole("textbox", { name: "Your name for them" }).fill("Bobby");
      await a.getByRole("heading", { level: 1, name: "Bobby", exact: true }).waitFor();
      await openView(a, "Inbox");
      await a.getByRole("link", { name: /^Bobby/ }).waitFor();
      await expect.poll(() => a.getByText("Robert (").count()).toBe(0);
    });
  });
});

/** Where a page asks for the block that a contact's node knows. */
const COMPARED_BLOCKS = "**/api/blocks?*before=*";

/** Shows the page other blocks than the node has. */
async function showAnotherChain(page: BrowserProfile["page"]): Promise<void> {
  await page.route(COMPARED_BLOCKS, async (route) => {
    const response = await route.fetch();
    const blocks = (await response.json()) as readonly object[];
    await route.fulfill({ response, json: blocks.map((block) => ({ ...block, hash: "0f".repeat(32) })) });
  });
}

/** Words that are marked as found, with the kind of element that they are in. */
function markedWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("parley-found") ?? [])].map(
      (range) => `${range.startContainer.parentElement?.closest("article, button")?.tagName}: ${String(range)}`,
    ),
  );
}

/** True where all of an element is within its chat. */
function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((own) => {
    const [inner, outer] = [own.getBoundingClientRect(), own.closest("[data-chat-log]")?.getBoundingClientRect()];
    return outer !== undefined && inner.top >= outer.top && inner.bottom <= outer.bottom;
  });
}

/** Whole pixels between a picture and the edges of its bubble: left, top, right, bottom. */
function marginsIn(picture: Locator): Promise<readonly number[]> {
  return picture.evaluate((own) => {
    const [inner, outer] = [own.getBoundingClientRect(), own.closest("[class*=_bubble_]")?.getBoundingClientRect()];
    if (outer === undefined) return [];
    return [inner.left - outer.left, inner.top - outer.top, outer.right - inner.right, outer.bottom - inner.bottom].map(Math.round);
  });
}

/** What a screen reader says of an element behind its name. */
function descriptionOf(element: Locator): Promise<string> {
  return element.evaluate((field) => {
    const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  });
}
