// parley blocks: the newest blocks.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue, heightValue } from "../../session/option-values.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Block = Output<"listBlocks">[number];

interface BlocksOptions extends ClientOptions {
  readonly limit: number;
  readonly before?: number;
}

/** Most blocks that a node lists at a time. */
const PAGE = 100;
const DEFAULT_COUNT = 20;

const COLUMNS: readonly Column<Block>[] = [
  { head: "BLOCK", cell: ({ index }) => String(index), isNumber: true },
  { head: "TIME", cell: ({ time }) => time },
  { head: "TXS", cell: ({ tx_count }) => String(tx_count), isNumber: true },
  { head: "FEES", cell: ({ total_fees_ut }) => formatAmount(total_fees_ut), isNumber: true },
  { head: "VALIDATOR", cell: ({ validator }) => validator },
  { head: "HASH", cell: ({ hash }) => hash },
];

export function addBlocksCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("blocks")
    .description("print the newest blocks, newest first")
    .option("--limit <count>", "maximum number", countValue, DEFAULT_COUNT)
    .option("--before <height>", "only blocks below this one", heightValue);
  withExamples(withClientOptions(command), "blocks --limit 5", "blocks --before 8100 --json").action(async (options: BlocksOptions) => {
    const client = await connect(context, options);
    const blocks = await listBlocks(client, options);
    report(context, options, { count: blocks.length, blocks }, tableLines(blocks, COLUMNS));
  });
}

async function listBlocks(client: NodeClient, { limit, before }: BlocksOptions): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for (let below = before; blocks.length < limit; below = blocks.at(-1)?.index) {
    const page = await client.listBlocks({
      limit: Math.min(PAGE, limit - blocks.length),
      ...(below === undefined ? {} : { before: below }),
    });
    blocks.push(...page);
    if (page.length === 0 || page.at(-1)?.index === 0) break;
  }
  return blocks;
}
