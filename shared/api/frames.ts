// WebSocket frames: JSON objects with `type`. Client frames have schemas, for the node checks them; pushes carry their topic.
import type { Static } from "typebox";
import * as Type from "typebox";

/** Longest `topic` of a subscription, characters. */
export const MAX_TOPIC_CHARS = 200;

const Request = Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Integer()], { description: "Echoed in the answer" }));

export const SubmitTxFrame = Type.Object({ type: Type.Literal("submit_tx"), tx: Type.Unknown(), req: Request });
export const SubscribeFrame = Type.Object({
  type: Type.Literal("subscribe"),
  topic: Type.String({ maxLength: MAX_TOPIC_CHARS }),
  req: Request,
});
export const UnsubscribeFrame = Type.Object({
  type: Type.Literal("unsubscribe"),
  topic: Type.String({ maxLength: MAX_TOPIC_CHARS }),
  req: Request,
});
export const TypingFrame = Type.Object({ type: Type.Literal("typing"), to: Type.String(), from: Type.String() });
export const PingFrame = Type.Object({ type: Type.Literal("ping"), req: Request });
export const AuthFrame = Type.Object({ type: Type.Literal("auth"), pub: Type.String(), sig: Type.String(), req: Request });

/** Every frame that a client may send. */
export const ClientFrame = Type.Union([SubmitTxFrame, SubscribeFrame, UnsubscribeFrame, TypingFrame, PingFrame, AuthFrame]);
export type ClientFrame = Static<typeof ClientFrame>;

/** `req` of the frame that is answered. */
export type RequestId = string | number;
interface Answer {
  readonly req?: RequestId;
}

export interface HelloFrame {
  readonly type: "hello";
  /** 32 random bytes, hex: what `auth` signs. */
  readonly nonce: string;
  readonly chain_id: string;
  /** True when `inbox:` and `typing:` topics need `auth` on this connection. */
  readonly auth_required: boolean;
}
export interface AuthOkFrame extends Answer {
  readonly type: "auth_ok";
  readonly pub: string;
}
export interface SubscribedFrame extends Answer {
  readonly type: "subscribed" | "unsubscribed";
  readonly topic: string;
}
export interface PongFrame extends Answer {
  readonly type: "pong";
}
export interface ErrorFrame extends Answer {
  readonly type: "error";
  readonly error: string;
}
export interface SubmitAckFrame extends Answer {
  readonly type: "submit_ack";
  readonly id: string;
  /** accepted or rejected. */
  readonly status: string;
  readonly error?: string;
  readonly warning?: string;
}
/** Topic `blocks`. */
export interface BlockFrame {
  readonly type: "block";
  readonly topic: string;
  readonly index: number;
  readonly hash: string;
  readonly time: string;
  readonly validator: string;
  readonly tx_count: number;
  readonly total_fees_ut: number;
}
/** Topics `txs`, `account:…` and `contract:…`: a transaction that is in a block. */
export interface TxFrame {
  readonly type: "tx";
  readonly topic: string;
  readonly id: string;
  readonly tx_type: string;
  readonly from: string;
  readonly to: string;
  readonly amount_ut: number;
  readonly fee_ut: number;
  readonly block: number;
  readonly block_hash: string;
  readonly time: string;
  /** ok or failed. */
  readonly status: string;
  /** Lines that a successful call logged; on `contract:…` only. */
  readonly logs?: readonly string[];
}
/** Topic `inbox:<x25519>`: summary of an envelope that arrived. */
export interface InboxFrame {
  readonly type: "inbox";
  readonly topic: string;
  readonly id: string;
  readonly recipient_pub: string;
  readonly sender_pub: string;
  readonly sender_ed25519_pub: string;
  readonly fee_ut: number;
  readonly sent_at: number;
}
/** Topic `typing:<x25519>`. */
export interface TypingPushFrame {
  readonly type: "typing";
  readonly topic: string;
  readonly to: string;
  readonly from: string;
}

/** Every frame that a node may send. */
export type NodeFrame =
  | HelloFrame
  | AuthOkFrame
  | SubscribedFrame
  | PongFrame
  | ErrorFrame
  | SubmitAckFrame
  | BlockFrame
  | TxFrame
  | InboxFrame
  | TypingPushFrame;

/** A frame that belongs to a topic. */
export type PushFrame = Extract<NodeFrame, { readonly topic: string; readonly type: "block" | "tx" | "inbox" | "typing" }>;
