// Photographs of the views, for people to look at: `npm run screenshots` puts them where the README shows them. A run of the tests takes
// none but of what failed: no one looks at the others.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "#build/scripts/process.ts";

/** Where photographs are asked for. */
const WANTED = process.env.PARLEY_PICTURES;
const FAILURES = join(ROOT, "dist", "pictures");
const FOLDER = WANTED ?? FAILURES;

/** Where only some are asked for: their names. */
const NAMES = process.env.PARLEY_PICTURE_NAMES?.split(",");

/** Photographs the page in both themes as NAME-light.png and NAME-dark.png where that is asked for, and leaves it in the light one. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (WANTED === undefined || NAMES?.includes(name) === false) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: "disabled" });
  }
}

/** The end of the name of a view's picture. */
export function nameOfPicture(path: string): string {
  return path.replace(/(tx1)?[0-9a-z]{16,}/, "one").replaceAll(/[/?=+]/g, "-");
}

/** Photographs the page as it is when a test fails; never among the pictures that documents show. */
export async function photographFailure(page: Page, name: string): Promise<void> {
  mkdirSync(FAILURES, { recursive: true });
  await page.screenshot({ path: join(FAILURES, `failure-${name}.png`) });
}
