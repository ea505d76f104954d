// What people do in a chat beside writing, in real browsers on a real node: voice messages, polls, pinned messages, the export. By roles and names only.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { unseenInForcedColours } from "./support/forced-colours.ts";
import { expectFocus } from "./support/keyboard.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { expectMotionStops } from "./support/motion.ts";
import { introduce, openView, unlock, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

/** What is read aloud as it comes. */
const said = (page: Page, text: string): Locator => page.locator("[aria-live='polite'][role='status']").filter({ hasText: text });
/** What is read with a field. */
const descriptionOf = (field: Element): string =>
  (field.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "")
    .join(" ");

/** As in a new session in a window of the usual size: without what was open, in the chat with a person. */
async function reopen(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ forcedColors: "none" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await unlock(page);
  await openView(page, "Inbox");
  await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("textbox", { name: `Message to ${name}` }).waitFor();
}

describe("a chat", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("chat-features");
    [alice, bob] = await Promise.all([world.enter("alice", { hasMicrophone: true }), world.enter("bob")]);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await openView(alice.page, "Inbox");
    await alice.page.getByRole("link", { name: /^Bob/ }).click();
    await write(alice.page, "Bob", "Hello Bob");
    await openView(bob.page, "Inbox");
    await bob.page.getByRole("link", { name: /^Alice/ }).click();
    await bob.page.getByRole("article").filter({ hasText: "Hello Bob" }).waitFor();
  });

  // Wherever a test failed, the next one begins at the open chat.
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    await Promise.all([reopen(alice.page, "Bob"), reopen(bob.page, "Alice")]);
  });

  afterAll(async () => {
    expect([...(alice?.errors ?? []), ...(bob?.errors ?? [])]).toEqual([]);
    await world?.[Symbol.asyncDispose]();
  });

  it("takes voice messages, which play on in other views and one after the other", async () => {
    const [a, b] = [alice.page, bob.page];
    const recorder = a.getByRole("group", { name: /^Voice message/ });

    await world.step("discard a recording with Escape", async () => {
      await a.getByRole("button", { name: "Record a voice message" }).press("Enter");
      await recorder.getByText(/^0:0[1-9]$/).waitFor();
      await expectMotionStops(recorder, "the recorder");
      await photograph(a, "voice-recording");
      await a.keyboard.press("Escape");
      await recorder.waitFor({ state: "detached" });
      await a.getByRole("textbox", { name: "Message to Bob" }).waitFor();
    });

    await world.step("record by holding the button, listen, and send", async () => {
      await a.getByRole("button", { name: "Record a voice message" }).hover();
      await a.mouse.down();
      // So long that it still plays while what follows is done on a busy machine.
      await recorder.getByText(/^0:1[5-9]$/).waitFor();
      await a.mouse.up();
      await recorder.getByRole("button", { name: "Play" }).click();
      await recorder.getByRole("button", { name: "Pause" }).waitFor();
      await photograph(a, "voice-review");
      expect(await axeViolations(a)).toEqual([]);
      await recorder.getByRole("button", { name: "Send voice message" }).click();
      await a.getByRole("article").getByRole("slider", { name: "Position" }).waitFor();
    });

    await world.step("record a second one by clicks alone", async () => {
      await a.getByRole("button", { name: "Record a voice message" }).click();
      await recorder.getByText(/^0:0[1-9]$/).waitFor();
      // Each frame: how high the new one is, from the first moment on.
      await Promise.all([a, b].map((page) => page.evaluate(watchVoiceHeights)));
      await recorder.getByRole("button", { name: "Send voice message" }).click();
      await expect.poll(() => b.getByRole("article").getByRole("slider", { name: "Position" }).count()).toBe(2);
      await a
        .getByRole("article")
        .filter({ has: a.getByRole("slider") })
        .nth(1)
        .getByRole("img", { name: /^(Delivered|Read)$/ })
        .waitFor();
      for (const page of [a, b]) {
        const heights = await page.evaluate(() => (globalThis as unknown as { voiceHeights: readonly number[] }).voiceHeights);
        expect(heights).toHaveLength(1);
      }
    });

    await world.step("play it, move in it by keyboard, faster, and hear the next one while looking at the wallet", async () => {
      const [first, second] = [0, 1].map((index) =>
        b
          .getByRole("article")
          .filter({ has: b.getByRole("slider") })
          .nth(index),
      );
      if (first === undefined || second === undefined) throw new Error("no recordings");
      await photograph(b, "voice-received");
      // Its length and the time of the message stand in one row.
      expect((await first.boundingBox())?.height).toBeLessThan(76);
      const position = first.getByRole("slider", { name: "Position" });
      await first.getByRole("button", { name: /^Play, \d+ s/ }).click();
      await said(b, "Playing").waitFor({ state: "attached" });
      await first.getByRole("button", { name: /^Pause, \d+ s/ }).waitFor();
      await first.getByRole("button", { name: "Speed 1×" }).click();
      await first.getByRole("button", { name: "Speed 1.5×" }).click();
      await first.getByRole("button", { name: "Speed 2×" }).waitFor();
      await first.getByRole("button", { name: "Pause" }).click();
      await position.press("ArrowRight");
      await b.emulateMedia({ forcedColors: "active" });
      await first.locator("rect[data-played]").first().waitFor();
      expect(await unseenInForcedColours(b), "unseen in forced colours").toEqual([]);
      await photograph(b, "voice-forced");
      await b.emulateMedia({ forcedColors: "none" });
      await position.press("Home");
      expect(await position.getAttribute("aria-valuenow")).toBe("0");
      expect(await position.getAttribute("aria-valuetext")).toMatch(/^0:00 of 0:\d\d$/);
      await first.getByRole("button", { name: "Play" }).press("Enter");
      await openView(b, "Wallet");
      const bar = b.getByRole("region", { name: "Voice message from Alice" });
      await bar.getByRole("button", { name: "Speed 2×" }).waitFor();
      await photograph(b, "voice-bar");
      expect(await axeViolations(b)).toEqual([]);
      await bar.getByRole("link", { name: "Voice message from Alice" }).click();
      await second
        .getByRole("button", { name: "Pause" })
        .or(second.getByRole("button", { name: "Speed 2×" }))
        .first()
        .waitFor();
      await bar.waitFor({ state: "detached" });
    });
  });

  it("sends later what can still be changed, deleted or sent at once", async () => {
    const [a, b] = [alice.page, bob.page];
    const field = a.getByRole("textbox", { name: "Message to Bob" });
    const bar = a.getByRole("button", { name: /^Scheduled/ });
    const list = a.getByRole("dialog", { name: "Scheduled messages" });

    await world.step("choose a time by keyboard, and another with the other mouse button", async () => {
      await field.fill("Bring the tickets, please");
      await field.press("Alt+Enter");
      const dialog = a.getByRole("dialog", { name: "Send later" });
      await dialog.getByRole("button", { name: /^Tomorrow/ }).waitFor();
      await photograph(a, "later-choose");
      expect(await axeViolations(a)).toEqual([]);
      await dialog.getByRole("button", { name: /^Tomorrow/ }).press("Enter");
      await bar.waitFor();
      expect(await field.inputValue()).toBe("");
      await field.fill("Good moning");
      await a.getByRole("button", { name: "Send" }).click({ button: "right" });
      await dialog.getByLabel("Date and time").fill("2020-01-01T09:00");
      await dialog.getByRole("button", { name: "Schedule" }).click();
      await dialog.getByText("Choose a time within the next year.").waitFor();
      await dialog.getByRole("button", { name: /^In 1 hour/ }).click();
      await a.getByRole("button", { name: /^Scheduled \(2\) *Good moning/ }).waitFor();
      await photograph(a, "later-bar");
    });

    await world.step("mend the words, delete one, and send the other now", async () => {
      await bar.press("Enter");
      await list.getByText("Your node will send it, even while Parley is closed").nth(1).waitFor();
      await photograph(a, "later-list");
      expect(await axeViolations(a)).toEqual([]);
      const row = (words: string): ReturnType<typeof list.getByRole> => list.getByRole("listitem").filter({ hasText: words });
      await row("Bring the tickets").getByRole("button", { name: "Change time" }).press("Enter");
      await expectFocus(a.getByRole("dialog", { name: "Change time" }).getByLabel("Date and time"));
      // From the form to the list, whose button has the focus again.
      await a.keyboard.press("Escape");
      await expectFocus(row("Bring the tickets").getByRole("button", { name: "Change time" }));
      await row("Good moning").getByRole("button", { name: "Edit text" }).click();
      const edit = a.getByRole("dialog", { name: "Edit text" });
      await edit.getByRole("textbox", { name: "Message" }).fill("Good morning");
      // Escape leads to the list, and loses nothing.
      await a.keyboard.press("Escape");
      await row("Good moning").getByText("Edited, not saved").waitFor();
      await row("Good moning").getByRole("button", { name: "Edit text" }).click();
      await edit.getByRole("button", { name: "Save" }).click();
      await expectFocus(row("Good morning").getByRole("button", { name: "Edit text" }));
      await row("Bring the tickets").getByRole("button", { name: "Delete" }).click();
      await row("Bring the tickets").waitFor({ state: "detached" });
      await row("Good morning").getByRole("button", { name: "Send now" }).click();
      await b.getByRole("article").filter({ hasText: "Good morning" }).waitFor();
      await bar.waitFor({ state: "detached" });
      expect(await b.getByText("tickets").count()).toBe(0);
    });
  });

  it("holds polls, with names, whose votes can be changed until their author closes them", async () => {
    const [a, b] = [alice.page, bob.page];
    const poll = (page: typeof a): ReturnType<typeof a.getByRole> => page.getByRole("article").filter({ hasText: "Which day?" });

    await world.step("ask by keyboard, with a third answer", async () => {
      await a.getByRole("button", { name: "Attach" }).press("Enter");
      await a.getByRole("menuitem", { name: "Poll" }).press("Enter");
      const dialog = a.getByRole("dialog", { name: "New poll" });
      await dialog.getByRole("textbox", { name: "Question" }).fill("Which day?");
      await dialog.getByRole("textbox", { name: "Answer 1" }).fill("Saturday");
      await dialog.getByRole("textbox", { name: "Answer 2" }).fill("Saturday");
      await dialog.getByText("Two answers are the same.").waitFor();
      // Read when it comes, and again with the field.
      await said(a, "Two answers are the same.").waitFor({ state: "attached" });
      expect(await dialog.getByRole("textbox", { name: "Answer 2" }).evaluate(descriptionOf)).toBe("Two answers are the same.");
      await dialog.getByRole("textbox", { name: "Answer 2" }).fill("Sunday");
      await dialog.getByRole("button", { name: "Add answer" }).press("Enter");
      await a.keyboard.type("Some other day");
      expect(await dialog.getByRole("textbox", { name: "Answer 3" }).inputValue()).toBe("Some other day");
      await dialog.getByRole("button", { name: "Add answer" }).press("Enter");
      await dialog.getByRole("button", { name: "Remove answer 4" }).press("Enter");
      await expect
        .poll(() => dialog.getByRole("textbox", { name: "Answer 3" }).evaluate((field) => field === document.activeElement))
        .toBe(true);
      await photograph(a, "poll-new");
      expect(await axeViolations(a)).toEqual([]);
      await dialog.getByRole("button", { name: "Send poll" }).click();
    });

    await world.step("choose two answers of another poll in one moment, and both count", async () => {
      // What is typed in the chat meanwhile stays where it is.
      await a.getByRole("textbox", { name: "Message to Bob" }).fill("not yet");
      await a.getByRole("button", { name: "Attach" }).press("Enter");
      await a.getByRole("menuitem", { name: "Poll" }).press("Enter");
      const dialog = a.getByRole("dialog", { name: "New poll" });
      await dialog.getByRole("textbox", { name: "Question" }).fill("What to bring?");
      await dialog.getByRole("textbox", { name: "Answer 1" }).fill("Bread");
      await dialog.getByRole("textbox", { name: "Answer 2" }).fill("Cheese");
      await dialog.getByRole("checkbox", { name: "Allow several answers" }).click();
      await dialog.getByRole("button", { name: "Send poll" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await a.getByRole("textbox", { name: "Message to Bob" }).inputValue()).toBe("not yet");
      await a.getByRole("textbox", { name: "Message to Bob" }).fill("");
      const several = a.getByRole("article").filter({ hasText: "What to bring?" });
      await several.getByRole("button", { name: "Cheese" }).waitFor();
      await several.getByRole("group", { name: "What to bring?", exact: true }).evaluate((answers) => {
        for (const button of answers.querySelectorAll("button")) button.click();
      });
      await several.getByRole("button", { name: "Bread", pressed: true }).waitFor();
      await several.getByRole("button", { name: "Cheese", pressed: true }).waitFor();
    });

    await world.step("vote on both sides, and otherwise", async () => {
      // The other poll and the vote in it are there, which move the rows above.
      await b
        .getByRole("article")
        .filter({ hasText: "What to bring?" })
        .getByText(/^1 person voted/)
        .waitFor();
      for (const page of [a, b]) await takeShifts(page);
      await poll(b).getByRole("button", { name: "Sunday" }).click();
      await said(b, "You voted for “Sunday”").waitFor({ state: "attached" });
      await poll(a).getByText("Bob", { exact: true }).waitFor();
      for (const page of [a, b]) expect(await takeShifts(page, true), "what a vote moved").toEqual([]);
      await poll(b).getByRole("button", { name: "Saturday" }).press("Space");
      await poll(a).getByRole("button", { name: "Saturday" }).click();
      for (const page of [a, b])
        await expect
          .poll(() =>
            poll(page)
              .getByText(/^2 people voted/)
              .count(),
          )
          .toBe(1);
      await expect.poll(() => poll(a).getByRole("button", { name: "Saturday" }).textContent()).toBe("Saturday2");
      expect(await poll(b).getByRole("button", { name: "Sunday" }).getAttribute("aria-pressed")).toBe("false");
      // What a pointer shows beside a message would hide the one above it.
      await b.mouse.move(0, 0);
      for (const [person, page] of Object.entries({ a, b })) await photograph(page, `poll-${person}`);
      expect(await axeViolations(b)).toEqual([]);
    });

    await world.step("close it", async () => {
      expect(await poll(b).getByRole("button", { name: "Close poll" }).count()).toBe(0);
      await poll(a).getByRole("button", { name: "Close poll" }).press("Enter");
      await expect.poll(() => a.evaluate(() => document.activeElement?.textContent)).toBe("Poll closed");
      await poll(b).getByText("Poll closed").waitFor();
      expect(await poll(b).getByRole("button", { name: "Sunday" }).isDisabled()).toBe(true);
    });
  });

  it("keeps pinned messages in sight of both", async () => {
    const [a, b] = [alice.page, bob.page];
    const bar = (page: typeof a): ReturnType<typeof a.getByRole> => page.getByRole("region", { name: "Pinned messages" });
    const pin = async (text: string): Promise<void> => {
      const bubble = a.getByRole("article").filter({ hasText: text });
      await bubble.hover();
      await bubble.getByRole("button", { name: "Actions for this message" }).click();
      await a.getByRole("menuitem", { name: "Pin" }).click();
    };
    await world.step("pin two, go to them by the bar, and take one down on the other side", async () => {
      await pin("Hello Bob");
      await bar(b).getByText("Hello Bob").waitFor();
      await pin("Which day?");
      await bar(b).getByText("Pinned message 2 of 2").waitFor();
      await photograph(b, "pinned");
      expect(await axeViolations(b)).toEqual([]);
      await bar(b)
        .getByRole("button", { name: /Which day/ })
        .click();
      await bar(b)
        .getByRole("button", { name: /Hello Bob/ })
        .press("Enter");
      await expect.poll(() => b.locator("[data-marked]").filter({ hasText: "Hello Bob" }).count()).toBe(1);
      await bar(b).getByRole("button", { name: "Unpin this message" }).click();
      await bar(a).getByText("Pinned message", { exact: true }).waitFor();
    });
  });

  it("is found again: starred messages, and a chat that is marked as unread", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];
    const bubble = a.getByRole("article").filter({ hasText: "Hello Bob" });
    const starred = a.getByRole("dialog", { name: "Starred messages" });
    await world.step("star one by its menu, find it among all and go to it", async () => {
      await bubble.getByText("Hello Bob").click({ button: "right" });
      await a.getByRole("menuitem", { name: "Star", exact: true }).press("Enter");
      await bubble.getByRole("img", { name: "Starred" }).waitFor();
      await a.getByRole("button", { name: "More for all chats" }).press("Enter");
      await a.getByRole("menuitem", { name: "Starred messages" }).press("Enter");
      await starred.getByText("Hello Bob").waitFor();
      await photograph(a, "starred");
      expect(await axeViolations(a)).toEqual([]);
      await starred.getByRole("button", { name: /Hello Bob/ }).press("Enter");
      await a.locator("article[data-marked]").filter({ hasText: "Hello Bob" }).waitFor();
    });
    await world.step("open the menu of a message in the moment in which its chat comes", async () => {
      await openView(a, "Wallet");
      await a.evaluate(() => {
        new MutationObserver((_changes, observer) => {
          const text = [...document.querySelectorAll("article p")].find(({ textContent }) => textContent === "Hello Bob");
          if (text === undefined) return;
          observer.disconnect();
          const press = (): unknown => text.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
          requestAnimationFrame(() => requestAnimationFrame(press));
        }).observe(document, { childList: true, subtree: true });
      });
      await a.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
      await a.getByRole("menuitem", { name: "Message info" }).waitFor();
      await a.keyboard.press("Escape");
      await a.getByRole("menuitem", { name: "Message info" }).waitFor({ state: "detached" });
    });
    await world.step("read when it was sent, delivered and read, and how often it changed", async () => {
      await bubble.getByText("Hello Bob").click({ button: "right" });
      await a.getByRole("menuitem", { name: "Message info" }).press("Enter");
      const info = a.getByRole("dialog", { name: "Message info" });
      const value = (label: string): Promise<string | null> =>
        info
          .locator("dt", { hasText: new RegExp(`^${label}$`) })
          .locator("xpath=following-sibling::dd")
          .textContent();
      for (const label of ["Written", "Sent", "Delivered", "Read"]) expect(await value(label), label).toMatch(/\d/);
      expect(await value("Size")).toBe("9 bytes");
      await photograph(a, "message-info");
      expect(await axeViolations(a)).toEqual([]);
      await a.keyboard.press("Escape");
    });
    await world.step("take the star away where the chat lists it", async () => {
      await a.getByRole("button", { name: "More actions" }).click();
      await a.getByRole("menuitem", { name: "Starred messages" }).click();
      await starred.getByRole("button", { name: "Remove star" }).press("Enter");
      await starred.getByText("No starred messages").waitFor();
      await expect.poll(() => a.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Close");
      await photograph(a, "starred-none");
      await a.keyboard.press("Escape");
      await bubble.getByRole("img", { name: "Starred" }).waitFor({ state: "detached" });
    });
    await world.step("mark the chat as unread by the keyboard, which closes it, and as read by its menu", async () => {
      const row = b.getByRole("link", { name: /^Alice/ });
      await b.keyboard.press("Control+Shift+G");
      await row.getByRole("img", { name: "Marked as unread" }).waitFor();
      await b.getByRole("heading", { name: "Your messages" }).waitFor();
      await expect.poll(() => row.evaluate((link) => link === document.activeElement)).toBe(true);
      expect(await b.getByRole("status").filter({ hasText: "New message" }).count()).toBe(0);
      await photograph(b, "marked-unread");
      expect(await axeViolations(b)).toEqual([]);
      await row.click({ button: "right" });
      await b.getByRole("menuitem", { name: "Mark as read" }).click();
      await row.getByRole("img", { name: "Marked as unread" }).waitFor({ state: "detached" });
      await row.click();
      await b.getByRole("textbox", { name: "Message to Alice" }).waitFor();
    });
  });

  it("shows that the other one types, by dots that stand still for those who asked for less motion", async () => {
    const [a, b] = [alice.page, bob.page];
    for (const [page, other] of [
      [a, /^Bob/],
      [b, /^Alice/],
    ] as const) {
      await openView(page, "Settings");
      await page.getByRole("link", { name: "Privacy", exact: true }).click();
      await page.getByRole("switch", { name: "Typing indicators" }).press("Space");
      await openView(page, "Inbox");
      await page.getByRole("link", { name: other }).click();
    }
    const field = a.getByRole("textbox", { name: "Message to Bob" });
    const dots = b.getByRole("img", { name: "Alice is typing" });
    await field.pressSequentially("On Friday");
    await dots.waitFor();
    await expectMotionStops(dots, "the dots of typing");
    await field.fill("");
  });

  it("is put into folders by keyboard, which are named, ordered and removed", WHOLE_ONLY, async () => {
    const a = alice.page;
    const dialog = a.getByRole("dialog", { name: "Folders" });
    const tabs = a.getByRole("group", { name: "Show" });
    await world.step("make two from the menu of the chat, and put it into the second", async () => {
      await a.getByRole("link", { name: /^Bob/ }).focus();
      await a.keyboard.press("Shift+F10");
      await a.getByRole("menuitem", { name: "Folders" }).press("Enter");
      for (const name of ["Work", "Friends", "The people with whom we sing on every other Tuesday"]) {
        await dialog.getByRole("textbox", { name: "New folder" }).fill(name);
        await a.keyboard.press("Enter");
        await dialog.getByRole("checkbox", { name, checked: true }).waitFor();
      }
      await dialog.getByRole("checkbox", { name: "Work" }).press("Space");
      await dialog.getByRole("checkbox", { name: "Work", checked: false }).waitFor();
      await photograph(a, "folders-chat");
      expect(await axeViolations(a)).toEqual([]);
      await a.keyboard.press("Escape");
    });
    await world.step("go through them by Alt and Page Down, from all to the one with the chat", async () => {
      await tabs.getByRole("radio", { name: "All", checked: true }).waitFor();
      await a.keyboard.press("Alt+PageDown");
      await a.getByText("No chats in this folder").waitFor();
      await a.keyboard.press("Alt+PageDown");
      await tabs.getByRole("radio", { name: "Friends", checked: true }).waitFor();
      await a.getByRole("link", { name: /^Bob/ }).waitFor();
      await photograph(a, "folders-tabs");
      // Long names and many of them stay in the column of the list.
      const column = await a.getByRole("list", { name: "Friends" }).boundingBox();
      expect((await tabs.boundingBox())?.width).toBeLessThan((column?.width ?? 0) + 1);
      expect(await axeViolations(a)).toEqual([]);
    });
    await world.step("order, rename and remove them; in a small window too", async () => {
      await a.getByRole("button", { name: "More for all chats" }).press("Enter");
      await a.getByRole("menuitem", { name: "Folders" }).press("Enter");
      await dialog.getByRole("button", { name: "Move Friends up" }).press("Enter");
      await expect.poll(() => dialog.getByRole("textbox", { name: "Name of folder 1" }).inputValue()).toBe("Friends");
      await dialog.getByRole("textbox", { name: "Name of folder 1" }).fill("Close friends");
      // At once: what the field saves when it is left and what the button does both count.
      await dialog.getByRole("button", { name: "Move Friends down" }).click();
      await dialog.getByRole("button", { name: "Move Close friends up" }).press("Enter");
      await expect.poll(() => dialog.getByRole("textbox", { name: "Name of folder 1" }).inputValue()).toBe("Close friends");
      await dialog.getByRole("button", { name: "Remove folder Close friends" }).waitFor();
      const size = a.viewportSize();
      await a.setViewportSize({ width: 640, height: 400 });
      await photograph(a, "folders-small");
      if (size !== null) await a.setViewportSize(size);
      await photograph(a, "folders");
      expect(await axeViolations(a)).toEqual([]);
      for (const name of ["Work", "Close friends", "The people with whom we sing on every other Tuesday"])
        await dialog.getByRole("button", { name: `Remove folder ${name}` }).press("Enter");
      await dialog.getByText("No folders yet").waitFor();
      await a.keyboard.press("Escape");
      await tabs.waitFor({ state: "detached" });
      // The list was that of one of them.
      await a.getByRole("list", { name: "Chats", exact: true }).waitFor();
      await a.getByRole("link", { name: /^Bob/ }).click();
    });
  });

  it("has previews of links, made by their author's node once that is switched on, and asked for by no one else", async () => {
    const [a, b] = [alice.page, bob.page];
    const asked: unknown[] = [];
    const picture = await a.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 240, height: 126 });
      const context = canvas.getContext("2d");
      if (context !== null) context.fillStyle = "seagreen";
      context?.fillRect(0, 0, 240, 126);
      return canvas.toDataURL("image/png").replace(/^[^,]*,/, "");
    });
    await a.route("**/api/node/page", (route) => {
      asked.push(route.request().postDataJSON());
      const json = { title: "The hut in winter", description: "How to get there, and what to bring along.", picture_b64: picture };
      return route.fulfill({ json });
    });
    await b.route("**/api/node/page", (route) => {
      asked.push("by the reader");
      return route.abort();
    });
    const note = a.getByRole("region", { name: "Link preview" });
    const field = a.getByRole("textbox", { name: "Message to Bob" });
    const card = b.getByRole("button", { name: /^hut[.]example.*The hut in winter/ });

    await world.step("nothing is asked before", async () => {
      await write(a, "Bob", "Off: https://hut.example/winter");
      await b.getByRole("article").filter({ hasText: "Off: https" }).waitFor();
      expect(asked).toEqual([]);
      await openView(a, "Settings");
      await a.getByRole("link", { name: "Privacy", exact: true }).click();
      await a.getByRole("switch", { name: "Previews for links you send" }).press("Space");
      await photograph(a, "link-setting");
      await openView(a, "Inbox");
      await a.getByRole("link", { name: /^Bob/ }).click();
    });
    await world.step("a preview can be taken away", async () => {
      await field.fill("See https://hut.example/winter.");
      await note.getByText("The hut in winter").waitFor();
      await photograph(a, "link-note");
      expect(await axeViolations(a)).toEqual([]);
      await note.getByRole("button", { name: "Send without preview" }).press("Enter");
      await note.waitFor({ state: "detached" });
      await expectFocus(field);
      await field.press("Enter");
      await b.getByRole("article").filter({ hasText: "See https" }).waitFor();
    });
    await world.step("a preview is sent, and a press asks before it opens", async () => {
      await field.fill("On: https://hut.example/winter");
      await note.getByText("hut.example", { exact: true }).waitFor();
      await field.press("Enter");
      await card.waitFor();
      expect(await card.count()).toBe(1);
      await card.locator("img").waitFor();
      await photograph(b, "link-card");
      await a.getByRole("button", { name: /^hut[.]example.*The hut in winter/ }).waitFor();
      await photograph(a, "link-card-own");
      expect(await axeViolations(b)).toEqual([]);
      await card.press("Enter");
      await b.locator("[data-confirmation]").getByText("https://hut.example/winter").waitFor();
      await b.keyboard.press("Escape");
      await expectFocus(card);
    });
    await world.step("an edit keeps it, or drops it with the link", async () => {
      await field.press("ArrowUp");
      await note.getByText("The hut in winter").waitFor();
      await field.fill("Still: https://hut.example/winter");
      await field.press("Enter");
      await b
        .getByRole("article")
        .filter({ hasText: "Still: https" })
        .getByRole("button", { name: /The hut in winter/ })
        .waitFor();
      await field.press("ArrowUp");
      await field.fill("No link");
      await field.press("Enter");
      await card.waitFor({ state: "detached" });
    });
    expect(asked).toEqual([{ url: "https://hut.example/winter" }]);
    await a.unroute("**/api/node/page");
    await b.unroute("**/api/node/page");
  });

  it("sends stickers of one's own, which the other side adds by one press", async () => {
    const [a, b] = [alice.page, bob.page];
    const stickersOf = async (page: Page): Promise<Locator> => {
      await page.getByRole("button", { name: "Insert an emoji" }).click();
      const card = page.getByRole("dialog", { name: "Insert an emoji" });
      await card.getByText("Stickers", { exact: true }).click();
      return card;
    };
    const shown = b.getByRole("article").getByRole("button", { name: "🦊 Sticker" });

    await world.step("add a picture with transparency, and choose its emoji", async () => {
      const card = await stickersOf(a);
      await card.getByText(/^No stickers yet/).waitFor();
      await photograph(a, "stickers-none");
      const input = card.locator("[data-sticker-input]");
      await input.setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
      await card.getByText(/^This picture can't be used as a sticker/).waitFor();
      await input.setInputFiles({ name: "ring.png", mimeType: "image/png", buffer: await ringPng(a) });
      await card.getByText("Choose an emoji for this sticker").waitFor();
      await photograph(a, "sticker-emoji");
      await card.getByRole("searchbox", { name: "Search emoji" }).fill("fox");
      await card.getByRole("button", { name: "fox", exact: true }).waitFor();
      await a.keyboard.press("ArrowDown");
      await a.keyboard.press("Enter");
      await expectFocus(card.getByRole("button", { name: "🦊 Sticker" }));
      await card.getByRole("button", { name: "🦊 Sticker" }).locator("img").waitFor();
      await photograph(a, "stickers");
      expect(await axeViolations(a)).toEqual([]);
    });

    await world.step("send it by keyboard, and write on", async () => {
      await a.keyboard.press("Enter");
      await expectFocus(a.getByRole("textbox", { name: "Message to Bob" }));
      await shown.waitFor();
      const corner = await shown.locator("img").evaluate((picture) => {
        const context = new OffscreenCanvas(9, 9).getContext("2d");
        context?.drawImage(picture as HTMLImageElement, 0, 0, 9, 9);
        return [0, 1].map((y) => context?.getImageData(4 * y, y, 1, 1).data[3]);
      });
      expect(corner).toEqual([0, 255]);
      expect(await shown.boundingBox()).toMatchObject({ width: 160, height: 160 });
      await b
        .getByRole("link", { name: /^Alice/ })
        .filter({ hasText: "🦊 Sticker" })
        .waitFor();
      await photograph(a, "sticker-sent");
      await photograph(b, "sticker-received");
      expect(await axeViolations(b)).toEqual([]);
    });

    await world.step("add it on the other side, remove it, and undo that", async () => {
      await shown.press("Enter");
      await b.getByRole("dialog", { name: "🦊 Sticker" }).getByRole("button", { name: "Add to my stickers" }).press("Enter");
      await b.getByText("Added to your stickers").waitFor();
      await photograph(b, "sticker-viewed");
      await b.keyboard.press("Escape");
      const card = await stickersOf(b);
      const own = card.getByRole("button", { name: "🦊 Sticker" });
      await own.click({ button: "right" });
      await b.getByRole("menuitem", { name: "Move to front" }).waitFor();
      await photograph(b, "sticker-menu");
      await b.getByRole("menuitem", { name: "Remove sticker" }).click();
      await own.waitFor({ state: "detached" });
      await b.getByRole("button", { name: "Undo" }).click();
      await (await stickersOf(b)).getByRole("button", { name: "🦊 Sticker" }).waitFor();
      await b.keyboard.press("Escape");
    });
  });

  it("is exported as a page that stands alone", async () => {
    const { page } = bob;
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Export chat" }).click();
    const dialog = page.getByRole("dialog", { name: "Export chat" });
    await dialog.getByRole("checkbox", { name: "Include pictures and files" }).check();
    await photograph(page, "export");
    expect(await axeViolations(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Save" }).click()]);
    const html = await readFile(await download.path(), "utf8");
    expect(download.suggestedFilename()).toMatch(/^parley-chat-.*[.]html$/);
    const parts = ["Hello Bob", "Which day?", "Alice", "data:audio/webm;base64,", "🦊 Sticker", "data:image/webp;base64,"];
    expect(parts.filter((part) => !html.includes(part))).toEqual([]);
  });
});

/** Keeps the heights that the second recording of the chat has, until the page is left. Runs in the page. */
function watchVoiceHeights(): void {
  const heights: number[] = [];
  const look = (): void => {
    const row = [...document.querySelectorAll("article")].filter((one) => one.querySelector("[data-voice]") !== null)[1];
    const height = row === undefined ? undefined : Math.round(row.getBoundingClientRect().height);
    if (height !== undefined && heights.at(-1) !== height) heights.push(height);
    requestAnimationFrame(look);
  };
  look();
  Object.assign(globalThis, { voiceHeights: heights });
}

/** A ring on nothing, wider than a sticker. */
async function ringPng(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [900, 900];
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = "#e2711d";
    context.arc(450, 450, 450, 0, 2 * Math.PI);
    context.arc(450, 450, 200, 0, 2 * Math.PI, true);
    context.fill();
    return canvas.toDataURL("image/png");
  });
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
