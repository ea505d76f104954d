// The dashboard and the alert rules of build/monitoring name metrics that nodes serve; docs/metrics.md names every alert.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

const read = (path: string): string => readFileSync(`${ROOT}/${path}`, "utf8");
/** Names of the metrics table; a histogram is asked by its parts. */
const METRICS: ReadonlyMap<string, string> = new Map(
  [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (gauge|counter|histogram) \|/gm)].map(([, name = "", type = ""]) => [name, type]),
);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const RULES = read("build/monitoring/alert-rules.yml");
const ALERTS = [...RULES.matchAll(/- alert: (\w+)\n\s+expr: (?:>-\n)?([\s\S]*?)\n\s+(?:for|labels):/g)].map(
  ([, alert = "", expr = ""]) => ({
    alert,
    expr,
  }),
);
const PANELS = (JSON.parse(read("build/monitoring/grafana-dashboard.json")) as Dashboard).panels;

/** Metrics of an expression that no node serves in that form. */
function unknownMetrics(expression: string): readonly string[] {
  const names = [...expression.matchAll(/\b(?:parley|process|nodejs)_\w+/g)].map(([name]) => name);
  return names.filter((name) => {
    const histogram = name.replace(/_(?:bucket|sum|count)$/, "");
    return METRICS.get(name) === undefined ? METRICS.get(histogram) !== "histogram" : METRICS.get(name) === "histogram";
  });
}

it("every alert and panel reads metrics that nodes serve", () => {
  const expressions = [...ALERTS.map(({ expr }) => expr), ...PANELS.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  expect(ALERTS).toHaveLength(RULES.split("alert:").length - 1);
  expect(expressions.length).toBeGreaterThan(25);
  expect(expressions.flatMap(unknownMetrics)).toEqual([]);
});

it("docs/metrics.md names exactly the alerts", () => {
  const rows = [...read("docs/metrics.md").matchAll(/^\| `(Parley\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(ALERTS.map(({ alert }) => alert));
});

const PROMTOOL = spawnSync("promtool", ["--version"]).status === 0;

it.skipIf(!PROMTOOL)("promtool accepts the rules", () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", `${ROOT}/build/monitoring/alert-rules.yml`], {
    encoding: "utf8",
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
});

it("each panel has a title of its own", () => {
  expect(new Set(PANELS.map(({ title }) => title)).size).toBe(PANELS.length);
});
