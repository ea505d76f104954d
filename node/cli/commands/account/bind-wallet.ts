// parley bind-wallet: direct the earnings of a node to a wallet.
import type { Command } from "commander";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { unlockSigningKey } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface BindOptions extends SubmitOptions {
  readonly walletKey: string;
  readonly walletPasswordFile?: string;
}

export function addBindWalletCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("bind-wallet")
    .description("pay the earnings of a node to a wallet; the wallet's key co-signs")
    .requiredOption("--wallet-key <file>", "key file of the wallet; the node's own ends a binding")
    .option("--wallet-password-file <file>", "file whose first line is the wallet's password (else as for --key)");
  withExamples(
    withSubmitOptions(command),
    "bind-wallet --key data/keys/node-key.json --wallet-key alice.json --wait",
    "bind-wallet --key data/keys/node-key.json --wallet-key data/keys/node-key.json",
  ).action((options: BindOptions) => bindWallet(context, options));
}

function bindWallet(context: CommandContext, options: BindOptions): Promise<void> {
  return submitAndReport(context, options, async ({ chainId, signer }) => {
    const passwordFile = options.walletPasswordFile ?? options.passwordFile;
    const wallet = await unlockSigningKey(context, { key: options.walletKey, ...(passwordFile === undefined ? {} : { passwordFile }) });
    const signature = signEd25519(walletSignBytes(chainId, signer.publicKey), wallet.seed);
    return {
      what: `Earnings of ${formatAddress(signer.publicKey)} to ${formatAddress(wallet.publicKey)}`,
      draft: { type: "BIND_WALLET", payload: { wallet_pub: wallet.publicKey, wallet_sig: toBase64(signature) } },
    };
  });
}
