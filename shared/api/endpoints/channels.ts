// Payment channels.
import * as Type from "typebox";
import { type EndpointGroup, listQuery, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/channels.ts";

const tag = "Channels";

export const channelEndpoints = {
  listChannels: publicRead({
    tag,
    summary: "Payment channels that a key pays into or is paid from, newest first",
    unverified: "completeness",
    heavy: "always",
    query: Type.Object({
      account: Type.String({ minLength: 1, description: "Wallet address or hex public key" }),
      ...listQuery(50, 500).properties,
    }),
    response: schema.ChannelList,
  }),
  getChannel: publicRead({
    tag,
    summary: "One payment channel",
    params: Type.Object({ channel_id: Type.String({ minLength: 1, description: "32 hex characters" }) }),
    response: schema.PaymentChannel,
    errors: [404],
  }),
} as const satisfies EndpointGroup;
