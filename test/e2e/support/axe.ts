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

const source = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

/** Violations of WCAG 2.2 AA and best practices, one line each. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  const result = await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run: (how: typeof options) => Promise<unknown> } }).axe.run(options),
    OPTIONS,
  );
  return (result as AxeResult).violations.map(
    ({ id, help, nodes }) => `${id}: ${help} — ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

/** The same in light and in dark. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    found.push(...(await axeViolations(page)).map((line) => `${colorScheme}: ${line}`));
  }
  return found;
}
