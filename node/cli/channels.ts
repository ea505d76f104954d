// Payment channels as a client sees them: read from the history of one of their parties. A voucher is a text that the payer hands over.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type AmountUt, isAmount } from "#shared/protocol/amount.ts";
import { voucherSignBytes } from "#shared/protocol/authorisations.ts";
import type { PayloadOf } from "#shared/protocol/payload.ts";
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
}

/** A promise of the payer: so much in all. */
export interface Voucher {
  readonly channelId: string;
  readonly paidUt: AmountUt;
  /** Base64. */
  readonly signature: string;
}

type Entry = Output<"getAddress">["transactions"][number];

const PAGE = 1_000;
const PARALLEL = 16;
const VOUCHER = /^([0-9a-fA-F]{32}):(\d{1,16}):([A-Za-z0-9+/]{86}==)$/;

/** All channels that a key pays into or is paid from, newest first. */
export async function listChannels(client: NodeClient, account: PublicKeyHex): Promise<readonly Channel[]> {
  const entries = await channelEntries(client, account);
  const opened: Omit<Channel, "status" | "paid_ut">[] = [];
  const paid = new Map<string, AmountUt>();
  for (let start = 0; start < entries.length; start += PARALLEL) {
    const batch = entries.slice(start, start + PARALLEL);
    const payloads = await Promise.all(batch.map(({ id }) => client.getTransaction({ txid: id })));
    for (const { id, type, from, to, amount_ut, payload } of payloads) {
      if (type === "OPEN_PAY_CHAN") opened.push({ ...openingOf(payload), payer: from, payee: to, deposit_ut: amount_ut, open_tx: id });
      else {
        const { channel_id, paid_ut } = payload as PayloadOf<"CLOSE_PAY_CHAN">;
        paid.set(channel_id.toLowerCase(), paid_ut);
      }
    }
  }
  return opened.map((channel) => {
    const paidUt = paid.get(channel.channel_id);
    return { ...channel, status: paidUt === undefined ? "open" : "closed", paid_ut: paidUt ?? null };
  });
}

/** The open channel of a key with an id. @throws CodedError NOT_FOUND when there is none, or it is closed. */
export async function openChannel(client: NodeClient, account: PublicKeyHex, channelId: string): Promise<Channel> {
  const channel = (await listChannels(client, account)).find(({ channel_id }) => channel_id === channelId);
  if (channel === undefined)
    throw new CodedError("NOT_FOUND", `This key has no payment channel ${channelId} in a block: see "parley channel list"`);
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

async function channelEntries(client: NodeClient, addr: PublicKeyHex): Promise<readonly Entry[]> {
  const entries = new Map<string, Entry>();
  for (let offset = 0, hasMore = true; hasMore; ) {
    const page = await client.getAddress({ addr, limit: PAGE, offset });
    for (const entry of page.transactions)
      if (entry.status === "ok" && (entry.type === "OPEN_PAY_CHAN" || entry.type === "CLOSE_PAY_CHAN")) entries.set(entry.id, entry);
    hasMore = page.has_more;
    offset = page.next_offset;
  }
  return [...entries.values()];
}

function openingOf(payload: unknown): Pick<Channel, "channel_id" | "expires_at"> {
  const { channel_id, expires_at } = payload as PayloadOf<"OPEN_PAY_CHAN">;
  return { channel_id: channel_id.toLowerCase(), expires_at };
}
