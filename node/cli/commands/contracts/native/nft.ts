// parley nft: reading NFTs, and calls of the network's NFT contract in words.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { describeAccount, resolveAccount } from "../../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../../session/accounts/recipients.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { planNativeCall } from "../../../session/contracts/contract-calls.ts";
import { withExamples } from "../../../session/examples.ts";
import { accountValue, countValue } from "../../../session/option-values.ts";
import { type Column, fieldLines, tableLines } from "../../../session/printing/table.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../../session/submit.ts";
import type { CommandContext } from "../../../session/terminal.ts";

type Nft = Output<"getNft">;

const COLUMNS: readonly Column<Nft>[] = [
  { head: "ID", cell: ({ nft_id }) => nft_id },
  { head: "OWNER", cell: ({ owner_addr }) => owner_addr },
  { head: "NAME", cell: ({ name }) => name },
];

interface ListOptions extends ClientOptions {
  readonly owner?: string;
  readonly limit: number;
  readonly after?: string;
}

export function addNftCommands(program: Command, context: CommandContext): void {
  const nft = program.command("nft").description("mint, transfer and read NFTs of the network's NFT contract");
  addMint(nft, context);
  addTransfer(nft, context);
  addBurn(nft, context);
  addList(nft, context);
}

function addMint(parent: Command, context: CommandContext): void {
  const command = parent
    .command("mint")
    .description("mint an NFT; it is yours")
    .argument("<id>", "its id: 1 to 32 of a-z 0-9 . _ -")
    .requiredOption("--name <text>", "its name")
    .option("--metadata <text>", "text of your choice, at most 4096 bytes", "");
  withExamples(withSubmitOptions(command), `nft mint sunrise --name Sunrise --metadata '{"year":2026}' --key alice.json --wait`).action(
    (id: string, options: SubmitOptions & { readonly name: string; readonly metadata: string }) =>
      submitAndReport(context, options, ({ client }) =>
        planNativeCall(client, "nfts", {
          what: `NFT ${id} minted`,
          method: "mint",
          argsJson: JSON.stringify([id, options.name, options.metadata]),
        }),
      ),
  );
}

function addTransfer(parent: Command, context: CommandContext): void {
  const command = parent
    .command("transfer")
    .description("transfer an NFT")
    .argument("<id>", "its id")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name", accountValue);
  withExamples(withSubmitOptions(withLookAlikeOption(command)), "nft transfer sunrise --to @bob --key alice.json --wait").action(
    (id: string, options: SubmitOptions & RecipientOptions) =>
      submitAndReport(context, options, async ({ client, signer }) => {
        const to = await resolveRecipient({ client, context }, options, signer);
        const what = `NFT ${id} to ${describeAccount(options.to, to)}`;
        return await planNativeCall(client, "nfts", { what, method: "transfer", argsJson: JSON.stringify([id, to]) });
      }),
  );
}

function addBurn(parent: Command, context: CommandContext): void {
  const command = parent.command("burn").description("burn your NFT; its ID cannot be reused").argument("<id>", "its id");
  withExamples(withSubmitOptions(command), "nft burn sunrise --key alice.json --wait").action((id: string, options: SubmitOptions) =>
    submitAndReport(context, options, ({ client }) =>
      planNativeCall(client, "nfts", { what: `NFT ${id} burnt`, method: "burn", argsJson: JSON.stringify([id]) }),
    ),
  );
}

function addList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .description("print the NFTs of the network or of an owner, ordered by ID, or one of them")
    .argument("[id]", "id of one NFT")
    .option("--owner <account>", "only those of this address, hex public key, @username or address-book name", accountValue)
    .option("--limit <count>", "maximum number", countValue, 100)
    .option("--after <id>", "only those after this ID");
  withExamples(withClientOptions(command), "nft list --owner @bob", "nft list sunrise --json").action(
    (id: string | undefined, options: ListOptions) => listNfts(context, id, options),
  );
}

async function listNfts(context: CommandContext, id: string | undefined, options: ListOptions): Promise<void> {
  const client = await connect(context, options);
  if (id !== undefined) {
    const nft = await client.getNft({ id });
    const described = nft.metadata === "" ? [] : ([["metadata", nft.metadata]] as const);
    report(context, options, nft, fieldLines([["id", nft.nft_id], ["name", nft.name], ["owner", nft.owner_addr], ...described]));
    return;
  }
  const page = { limit: options.limit, ...(options.after === undefined ? {} : { after: options.after }) };
  const list =
    options.owner === undefined
      ? await client.listNfts(page)
      : await client.listNftsOfOwner({ ...page, pubkey: await resolveAccount({ client, context }, options.owner) });
  report(context, options, list, list.nfts.length === 0 ? ["No NFTs."] : tableLines(list.nfts, COLUMNS));
  if (list.next_after !== undefined) context.terminal.err(`There are more: --after ${list.next_after}`);
}
