// Payment channels in the words of the public interface: the derived index says which there are, the committed state what they hold.
import { readChannel } from "#node/ledger/records/channel-records.ts";
import type { ChannelQueries } from "#node/queries/read-queries.ts";
import type { IndexedChannel } from "#node/storage/explorer/channel-index-repository.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ChainReads } from "../chain-reads.ts";

const MISSING = "The index of channels names only what exists";

/** Queries of the public interface over the channels of a chain. */
export function createChannelQueries(database: ChainReads): ChannelQueries {
  const { channels } = database.explorer;
  return {
    channels: (account, { limit, after }): ReturnType<ChannelQueries["channels"]> => {
      const indexed = channels.list(account, limit, after);
      const first = database.blocks.firstHeight();
      // All are read before any is missed: a light node fetches together what a read misses.
      const items = indexed.flatMap((channel) => paymentChannel(database, channel) ?? []);
      assertInvariant(items.length === indexed.length, MISSING);
      return {
        items,
        next: indexed.length === limit ? indexed.at(-1)?.channelId : undefined,
        // Those that are open follow from the state: closed ones are missing.
        ...(first > 1 ? { missingBelow: first } : {}),
      };
    },
    channel: (id): PaymentChannel | undefined => {
      const indexed = channels.get(id);
      if (indexed === undefined) return undefined;
      const channel = paymentChannel(database, indexed);
      assertInvariant(channel !== undefined, MISSING);
      return channel;
    },
  };
}

function paymentChannel(database: ChainReads, { channelId, openTx, closeTx }: IndexedChannel): PaymentChannel | undefined {
  const channel = readChannel(database.state, channelId);
  if (channel === undefined) return undefined;
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
