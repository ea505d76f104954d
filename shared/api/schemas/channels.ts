// Schemas of payment channels.
import type { Static } from "typebox";
import * as Type from "typebox";
import { AmountUt, Count, MissingBelow, OlderNodes, PublicKey, UnixSeconds, WalletAddress } from "./primitives.ts";

export const PaymentChannel = Type.Object(
  {
    channel_id: Type.String({ description: "32 hex characters" }),
    payer_pub: PublicKey,
    payer_addr: WalletAddress,
    payee_pub: PublicKey,
    payee_addr: WalletAddress,
    deposit_ut: AmountUt,
    expires_at: UnixSeconds,
    status: Type.Enum(["open", "closed"]),
    paid_ut: Type.Union([AmountUt, Type.Null()], { description: "What the payee got; null while it is open" }),
    open_tx: Type.String({ description: "Transaction that opened it; empty when it was opened on the previous chain" }),
    close_tx: Type.Union([Type.String(), Type.Null()], { description: "Transaction that closed it; null while it is open" }),
  },
  { title: "PaymentChannel" },
);
export const ChannelList = Type.Object(
  {
    pub_key: PublicKey,
    count: Count,
    channels: Type.Array(PaymentChannel),
    next_after: Type.Optional(Type.String()),
    missing_below: MissingBelow,
    older_nodes: OlderNodes,
  },
  { title: "ChannelList" },
);

export type PaymentChannel = Static<typeof PaymentChannel>;
