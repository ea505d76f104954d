// parley identity: what an account has published about itself.
import type { Command } from "commander";
import { type AccountOptions, connectFor, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { fieldLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addIdentityCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("identity")
    .description("print what an account has published: username, nickname, encryption key, devices");
  withExamples(withAccountOptions(command), "identity @bob", "identity --key alice.json --json").action(
    async (account: string | undefined, options: AccountOptions) => {
      const { client, publicKey } = await connectFor(context, account, options);
      const identity = await client.getIdentity({ pubkey: publicKey });
      const { accounts } = await client.search({ q: identity.address, limit: 1 });
      const username = accounts.find(({ pub_key }) => pub_key === publicKey)?.username ?? "";
      const lines = fieldLines([
        ["address", identity.address],
        ["key", identity.pub_key],
        ["username", username === "" ? "none" : `@${username}`],
        ["calls itself", identity.nickname === "" ? "nothing" : identity.nickname],
        ["encryption key", identity.x25519_pub === "" ? "not published" : identity.x25519_pub],
        ["devices", String(identity.device_count)],
      ]);
      report(context, options, { ...identity, username }, lines);
    },
  );
}
