// Payment channels of an account, and one by its id.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";

const CHANNEL_ID_BYTES = 16;

export function createChannelHandlers({ channels }: Pick<ReadQueries, "channels">): Pick<Handlers, "listChannels" | "getChannel"> {
  return {
    listChannels: async ({ account, limit = 50, after }): Promise<Output<"listChannels">> => {
      if (after !== undefined && !isHex(after, CHANNEL_ID_BYTES))
        throw new CodedError("BAD_REQUEST", "after is the id of a channel, 32 hex characters");
      const publicKey = parseAccount(account);
      const page = after === undefined ? { limit } : { limit, after: after.toLowerCase() };
      const { items, next, missingBelow } = await channels.channels(publicKey, page);
      const missing = missingBelow === undefined ? {} : { missing_below: missingBelow };
      const following = next === undefined ? {} : { next_after: next };
      return { pub_key: publicKey, count: items.length, channels: [...items], ...following, ...missing };
    },
    getChannel: async ({ channel_id: text }): Promise<Output<"getChannel">> => {
      const channel = isHex(text, CHANNEL_ID_BYTES) ? await channels.channel(text.toLowerCase()) : undefined;
      if (channel === undefined) throw new CodedError("NOT_FOUND", "There is no payment channel with this id");
      return channel;
    },
  };
}
