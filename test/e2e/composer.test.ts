// Writing in real browsers: drafts, notes to self, emoji, pasted and dropped files, payments by command, and the mark above what is new.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { drawnPng } from "./support/drawn-png.ts";
import { expectFocus } from "./support/keyboard.ts";
import { introduce, messageState, openView, unlock, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

describe("writing", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("composer");
    [alice, bob] = await Promise.all([world.enter("alice"), world.enter("bob")]);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await alice.page.getByRole("link", { name: "Message" }).click();
    await alice.page.getByRole("textbox", { name: "Message to Bob" }).waitFor();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("keeps drafts, and takes emoji, pictures and files", async () => {
    const a = alice.page;
    const field = (page: Page, name: string): ReturnType<Page["getByRole"]> => page.getByRole("textbox", { name });
    const bubble = (page: Page, text: string): ReturnType<Page["getByRole"]> => page.getByRole("article").filter({ hasText: text });

    await world.step("write a note to oneself", async () => {
      await a.keyboard.press("Control+k");
      await a.keyboard.type("note to self");
      await a.keyboard.press("Enter");
      await field(a, "Note to self").fill("Buy a rope");
      await a.keyboard.press("Enter");
      await bubble(a, "Buy a rope").getByRole("img", { name: "Saved" }).waitFor();
    });

    await world.step("open a section of the settings from the palette, which has the focus then", async () => {
      await a.keyboard.press("Control+k");
      await a.keyboard.type("appearance");
      await a.keyboard.press("Enter");
      await a.waitForURL(/\/settings\/appearance$/);
      await expectFocus(a.getByRole("main"));
      await openView(a, "Inbox");
    });

    await world.step("keep a draft over other chats and a reload", async () => {
      await a.getByRole("link", { name: /^Bob/ }).click();
      await field(a, "Message to Bob").fill("Half a thought");
      await a.getByRole("link", { name: /^Note to self/ }).click();
      await a.getByRole("link", { name: /^Bob/ }).getByText("Draft").waitFor();
      await a.reload();
      await unlock(a);
      await a.getByRole("link", { name: /^Bob/ }).getByText("Half a thought").waitFor();
      await a.getByRole("link", { name: /^Bob/ }).click();
      await expectText(field(a, "Message to Bob"), "Half a thought");
    });

    await world.step("mark what is selected by the mouse: by a bar above it, and by a menu at it", async () => {
      const text = field(a, "Message to Bob");
      const bar = a.getByRole("group", { name: "Formatting" });
      const word = { position: { x: 24, y: 16 } };
      await text.fill("Friday, eight, *sharp*");
      await text.dblclick(word);
      await bar.getByRole("button", { name: "Bold", pressed: false }).click();
      expect(await text.inputValue()).toBe("*Friday*, eight, *sharp*");
      await expectFocus(text);
      await bar.getByRole("button", { name: "Bold", pressed: true }).waitFor();
      await bar.getByRole("button", { name: "Struck through" }).click();
      expect(await text.inputValue()).toBe("*~Friday~*, eight, *sharp*");
      await bar.getByRole("button", { pressed: true }).nth(1).waitFor();
      // The undo of the browser takes marks back, one after the other.
      await text.press("Control+z");
      await expectText(text, "*Friday*, eight, *sharp*");
      await text.press("Control+z");
      await expectText(text, "Friday, eight, *sharp*");
      await bar.waitFor({ state: "detached" });
      await text.press("Control+Shift+z");
      await text.press("Control+Shift+z");
      await expectText(text, "*~Friday~*, eight, *sharp*");
      await text.dblclick(word);
      await bar.getByRole("button", { pressed: true }).nth(1).waitFor();
      const [above, below] = [await bar.boundingBox(), await text.boundingBox()];
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan((below?.y ?? 0) + 8);
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "composer-marks");
      // Escape closes the bar and leaves the chat open.
      await a.keyboard.press("Escape");
      await bar.waitFor({ state: "detached" });
      await expectFocus(text);
      await text.dblclick(word);
      await text.click({ ...word, button: "right" });
      await a.getByRole("menuitem", { name: /^Code/ }).waitFor();
      await photograph(a, "composer-marks-menu");
      await a.getByRole("menuitem", { name: /^Cut/ }).click();
      await expect.poll(() => text.inputValue()).toBe("*~~*, eight, *sharp*");
      await expectFocus(text);
      expect(await a.evaluate(() => navigator.clipboard.readText())).toBe("Friday");
      await text.fill("Half a thought");
    });

    await world.step("insert an emoji where the cursor is", async () => {
      await a.getByRole("button", { name: "Insert an emoji" }).click();
      const search = a.getByRole("searchbox", { name: "Search emoji" });
      await a.getByRole("radio", { name: "Dark skin tone", exact: true }).check();
      await search.fill("waving");
      await a.getByRole("list", { name: "Emoji" }).getByRole("button", { name: "waving hand", exact: true }).waitFor();
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "emoji");
      await search.fill("rocket");
      await a.getByRole("list", { name: "Emoji" }).getByRole("button", { name: "rocket", exact: true }).waitFor();
      await search.press("ArrowDown");
      await a.keyboard.press("Enter");
      await expectText(field(a, "Message to Bob"), "Half a thought🚀");
      await a.getByRole("button", { name: "Insert an emoji" }).click();
      await a.getByRole("list", { name: "Emoji" }).getByRole("button", { name: "rocket", exact: true }).waitFor();
      expect(await a.getByRole("radio", { name: "Dark skin tone", exact: true }).isChecked()).toBe(true);
      await photograph(a, "emoji-recent");
      await a.keyboard.press("Escape");
      await field(a, "Message to Bob").focus();
      await a.keyboard.press("Enter");
      await bubble(a, "Half a thought").waitFor();
    });

    await world.step("paste a picture and drop a file", async () => {
      await give(a, "paste", { name: "pasted.txt", text: "from the clipboard" });
      await give(a, "drop", { name: "dropped.txt", text: "from the desktop" });
      // Anywhere: the list is as good as the chat, and a browser must not leave for the file.
      await give(a, "drop", { name: "beside.txt", text: "next to it", on: "nav" });
      const waiting = a.getByRole("list", { name: "Files to send" });
      await waiting.getByRole("button", { name: "Remove beside.txt" }).press("Enter");
      await expectFocus(field(a, "Message to Bob"));
      // Picked one after the other: what is read of the field is there before that is emptied.
      for (const name of ["first.txt", "second.txt"]) {
        await a.locator("[data-file-input]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
        await waiting.getByRole("button", { name: `Remove ${name}` }).waitFor();
      }
      for (const name of ["first.txt", "second.txt"]) await waiting.getByRole("button", { name: `Remove ${name}` }).click();
      await waiting.getByText("pasted.txt").waitFor();
      await waiting.getByText("dropped.txt").waitFor();
      await a
        .locator("[data-file-input]")
        .setInputFiles({ name: "tower.png", mimeType: "image/png", buffer: await drawnPng(a, 1_400, 300) });
      await waiting.getByRole("listitem").filter({ hasText: "tower.png" }).locator("img").waitFor();
      expect(await waiting.getByRole("listitem").allInnerTexts()).toEqual(
        ["pasted.txt", "dropped.txt", "tower.png"].map((name) => expect.stringContaining(name)),
      );
      // Only texts can be sent later, which is said.
      await field(a, "Message to Bob").press("Alt+Enter");
      await a.getByText("Only text can be sent later.").waitFor();
      expect(await axeViolations(a)).toEqual([]);
      await photograph(a, "composer-files");
      await waiting.getByRole("button", { name: "Remove tower.png" }).click();
      await waiting.getByRole("button", { name: "Remove pasted.txt" }).click();
      await write(a, "Bob", "As promised");
      await bubble(a, "dropped.txt").waitFor();
      expect(await bubble(a, "pasted.txt").count()).toBe(0);
    });

    await world.step("answer with a picture: the text, or else its name, is the answer, and the picture comes after it", async () => {
      const waiting = a.getByRole("list", { name: "Files to send" });
      const boat = { name: "boat.png", mimeType: "image/png", buffer: await drawnPng(a, 640, 420) };
      for (const [words, answer] of [
        ["This one", "This one"],
        ["", "📎 boat.webp"],
      ] as const) {
        await bubble(a, "Half a thought").first().hover();
        await bubble(a, "Half a thought").first().getByRole("button", { name: "Reply" }).click();
        await a.getByText("Reply to You:").waitFor();
        await a.locator("[data-file-input]").setInputFiles(boat);
        await waiting.getByText("boat.png").waitFor();
        await field(a, "Message to Bob").fill(words);
        await field(a, "Message to Bob").press("Enter");
        await waiting.waitFor({ state: "detached" });
        await bubble(a, answer)
          .getByRole("button", { name: /^You.*Half a thought/ })
          .waitFor();
      }
      await expect.poll(() => a.getByRole("button", { name: "Picture boat.webp" }).count()).toBe(2);
      const last = await a.getByRole("article").allInnerTexts();
      expect(last.findIndex((text) => text.includes("This one"))).toBe(last.length - 4);
    });

    await world.step("say that a message that is changed takes no files, which wait until then", async () => {
      await field(a, "Message to Bob").press("ArrowUp");
      await a.getByText("Edit message:").waitFor();
      await give(a, "paste", { name: "late.txt", text: "from the clipboard" });
      await a.getByText("Files can't be added to a message that was sent.").waitFor();
      await photograph(a, "composer-edit-files");
      await a.keyboard.press("Escape");
      await a.getByText("Files can't be added").waitFor({ state: "detached" });
      await a.getByRole("list", { name: "Files to send" }).getByRole("button", { name: "Remove late.txt" }).click();
    });
    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  it("marks what is new, and is of use in a narrow window", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];
    const field = (page: Page, name: string): ReturnType<Page["getByRole"]> => page.getByRole("textbox", { name });

    await world.step("read the name of a chat and search in it in a narrow window", async () => {
      await a.setViewportSize({ width: 380, height: 740 });
      expect((await a.getByRole("heading", { level: 1, name: "Bob" }).boundingBox())?.width).toBeGreaterThan(20);
      expect(await a.evaluate(() => document.documentElement.scrollWidth)).toBe(380);
      await a.getByRole("main").getByRole("button", { name: "More actions" }).press("Enter");
      await a.getByRole("menuitem", { name: "Search in this chat" }).press("Enter");
      const search = a.getByRole("searchbox", { name: "Search in this chat" });
      await search.fill("As promised");
      await a.getByText("1 of 1").waitFor();
      expect((await search.boundingBox())?.width).toBeGreaterThan(200);
      await photograph(a, "chat-narrow");
      await a.keyboard.press("Escape");
      await expectFocus(field(a, "Message to Bob"));
      await a.setViewportSize({ width: 1280, height: 800 });
    });

    await world.step("see what is new under a mark, which an answer takes away", async () => {
      await openView(b, "Wallet");
      await write(a, "Bob", "First of the new ones");
      await write(a, "Bob", "Second of the new ones");
      await messageState(a, "Second of the new ones", "Delivered");
      await b.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbox" }).click();
      await b.getByRole("link", { name: /^Alice/ }).click();
      await b.getByText("New messages", { exact: true }).waitFor();
      await photograph(b, "chat-unread");
      await write(b, "Alice", "Read both");
      await b.getByText("New messages", { exact: true }).waitFor({ state: "detached" });
    });

    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  it("sends large files", async () => {
    const [a, b] = [alice.page, bob.page];
    const bubble = (page: Page, text: string): ReturnType<Page["getByRole"]> => page.getByRole("article").filter({ hasText: text });
    await openView(b, "Inbox");
    await b.getByRole("link", { name: /^Alice/ }).click();

    await world.step("send a large file, which is downloaded when wanted, over a reload in the middle", async () => {
      // Barely more than is sent unasked, and read from a disk: as a buffer it would pass through the driver as text.
      const buffer = Buffer.alloc(10_000_000, "film");
      const film = join(world.folder, "film.bin");
      await writeFile(film, buffer);
      await a.locator("[data-file-input]").setInputFiles(film);
      // Until Bob's program has said what it takes, the note says why the file cannot be sent.
      await a.getByText("Others can download it while Parley is running here").waitFor();
      await write(a, "Bob", "The film");
      await bubble(a, "film.bin").getByText("Others can download it while Parley is running here").waitFor();
      await write(a, "Bob", "It is large");
      await bubble(b, "It is large").waitFor();
      await bubble(b, "film.bin").getByRole("button", { name: "Download 10 MB" }).press("Enter");
      // One button takes the place of the other, and the focus with it.
      await expectFocus(bubble(b, "film.bin").getByRole("button", { name: "Stop" }));
      await bubble(b, "film.bin")
        .getByText(/^Downloading [1-9]\d?%$/)
        .waitFor();
      await b.reload();
      await unlock(b);
      await bubble(b, "film.bin")
        .getByText(/^Downloading/)
        .or(bubble(b, "film.bin").getByRole("button", { name: "Save" }))
        .first()
        .waitFor();
      const save = bubble(b, "film.bin").getByRole("button", { name: "Save" });
      await save.waitFor({ timeout: 120_000 });
      const saving = b.waitForEvent("download");
      await save.click();
      expect((await readFile((await (await saving).path()) ?? "")).equals(buffer)).toBe(true);
    });

    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });

  it("pays by command", WHOLE_ONLY, async () => {
    const [a, b] = [alice.page, bob.page];
    const field = (page: Page, name: string): ReturnType<Page["getByRole"]> => page.getByRole("textbox", { name });
    const bubble = (page: Page, text: string): ReturnType<Page["getByRole"]> => page.getByRole("article").filter({ hasText: text });

    await world.step("pay by command", async () => {
      await field(a, "Message to Bob").fill("/pay 5 the soup");
      await a.getByText("Press Enter to prepare a payment of 5 T to Bob. You confirm it next").waitFor();
      await a.keyboard.press("Enter");
      await expectText(field(a, "Amount"), "5");
      // Who comes back without having paid finds the command again.
      await a.keyboard.press("Escape");
      await expectText(field(a, "Message to Bob"), "/pay 5 the soup");
      await a.keyboard.press("Enter");
      await expectText(field(a, "Amount"), "5");
      await a.getByRole("button", { name: "Review payment" }).click();
      await a.getByRole("button", { name: "Sign and send" }).click();
      await expectText(field(a, "Message to Bob"), /^$/);
      await bubble(b, "the soup").waitFor();
      await b.getByRole("link", { name: /^Wallet.*1 new payment/ }).waitFor();
      await bubble(b, "Alice paid you")
        .getByText(/In block \d+/)
        .waitFor();
    });
    for (const { errors } of [alice, bob]) expect(errors).toEqual([]);
  });
});

/** Hands a file to the composer as the clipboard or a drag does. */
async function give(
  page: Page,
  way: "paste" | "drop",
  file: { readonly name: string; readonly text: string; readonly on?: string },
): Promise<void> {
  await page.evaluate(
    ([kind, name, text, on]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
      const target = document.querySelector(on) ?? document.body;
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: dataTransfer })
          : new DragEvent("drop", { ...options, dataTransfer }),
      );
    },
    [way, file.name, file.text, file.on ?? "form textarea"] as const,
  );
}

async function expectText(field: ReturnType<Page["getByRole"]>, expected: string | RegExp): Promise<void> {
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toMatch(expected);
}
