// Photographs the page of all components, and each sheet that it opens, in both themes: for people to check before they change the design.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, preview } from "vite";
import { rendererConfig } from "#build/vite/renderer.ts";
import { ROOT } from "../process.ts";
import { ensureChromium } from "../test/chromium.ts";

const WINDOW = { width: 1280, height: 800 } as const;
/** A sheet fades in; one that is busy closes by itself. */
const SETTLE_MS = 300;
const SECTIONS = ["Above the view", "Signing"] as const;

/** Writes dist/gallery-pictures. Returns the folder. */
export async function photographGallery(): Promise<string> {
  const folder = join(ROOT, "dist", "gallery-pictures");
  mkdirSync(folder, { recursive: true });
  process.env.VITE_GALLERY = "true";
  const config = rendererConfig();
  const own = { ...config, build: { ...config.build, outDir: join(ROOT, "dist", "gallery") }, logLevel: "warn" as const };
  await build(own);
  const server = await preview({ ...own, preview: { host: "127.0.0.1", port: 0 } });
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  try {
    await photographAll(browser, `${server.resolvedUrls?.local[0] ?? ""}gallery`, folder);
  } finally {
    await browser.close();
    await server.close();
  }
  return folder;
}

async function photographAll(browser: Browser, url: string, folder: string): Promise<void> {
  const page = await browser.newPage({ viewport: WINDOW, reducedMotion: "reduce" });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const height = await page.evaluate<number>('document.querySelector("main").scrollHeight');
  await page.setViewportSize({ ...WINDOW, height });
  await photograph(page, join(folder, "all"));
  await page.setViewportSize(WINDOW);
  for (const section of SECTIONS) {
    const region = page.getByRole("region", { name: section });
    for (const name of await region.getByRole("button").allTextContents()) {
      await region.getByRole("button", { name, exact: true }).click();
      await page.waitForTimeout(SETTLE_MS);
      await photograph(page, join(folder, name.toLowerCase().replaceAll(/\W+/g, "-")));
      await page.keyboard.press("Escape");
      await page.locator('[role="dialog"]:not([data-type]), [role="menu"]').waitFor({ state: "detached" });
    }
  }
}

async function photograph(page: Page, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${path}-${colorScheme}.png`, animations: "disabled" });
  }
}
