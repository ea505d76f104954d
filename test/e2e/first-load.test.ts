// What the browser fetches before a person can do something, scripts of page and Workers and fonts, against the budgets of the first load.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { givePassword } from "./support/person.ts";
import { restoreRobin } from "./support/robin.ts";
import { SMALL_RECIPE } from "./support/seeded-chain.ts";

const BYTES_PER_KB = 1_000;
/** What texts in Latin letters take until the inbox is shown. */
const FONTS_KB = 150;
const COMMON_EMOJI_KB = 60;
/** First run or lock: the first screen that takes input. */
const FIRST_SCREEN_KB = 250;
/** Everything until the inbox is shown, the lock before it included. What is fetched ahead in idle time comes later. */
const INBOX_KB = 282;
/** All views are fetched ahead, and each file costs some 8 ms of processor time: what several views show is one. */
const SCRIPTS = 250;

describe("the first load", () => {
  let world: BrowserWorld;
  let page: Page;
  let fetched: Set<string>;
  let fonts: Set<string>;

  beforeAll(async () => {
    world = await startWorld("first-load", SMALL_RECIPE);
    const person = await world.enter("robin");
    page = person.page;
    fetched = collectAssets(person.context, "js");
    fonts = collectAssets(person.context, "woff2");
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = (): number => 0;
      new MutationObserver((_changes, observer) => {
        if (document.querySelector("h1")?.textContent !== "Inbox") return;
        performance.mark("inbox");
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("fits the budget on a new profile", async () => {
    await page.goto(world.node.baseUrl);
    await page.getByRole("button", { name: "I have a recovery phrase" }).waitFor();
    expect(namesOf(fetched)).toEqual(expect.arrayContaining(["start", "vendor", "keyring-worker"]));
    expect(namesOf(fetched)).not.toContain("shell");
    expect(kilobytes(fetched)).toBeLessThanOrEqual(FIRST_SCREEN_KB);
  });

  it("fits the budget on a locked profile, and loads the app once it is open", async () => {
    await restoreRobin(page, world.node.baseUrl);
    // What the pointer rests on is fetched ahead: it stays away from the first steps.
    await page.mouse.move(1, 1);
    fetched.clear();
    await page.reload();
    await page.getByRole("textbox", { name: "Password" }).waitFor();
    expect(namesOf(fetched)).not.toContain("shell");
    expect(kilobytes(fetched)).toBeLessThanOrEqual(FIRST_SCREEN_KB);
    await page.goto(`${world.node.baseUrl}/inbox`);
    fetched.clear();
    await page.reload();
    await givePassword(page);
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    expect(namesOf(fetched)).toContain("shell");
    const later = await requestedLater(page, fetched);
    const before = new Set([...fetched].filter((url) => !later.has(url)));
    expect(kilobytes(before), namesOf(before).join(", ")).toBeLessThanOrEqual(INBOX_KB);
    expect(namesOf(before)).not.toContain("messenger");
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    expect(namesOf(fonts).toSorted()).toEqual(["inter-latin-wght-normal", "jetbrains-mono-latin-wght-normal"]);
    expect(kilobytes(fonts)).toBeLessThanOrEqual(FONTS_KB);
  });

  it("is in few files", () => {
    const scripts = readdirSync(join(ROOT, "dist/renderer/assets")).filter(
      (name) => name.endsWith(".js") && !OF_WORKER.test(`/assets/${name}`),
    );
    expect(scripts.length).toBeLessThanOrEqual(SCRIPTS);
  });

  it("fetches the font of common emoji alone for one of them, and none for what is written in texts", async () => {
    const show = async (text: string): Promise<readonly string[]> => {
      fonts.clear();
      await page.evaluate(async (shown) => {
        const line = document.body.appendChild(document.createElement("p"));
        line.textContent = shown;
        line.getBoundingClientRect();
        await document.fonts.ready;
        line.remove();
      }, text);
      return namesOf(fonts);
    };
    expect(await show("1 ✓ ⬆")).toEqual([]);
    expect(await show("❤️")).toEqual(["emoji-common"]);
    expect(kilobytes(fonts)).toBeLessThanOrEqual(COMMON_EMOJI_KB);
  });

  it("keeps what is typed into the palette while its code is on its way", async () => {
    const asked = Promise.withResolvers<void>();
    const typed = Promise.withResolvers<void>();
    await page.route("**/command-palette-*.js", async (route) => {
      asked.resolve();
      await typed.promise;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("@d");
    await asked.promise;
    await page.keyboard.type("avid");
    typed.resolve();
    const field = page.getByRole("combobox");
    await field.waitFor();
    await page.keyboard.type(".3");
    expect(await field.inputValue()).toBe("@david.3");
    await page.getByRole("option", { name: "@david.3" }).waitFor();
    // Enter right behind the text, before there is a highlighted row.
    await field.fill("");
    await page.evaluate(() => {
      const input = document.activeElement as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "add contact");
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    });
    await page.waitForURL(/\/contacts\/new$/);
  });
});

/** Addresses of the assets of a kind that page and Workers ask for from now on. */
function collectAssets(context: BrowserContext, kind: "js" | "woff2"): Set<string> {
  const urls = new Set<string>();
  context.on("request", (request) => {
    if (new RegExp(`/assets/[^/]+\\.${kind}$`).test(request.url())) urls.add(request.url());
  });
  return urls;
}

/** What the page has asked for since its inbox is shown: the messenger goes on in the background. Known of a file once it has come. */
async function requestedLater(page: Page, fetched: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  return await pollUntil(
    async () => {
      const entries = await page.evaluate(() => ({
        shownMs: performance.getEntriesByName("inbox")[0]?.startTime ?? Number.POSITIVE_INFINITY,
        files: performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
      }));
      const known = new Set(entries.files.map(({ name }) => name));
      if ([...fetched].some((url) => !known.has(url) && !OF_WORKER.test(url))) return undefined;
      return new Set(entries.files.filter(({ startTime }) => startTime > entries.shownMs).map(({ name }) => name));
    },
    { what: "all files to have come" },
  );
}

/** What Workers load is not among what the page has loaded. */
const OF_WORKER = /\/assets\/(keyring-)?worker-/;

function namesOf(urls: ReadonlySet<string>): readonly string[] {
  return [...urls].map((url) => url.replace(/^.*\/assets\//, "").replace(/-[\w-]{8}\.\w+$/, ""));
}

function kilobytes(urls: ReadonlySet<string>): number {
  const bytes = [...urls].map((url) => gzipSync(readFileSync(join(ROOT, "dist/renderer", new URL(url).pathname))).length);
  return bytes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}
