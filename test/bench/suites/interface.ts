// The interface in Chromium on a seeded chain: what a person waits for, and what is sent before anything is seen.

import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { ROOT } from "#build/scripts/process.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { PASSWORD } from "../../e2e/support/person.ts";
import { goTo, restoreRobin } from "../../e2e/support/robin.ts";
import { copySeededChain, FULL_RECIPE, LONG_HISTORY_RECIPE, type SeededRecipe, SMALL_RECIPE } from "../../e2e/support/seeded-chain.ts";
import { robin, usernameOf } from "../../e2e/support/seeded-people.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import { median, round, table } from "../measure/statistics.ts";
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
  const trace = join(ROOT, "dist", "interface-trace.zip");
  await page.context().tracing.start({ title: "Parley: interface benchmark", screenshots: true });
  const work = await openWork(page);
  const scripts = collectScripts(page);
  const starts = await repeat(bench.options.repeats, () => coldStart(page, node.baseUrl, work));
  const first = new Set(scripts);
  await unlock(page);
  const routes = await repeat(bench.options.repeats, () => routeChanges(page, work));
  const searches = await repeat(bench.options.repeats, () => searchTimes(page));
  await page.context().tracing.stop({ path: trace });
  const scrolling = await scrollingFigures(bench, recipe);
  const interactiveMs = median(starts.map((start) => start.interactiveMs));
  const routeMs = median(routes.flat().map((change) => change.ms));
  const sizes = await gzipSizes([...scripts]);
  const scriptKb = [...first].reduce((sum, url) => sum + (sizes.get(url) ?? 0), 0) / BYTES_PER_KB;
  bench.print(
    table(
      `Interface in Chromium on ${recipe.transactions.toLocaleString("en")} transactions and ${recipe.contacts.toLocaleString("en")} contacts (medians)`,
      ["what", "figure"],
      [
        ["first paint of the page loaded again", `${round(median(starts.map((start) => start.paintMs)))} ms`],
        ["the password can be typed", `${round(interactiveMs)} ms`],
        ["work of the page's thread until then", `${round(median(starts.map((start) => start.workMs)))} ms`],
        ["change of view until its heading is painted", `${round(routeMs)} ms`],
        ["work of the page's thread until then", `${round(median(routes.flat().map((change) => change.workMs)))} ms`],
        ["search while typing: last key until a hit is painted", `${round(median(searches.flat()))} ms`],
        [
          `frames later than ${round(2 * FRAME_MS)} ms while scrolling ${scrolling.rows.toLocaleString("en")} rows`,
          `${scrolling.late} of ${scrolling.frames}`,
        ],
        ["script of the first screen, Workers included, gzip", `${round(scriptKb)} kB`],
      ],
    ),
  );
  bench.print(table("Script loaded by each view beyond the first load (gzip)", ["view", "kB"], routeRows(sizes, first)));
  bench.print(`Playwright trace: ${trace}`);
  bench.goals.push(
    { what: "interface: interactive on a warm node", value: interactiveMs, unit: "ms", bound: { atMost: 1_000 } },
    { what: "interface: change of view", value: routeMs, unit: "ms", bound: { atMost: 100 } },
    { what: `interface: late frames of ${scrolling.frames}`, value: scrolling.late, unit: "frames", bound: { atMost: 0 } },
    { what: "interface: script of the first load, gzip", value: scriptKb, unit: "kB", bound: { atMost: 250 } },
  );
}

interface Start {
  readonly paintMs: number;
  readonly interactiveMs: number;
  readonly workMs: number;
}

interface RouteChange {
  readonly ms: number;
  readonly workMs: number;
}

/** Time that the page's thread was busy since the page began, ms: unlike the clock it does not count other programs. */
type Work = () => Promise<number>;

async function openWork(page: Page): Promise<Work> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
  };
}

/** Loads the page again with an empty cache of the browser. */
async function coldStart(page: Page, url: string, work: Work): Promise<Start> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  const before = await work();
  await page.goto(url, { waitUntil: "commit" });
  await page.getByRole("textbox", { name: "Password" }).waitFor();
  const interactiveMs = await page.evaluate(() => performance.now());
  const paintMs = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
  const after = await work();
  await session.detach();
  return { paintMs, interactiveMs, workMs: after < before ? after : after - before };
}

async function unlock(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Unlock" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.waitForLoadState("networkidle");
}

async function routeChanges(page: Page, work: Work): Promise<readonly RouteChange[]> {
  const changes: RouteChange[] = [];
  for (const [path, heading] of VIEWS) {
    const before = await work();
    const ms = await routeChange(page, path, heading);
    changes.push({ ms, workMs: (await work()) - before });
  }
  return changes;
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

interface Scrolling {
  readonly rows: number;
  readonly late: number;
  readonly frames: number;
}

/** Scrolls through a whole history, up again from its end, after all of it was loaded by scrolling down. */
async function scrollingFigures(bench: Bench, recipe: SeededRecipe): Promise<Scrolling> {
  const dataDir = copySeededChain(recipe === FULL_RECIPE ? LONG_HISTORY_RECIPE : recipe, `${bench.folder}/scrolling`);
  await using node = await startNode({ dataDir, env: NODE_ENVIRONMENT });
  await using profile = await openProfile(WINDOW);
  const { page } = profile;
  await restoreRobin(page, node.baseUrl);
  await goTo(page, "/wallet");
  await page.getByRole("list", { name: "Activity" }).waitFor();
  const { tx_count: rows } = await node.client.getAddress({ addr: robin().account.publicKey, limit: 1 });
  await page.evaluate(async (wanted) => {
    const list = document.querySelector('ul[aria-label="Activity"]');
    let scroller = list?.parentElement ?? null;
    while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
    while (Number(list?.querySelector("li")?.getAttribute("aria-setsize")) < wanted) {
      scroller?.scrollTo(0, scroller.scrollHeight);
      await new Promise(requestAnimationFrame);
    }
  }, rows);
  return { rows, ...(await lateFrames(page)) };
}

/** Scrolls up, half a screen each frame. */
async function lateFrames(page: Page): Promise<{ readonly late: number; readonly frames: number }> {
  const gaps = await page.evaluate(
    async ([steps, height]) => {
      const list = document.querySelector('ul[aria-label="Activity"]');
      let scroller = list?.parentElement ?? null;
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
      const found: number[] = [];
      let last = performance.now();
      for (let step = 0; step < steps; step += 1) {
        scroller?.scrollBy(0, -height / 2);
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

/** Scripts that page and Workers ask for from now on. */
function collectScripts(page: Page): Set<string> {
  const urls = new Set<string>();
  page.context().on("request", (request) => {
    if (/\/assets\/[^/]+\.js$/.test(request.url())) urls.add(request.url());
  });
  return urls;
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
