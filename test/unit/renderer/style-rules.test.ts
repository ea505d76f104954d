// Rules that hold for all style sheets: what scrolls keeps room for its scrollbar, distances mirror, the pointer takes nothing from what is
// selected, and what is kept back while something loads is shown in the end.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

interface Rule {
  readonly selector: string;
  readonly body: string;
  /** Position in the sheet. */
  readonly position: number;
}

const SHEETS = readdirSync(join(ROOT, "renderer"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, rules: rulesOf(readFileSync(join(ROOT, "renderer", file), "utf8")) }));
/** Elements whose content does not grow while it is looked at, or that one writes in. */
const WITHOUT_GUTTER = [".text", ".grid", ".list"];
const WITHOUT_GUTTER_SHEETS = ["composer.module.css", "emoji-picker.module.css", "popup.module.css"];
const SELECTED = /\[aria-current|\[aria-selected|\[data-selected|\[data-status="active"\]|\[data-highlighted\]|\.selected\b/;

function rulesOf(text: string): readonly Rule[] {
  const css = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selectors = "", body = ""], position) =>
    selectors.split(/,(?![^(]*\))/).map((selector) => ({ selector: selector.trim(), body, position })),
  );
}

/** Classes, attributes and pseudo-classes, and elements, as the cascade counts them; `:where` counts nothing. */
function weight(selector: string): number {
  const counted = selector.replaceAll(/:where\([^)]*\)/g, "").replaceAll(/::[\w-]+/g, "");
  const classes = counted.match(/\.[\w-]+|\[[^\]]*\]|:(?!is|not|has)[\w-]+/g)?.length ?? 0;
  const elements = counted.replaceAll(/[.:][\w-]+|\[[^\]]*\]/g, " ").match(/[a-z][\w-]*/g)?.length ?? 0;
  return 100 * classes + elements;
}

/** The class of the element that a selector styles. */
function subjectOf(selector: string): string | undefined {
  return selector
    .split(/[\s>+~]+/)
    .at(-1)
    ?.match(/\.[\w-]+/)?.[0];
}

it("keeps back what follows a part that loads for two seconds at most", () => {
  const all = SHEETS.flatMap(({ rules }) => rules);
  const hidden = all.filter(({ selector, body }) => selector.includes("[data-holding]") && /visibility: hidden/.test(body));
  expect(hidden).not.toEqual([]);
  expect(hidden.filter(({ body }) => !body.includes("animation: be-seen 1ms var(--delay-patience) forwards;"))).toEqual([]);
  expect(all.flatMap(({ body }) => body.match(/--delay-patience: [^;]*/g) ?? [])).toEqual(["--delay-patience: 2s"]);
});

it("knows the button of an open popup by what the button has", () => {
  // Base UI sets the attribute on its own triggers and on those of hints; buttons of menus and popovers say aria-expanded.
  const all = readdirSync(join(ROOT, "renderer"), { recursive: true, encoding: "utf8" }).filter((file) => /\.(css|tsx?)$/.test(file));
  const relying = all.filter((file) => readFileSync(join(ROOT, "renderer", file), "utf8").includes("data-popup-open"));
  expect(relying).toEqual(["components/controls/select.module.css"]);
});

describe.each(SHEETS)("$file", ({ file, rules }) => {
  it("keeps room for scrollbars, so that nothing moves when one appears", () => {
    const isExempt = WITHOUT_GUTTER_SHEETS.some((name) => file.endsWith(name));
    const moving = rules.filter(
      ({ selector, body }) =>
        /overflow-y: auto/.test(body) &&
        !/scrollbar-gutter: stable|scrollbar-width: none/.test(body) &&
        !(isExempt && WITHOUT_GUTTER.includes(selector)),
    );
    expect(moving.map(({ selector }) => selector)).toEqual([]);
  });

  it("mirrors its distances where one reads from right to left", () => {
    const distances = rules.flatMap(({ body }) => [...body.matchAll(/(?:margin|padding): ([^;]*)/g)].map(([, value = ""]) => value.trim()));
    const sides = distances.map((value) => value.split(/\s+(?![^(]*\))/)).filter((values) => values.length === 4);
    expect(sides.filter(([, right, , left]) => right !== left)).toEqual([]);
  });

  it("leaves its tint to what is selected while the pointer is on it", () => {
    const tinted = rules.filter(({ body }) => /background(-color)?:/.test(body));
    const hovers = tinted.filter(({ selector }) => selector.includes(":hover") && !SELECTED.test(selector));
    const selections = tinted.filter(({ selector }) => SELECTED.test(selector));
    const lost = hovers.flatMap((hover) =>
      selections
        .filter(({ selector }) => isOfSameElement(rules, hover.selector, selector))
        .filter((selected) => weight(selected.selector) < weight(hover.selector) || isLater(hover, selected))
        .map((selected) => `${hover.selector} over ${selected.selector}`),
    );
    expect(lost).toEqual([]);
  });
});

/** Equal weight: the later rule wins. */
function isLater(hover: Rule, selected: Rule): boolean {
  return weight(selected.selector) === weight(hover.selector) && hover.position > selected.position;
}

/** A modifier such as `.selected` belongs to any element of its sheet; otherwise both name the same class. */
function isOfSameElement(rules: readonly Rule[], hover: string, selected: string): boolean {
  const subject = subjectOf(selected);
  if (subject === ".selected") return rules.length > 0;
  return subject === subjectOf(hover);
}
