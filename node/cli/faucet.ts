// parley faucet: tokens on a development network.
import type { Command } from "commander";
import { formatAmount } from "#shared/protocol/amount.ts";
import { accountOf } from "./address.ts";
import { parseAmountArgument } from "./amount-argument.ts";
import { type ClientOptions, connect, placeOf, report, waitForBlock, withClientOptions } from "./client-session.ts";
import type { CommandContext } from "./terminal.ts";

interface FaucetOptions extends ClientOptions {
  readonly to?: string;
  readonly key?: string;
  readonly amount: string;
  readonly wait?: boolean;
}

/** Adds the command. */
export function addFaucetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("faucet")
    .description("get tokens on a development network, where they are worth nothing")
    .option("--to <account>", "address or hex public key that gets them, instead of --key")
    .option("--key <file>", "key file whose account gets them; its password is not needed")
    .option("--amount <amount>", "amount in T, at most 1000", "100")
    .option("--wait", "wait until they are in a block");
  withClientOptions(command).action((options: FaucetOptions) => faucet(context, options));
}

async function faucet(context: CommandContext, options: FaucetOptions): Promise<void> {
  const to = accountOf(options.to, options.key);
  const amountUt = parseAmountArgument(options.amount);
  const client = await connect(context, options);
  const accepted = await client.requestFaucet({ body: { to, amount_ut: amountUt } });
  const result = options.wait === true ? await waitForBlock(context, client, accepted.id) : accepted;
  report(context, options, result, [`${formatAmount(amountUt)} from the faucet: ${placeOf(result)}`, result.id]);
}
