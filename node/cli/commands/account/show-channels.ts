// The channels of an account as a table.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type AccountOptions, connectFor, shownAccount } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { type ListPage, listUpTo, moreAfter } from "../../session/printing/list-up-to.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type Channel, channelOf } from "./channels.ts";

/** Channels of one request. */
const PAGE = 500;

export interface ChannelsOptions extends AccountOptions {
  readonly limit: number;
  readonly after?: string;
}

/** Prints them, newest first. */
export async function showChannels(context: CommandContext, account: string | undefined, options: ChannelsOptions): Promise<void> {
  const { client, publicKey } = await connectFor(context, account, options);
  const read = async (query: { readonly limit: number; readonly after?: string }): Promise<ListPage<Channel>> => {
    const page = await client.listChannels({ account: publicKey, ...query });
    return { items: page.channels.map(channelOf), next: page.next_after };
  };
  const { found: channels, next } = await listUpTo(read, { ...options, pageSize: PAGE });
  const lines = channels.length === 0 ? ["No channels."] : tableLines(channels, columnsFor(context, publicKey));
  const more = next === undefined ? {} : { next_after: next };
  report(context, options, { pub_key: publicKey, count: channels.length, channels, ...more }, lines);
  if (next !== undefined) context.terminal.err(moreAfter(next));
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
