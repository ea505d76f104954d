// parley faucet: tokens on a development network.
import { type Command, Option } from "commander";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";
import { type AccountOptions, connectFor } from "../../session/accounts/account-names.ts";
import { report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue } from "../../session/option-values.ts";
import { describeStatus, waitForBlock } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface FaucetOptions extends AccountOptions {
  readonly to?: string;
  readonly amount: AmountUt;
  readonly wait?: boolean;
}

export function addFaucetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("faucet")
    .description("get tokens on a development network, where they have no value")
    .option("--to <account>", "address, hex public key, @username or address-book name that receives them, instead of --key", accountValue)
    .option("--key <file>", "key file whose account receives them; no password needed")
    .addOption(
      new Option("--amount <amount>", "amount: 250T, or whole µT like 250000000; at most 1000T")
        .argParser(amountValue)
        .default(100 * UT_PER_T, "100T"),
    )
    .option("--wait", "wait until they are in a block");
  withExamples(withClientOptions(command), "faucet --key alice.json --wait", "faucet --to pl1… --amount 250T").action(
    (options: FaucetOptions) => faucet(context, options),
  );
}

async function faucet(context: CommandContext, options: FaucetOptions): Promise<void> {
  const { client, publicKey: to } = await connectFor(context, options.to, options);
  const accepted = await client.requestFaucet({ body: { to, amount_ut: options.amount } });
  const result = options.wait === true ? await waitForBlock(context, client, accepted.id) : accepted;
  report(context, options, result, [`${formatAmount(options.amount)} from the faucet: ${describeStatus(result)}`, result.id]);
}
