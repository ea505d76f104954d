// Draws the icons of the desktop app from the one drawing of the project. Run after the drawing changed; the results are committed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "../process.ts";
import { ensureChromium } from "../test/chromium.ts";

const DRAWING = join(ROOT, "renderer/public/favicon.svg");
const FOLDER = join(ROOT, "build/icons");
/** Name → size in pixels; the large one is what packages are made from. */
const SIZES = { "icon.png": 1024, "tray.png": 16, "tray@2x.png": 32 } as const;

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
try {
  mkdirSync(FOLDER, { recursive: true });
  const drawing = readFileSync(DRAWING, "utf8");
  for (const [name, size] of Object.entries(SIZES)) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`);
    writeFileSync(join(FOLDER, name), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
