// parley block: one block with its transactions.
import { type Command, InvalidArgumentError } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { isHex } from "#shared/util/bytes.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { type Column, fieldLines, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { addressOf } from "./transaction-columns.ts";

type Block = Output<"getBlock">;
type BlockTransaction = Block["transactions"][number];

const LATEST = "latest";

const COLUMNS: readonly Column<BlockTransaction>[] = [
  { head: "TYPE", cell: ({ type }) => type },
  { head: "AMOUNT", cell: ({ amount_ut }) => formatAmount(amount_ut), isNumber: true },
  { head: "FEE", cell: ({ fee_ut }) => formatAmount(fee_ut), isNumber: true },
  { head: "STATUS", cell: ({ status }) => status },
  { head: "FROM", cell: ({ from }) => addressOf(from) },
  { head: "TO", cell: ({ to }) => addressOf(to) },
  { head: "TRANSACTION", cell: ({ id }) => id },
];

export function addBlockCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("block")
    .description("print a block and its transactions")
    .argument("<block>", `its height, its hash, or "${LATEST}"`, blockValue);
  withExamples(withClientOptions(command), "block 8123", `block ${LATEST} --json`).action(async (name: string, options: ClientOptions) => {
    const client = await connect(context, options);
    const block = await findBlock(client, name);
    report(context, options, block, linesOf(block));
  });
}

async function findBlock(client: NodeClient, name: string): Promise<Block> {
  if (isHex(name, 32)) return await client.getBlockByHash({ hash: name });
  if (name !== LATEST) return await client.getBlock({ index: Number(name) });
  const [newest] = await client.listBlocks({ limit: 1 });
  if (newest === undefined) throw new CodedError("NOT_FOUND", "The node has no block yet");
  return await client.getBlock({ index: newest.index });
}

function linesOf(block: Block): readonly string[] {
  return [
    ...fieldLines([
      ["block", String(block.index)],
      ["time", block.time],
      ["hash", block.hash],
      ["previous", block.prev_hash],
      ["state", block.state_root],
      ["validator", block.validator],
      ["fees", formatAmount(block.total_fees_ut)],
      ["transactions", String(block.tx_count)],
    ]),
    ...(block.transactions.length === 0 ? [] : ["", ...tableLines(block.transactions, COLUMNS)]),
  ];
}

function blockValue(text: string): string {
  if (text !== LATEST && !/^\d{1,15}$/.test(text) && !isHex(text.toLowerCase(), 32))
    throw new InvalidArgumentError(`A block is a height, a hash of 64 hex characters, or "${LATEST}".`);
  return text.toLowerCase();
}
