// The channels of an account as a table.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type AccountOptions, connectFor, shownAccount } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type Channel, listChannels } from "./channels.ts";

/** Prints them, newest first. */
export async function showChannels(context: CommandContext, account: string | undefined, options: AccountOptions): Promise<void> {
  const { client, publicKey } = await connectFor(context, account, options);
  const channels = await listChannels(client, publicKey);
  const lines = channels.length === 0 ? ["No channels."] : tableLines(channels, columnsFor(context, publicKey));
  report(context, options, { pub_key: publicKey, count: channels.length, channels }, lines);
}

function columnsFor(context: CommandContext, account: PublicKeyHex): readonly Column<Channel>[] {
  return [
    { head: "CHANNEL", cell: ({ channel_id }) => channel_id },
    { head: "DEPOSIT", cell: ({ deposit_ut }) => formatAmount(deposit_ut), isNumber: true },
    { head: "PAID", cell: ({ paid_ut }) => (paid_ut === null ? "" : formatAmount(paid_ut)), isNumber: true },
    { head: "STATUS", cell: ({ status }) => status },
    { head: "EXPIRES", cell: ({ expires_at }) => timeOfSeconds(expires_at) },
    { head: "TO OR FROM", cell: (channel) => otherSide(context, account, channel) },
  ];
}

function otherSide(context: CommandContext, account: PublicKeyHex, { payer, payee }: Channel): string {
  return payer === account ? `to ${shownAccount(context, payee)}` : `from ${shownAccount(context, payer)}`;
}
