// Payment channels.
import * as Type from "typebox";
import { endpoint, listQuery, NoBody, NoFields } from "../endpoint.ts";
import * as schema from "../schemas/channels.ts";

const tag = "Channels";

export const channelEndpoints = {
  listChannels: endpoint({
    method: "GET",
    path: "/api/channels",
    tag,
    summary: "Payment channels that a key pays into or is paid from, newest first",
    access: "read",
    params: NoFields,
    query: Type.Object({
      account: Type.String({ minLength: 1, description: "Wallet address or hex public key" }),
      ...listQuery(50, 500).properties,
    }),
    body: NoBody,
    response: schema.ChannelList,
    errors: [],
  }),
  getChannel: endpoint({
    method: "GET",
    path: "/api/channels/:channel_id",
    tag,
    summary: "One payment channel",
    access: "read",
    params: Type.Object({ channel_id: Type.String({ minLength: 1, description: "32 hex characters" }) }),
    query: NoFields,
    body: NoBody,
    response: schema.PaymentChannel,
    errors: [404],
  }),
} as const;
