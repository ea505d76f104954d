// parley contract logs: what a contract logged, or the events of a name, and with --follow what it logs from now on.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { parseContractEvent, readEventFields } from "#shared/protocol/transactions/contract-events.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { type EventOptions, type EventQuery, eventQuery } from "../../../session/contracts/event-filter.ts";
import { type NamesOptions, withNamesOption } from "../../../session/contracts/names-option.ts";
import { withExamples } from "../../../session/examples.ts";
import { countValue, heightValue } from "../../../session/option-values.ts";
import { onOneLine } from "../../../session/printing/printable-line.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { CONTRACT_ARGUMENT, findContract } from "../named-contract.ts";

interface LogsOptions extends ClientOptions, NamesOptions, EventOptions {
  readonly follow?: boolean;
  readonly limit: number;
  readonly since?: number;
}

type Log = Output<"listContractLogs">["logs"][number];

/** Which lines are asked for. */
interface LogSource {
  readonly client: NodeClient;
  readonly contractID: string;
  readonly query: EventQuery & { readonly since?: number };
}

/** Most lines that a node sends at a time. */
const PAGE = 100;
const DEFAULT_LINES = 20;
const POLL_MS = 1_000;

export function addLogsCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("logs")
    .description("print what successful calls of a contract logged, oldest first")
    .argument("<contract>", CONTRACT_ARGUMENT)
    .option("--event <name>", "only the events of this name")
    .option("--where <field=value>", "only those with the value in an indexed field (repeatable); an account may be a name", append)
    .option("--since <block>", "only what was logged in this block or later ones", heightValue)
    .option("--follow", "then print what is logged from now on, until Ctrl-C")
    .option("--limit <count>", "newest lines to begin with", countValue, DEFAULT_LINES);
  withExamples(
    withNamesOption(withClientOptions(command)),
    "contract logs counter --follow --limit 1",
    "contract logs gold --event Transfer --where to=@bob",
  ).action(async (name: string, options: LogsOptions) => {
    const client = await connect(context, options);
    const { id, abi } = await findContract({ context, client }, name, options);
    const { since } = options;
    const query = { ...(await eventQuery({ client, context }, abi, options)), ...(since === undefined ? {} : { since }) };
    const source: LogSource = { client, contractID: id, query };
    const shown = await newest(source, options.limit);
    if (options.follow !== true) {
      report(context, options, { contract_id: id, logs: shown }, shown.map(lineOf));
      return;
    }
    for (const log of shown) print(context, options, log);
    await follow(context, options, { ...source, after: shown.at(-1)?.position });
  });
}

/** The newest lines, oldest first. */
async function newest({ client, contractID, query }: LogSource, limit: number): Promise<readonly Log[]> {
  const found: Log[] = [];
  for (let after: string | undefined, isDone = false; !isDone && found.length < limit; isDone = after === undefined) {
    const page = { limit: Math.min(PAGE, limit - found.length), ...(after === undefined ? {} : { after }) };
    const { logs, next_after } = await client.listContractLogs({ contractID, ...query, ...page });
    found.push(...logs);
    after = next_after;
  }
  return found.reverse();
}

/** Prints what comes, each line once, until the program is interrupted. */
async function follow(
  context: CommandContext,
  options: LogsOptions,
  { client, contractID, query, after: first }: LogSource & { readonly after: string | undefined },
): Promise<never> {
  let after = first;
  for (;;) {
    const page = { limit: PAGE, order: "asc" as const, ...(after === undefined ? {} : { after }) };
    const { logs, next_after } = await client.listContractLogs({ contractID, ...query, ...page });
    for (const log of logs) print(context, options, log);
    after = next_after ?? logs.at(-1)?.position ?? after;
    if (next_after === undefined) await context.pause(POLL_MS);
  }
}

function print(context: CommandContext, options: LogsOptions, log: Log): void {
  report(context, options, log, [lineOf(log)]);
}

function lineOf({ block_index: height, message }: Log): string {
  const name = parseContractEvent(message)?.name;
  const fields = name === undefined ? undefined : readEventFields(message);
  const words = fields === undefined ? [message] : [name, ...fields.map((field) => `${field.name}=${field.text}`)];
  return `${height}  ${onOneLine(words.join("  "))}`;
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
