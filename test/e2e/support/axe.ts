// axe-core on a page: the violations in words, so that a failing test says what to mend.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "#build/scripts/process.ts";

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** What is fine, or cannot be told, is not described: that would be most of the work. */
const OPTIONS = { resultTypes: ["violations"] } as const;

/** axe-core's rules of WCAG 2.2 AA that look at colours: all that another theme can break. */
const COLOURS = { ...OPTIONS, runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } as const;

const source = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

/** Violations of WCAG 2.2 AA and best practices, one line each. */
export function axeViolations(page: Page): Promise<readonly string[]> {
  return violations(page, OPTIONS);
}

/** Those of colours alone: of a page that {@link axeViolations} has seen in another theme. */
export function colourViolations(page: Page): Promise<readonly string[]> {
  return violations(page, COLOURS);
}

async function violations(page: Page, how: typeof OPTIONS | typeof COLOURS): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  const result = await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run: (how: typeof options) => Promise<unknown> } }).axe.run(options),
    how,
  );
  return (result as AxeResult).violations.map(
    ({ id, help, nodes }) => `${id}: ${help} — ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

/** The same in light and in dark. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [colorScheme, find] of [
    ["light", axeViolations],
    ["dark", colourViolations],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    found.push(...(await find(page)).map((line) => `${colorScheme}: ${line}`));
  }
  return found;
}
