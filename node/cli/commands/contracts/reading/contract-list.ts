// parley contract list: the contracts of the chain.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { withExamples } from "../../../session/examples.ts";
import { contractIdValue, countValue } from "../../../session/option-values.ts";
import { type ListPage, listUpTo, moreAfter } from "../../../session/printing/list-up-to.ts";
import { type Column, tableLines } from "../../../session/printing/table.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { addressOf } from "../../chain/transaction-columns.ts";

type Contract = Output<"listContracts">["contracts"][number];

interface ListOptions extends ClientOptions {
  readonly limit: number;
  readonly after?: string;
}

const PAGE = 500;
const DEFAULT_COUNT = 100;

const COLUMNS: readonly Column<Contract>[] = [
  { head: "ID", cell: ({ contract_id }) => contract_id },
  { head: "BLOCK", cell: ({ deployed_at }) => String(deployed_at), isNumber: true },
  { head: "BYTES", cell: ({ wasm_size }) => String(wasm_size), isNumber: true },
  { head: "DEPLOYER", cell: ({ deployer_pub }) => addressOf(deployer_pub) || "native" },
  { head: "NAME", cell: ({ abi }) => [abi.contract, abi.version].filter((word) => typeof word === "string").join(" ") },
];

export function addListCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .description("print the contracts of the chain in the order of their deployment")
    .option("--limit <count>", "maximum number", countValue, DEFAULT_COUNT)
    .option("--after <id>", "only those after this contract", contractIdValue);
  withExamples(withClientOptions(command), "contract list", "contract list --limit 500 --json").action(async (options: ListOptions) => {
    const client = await connect(context, options);
    const read = async (query: { readonly limit: number; readonly after?: string }): Promise<ListPage<Contract>> => {
      const page = await client.listContracts(query);
      return { items: page.contracts, next: page.next_after };
    };
    const { found: contracts, next } = await listUpTo(read, { ...options, pageSize: PAGE });
    const lines = contracts.length === 0 ? ["No contracts."] : tableLines(contracts, COLUMNS);
    const more = next === undefined ? {} : { next_after: next };
    report(context, options, { count: contracts.length, contracts, ...more }, lines);
    if (next !== undefined) context.terminal.err(moreAfter(next));
  });
}
