// A real Chromium for the browser tests: the system's, else installed. Its headless shell comes first: the same engine for a third of the
// processor time, as it has no tabs, toolbars and extensions, which a whole Chromium draws and computes also where it shows no window. Never
// skipped: without one the run fails and says what to install.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "../process.ts";

const CHROMIUM_PATHS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Path of a Chromium: PARLEY_CHROMIUM, the system's or Playwright's own; undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env.PARLEY_CHROMIUM;
  if (named !== undefined && existsSync(named)) return named;
  return CHROMIUM_PATHS.find((path) => existsSync(path)) ?? (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined);
}

/**
 * Path of a Chromium, installing one where possible.
 * @throws Error with what to install when none can be had.
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  process.stderr.write("No Chromium found: installing one for the browser tests…\n");
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    install("apt-get", ["update", "-qq"]);
    for (const name of ["chromium-headless-shell", "chromium"]) {
      if (findChromium() !== undefined) break;
      install("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { DEBIAN_FRONTEND: "noninteractive" });
    }
  }
  if (findChromium() === undefined) install(process.execPath, [join(ROOT, "node_modules/playwright-core/cli.js"), "install", "chromium"]);
  const installed = findChromium();
  if (installed === undefined) {
    throw new Error(
      'The browser tests need Chromium and none could be installed: install the package "chromium" (or Google Chrome), or name one in PARLEY_CHROMIUM, and run the command again.',
    );
  }
  return installed;
}

function install(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  spawnSync(program, args, { stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
}
