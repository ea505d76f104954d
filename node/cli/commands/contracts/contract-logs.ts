// parley contract logs: what a contract logged, and with --follow what it logs from now on.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { onOneLine } from "../../session/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { CONTRACT_ARGUMENT, findContract, type NamesOptions, withNamesOption } from "./named-contract.ts";

interface LogsOptions extends ClientOptions, NamesOptions {
  readonly follow?: boolean;
  readonly limit: number;
}

type Log = Output<"listContractLogs">["logs"][number];

/** Most lines that a node sends at a time. */
const PAGE = 100;
const DEFAULT_LINES = 20;
const POLL_MS = 1_000;

export function addLogsCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("logs")
    .description("print what successful calls of a contract logged, oldest first")
    .argument("<contract>", CONTRACT_ARGUMENT)
    .option("--follow", "then print what is logged from now on, until Ctrl-C")
    .option("--limit <count>", `newest lines to begin with, at most ${PAGE}`, countValue, DEFAULT_LINES);
  withExamples(withNamesOption(withClientOptions(command)), "contract logs counter", "contract logs counter --follow --limit 1").action(
    async (name: string, options: LogsOptions) => {
      const client = await connect(context, options);
      const { id } = await findContract(client, name, options);
      const newest = await logsOf(client, id);
      const shown = newest.slice(-options.limit);
      if (options.follow !== true) {
        report(context, options, { contract_id: id, logs: shown }, shown.map(lineOf));
        return;
      }
      for (const log of shown) print(context, options, log);
      await follow(context, options, { client, id, before: newest });
    },
  );
}

interface Following {
  readonly client: NodeClient;
  readonly id: string;
  /** What is not printed again. */
  readonly before: readonly Log[];
}

/** Prints what comes, each line once, until the program is interrupted. */
async function follow(context: CommandContext, options: LogsOptions, { client, id, before }: Following): Promise<never> {
  let known = before;
  for (;;) {
    await context.pause(POLL_MS);
    const now = await logsOf(client, id);
    const fresh = newLines(known, now);
    if (fresh === PAGE && known.length > 0) context.terminal.err(`Warning: more than ${PAGE} lines since the last look; some are missing.`);
    for (const log of now.slice(now.length - fresh)) print(context, options, log);
    known = now;
  }
}

/** How many lines at the end of a list are new: those in front of them are the end of the list before. */
export function newLines(before: readonly Log[], now: readonly Log[]): number {
  const isKnown = (count: number): boolean => {
    const tail = before.slice(before.length - count);
    return tail.length === count && tail.every((log, index) => isSame(log, now[index]));
  };
  let fresh = 0;
  while (fresh < now.length && !isKnown(now.length - fresh)) fresh += 1;
  return fresh;
}

function isSame(a: Log, b: Log | undefined): boolean {
  return a.tx_id === b?.tx_id && a.block_index === b.block_index && a.message === b.message;
}

/** Oldest first. */
async function logsOf(client: NodeClient, contractID: string): Promise<readonly Log[]> {
  const { logs } = await client.listContractLogs({ contractID, limit: PAGE });
  return [...logs].reverse();
}

function print(context: CommandContext, options: LogsOptions, log: Log): void {
  report(context, options, log, [lineOf(log)]);
}

function lineOf({ block_index: height, message }: Log): string {
  return `${height}  ${onOneLine(message)}`;
}
