// Payment channels as a client sees them, with their parties by key.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

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

/** The open channel of a key with an id. @throws CodedError NOT_FOUND when there is none, or it is closed. */
export async function openChannel(client: NodeClient, account: PublicKeyHex, channelId: string): Promise<Channel> {
  const channel = channelOf(await client.getChannel({ channel_id: channelId }).catch((error: unknown) => notMine(error, channelId)));
  if (channel.payer !== account && channel.payee !== account) return notMine(undefined, channelId);
  if (channel.status === "closed") throw new CodedError("NOT_FOUND", `The payment channel ${channelId} is already closed`);
  return channel;
}

/** As clients see it. */
export function channelOf({ payer_pub, payer_addr: _, payee_pub, payee_addr: __, ...channel }: Output<"getChannel">): Channel {
  return { ...channel, payer: payer_pub, payee: payee_pub };
}

function notMine(cause: unknown, channelId: string): never {
  if (cause !== undefined && !(cause instanceof CodedError && cause.code === "NOT_FOUND")) throw cause;
  throw new CodedError("NOT_FOUND", `This key has no payment channel ${channelId} in a block: see "parley channel list"`, { cause });
}
