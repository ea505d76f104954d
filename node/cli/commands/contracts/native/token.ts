// parley token: reading tokens, and calls of the network's token contract in words.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import {
  ACCOUNT,
  type AccountOptions,
  connectFor,
  describeAccount,
  resolveAccount,
  withAccountOptions,
} from "../../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../../session/accounts/recipients.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { planNativeCall } from "../../../session/contracts/contract-calls.ts";
import { withExamples } from "../../../session/examples.ts";
import { accountValue, countValue, uint64Value } from "../../../session/option-values.ts";
import { type Column, tableLines } from "../../../session/printing/table.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../../session/submit.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { addApprovalCommands, TOKEN_ID, UNITS } from "./token-approvals.ts";

type Token = Output<"getToken">;

const HELD_COLUMNS: readonly Column<Output<"listTokensOfOwner">["tokens"][number]>[] = [
  { head: "ID", cell: ({ token_id }) => token_id },
  { head: "SYMBOL", cell: ({ symbol }) => symbol },
  { head: "BALANCE", cell: ({ balance }) => String(balance), isNumber: true },
  { head: "DECIMALS", cell: ({ decimals }) => String(decimals), isNumber: true },
  { head: "NAME", cell: ({ name }) => name },
];

const COLUMNS: readonly Column<Token>[] = [
  { head: "ID", cell: ({ token_id }) => token_id },
  { head: "SYMBOL", cell: ({ symbol }) => symbol },
  { head: "UNITS", cell: ({ supply }) => String(supply), isNumber: true },
  { head: "DECIMALS", cell: ({ decimals }) => String(decimals), isNumber: true },
  { head: "ISSUER", cell: ({ issuer_pub }) => formatAddress(issuer_pub) },
  { head: "NAME", cell: ({ name }) => name },
];

interface IssueOptions extends SubmitOptions {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: string;
  readonly supply: string;
}

interface ListOptions extends ClientOptions {
  readonly owner?: string;
  readonly limit: number;
  readonly after?: string;
}

interface AmountOptions extends SubmitOptions, RecipientOptions {
  readonly amount: string;
}

export function addTokenCommands(program: Command, context: CommandContext): void {
  const token = program.command("token").description("issue, send and read tokens of the network's token contract");
  addIssue(token, context);
  addTransfer(token, context);
  addApprovalCommands(token, context);
  addBurn(token, context);
  addBalance(token, context);
  addList(token, context);
}

function addIssue(parent: Command, context: CommandContext): void {
  const command = parent
    .command("issue")
    .description("issue a new token; you receive the whole supply")
    .argument("<id>", "its id: 1 to 32 of a-z 0-9 . _ -")
    .requiredOption("--name <text>", "its name")
    .requiredOption("--symbol <text>", "1 to 12 letters or digits")
    .requiredOption("--supply <units>", UNITS, uint64Value)
    .option("--decimals <count>", "decimals, at most 18", uint64Value, "0");
  withExamples(
    withSubmitOptions(command),
    "token issue gold --name Gold --symbol AU --supply 1000000 --decimals 2 --key alice.json --wait",
  ).action((id: string, options: IssueOptions) =>
    submitAndReport(context, options, ({ client }) => {
      const { name, symbol, decimals, supply } = options;
      const argsJson = `[${[id, name, symbol].map((text) => JSON.stringify(text)).join(",")},${decimals},${supply}]`;
      return planNativeCall(client, "tokens", { what: `Token ${id} issued`, method: "issue", argsJson });
    }),
  );
}

function addTransfer(parent: Command, context: CommandContext): void {
  const command = parent
    .command("transfer")
    .description("send tokens")
    .argument("<id>", TOKEN_ID)
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name", accountValue)
    .requiredOption("--amount <units>", UNITS, uint64Value);
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "token transfer gold --to @bob --amount 250 --key alice.json --wait",
  ).action((id: string, options: AmountOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const to = await resolveRecipient({ client, context }, options, signer);
      return await planNativeCall(client, "tokens", {
        what: `${options.amount} units of ${id} to ${describeAccount(options.to, to)}`,
        method: "transfer",
        argsJson: `[${JSON.stringify(id)},${JSON.stringify(to)},${options.amount}]`,
      });
    }),
  );
}

function addBurn(parent: Command, context: CommandContext): void {
  const command = parent
    .command("burn")
    .description("burn your tokens")
    .argument("<id>", TOKEN_ID)
    .requiredOption("--amount <units>", UNITS, uint64Value);
  withExamples(withSubmitOptions(command), "token burn gold --amount 250 --key alice.json --wait").action(
    (id: string, options: AmountOptions) =>
      submitAndReport(context, options, ({ client }) =>
        planNativeCall(client, "tokens", {
          what: `${options.amount} units of ${id} burnt`,
          method: "burn",
          argsJson: `[${JSON.stringify(id)},${options.amount}]`,
        }),
      ),
  );
}

function addBalance(parent: Command, context: CommandContext): void {
  const command = parent.command("balance").description("print how much of a token an account holds").argument("<id>", TOKEN_ID);
  withExamples(withAccountOptions(command), "token balance gold --key alice.json", "token balance gold @bob --json").action(
    async (id: string, account: string | undefined, options: AccountOptions) => {
      const { client, publicKey } = await connectFor(context, account, options);
      const balance = await client.getTokenBalance({ id, pubkey: publicKey });
      report(context, options, balance, [String(balance.balance)]);
    },
  );
}

function addList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .description("print the tokens of the network, ordered by ID, or one of them")
    .argument("[id]", "id of one token")
    .option("--owner <account>", `only those that this account holds, with its balances: ${ACCOUNT}`, accountValue)
    .option("--limit <count>", "maximum number", countValue, 100)
    .option("--after <id>", "only those after this ID");
  withExamples(withClientOptions(command), "token list", "token list --owner @bob", "token list gold --json").action(
    async (id: string | undefined, options: ListOptions) => {
      const client = await connect(context, options);
      if (id !== undefined) {
        const token = await client.getToken({ id });
        report(context, options, token, tableLines([token], COLUMNS));
        return;
      }
      if (options.owner !== undefined) {
        await listHeld(context, { client, pubkey: await resolveAccount({ client, context }, options.owner) }, options);
        return;
      }
      const list = await client.listTokens({ limit: options.limit, ...(options.after === undefined ? {} : { after: options.after }) });
      report(context, options, list, list.tokens.length === 0 ? ["No tokens."] : tableLines(list.tokens, COLUMNS));
      if (list.next_after !== undefined) context.terminal.err(`There are more: --after ${list.next_after}`);
    },
  );
}

/** Page after page: one may be short, because all tokens are looked at. */
async function listHeld(
  context: CommandContext,
  { client, pubkey }: { readonly client: NodeClient; readonly pubkey: PublicKeyHex },
  options: ListOptions,
): Promise<void> {
  const tokens: Output<"listTokensOfOwner">["tokens"] = [];
  let { after } = options;
  do {
    const page = await client.listTokensOfOwner({
      pubkey,
      limit: options.limit - tokens.length,
      ...(after === undefined ? {} : { after }),
    });
    tokens.push(...page.tokens);
    after = page.next_after;
  } while (after !== undefined && tokens.length < options.limit);
  const continued = after === undefined ? {} : { next_after: after };
  const lines = tokens.length === 0 ? ["No tokens."] : tableLines(tokens, HELD_COLUMNS);
  report(context, options, { pub_key: pubkey, count: tokens.length, tokens, ...continued }, lines);
  if (after !== undefined) context.terminal.err(`There are more: --after ${after}`);
}
