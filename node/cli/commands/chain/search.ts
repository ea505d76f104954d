// parley search: everything that a text names.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Found = Output<"search">;

/** One hit of any kind. */
interface Hit {
  readonly kind: string;
  readonly id: string;
  /** Words of the finder's or of strangers. */
  readonly words: string;
}

const DEFAULT_LIMIT = 10;

const COLUMNS: readonly Column<Hit>[] = [
  { head: "KIND", cell: ({ kind }) => kind },
  { head: "ID", cell: ({ id }) => id },
  { head: "WHAT", cell: ({ words }) => words },
];

export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("search")
    .description("print the blocks, transactions, accounts, usernames, contracts, tokens and NFTs that a text names")
    .argument("<text>", "a height, hash, ID, address, key, or the beginning of a name")
    .option("--limit <count>", "maximum number of each kind", countValue, DEFAULT_LIMIT);
  withExamples(withClientOptions(command), "search @ali", "search 8123 --json").action(
    async (text: string, options: ClientOptions & { readonly limit: number }) => {
      const client = await connect(context, options);
      const found = await client.search({ q: text, limit: options.limit });
      const lines = tableLines(hitsOf(found), COLUMNS);
      report(context, options, found, lines.length === 0 ? ["Nothing found."] : lines);
    },
  );
}

function hitsOf(found: Found): readonly Hit[] {
  return [
    ...found.blocks.map(({ index, hash, time }) => ({ kind: "block", id: String(index), words: `${time} ${hash}` })),
    ...found.transactions.map(({ id, type, amount, time }) => ({ kind: "transaction", id, words: `${type} ${amount} ${time}` })),
    ...found.accounts.map(({ address, balance_ut, username, nickname }) => ({
      kind: "account",
      id: address,
      words: [formatAmount(balance_ut), username === "" ? "" : `@${username}`, nickname === "" ? "" : `calls itself “${nickname}”`]
        .filter((word) => word !== "")
        .join(", "),
    })),
    ...found.usernames.map(({ username, address }) => ({ kind: "username", id: `@${username}`, words: address })),
    ...found.contracts.map(({ contract_id, name, version }) => ({ kind: "contract", id: contract_id, words: `${name} ${version}` })),
    ...found.tokens.map(({ token_id, name, symbol }) => ({ kind: "token", id: token_id, words: `${symbol} ${name}` })),
    ...found.nfts.map(({ nft_id, name, owner_addr }) => ({ kind: "nft", id: nft_id, words: `of ${owner_addr} ${name}` })),
    ...found.relays.map(({ address, relay }) => ({
      kind: "relay",
      id: address,
      words: `${formatAmount(relay.fee_per_msg_ut)} a message`,
    })),
    ...found.validators.map(({ address }) => ({ kind: "validator", id: address, words: "" })),
  ];
}
