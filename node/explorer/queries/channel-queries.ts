// Payment channels in the words of the public interface: the derived index says which there are, the committed state what they hold.
import { readChannel } from "#node/ledger/records/channel-records.ts";
import type { ChannelQueries } from "#node/queries/read-queries.ts";
import type { IndexedChannel } from "#node/storage/explorer/channel-index-repository.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ChainReads } from "../chain-reads.ts";

/** Queries of the public interface over the channels of a chain. */
export function createChannelQueries(database: ChainReads): ChannelQueries {
  const { channels } = database.explorer;
  return {
    channels: (account, { limit, after }): ReturnType<ChannelQueries["channels"]> => {
      const indexed = channels.list(account, limit, after);
      return {
        items: indexed.map((channel) => paymentChannel(database, channel)),
        next: indexed.length === limit ? indexed.at(-1)?.channelId : undefined,
      };
    },
    channel: (id): PaymentChannel | undefined => {
      const indexed = channels.get(id);
      return indexed === undefined ? undefined : paymentChannel(database, indexed);
    },
  };
}

function paymentChannel(database: ChainReads, { channelId, openTx, closeTx }: IndexedChannel): PaymentChannel {
  const channel = readChannel(database.state, channelId);
  assertInvariant(channel !== undefined, "The index of channels names only what exists");
  const { payerPub, payeePub, depositUt, expiresAt, paidUt } = channel;
  return {
    channel_id: channelId,
    payer_pub: payerPub,
    payer_addr: formatAddress(payerPub),
    payee_pub: payeePub,
    payee_addr: formatAddress(payeePub),
    deposit_ut: depositUt,
    expires_at: expiresAt,
    status: paidUt === undefined ? "open" : "closed",
    paid_ut: paidUt ?? null,
    open_tx: openTx,
    close_tx: closeTx,
  };
}
