// Notices that come and go while a view is looked at: nothing that is read or about to be pressed moves, all of the view stays within reach, and
// with the next view each has a row of its own.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import type { NodeProcessState } from "#shared/desktop/desktop-api.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { startNode } from "../support/nodes/start-node.ts";
import { axeViolations, colourViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { takeShifts } from "./support/layout-shift.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { isOver, placesOfControls, takeMoves } from "./support/notices.ts";
import { createIdentity, openView } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { NO_APPS, playShell, reportEvent } from "./support/played-shell.ts";
import { goTo, speak, visit } from "./support/robin.ts";

const NOTES = 24;
const MIB = 1024 * 1024;
const LOW = { width: 640, height: 400 };
const NARROW = { width: 360, height: 640 };
const USUAL = { width: 1280, height: 800 };

let world: BrowserWorld;
let ada: BrowserProfile;
let page: Page;
let chat = "";

beforeAll(async () => {
  world = await startWorld("notices");
  ada = await world.enter("ada");
  ({ page } = ada);
  const { address } = await createIdentity(page, world.node.baseUrl, "Ada");
  chat = `/inbox/${parseAccount(address)}`;
  await goTo(page, chat);
  const field = page.getByRole("main").getByRole("textbox").last();
  for (let number = 1; number <= NOTES; number += 1) {
    await field.fill(`Note ${number} about the orchard`);
    await field.press("Enter");
  }
  await note(NOTES).waitFor();
  // What waits to be sent has a bar above the field.
  await field.fill("Prune the pear tree");
  await field.press("Alt+Enter");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Tomorrow/ })
    .press("Enter");
  await page.getByRole("button", { name: /^Scheduled/ }).waitFor();
  await playShell(page, { apps: NO_APPS });
  // The shell is looked for when the frame is drawn again.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
});

afterAll(() => world?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await page.setViewportSize(USUAL);
  await page.emulateMedia({ colorScheme: "light" });
  await reportDisk("ample");
  await ready();
});

const note = (number: number): Locator => page.getByRole("article").filter({ hasText: `Note ${number} about` });
const reportNode = (state: NodeProcessState): Promise<void> => reportEvent(page, { type: "node", state });
const ready = (): Promise<void> => reportNode({ kind: "ready", port: 1 });
const reportDisk = (level: "ample" | "low" | "full"): Promise<void> => reportEvent(page, { type: "disk", level, freeBytes: 90 * MIB });

interface Kind {
  readonly path: string;
  readonly role: "status" | "alert";
  readonly words: string;
  readonly come: () => Promise<void>;
  readonly go: () => Promise<void>;
}

type Reports = Pick<Kind, "come" | "go">;
const disk = (level: "low" | "full"): Reports => ({
  come: (): Promise<void> => reportDisk(level),
  go: (): Promise<void> => reportDisk("ample"),
});
const ofNode = (state: NodeProcessState): Reports => ({ come: (): Promise<void> => reportNode(state), go: ready });

/** What the shell reports, with the view it comes over. */
const KINDS: readonly Kind[] = [
  { path: "/wallet", role: "status", words: "Low disk space", ...disk("low") },
  { path: "/contacts", role: "alert", words: "The disk is full", ...disk("full") },
  { path: "/explorer", role: "status", words: "Updating your data", ...ofNode({ kind: "starting", updating: { done: 1, total: 4 } }) },
  { path: "/settings/appearance", role: "alert", words: "failed to start", ...ofNode({ kind: "failed", exitCode: 1, reason: "No room" }) },
];

describe("a notice", () => {
  it.each(KINDS)("over $path as $role, $words, moves nothing when it comes or goes", async ({ path, role, words, come, go }) => {
    await visit(page, path);
    const before = await placesOfControls(page);
    await takeShifts(page, true);
    await come();
    const notice = page.getByRole(role).filter({ hasText: words });
    await notice.waitFor();
    expect(await takeMoves(page), "what moved when it came").toEqual([]);
    expect(await placesOfControls(page)).toEqual(before);
    await photograph(page, `notice${path.replaceAll("/", "-")}`);
    expect(await isOver(notice), "over the view").toBe(true);
    await go();
    await notice.waitFor({ state: "detached" });
    expect(await takeMoves(page), "what moved when it went").toEqual([]);
    expect(await placesOfControls(page)).toEqual(before);
  });

  it("of a node that is away, and of one that came back as another kind, moves nothing", async () => {
    await visit(page, "/node/diagnostics");
    await page.route("**/api/well-known-version", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), protocol_version: 99 } });
    });
    await page.route("**/api/devices/*", async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { readonly devices: readonly object[] };
      const laptop = { ...list.devices[0], x25519_pub_key: "ab".repeat(32), device_name: "Laptop" };
      await route.fulfill({ response, json: { ...list, devices: [...list.devices, laptop] } });
    });
    await takeShifts(page, true);
    await world.node.kill();
    const away = page.getByRole("status").filter({ hasText: "Not connected to the node." });
    await away.waitFor();
    expect(await isOver(away)).toBe(true);
    expect(await takeMoves(page), "what moved when the node went").toEqual([]);
    await photograph(page, "notice-away");
    world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
    await away.waitFor({ state: "detached" });
    const came = ["supports less than the app expects", "New device linked: Laptop"].map((words) =>
      page.getByRole("status").filter({ hasText: words }),
    );
    const first = await Promise.race(came.map(async (notice) => ({ notice, top: await restingTop(notice) })));
    for (const notice of came) await notice.waitFor();
    expect(await restingTop(first.notice), "the first one under the next one").toBe(first.top);
    expect(await takeMoves(page), "what moved when it came back").toEqual([]);
    await photograph(page, "notices-two");
  });

  it("hides nothing for good: all is scrolled clear of it, in a narrow and a low window", async () => {
    for (const path of ["/settings/appearance", "/node", "/contacts", chat]) {
      await openView(page, "Wallet");
      await visit(page, path);
      const notice = page.getByRole("status").filter({ hasText: "Low disk space" });
      // One that comes before the view has its row above it.
      await expect
        .poll(async () => {
          await reportDisk("ample");
          await notice.waitFor({ state: "detached" });
          await reportDisk("low");
          await notice.waitFor();
          return await isOver(notice);
        })
        .toBe(true);
      expect(await unreachableInLowWindow(page), `${path} at twice the zoom`).toEqual([]);
      await page.setViewportSize(NARROW);
      await expect.poll(() => hiddenAtEnd(page), { message: `${path} at ${NARROW.width} px` }).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await photograph(page, `notice-narrow${path.slice(0, 8).replaceAll("/", "-")}`);
      await page.setViewportSize(USUAL);
      await reportDisk("ample");
    }
  });

  it("hides nothing of a list without chats, nor of what one can begin with beside it, in a low window", async () => {
    const eve = await world.enter("eve");
    await createIdentity(eve.page, world.node.baseUrl, "Eve");
    await openView(eve.page, "Inbox");
    await eve.page.getByRole("heading", { name: "No chats yet" }).waitFor();
    await playShell(eve.page, { apps: NO_APPS });
    await eve.page.keyboard.press("Control+k");
    await eve.page.getByRole("combobox").waitFor();
    await eve.page.keyboard.press("Escape");
    await reportEvent(eve.page, { type: "disk", level: "low", freeBytes: 90 * MIB });
    await eve.page.getByRole("status").filter({ hasText: "Low disk space" }).waitFor();
    for (const low of [LOW, { ...USUAL, height: LOW.height }]) {
      await eve.page.setViewportSize(low);
      await expect.poll(() => hiddenAtEnd(eve.page), { message: `${low.width} px` }).toEqual([]);
      await photograph(eve.page, `notice-no-chats-${low.width}`);
    }
    for (const step of [eve.page.getByRole("heading", { name: "Get started" }), eve.page.getByRole("link", { name: /^Note to self/ })]) {
      await step.scrollIntoViewIfNeeded();
      expect(await isOver(step), "in sight of the view").toBe(true);
    }
    expect(await unreachableInLowWindow(eve.page)).toEqual([]);
    await eve[Symbol.asyncDispose]();
  });

  it("lies above what is said below the list of chats", async () => {
    // From elsewhere the inbox leads to the chat that was open.
    await goTo(page, chat);
    await goTo(page, "/inbox");
    await world.node.kill();
    const said = page.getByRole("main").getByText("Your messages are saved and sent later.");
    await said.waitFor();
    await reportDisk("low");
    const notice = page.getByText("Low disk space");
    const distance = async (): Promise<number> => {
      const [over, below] = [await notice.boundingBox(), await said.boundingBox()];
      return (below?.y ?? 0) - (over?.y ?? 0) - (over?.height ?? 0);
    };
    await expect.poll(distance).toBeGreaterThan(0);
    world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
    await said.waitFor({ state: "detached" });
  });

  it("leaves a chat at its end where it is, and the room below the last message is kept while one is in it", async () => {
    await goTo(page, chat);
    await page.setViewportSize(NARROW);
    const log = page.locator("[data-chat-log]");
    await log.press("End");
    const before = await restingTop(note(NOTES));
    await reportDisk("full");
    await page.getByText("The disk is full").waitFor();
    expect(await restingTop(note(NOTES))).toBe(before);
    await log.hover({ position: { x: 20, y: 100 } });
    await page.mouse.wheel(0, 2_000);
    expect(await hiddenAtEnd(page)).toEqual([]);
    await expect.poll(async () => (await note(NOTES).boundingBox())?.y).toBeLessThan(before - 40);
    const { y: scrolled = Number.NaN } = (await note(NOTES).boundingBox()) ?? {};
    await page.getByRole("main").getByRole("textbox").last().fill("two\nlines\nhere");
    await page.getByRole("main").getByRole("textbox").last().fill("");
    await expect.poll(async () => Math.abs(((await note(NOTES).boundingBox())?.y ?? 0) - scrolled)).toBeLessThanOrEqual(1);
    await reportDisk("ample");
  });

  it("has its row with the next view, whose room stays when the notice goes by itself and follows a press", async () => {
    await visit(page, "/wallet");
    await reportDisk("low");
    const notice = page.getByRole("status").filter({ hasText: "Low disk space" });
    await notice.waitFor();
    expect(await isOver(notice)).toBe(true);
    await visit(page, "/contacts");
    expect(await isOver(notice), "a row above the view").toBe(false);
    await takeShifts(page, true);
    const before = await placesOfControls(page);
    await reportDisk("ample");
    await notice.waitFor({ state: "detached" });
    expect(await takeShifts(page, true)).toEqual([]);
    expect(await placesOfControls(page)).toEqual(before);
    await visit(page, "/settings/appearance");
    const rows = await page.getByRole("main").boundingBox();
    const dismiss = page.getByRole("status").filter({ hasText: "supports less" }).getByRole("button", { name: "Dismiss" });
    await dismiss.click();
    await dismiss.waitFor({ state: "detached" });
    expect((await page.getByRole("main").boundingBox())?.y ?? 0).toBeLessThan(rows?.y ?? 0);
  });

  it("leaves no room once nothing floats: one went by itself, and then one by a press", async () => {
    await visit(page, "/settings/appearance");
    await reportDisk("low");
    const low = page.getByRole("status").filter({ hasText: "Low disk space" });
    await low.waitFor();
    await reportNode({ kind: "failed", exitCode: 1, reason: "No room" });
    const failed = page.getByRole("alert").filter({ hasText: "failed to start" });
    await failed.waitFor();
    await reportDisk("ample");
    await low.waitFor({ state: "detached" });
    const room = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.querySelector("main") ?? document.body).getPropertyValue("--notice-room"));
    expect(await room()).not.toBe("");
    await failed.getByRole("link").evaluate(
      (link: HTMLElement, reported) => {
        link.click();
        (globalThis as unknown as { playedShell: { emit: (event: unknown) => void } }).playedShell.emit(reported);
      },
      { type: "node", state: { kind: "ready", port: 1 } },
    );
    await failed.waitFor({ state: "detached" });
    await expect.poll(room).toBe("");
  });

  it("comes before the view for the keys and for screen readers, keeps the focus into the next view, and leaves it in the view", async () => {
    await visit(page, "/wallet");
    await reportNode({ kind: "failed", exitCode: 1, reason: "No room" });
    const notice = page.getByRole("alert").filter({ hasText: "failed to start" });
    const open = notice.getByRole("link");
    await open.focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Shift+Tab");
    expect(await open.evaluate((link) => link === document.activeElement)).toBe(true);
    for (const [colorScheme, find] of [
      ["light", axeViolations],
      ["dark", colourViolations],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await find(page), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "light" });
    // A document within the notice is lost with any insertion, which a screen reader would take for another alert.
    await notice.evaluate((alert) => {
      const frame = alert.appendChild(document.createElement("iframe"));
      frame.hidden = true;
      Object.assign(frame.contentWindow ?? {}, { isKept: true });
    });
    await page.keyboard.press("Enter");
    await page.waitForURL(/settings/);
    await expect.poll(() => isOver(notice)).toBe(false);
    expect(await open.evaluate((link) => link === document.activeElement)).toBe(true);
    const isKept = (frame: HTMLIFrameElement): boolean => frame.contentWindow !== null && "isKept" in frame.contentWindow;
    expect(await notice.locator("iframe").evaluate(isKept), "moved in one piece").toBe(true);
    await ready();
    await notice.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  });

  it("is at the other corner where one reads from right to left", WHOLE_ONLY, async () => {
    await speak(page, PSEUDO_LANGUAGE);
    const notice = page.getByRole("status").filter({ hasText: "Laptop" });
    await notice.waitFor();
    expect(await isOver(notice)).toBe(true);
    await photograph(page, "notice-right-to-left");
    const [box, main] = [await notice.boundingBox(), await page.getByRole("main").boundingBox()];
    const end = (rect: typeof box): number => (rect?.x ?? 0) + (rect?.width ?? 0);
    expect(end(main) - end(box)).toBeLessThan(30);
    await speak(page, "system");
  });

  it("and what failed to load keeps the focus while it is tried again, and leaves it in the view", async () => {
    let held = Promise.withResolvers<void>();
    let status = 500;
    await page.route("**/api/block/1", async (route) => {
      await held.promise;
      if (status === 200) await route.continue();
      else await route.fulfill({ status, json: { error: { code: "INTERNAL", message: "broken" } } });
    });
    held.resolve();
    await goTo(page, "/explorer/block/1");
    const retry = page.getByRole("main").getByRole("button", { name: "Try again" });
    for (const next of [500, 200]) {
      await expectFree(retry);
      held = Promise.withResolvers<void>();
      status = next;
      await retry.press("Enter");
      await page.locator("main [aria-busy=true]").waitFor();
      expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true);
      held.resolve();
    }
    await retry.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
    await page.unroute("**/api/block/1");
  });

  it("leaves no error in the console", () => expect(ada.errors).toEqual([]));
});

/** Where something is once it is there for ten frames, pixels of the window. */
function restingTop(element: Locator): Promise<number> {
  return element.evaluate(async (node) => {
    let [top, alike] = [Number.NaN, 0];
    for (let frame = 0; frame < 600 && alike < 10; frame += 1) {
      await new Promise(requestAnimationFrame);
      const now = Math.round(node.getBoundingClientRect().top);
      alike = now === top ? alike + 1 : 0;
      top = now;
    }
    return top;
  });
}

/** Waits until a button can be pressed. */
async function expectFree(button: Locator): Promise<void> {
  await button.waitFor();
  await expect.poll(() => button.getAttribute("aria-busy")).not.toBe("true");
}

/** What of the view is below a notice once everything is scrolled to its end. */
function hiddenAtEnd(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (words) => {
    const main = document.querySelector("main");
    const all = [...(main?.querySelectorAll("*") ?? [])];
    const scrolled = all.filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY));
    // Again in each frame: the room at the end comes with the first one after the window has another size.
    for (let frame = 0; frame < 3; frame += 1) {
      for (const element of scrolled) element.scrollTop = element.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
    const notices = [...document.querySelectorAll("[role=status], [role=alert]")];
    const cover = notices.find(({ textContent }) => textContent?.includes(words))?.getBoundingClientRect();
    if (cover === undefined) return ["no notice"];
    return all
      .filter((element) => element.matches("a, button, input, textarea, p, h2, article") && element.checkVisibility())
      .filter((element) => {
        const { top, bottom, left, right, width } = element.getBoundingClientRect();
        return width > 1 && top < cover.bottom && bottom > cover.top && left < cover.right && right > cover.left;
      })
      .map((element) => `${element.tagName} ${element.ariaLabel ?? element.textContent?.slice(0, 40) ?? ""}`);
  }, "disk");
}
