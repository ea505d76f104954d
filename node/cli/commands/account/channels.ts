// Payment channels as a client sees them, with their parties by key. A voucher is a text that the payer hands over.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type AmountUt, isAmount } from "#shared/protocol/amount.ts";
import { voucherSignBytes } from "#shared/protocol/authorisations.ts";
import { verifyZip215 } from "#shared/protocol/signature.ts";
import { fromHex, tryFromBase64 } from "#shared/util/bytes.ts";

/** A channel with what became of it. */
export interface Channel {
  readonly channel_id: string;
  readonly payer: PublicKeyHex;
  readonly payee: PublicKeyHex;
  readonly deposit_ut: AmountUt;
  /** Unix seconds from which the payer can close it alone. */
  readonly expires_at: number;
  readonly status: "open" | "closed";
  /** What the payee got; null while it is open. */
  readonly paid_ut: AmountUt | null;
  /** Transaction that opened it. */
  readonly open_tx: string;
  /** Transaction that closed it; null while it is open. */
  readonly close_tx: string | null;
}

/** A promise of the payer: so much in all. */
export interface Voucher {
  readonly channelId: string;
  readonly paidUt: AmountUt;
  /** Base64. */
  readonly signature: string;
}

/** Channels of one question. */
const PAGE = 500;
const VOUCHER = /^([0-9a-fA-F]{32}):(\d{1,16}):([A-Za-z0-9+/]{86}==)$/;

/** All channels that a key pays into or is paid from, newest first. */
export async function listChannels(client: NodeClient, account: PublicKeyHex): Promise<readonly Channel[]> {
  const channels: Channel[] = [];
  let after: string | undefined;
  do {
    const page = await client.listChannels({ account, limit: PAGE, ...(after === undefined ? {} : { after }) });
    channels.push(...page.channels.map(channelOf));
    after = page.next_after;
  } while (after !== undefined);
  return channels;
}

/** The open channel of a key with an id. @throws CodedError NOT_FOUND when there is none, or it is closed. */
export async function openChannel(client: NodeClient, account: PublicKeyHex, channelId: string): Promise<Channel> {
  const channel = channelOf(await client.getChannel({ channel_id: channelId }).catch((error: unknown) => notMine(error, channelId)));
  if (channel.payer !== account && channel.payee !== account) return notMine(undefined, channelId);
  if (channel.status === "closed") throw new CodedError("NOT_FOUND", `The payment channel ${channelId} is closed already`);
  return channel;
}

/** The text of a voucher. */
export function formatVoucher({ channelId, paidUt, signature }: Voucher): string {
  return `${channelId}:${paidUt}:${signature}`;
}

/** The voucher of a text, or undefined when it is none. */
export function parseVoucher(text: string): Voucher | undefined {
  const [, channelId, paid, signature] = VOUCHER.exec(text.trim()) ?? [];
  if (channelId === undefined || signature === undefined || !isAmount(Number(paid))) return undefined;
  return { channelId: channelId.toLowerCase(), paidUt: Number(paid), signature };
}

/** True when the payer signed the voucher for this chain. */
export function isVoucherOf(payer: PublicKeyHex, { channelId, paidUt, signature }: Voucher, chainId: string): boolean {
  const bytes = tryFromBase64(signature);
  return bytes?.length === 64 && verifyZip215(bytes, voucherSignBytes(chainId, channelId, paidUt), fromHex(payer));
}

function channelOf({ payer_pub, payer_addr: _, payee_pub, payee_addr: __, ...channel }: Output<"getChannel">): Channel {
  return { ...channel, payer: payer_pub, payee: payee_pub };
}

function notMine(cause: unknown, channelId: string): never {
  if (cause !== undefined && !(cause instanceof CodedError && cause.code === "NOT_FOUND")) throw cause;
  throw new CodedError("NOT_FOUND", `This key has no payment channel ${channelId} in a block: see "parley channel list"`, { cause });
}
