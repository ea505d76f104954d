// The interface in Chromium on a seeded chain: what a person waits for, and what is sent before anything is seen.
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { buildStaleRenderer } from "#build/scripts/build-renderer.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { PASSWORD } from "../../e2e/support/person.ts";
import { goTo, restoreRobin } from "../../e2e/support/robin.ts";
import { copySeededChain, FULL_RECIPE, SMALL_RECIPE } from "../../e2e/support/seeded-chain.ts";
import { usernameOf } from "../../e2e/support/seeded-people.ts";
import { startNode } from "../../support/start-node.ts";
import { median, round, table } from "../statistics.ts";
import { type Bench, NODE_ENVIRONMENT } from "./bench.ts";

/** Views that are opened one after the other, with the heading that says that they are there. */
const VIEWS = [
  ["/wallet", "Wallet"],
  ["/explorer", "Explorer"],
  ["/contacts", "Contacts"],
  ["/node", "Node"],
  ["/settings/account", "Account"],
  ["/explorer/blocks", "All blocks"],
] as const;
const SEARCHES = ["@ada", "42", "seeds", `@${usernameOf(3)}`] as const;
const SCROLL_STEPS = 60;
const FRAME_MS = 1_000 / 60;
const BYTES_PER_KB = 1_000;
const WINDOW = { width: 1280, height: 800 } as const;

/** First paint, interactive, route changes, search while typing, scrolling, bytes. */
export async function interfaceSuite(bench: Bench): Promise<void> {
  const recipe = bench.options.transactions >= FULL_RECIPE.transactions ? FULL_RECIPE : SMALL_RECIPE;
  await buildStaleRenderer();
  const dataDir = copySeededChain(recipe, `${bench.folder}/interface`);
  await using node = await startNode({ dataDir, env: NODE_ENVIRONMENT });
  await using profile = await openProfile(WINDOW);
  const { page } = profile;
  await restoreRobin(page, node.baseUrl);
  const starts = await repeat(bench.options.repeats, () => coldStart(page, node.baseUrl));
  const first = new Set(await loadedScripts(page));
  await unlock(page);
  const routes = await repeat(bench.options.repeats, () => routeChanges(page));
  const searches = await repeat(bench.options.repeats, () => searchTimes(page));
  const late = await lateFrames(page);
  const interactiveMs = median(starts.map((start) => start.interactiveMs));
  const routeMs = median(routes.flat());
  const sizes = await gzipSizes(await loadedScripts(page));
  const scriptKb = [...first].reduce((sum, url) => sum + (sizes.get(url) ?? 0), 0) / BYTES_PER_KB;
  bench.print(
    table(
      `Interface in Chromium on ${recipe.transactions.toLocaleString("en")} transactions and ${recipe.contacts.toLocaleString("en")} contacts (medians)`,
      ["what", "figure"],
      [
        ["first paint of the page loaded anew", `${round(median(starts.map((start) => start.paintMs)))} ms`],
        ["the password can be typed", `${round(interactiveMs)} ms`],
        ["change of view until its heading is painted", `${round(routeMs)} ms`],
        ["search while typing: last key until a hit is painted", `${round(median(searches.flat()))} ms`],
        [`frames later than ${round(2 * FRAME_MS)} ms while scrolling the history`, `${late.late} of ${late.frames}`],
        ["script of the first load, gzip", `${round(scriptKb)} kB`],
      ],
    ),
  );
  bench.print(table("Script loaded by each view beyond the first load (gzip)", ["view", "kB"], routeRows(sizes, first)));
  bench.goals.push(
    { what: "interface: interactive on a warm node", value: interactiveMs, unit: "ms", bound: { atMost: 1_000 } },
    { what: "interface: change of view", value: routeMs, unit: "ms", bound: { atMost: 100 } },
    { what: "interface: script of the first load, gzip", value: scriptKb, unit: "kB", bound: { atMost: 250 } },
  );
}

interface Start {
  readonly paintMs: number;
  readonly interactiveMs: number;
}

/** Loads the page anew with an empty cache of the browser. */
async function coldStart(page: Page, url: string): Promise<Start> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await page.goto(url, { waitUntil: "commit" });
  await page.getByRole("textbox", { name: "Password" }).waitFor();
  const interactiveMs = await page.evaluate(() => performance.now());
  const paintMs = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
  await session.detach();
  return { paintMs, interactiveMs };
}

async function unlock(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Unlock" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.waitForLoadState("networkidle");
}

async function routeChanges(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (const [path, heading] of VIEWS) times.push(await routeChange(page, path, heading));
  return times;
}

/** From the change of the address until a frame shows the heading of the view. */
function routeChange(page: Page, path: string, heading: string): Promise<number> {
  return page.evaluate(
    async ([target, name]) => {
      const started = performance.now();
      history.pushState(null, "", target);
      dispatchEvent(new PopStateEvent("popstate"));
      while (![...document.querySelectorAll("h1")].some((element) => element.textContent === name))
        await new Promise(requestAnimationFrame);
      return performance.now() - started;
    },
    [path, heading] as const,
  );
}

async function searchTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (const text of SEARCHES) {
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox");
    await input.waitFor();
    await input.pressSequentially(text.slice(0, -1));
    const before = await page.evaluate(() => performance.now());
    await input.pressSequentially(text.slice(-1));
    await page.getByRole("option").first().waitFor();
    times.push(await page.evaluate((started) => performance.now() - started, before));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  return times;
}

/** Scrolls the history of the wallet, a screen each frame. */
async function lateFrames(page: Page): Promise<{ readonly late: number; readonly frames: number }> {
  await goTo(page, "/wallet");
  await page.getByRole("list", { name: "Activity" }).waitFor();
  const gaps = await page.evaluate(
    async ([steps, height]) => {
      const list = document.querySelector('ul[aria-label="Activity"]');
      let scroller = list?.parentElement ?? null;
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
      const found: number[] = [];
      let last = performance.now();
      for (let step = 0; step < steps; step += 1) {
        scroller?.scrollBy(0, height / 2);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        found.push(now - last);
        last = now;
      }
      return found;
    },
    [SCROLL_STEPS, WINDOW.height] as const,
  );
  return { late: gaps.filter((gap) => gap > 2 * FRAME_MS).length, frames: gaps.length };
}

/** Scripts of the interface that the page has loaded so far. */
function loadedScripts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    performance.getEntriesByType("resource").flatMap((entry) => (/\/assets\/[^/]+\.js$/.test(entry.name) ? [entry.name] : [])),
  );
}

async function gzipSizes(urls: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = urls.map(async (url) => [url, gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length] as const);
  return new Map(await Promise.all(sizes));
}

/** What each view adds to the first load. The shell fetches all of it ahead once it is idle. */
function routeRows(sizes: ReadonlyMap<string, number>, first: ReadonlySet<string>): readonly (readonly string[])[] {
  return [...sizes]
    .filter(([url]) => !first.has(url))
    .toSorted(([, a], [, b]) => b - a)
    .map(([url, size]) => [url.replace(/^.*\/assets\//, "").replace(/-[\w-]{8}\.js$/, ""), round(size / BYTES_PER_KB)]);
}

async function repeat<T>(times: number, run: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index += 1) results.push(await run());
  return results;
}
