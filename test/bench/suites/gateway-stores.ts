// What the mailboxes of a gateway and of a node do without an interface: transactions of so many envelopes, and lists among many rows.
import { mkdir } from "node:fs/promises";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { type MailStore, openPostgresMail, openSqliteMail } from "../load/mail-stores.ts";
import { sealEnvelopes } from "../load/parley-mailbox.ts";
import { noise, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

/** Envelopes of a transaction, and how many of them. */
const BATCHES = [
  [512, 16],
  [32, 64],
] as const;
const LISTED = 50;
const LIST_MS = 2_000;
/** Rows among which a list is read; with `--scale` ten times as many. */
const ROWS = 100_000;
const KINDS = ["SQLite", "PostgreSQL"] as const;

type Figures = Readonly<Record<"512" | "32" | "list", number>>;
type Sample = Readonly<Record<(typeof KINDS)[number], Figures>>;

const GOALS = [
  ["512", "512 envelopes at once", 1],
  ["32", "32 envelopes at once", 0.9],
  ["list", "lists", 0.7],
] as const;

/** Fresh stores in every sample. */
export async function gatewayStores(bench: Bench): Promise<void> {
  const batches = BATCHES.map(([size, count]) => [size, sealEnvelopes(size * count)] as const);
  const rows = bench.options.repeats > 1 ? 10 * ROWS : ROWS;
  let runs = 0;
  const samples = await sample(bench.options.repeats, async (): Promise<Sample> => {
    runs += 1;
    const folder = `${bench.folder}/stores-${runs}`;
    await mkdir(folder);
    return {
      SQLite: await measure(await openSqliteMail(folder), batches, rows),
      PostgreSQL: await measure(await openPostgresMail(), batches, rows),
    };
  });
  const { values, isNoisy } = samples;
  for (const [figure, what, atLeast] of GOALS) {
    const value = median(values.map(({ SQLite, PostgreSQL }) => PostgreSQL[figure] / SQLite[figure]));
    bench.goals.push({ what: `a gateway's store: ${what}`, value, unit: "× SQLite", bound: { atLeast }, isNoisy });
  }
  const of = (kind: (typeof KINDS)[number], figure: keyof Figures): string => {
    const ratio = median(samples.values.map((value) => value[kind][figure] / value.SQLite[figure]));
    return `${round(median(samples.values.map((value) => value[kind][figure])))}${kind === "SQLite" ? "" : ` (${round(ratio)})`}`;
  };
  bench.print(
    table(
      `Gateways: mailboxes without an interface, a second; ratios to SQLite of the same sample (${noise(samples)})`,
      ["store", "envelopes, 512 at once", "envelopes, 32 at once", `lists of ${LISTED} among ${rows} rows`],
      KINDS.map((kind) => [kind, of(kind, "512"), of(kind, "32"), of(kind, "list")]),
    ),
  );
}

async function measure(opened: MailStore, batches: readonly (readonly [number, readonly Envelope[]])[], rows: number): Promise<Figures> {
  await using mail = opened;
  const stored: number[] = [];
  for (const [size, envelopes] of batches) {
    const fromMs = performance.now();
    for (let at = 0; at < envelopes.length; at += size) await mail.store(envelopes.slice(at, at + size));
    stored.push(envelopes.length / ((performance.now() - fromMs) / 1_000));
  }
  const all = batches.flatMap(([, envelopes]) => envelopes);
  await mail.fill(Math.ceil(rows / all.length));
  const recipients = [...new Set(all.map((envelope) => envelope.recipient_pub))];
  let lists = 0;
  const fromMs = performance.now();
  while (performance.now() - fromMs < LIST_MS) {
    const count = await mail.list(recipients[lists % recipients.length] ?? "", LISTED);
    if (count !== LISTED) throw new Error(`A list has ${count} envelopes`);
    lists += 1;
  }
  const [many = 0, few = 0] = stored;
  return { "512": many, "32": few, list: lists / ((performance.now() - fromMs) / 1_000) };
}
