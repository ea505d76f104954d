// parley token approve, allowance and transfer-from: letting another account send one's tokens.
import type { Command } from "commander";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ACCOUNT, describeAccount, resolveAccount, wellKnownContract } from "../../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../../session/accounts/recipients.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { planNativeCall } from "../../../session/contracts/contract-calls.ts";
import { withExamples } from "../../../session/examples.ts";
import { accountValue, uint64Value } from "../../../session/option-values.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../../session/submit.ts";
import type { CommandContext } from "../../../session/terminal.ts";

interface ApproveOptions extends SubmitOptions {
  readonly spender: string;
  readonly amount: string;
  readonly lookAlike?: boolean;
}

interface TransferFromOptions extends SubmitOptions, RecipientOptions {
  readonly from: string;
  readonly amount: string;
}

interface AllowanceOptions extends ClientOptions {
  readonly owner: string;
  readonly spender: string;
}

export const TOKEN_ID = "id of the token";
export const UNITS = "smallest units of the token, a whole number";

/** Adds the three commands. */
export function addApprovalCommands(token: Command, context: CommandContext): void {
  addApprove(token, context);
  addTransferFrom(token, context);
  addAllowance(token, context);
}

function addApprove(parent: Command, context: CommandContext): void {
  const command = parent
    .command("approve")
    .description("let an account send so many of your tokens in all; 0 takes that back")
    .argument("<id>", TOKEN_ID)
    .requiredOption("--spender <account>", ACCOUNT, accountValue)
    .requiredOption("--amount <units>", UNITS, uint64Value);
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "token approve gold --spender @shop --amount 250 --key alice.json --wait",
  ).action((id: string, options: ApproveOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const { lookAlike } = options;
      const spender = await resolveRecipient(
        { client, context },
        { to: options.spender, ...(lookAlike === undefined ? {} : { lookAlike }) },
        signer,
      );
      return await planNativeCall(client, "tokens", {
        what: `${describeAccount(options.spender, spender)} may send ${options.amount} units of ${id}`,
        method: "approve",
        argsJson: `[${JSON.stringify(id)},${JSON.stringify(spender)},${options.amount}]`,
      });
    }),
  );
}

function addTransferFrom(parent: Command, context: CommandContext): void {
  const command = parent
    .command("transfer-from")
    .description("send tokens of an account that approved it")
    .argument("<id>", TOKEN_ID)
    .requiredOption("--from <account>", `${ACCOUNT} of the owner`, accountValue)
    .requiredOption("--to <account>", ACCOUNT, accountValue)
    .requiredOption("--amount <units>", UNITS, uint64Value);
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "token transfer-from gold --from @alice --to @bob --amount 250 --key shop.json --wait",
  ).action((id: string, options: TransferFromOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const [from, to] = [
        await resolveAccount({ client, context }, options.from),
        await resolveRecipient({ client, context }, options, signer),
      ];
      return await planNativeCall(client, "tokens", {
        what: `${options.amount} units of ${id} of ${formatAddress(from)} to ${describeAccount(options.to, to)}`,
        method: "transfer_from",
        argsJson: `[${JSON.stringify(id)},${JSON.stringify(from)},${JSON.stringify(to)},${options.amount}]`,
      });
    }),
  );
}

function addAllowance(parent: Command, context: CommandContext): void {
  const command = parent
    .command("allowance")
    .description("print how much of a token an account may still send for its owner")
    .argument("<id>", TOKEN_ID)
    .requiredOption("--owner <account>", ACCOUNT, accountValue)
    .requiredOption("--spender <account>", ACCOUNT, accountValue);
  withExamples(withClientOptions(command), "token allowance gold --owner @alice --spender @shop").action(
    async (id: string, options: AllowanceOptions) => {
      const client = await connect(context, options);
      const [owner, spender] = [
        await resolveAccount({ client, context }, options.owner),
        await resolveAccount({ client, context }, options.spender),
      ];
      const contractID = await wellKnownContract(client, "tokens");
      const { value_u64: left } = await client.getContractState({ contractID, key: `a:${id}:${owner}:${spender}` });
      const allowance = left ?? 0;
      report(context, options, { token_id: id, owner, spender, allowance }, [String(allowance)]);
    },
  );
}
