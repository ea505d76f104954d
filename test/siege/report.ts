// The table of a siege, and what counts as having withstood an attack.
import { round, table } from "../bench/measure/statistics.ts";
import type { MailFigures } from "../support/nodes/mail-count.ts";
import { WORKS } from "./honest-work.ts";
import type { Figures, WorkWindow } from "./run-attack.ts";

/** Least part of the undisturbed rate. */
const LEAST_RATIO = 0.9;
/** Most that messages of contacts take by what they take undisturbed, of their 99th percentiles. */
const MOST_DELAY = 2;
/** What an attack may add to the memory of its victim, MiB: the budgets of docs/limits.md together, and what the collector leaves. */
const MOST_GROWTH_MIB = 512;
/** When other programs of the machine use more of it in one of the windows, percent of one core, the ratio says little. */
const NOISE_PERCENT = 50;

/** What attackers count beside what they do: that they came, or got nowhere. */
const IDLE_COUNTS: ReadonlySet<string> = new Set([
  "identities",
  "refusals",
  "refused",
  "failures",
  "envelopes refused",
  "late responses in vain",
]);

/** Rate under the attack by the undisturbed one. */
export function ratioOf({ undisturbed, underAttack }: Figures): number {
  return undisturbed.rate === 0 ? 0 : underAttack.rate / undisturbed.rate;
}

/** Everything that an attack achieved; empty when it was withstood. One in which nothing was done says nothing, and is not. */
export function failuresOf(figures: Figures): readonly string[] {
  const { undisturbed, underAttack, serverErrors, hasDied, problems, counts } = figures;
  const hasAttacked = Object.entries(counts).some(([what, count]) => count > 0 && !IDLE_COUNTS.has(what));
  return [
    ...(hasAttacked ? [] : ["the attacker did nothing"]),
    ...(ratioOf(figures) < LEAST_RATIO ? ["honest work"] : []),
    ...mailFailures(undisturbed, underAttack),
    ...(underAttack.memoryMiB - undisturbed.memoryMiB > MOST_GROWTH_MIB ? ["memory"] : []),
    ...(serverErrors > 0 ? ["server errors"] : []),
    ...(hasDied ? ["the victim ended"] : []),
    ...problems,
  ];
}

/** What came of messages that are counted one by one. */
function mailFailures({ mail: before }: WorkWindow, { mail }: WorkWindow): readonly string[] {
  if (before === undefined || mail === undefined) return [];
  const isLate = mail.p99 === undefined || before.p99 === undefined || mail.p99 > MOST_DELAY * before.p99;
  const [lost, doubled] = [before.lost + mail.lost, before.doubled + mail.doubled];
  return [
    ...(lost > 0 ? [`${lost} messages lost`] : []),
    ...(doubled > 0 ? [`${doubled} came twice`] : []),
    ...(isLate ? ["late messages"] : []),
  ];
}

/** Work a second, and how long messages took where they are counted. */
function rateCell({ rate, mail }: WorkWindow): string {
  const times = mail && [mail.p50, mail.p99].map((ms) => Math.round(ms ?? Number.NaN));
  return times === undefined ? round(rate) : `${round(rate)} (p50 ${times[0]}, p99 ${times[1]} ms)`;
}

/** True when other programs disturbed the measurement. */
export function isNoisy({ undisturbed, underAttack }: Figures): boolean {
  return Math.max(undisturbed.othersPercent, underAttack.othersPercent) > NOISE_PERCENT;
}

/** All rows, in Markdown. */
export function siegeTable(rows: readonly Figures[]): string {
  const header = ["attack", "honest work", "undisturbed", "under attack", "ratio", "status p95 ms", "memory MiB", "5xx", "verdict"];
  return table(
    "Honest work under attack",
    header,
    rows.map((figures) => {
      const { attack, undisturbed, underAttack, serverErrors } = figures;
      const failures = failuresOf(figures);
      return [
        attack.title,
        WORKS[attack.work].unit,
        rateCell(undisturbed),
        rateCell(underAttack),
        `${(ratioOf(figures) * 100).toFixed(0)} %${isNoisy(figures) ? " (noisy)" : ""}`,
        `${round(undisturbed.statusP95Ms)} → ${round(underAttack.statusP95Ms)}`,
        `${undisturbed.memoryMiB.toFixed(0)} → ${underAttack.memoryMiB.toFixed(0)}`,
        String(serverErrors),
        failures.length === 0 ? "withstood" : `fails: ${failures.join("; ")}`,
      ];
    }),
  );
}

/** What was done, in one line. */
export function detailsOf({ undisturbed, underAttack, counts, refusals }: Figures): string {
  const pairs = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .map(([what, count]) => `${what} ${count}`)
      .join(", ");
  const processor = `processor of the victim ${undisturbed.processorPercent.toFixed(0)} → ${underAttack.processorPercent.toFixed(0)} %`;
  const others = `other programs ${undisturbed.othersPercent.toFixed(0)} → ${underAttack.othersPercent.toFixed(0)} %`;
  const behind = `victim not up to date ${undisturbed.behindPercent.toFixed(0)} → ${underAttack.behindPercent.toFixed(0)} %`;
  const mail = [undisturbed, underAttack].flatMap((window) => window.mail ?? []).map(mailWords);
  return `attacker: ${pairs(counts) || "nothing"}; ${processor}; ${behind}; ${others}; honest work not done: ${pairs(refusals) || "none"}${mail.length === 0 ? "" : `; messages: ${mail.join(" → ")}`}`;
}

function mailWords({ sent, lost, doubled, ...times }: MailFigures): string {
  const [p50, p99, longest] = [times.p50, times.p99, times.longest].map((ms) => Math.round(ms ?? Number.NaN));
  return `${sent} sent, ${lost} lost, ${doubled} doubled, p50 ${p50}, p99 ${p99}, longest ${longest} ms`;
}
