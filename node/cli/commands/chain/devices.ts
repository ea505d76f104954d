// parley devices: the devices of an account, to which messages for it are sealed.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { type AccountOptions, connectFor, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";

const COLUMNS: readonly Column<Output<"listDevices">["devices"][number]>[] = [
  { head: "LINKED", cell: ({ added_at }) => timeOfSeconds(added_at) },
  { head: "KEY", cell: ({ x25519_pub_key }) => x25519_pub_key },
  { head: "NAME", cell: ({ device_name }) => device_name },
];

export function addDevicesCommand(program: Command, context: CommandContext): void {
  const command = program.command("devices").description("print the linked devices of an account");
  withExamples(withAccountOptions(command), "devices --key alice.json", "devices @bob --json").action(
    async (account: string | undefined, options: AccountOptions) => {
      const { client, publicKey } = await connectFor(context, account, options);
      const list = await client.listDevices({ master_pub: publicKey });
      report(context, options, list, list.count === 0 ? ["No devices."] : tableLines(list.devices, COLUMNS));
    },
  );
}
