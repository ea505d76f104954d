// parley stats: figures of the network, or a chart of them.
import { type Command, Option } from "commander";
import type { Output } from "#shared/api/api.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { type Column, fieldLines, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface StatsOptions extends ClientOptions {
  readonly chart?: "hour" | "day";
  readonly limit: number;
}

type Bucket = Output<"getChart">["buckets"][number];

const DEFAULT_BUCKETS = 24;

const COLUMNS: readonly Column<Bucket>[] = [
  { head: "FROM", cell: ({ start }) => start },
  { head: "BLOCKS", cell: ({ blocks }) => String(blocks), isNumber: true },
  { head: "TXS", cell: ({ transactions }) => String(transactions), isNumber: true },
  { head: "FAILED", cell: ({ failed }) => String(failed), isNumber: true },
  { head: "FEES", cell: ({ fees_ut }) => formatAmount(fees_ut), isNumber: true },
  { head: "BLOCK TIME", cell: ({ avg_block_time_ms: ms }) => (ms === undefined ? "" : secondsOf(ms)), isNumber: true },
];

export function addStatsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("stats")
    .description("print figures of the network, or of its latest hours or days")
    .addOption(new Option("--chart <resolution>", "blocks, transactions and fees by the hour or the day").choices(["hour", "day"]))
    .option("--limit <count>", "with --chart: how many hours or days", countValue, DEFAULT_BUCKETS);
  withExamples(withClientOptions(command), "stats", "stats --chart day --limit 7").action((options: StatsOptions) =>
    options.chart === undefined ? showStats(context, options) : showChart(context, options, options.chart),
  );
}

async function showStats(context: CommandContext, options: StatsOptions): Promise<void> {
  const client = await connect(context, options);
  const stats = await client.getNetstats({});
  const lines = fieldLines([
    ["height", String(stats.height)],
    ...(stats.from_height === undefined ? [] : ([["counted from", `block ${stats.from_height}`]] as const)),
    ["transactions", String(stats.total_txs)],
    ["payments", String(stats.total_transfers)],
    ["relay proofs", String(stats.total_relay_proofs)],
    ["block time", secondsOf(stats.avg_block_time_ms)],
    ["transactions/s", stats.tps.toFixed(2)],
    ["supply", formatAmount(stats.total_supply_ut)],
    ["validators", String(stats.validator_count)],
  ]);
  report(context, options, stats, lines);
}

async function showChart(context: CommandContext, options: StatsOptions, resolution: "hour" | "day"): Promise<void> {
  const client = await connect(context, options);
  const chart = await client.getChart({ resolution, limit: options.limit });
  const from = chart.from_height === undefined ? [] : [`Counted from block ${chart.from_height}`];
  report(context, options, chart, [...tableLines(chart.buckets, COLUMNS), ...from]);
}

function secondsOf(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
