// What once looked or behaved wrong and no other test sees: a stretched note, toasts over titles, emoji of two fonts, a page that storms a
// node which is away.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "#renderer/lib/messages/en.ts";
import { SETTING_CHOICES } from "#renderer/lib/settings/settings-store.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectMotionStops } from "./support/motion.ts";
import { makeKeys, openView, unlock } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { goTo } from "./support/robin.ts";
import { Sender } from "./support/sender.ts";

const VIEWS = ["Inbox", "Wallet", "Contacts", "Explorer", "Node", "Settings"] as const;
/** Characters that fonts for texts have too, one that they do not have, and some of several: a pair, a flag, a skin, a rainbow, a shrug. */
const EMOJI = ["❤", "☺", "☎", "😀", "👩‍💻", "🇩🇪", "👍🏽", "🏳️‍🌈", "🤷‍♂️"];
const TEXT = "Ok 1 ✓ →";
/** Pauses between requests to a node that is away: each twice the one before, then of this length, ms. */
const LAST_PAUSE_MS = 10_000;
/** 1, 2, 4 and 8 s, and the request under way. */
const SHORTER_PAUSES = 5;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const overlap = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("nothing is drawn");
  return box;
}

/** Characters of an element that fonts other than that of its letters draw. */
async function drawnByOthers(page: Page, element: Locator, letters: Locator): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const fontsOf = async (locator: Locator, mark: string): Promise<readonly { readonly name: string; readonly glyphs: number }[]> => {
    await locator.evaluate((node, name) => node.setAttribute("data-fonts", name), mark);
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: `[data-fonts="${mark}"]` });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    return fonts.map(({ familyName, isCustomFont, glyphCount }) => ({ name: `${familyName} ${isCustomFont}`, glyphs: glyphCount }));
  };
  const textFonts = new Set((await fontsOf(letters, "letters")).map(({ name }) => name));
  const others = (await fontsOf(element, "emoji")).filter(({ name }) => !textFonts.has(name));
  await session.detach();
  return others.reduce((sum, { glyphs }) => sum + glyphs, 0);
}

describe("the interface", () => {
  let world: BrowserWorld;
  let page: Page;
  let address: string;

  beforeAll(async () => {
    world = await startWorld("appearance");
    ({ page } = await world.enter("alice", { width: 800, height: 640 }));
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("says that test tokens come in a note of its own height, and nothing moves", async () => {
    ({ address } = await makeKeys(page, world.node.baseUrl, "Alice"));
    const open = page.getByRole("button", { name: "Open Parley" });
    const offer = page.getByRole("status").filter({ hasText: "test tokens are free" });
    const [offered, before] = [await boxOf(offer), await boxOf(open)];
    const requested = Promise.withResolvers<void>();
    await page.route("**/api/dev/faucet", async (route) => {
      await requested.promise;
      await route.continue();
    });
    const ask = page.getByRole("button", { name: "Get test tokens" });
    await ask.click();
    await ask.locator("span[aria-hidden=true]").first().waitFor({ state: "attached" });
    await expectMotionStops(ask, "a spinner");
    requested.resolve();
    const note = page.getByRole("status").filter({ hasText: "Test tokens are on the way" });
    await note.waitFor();
    const [noted, after] = [await boxOf(note), await boxOf(open)];
    await open.click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    expect(noted.height).toBeLessThan(offered.height);
    expect(after).toEqual(before);
  });

  it("draws every emoji with the font for emoji, and letters, digits and marks with that of texts", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("note to self");
    await page.locator("[role=option][data-highlighted]").filter({ hasText: "Note to self" }).waitFor();
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Note to self" });
    for (const text of [TEXT, `x ${EMOJI.join("")}`]) {
      await field.fill(text);
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: text }).waitFor();
    }
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    const texts = page.getByRole("article").filter({ hasText: TEXT }).getByText(TEXT);
    const emoji = page
      .getByRole("article")
      .filter({ hasText: EMOJI.join("") })
      .getByText(EMOJI.join(""));
    expect(await drawnByOthers(page, emoji, texts)).toBe(EMOJI.length);
    // A browser names a font whose form of colours it does not know, and draws nothing.
    const drawn = await page.evaluate((signs) => {
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d", { willReadFrequently: true });
      if (context === null) throw new Error("there is no canvas");
      context.font = `40px ${getComputedStyle(document.body).fontFamily}`;
      return signs.map((sign) => {
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.fillText(sign, 4, 48);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        let coloured = 0;
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
          if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured += 1;
        }
        return { sign, isColoured: coloured > 100, width: context.measureText(sign).width };
      });
    }, EMOJI);
    const [{ width = 0 } = {}] = drawn;
    expect(width).toBeGreaterThan(0);
    expect(drawn).toEqual(EMOJI.map((sign) => ({ sign, isColoured: true, width })));
  });

  it("draws the characters of an address as they are", async () => {
    // An element of the test's own: what the interface draws it may draw again at any moment.
    const line = page.locator("#address-line");
    await page.evaluate(() => {
      const own = document.createElement("p");
      Object.assign(own, { id: "address-line", textContent: "pl1q7x2mf3x9 0x7f -> !=" });
      own.style.cssText = "position: fixed; top: 0; z-index: 99; background: white; color: black";
      document.body.append(own);
    });
    const shot = async (family: string, ligatures: string): Promise<string> => {
      await line.evaluate(
        (node, style) => {
          node.style.fontFamily = style.family;
          node.style.fontVariantLigatures = style.ligatures;
        },
        { family, ligatures },
      );
      return (await line.screenshot({ animations: "disabled" })).toString("base64");
    };
    for (const family of ["var(--font-sans)", "var(--font-mono)"]) {
      const plain = await shot(family, "none");
      expect((await shot(family, "")) === plain, family).toBe(true);
      expect((await shot(family, "normal")) === plain, `${family} has others`).toBe(false);
    }
    await line.evaluate((node) => node.remove());
  });

  it("shows toasts beside titles and the composer, never over them", async () => {
    const toast = page.getByRole("dialog").filter({ hasText: "Address copied" });
    const check = async (where: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("copy my address");
      await page.locator("[role=option][data-highlighted]").filter({ hasText: "Copy my address" }).waitFor();
      await page.keyboard.press("Enter");
      await toast.first().waitFor();
      const shown = await boxOf(toast.first());
      const kept = page.locator("h1:visible, header h2:visible, main form textarea:visible, main form button:visible");
      for (const element of await kept.all()) {
        const box = await element.boundingBox();
        if (box !== null) expect([where, await element.textContent(), overlap(box, shown)]).toEqual([where, expect.anything(), false]);
      }
      expect(await kept.count()).toBeGreaterThan(0);
      await toast.first().getByRole("button", { name: "Dismiss", includeHidden: true }).click();
      await toast.first().waitFor({ state: "detached" });
    };
    await check("chat");
    for (const view of VIEWS) {
      await openView(page, view);
      await check(view);
    }
  });

  it("moves nothing for those who asked for less motion: skeletons, the strip of blocks, toasts", async () => {
    await openView(page, "Inbox");
    const late = Promise.withResolvers<void>();
    await page.route(/\/api\/blocks\b/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.reload();
    await unlock(page);
    await openView(page, "Explorer");
    const strip = page.getByRole("navigation", { name: "Newest blocks" });
    await strip.locator("[data-skeleton]").first().waitFor({ state: "attached" });
    await expectMotionStops(strip, "a skeleton");
    late.resolve();
    await strip.getByRole("link").first().waitFor();
    await expectMotionStops(strip, "the strip of blocks");
    await page.unrouteAll({ behavior: "wait" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("copy my address");
    await page.locator("[role=option][data-highlighted]").filter({ hasText: "Copy my address" }).waitFor();
    await page.keyboard.press("Enter");
    const toast = page.getByRole("dialog").filter({ hasText: "Address copied" });
    await toast.hover();
    await expectMotionStops(toast, "a toast");
    await toast.getByRole("button", { name: "Dismiss", includeHidden: true }).click();
    await toast.waitFor({ state: "detached" });
  });

  it("has enough contrast in every accent colour", WHOLE_ONLY, async () => {
    for (const accent of SETTING_CHOICES.accent) {
      await goTo(page, "/settings/appearance");
      await page.getByRole("radio", { name: en[`settings.accent.${accent}`], exact: true }).click();
      await openView(page, "Inbox");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await axeViolations(page), `${accent}, ${colorScheme}`).toEqual([]);
      }
      await photograph(page, `accent-${accent}`);
    }
  });

  it("scrolls nowhere sideways at any size of texts and distances, and shows them before the first paint", WHOLE_ONLY, async () => {
    const fontSize = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).fontSize);
    const sizes: string[] = [];
    for (const textSize of SETTING_CHOICES.textSize) {
      for (const density of SETTING_CHOICES.density) {
        await goTo(page, "/settings/appearance");
        await page.getByRole("radio", { name: en[`settings.textSize.${textSize}`], exact: true }).click();
        await page.getByRole("radio", { name: en[`settings.density.${density}`], exact: true }).click();
        sizes.push(await fontSize());
        for (const view of VIEWS) {
          await openView(page, view);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${view} ${textSize} ${density}`).toBe(0);
        }
        await openView(page, "Inbox");
        await photograph(page, `size-${textSize}-${density}`);
      }
    }
    expect(new Set(sizes).size).toBe(SETTING_CHOICES.textSize.length);
    // What was chosen is there before the first paint, and gone once the defaults are chosen again.
    await page.reload();
    expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toEqual({
      ...{ textSize: "largest", density: "compact", accent: "grey" },
    });
    await unlock(page);
    await goTo(page, "/settings/appearance");
    for (const name of ["Teal", "Normal", "Comfortable"]) await page.getByRole("radio", { name, exact: true }).click();
    expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toEqual({});
  });

  it("says once that a payment has arrived, also when the language changes", async () => {
    const payer = await Sender.enter(world.node.baseUrl, "Paul");
    await payer.submit({ kind: "pay", to: parseAccount(address), amountUt: 10_000 });
    const toast = page.getByRole("dialog").filter({ hasText: /paid you|gezahlt/ });
    await toast.waitFor();
    await toast.getByRole("button", { name: "Dismiss", includeHidden: true }).click();
    await toast.waitFor({ state: "detached" });
    await goTo(page, "/settings/appearance");
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Aussehen und Sprache" }).waitFor();
    // A toast that is shown after it comes after any before it.
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "Appearance" }).waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await toast.count()).toBe(0);
  });

  it("takes back the notice of a request once that is answered", async () => {
    const asking = await Sender.enter(world.node.baseUrl, "Rita");
    await asking.submit({ kind: "requestContact", to: parseAccount(address), amountUt: 5_000, intro: "Rita here" });
    const toast = page.getByRole("dialog").filter({ hasText: "wants to be your contact" });
    // Under the pointer it stays for as long as one looks at it; what is pressed meanwhile leaves the pointer there.
    await toast.hover();
    await goTo(page, `/contacts/${asking.account.masterPub}`);
    await page.getByRole("button", { name: "Accept", exact: true }).dispatchEvent("click");
    await page.locator("[data-confirmation]").getByRole("button", { name: "Accept" }).dispatchEvent("click");
    await page.getByText("Contact", { exact: true }).first().waitFor();
    await toast.waitFor({ state: "detached" });
  });

  it("has rows of chats and contacts of one line, with small faces, where distances are compact", async () => {
    const rows = [
      ["Inbox", page.locator("[data-conversation]").first()],
      ["Contacts", page.getByRole("list", { name: "People" }).getByRole("link").first()],
    ] as const;
    for (const [density, height, faces] of [
      ["Comfortable", 56, [40, 36]],
      ["Compact", 36, [24, 24]],
    ] as const) {
      await goTo(page, "/settings/appearance");
      await page.getByRole("radio", { name: density, exact: true }).click();
      for (const [index, [view, row]] of rows.entries()) {
        await openView(page, view);
        await row.waitFor();
        expect([view, density, (await boxOf(row)).height]).toEqual([view, density, height]);
        const face = row.locator(":scope > :first-child");
        expect([view, density, (await boxOf(face)).height]).toEqual([view, density, faces[index]]);
        await photograph(page, `rows-${view.toLowerCase()}-${density.toLowerCase()}`);
      }
    }
    await goTo(page, "/settings/appearance");
    await page.getByRole("radio", { name: "Comfortable", exact: true }).click();
  });

  it("leads to the description and the metrics of the node", async () => {
    await page.goto(`${world.node.baseUrl}/node/diagnostics`);
    await unlock(page);
    for (const path of ["/swagger", "/metrics"]) {
      const link = page.getByRole("link", { name: `${world.node.baseUrl}${path}` });
      expect(await link.getAttribute("target")).toBe("_blank");
      expect((await fetch((await link.getAttribute("href")) ?? "")).status).toBe(200);
    }
  });

  it("asks a node that is away ever more rarely, however many views one opens", async () => {
    await page.getByText(/· live/).waitFor();
    await world.node.kill();
    await openView(page, "Explorer");
    await page.getByText("Not connected to the node.").waitFor();
    const startedMs = performance.now();
    let asked = 0;
    // Parts of the interface that nothing needed before are asked for once each: it is the questions that must not storm.
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") asked += 1;
    });
    for (const view of [...VIEWS, ...VIEWS]) await openView(page, view);
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(SHORTER_PAUSES + (performance.now() - startedMs) / LAST_PAUSE_MS);
  });
});
